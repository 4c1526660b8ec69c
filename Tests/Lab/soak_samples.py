"""What /proc tells of a running program over time, and whether it stays the same."""
import os, statistics, time

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
KIB = 1024


class Verdicts:
    """The lines of the report: what was checked, what came out, whether it held."""

    def __init__(self, quiet=False):
        self.lines, self.quiet = [], quiet

    def add(self, program, check, held, figures):
        self.lines.append(dict(program=program, check=check, held=bool(held), figures=figures))
        if not self.quiet:
            print(f"{'ok  ' if held else 'FAIL'} {program:8} {check:22} {figures}", flush=True)

    @property
    def failures(self):
        return [x for x in self.lines if not x["held"]]


class Bounds:
    """How much a program may change from the middle third of a run to the last one.

    A third is `seconds / 3` long, so that a leak of `growth / (seconds / 3)` a second is seen.
    """

    def __init__(self, growth=768 * KIB, peak=96 << 20, descriptors=2, extra_descriptors=0, threads=1,
                 cpu_factor=1.6, cpu_points=3.0):
        self.growth, self.peak, self.descriptors = growth, peak, descriptors
        self.extra_descriptors, self.threads = extra_descriptors, threads
        self.cpu_factor, self.cpu_points = cpu_factor, cpu_points


class Sample:
    __slots__ = ("at", "resident", "dirty", "descriptors", "threads", "cpu")


def read_sample(pid):
    """One look at a process; None once it has ended."""
    s = Sample()
    try:
        s.at = time.monotonic()
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        if fields[0] in "ZX":
            return None
        s.cpu = (int(fields[11]) + int(fields[12])) / TICKS
        s.threads = int(fields[17])
        s.resident = int(fields[21]) * PAGE
        s.descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        s.dirty = 0
        with open(f"/proc/{pid}/smaps_rollup") as f:
            for line in f:
                if line.startswith("Private_Dirty:"):
                    s.dirty = int(line.split()[1]) * KIB
        return s
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return None


def median(samples, key):
    return statistics.median(getattr(s, key) for s in samples)


def rate(samples):
    """Percent of a core."""
    span = samples[-1].at - samples[0].at
    return 100 * (samples[-1].cpu - samples[0].cpu) / span if span > 0 else 0.0


def judge(program, verdicts, samples, before, after, bounds):
    """Judges a run: samples of the disturbed time, one of the quiet before and one of the quiet after."""
    if len(samples) < 9 or before is None or after is None:
        verdicts.add(program, "samples", False, f"only {len(samples)} samples: it has ended")
        return
    n = len(samples) // 3
    middle, last = samples[n : 2 * n], samples[2 * n :]
    for key, word in (("dirty", "private memory"), ("resident", "resident memory")):
        a, b = median(middle, key), median(last, key)
        verdicts.add(program, word, b - a <= bounds.growth,
                     f"middle third {a / KIB:.0f} KiB, last third {b / KIB:.0f} KiB: "
                     f"{(b - a) / KIB:+.0f} KiB (at most +{bounds.growth / KIB:.0f})")
    peak = max(s.resident for s in samples)
    verdicts.add(program, "peak memory", peak <= bounds.peak, f"{peak / KIB:.0f} KiB (at most {bounds.peak / KIB:.0f})")
    most = max(s.descriptors for s in samples)
    room = before.descriptors + bounds.descriptors + bounds.extra_descriptors + 16
    verdicts.add(program, "descriptors", after.descriptors <= before.descriptors + bounds.descriptors and most <= room,
                 f"{before.descriptors} before, {after.descriptors} after (at most +{bounds.descriptors}), "
                 f"most {most} (at most {room})")
    a, b = median(middle, "threads"), median(last, "threads")
    verdicts.add(program, "threads", b <= a + bounds.threads and after.threads <= before.threads + bounds.threads,
                 f"{before.threads} before, {a:.0f} then {b:.0f}, {after.threads} after (at most +{bounds.threads})")
    a, b = rate(middle), rate(last)
    limit = a * bounds.cpu_factor + bounds.cpu_points
    verdicts.add(program, "processor", b <= limit, f"middle third {a:.1f} %, last third {b:.1f} % of a core (at most {limit:.1f})")
