"""What the measurements share: two namespaces joined by a link, programs in them, and the report."""
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAB = HERE.parent / "Tests" / "Lab"
OUT = HERE / "out"
OWN, PEER = f"lt{os.getpid()}own", f"lt{os.getpid()}peer"


def ip(line, namespace=""):
    subprocess.run(["ip", *(["-n", namespace] if namespace else []), *line.split()], check=True)


def make_namespaces():
    """Joins OWN (v0, 10.77.0.2) and PEER (v1, 10.77.0.1)."""
    for name in (OWN, PEER):
        ip(f"netns add {name}")
        subprocess.run(["ip", "netns", "exec", name, "sysctl", "-qw",
                        "net.ipv6.conf.default.accept_dad=0"], check=True)
        ip("link set lo up", name)
    # Where both ends have the same index the kernel's link watch may wait for a second.
    ip(f"link add v0 index 101 type veth peer name v1 index 201 netns {PEER}", OWN)
    ip("addr add 10.77.0.2/16 dev v0", OWN)
    ip("addr add 10.77.0.1/16 dev v1", PEER)
    ip("link set v1 up", PEER)
    ip("link set v0 up", OWN)
    time.sleep(0.5)


def remove_namespaces():
    for name in (OWN, PEER):
        subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)


class Child:
    """A program in a namespace, killed at the end of its `with`."""

    def __init__(self, namespace, command, **options):
        enter = ["ip", "netns", "exec", namespace] if namespace else []
        self.process = subprocess.Popen(
            enter + command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=LAB, **options)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def lines(self, limit):
        """Each line with the time it came at, until `limit` seconds have passed."""
        end = time.monotonic() + limit
        while (wait := end - time.monotonic()) > 0:
            if not select.select([self.process.stdout], [], [], wait)[0]:
                return
            part = self.process.stdout.read(1 << 20)
            now = time.monotonic()
            if not part:
                return
            *whole, self.rest = (self.rest + part).split(b"\n")
            for line in whole:
                yield now, line

    def expect(self, word, limit=30.0):
        for now, line in self.lines(limit):
            if word in line:
                return now, line
        sys.exit(f"no {word!r} from {self.process.args}")


def farm(count, *options):
    """A network of `count` services in PEER, ten a host."""
    child = Child(PEER, ["python3", "zeroconf_farm.py", "--count", str(count),
                         "--hosts", str(max(1, count // 10)), "--no-announce", "--family", "4",
                         "--duration", "3600", *options])
    child.expect(b"ready")
    return child


def avahi(folder):
    """An avahi-daemon in OWN, and a shell beside it."""
    child = Child(None, [str(LAB / "avahi_host.sh"), OWN, folder, "bench"])
    child.expect(b"ready")
    return child


def processor_seconds(pid):
    """CPU of all threads, from the scheduler's nanoseconds."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def status_kilobytes(pid, word):
    return int(re.search(rf"{word}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def compile_floor(name, *libraries):
    """Compiles a loop in C that does the least, and gives its path."""
    program = OUT / name
    OUT.mkdir(exist_ok=True)
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", program, HERE / f"{name}.c", *libraries],
                   check=True)
    return str(program)


def table(rows):
    """Markdown: the first row is the head, the first column text, the others figures."""
    head, *body = rows
    align = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, align, *body])


def quote(name, rows):
    """Keeps what results.md and the README show: (what, ours, peer's name, the peer's, ratio)."""
    lines = [["measured", "lantool", "beside", "", "ratio"], *[list(map(str, row)) for row in rows]]
    (OUT / f"{name}.quote.md").write_text(table(lines) + "\n")
