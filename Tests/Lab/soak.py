#!/usr/bin/env python3
"""Lets `lantool serve`, `browse` and `watch` run while the network around them misbehaves.

    soak.py [--minutes 30] [--lantool PATH] [--seed N] [--report FILE.md|FILE.json]
    soak.py --self-test

As root. It makes namespaces of its own and removes them again. Links flap, addresses and routes come
and go, multicast DNS is lost and doubled, nonsense comes to port 5353 and bad clients to the TCP port,
and services come, change, say goodbye or disappear. Memory, descriptors, threads and processor time
must stay flat, the output must be whole, and when it is quiet again every program must tell the truth.

Exit status 0 if everything held. --self-test proves that a program which does not behave is caught.
"""
import argparse, json, os, re, shutil, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from soak_farm import Farm, Vanishing
from soak_lab import HERE, Disturbance, Lab
from soak_samples import KIB, Bounds, Verdicts, judge, read_sample

TOP = os.path.dirname(os.path.dirname(HERE))
DECK = "Soak Deck"
TARGETS = ["default", "192.0.2.20", "203.0.113.9", "198.51.100.20", "2001:db8::20", "2001:db8:99::1", "localhost"]
LINES = 32 / 10
"""Most lines of standard error a second: 32 complaints about strangers in ten seconds (MDNSComplaints)."""


class Program:
    """A run of lantool whose process is looked at and whose output goes to files."""

    def __init__(self, lab, name, arguments, bounds, command=None):
        self.name, self.bounds, self.samples, self.before, self.after = name, bounds, [], None, None
        self.out_path, self.err_path = f"{lab.folder}/{name}.jsonl", f"{lab.folder}/{name}.err"
        with open(self.out_path, "wb") as out, open(self.err_path, "wb") as err:
            self.child = lab.start(lab.own, command or arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def sample(self):
        if self.child.poll() is None and (s := read_sample(self.child.pid)):
            self.samples.append(s)

    def records(self):
        with open(self.out_path, "rb") as f:
            text = f.read()
        return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]

    def end(self):
        """Ends it by SIGINT; its exit status, or None if it had to be killed."""
        self.child.send_signal(signal.SIGINT)
        try:
            return self.child.wait(30)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return None


def judge_output(program, verdicts, diagnostics):
    """Whole JSON lines with gapless numbers, and nothing on standard error but what is known."""
    with open(program.out_path, "rb") as f:
        text = f.read()
    fault, count = None if text.endswith(b"\n") or not text else "the last line is cut", 0
    for line in text.splitlines():
        count += 1
        try:
            record = json.loads(line)
            if record["seq"] != count:
                fault = fault or f"line {count} has seq {record['seq']}"
            if any(not record.get(key) for key in ("schema", "event", "time")):
                fault = fault or f"line {count} has no schema, event or time"
        except (ValueError, KeyError, TypeError) as e:
            fault = fault or f"line {count}: {e!r}"
    verdicts.add(program.name, "JSON Lines", not fault and count, f"{count} lines, {len(text) / KIB:.0f} KiB{': ' + fault if fault else ''}")
    with open(program.err_path, "rb") as f:
        lines = f.read().decode("utf-8", "backslashreplace").splitlines()
    strange = [x for x in lines if not any(re.search(d, x) for d in diagnostics)]
    most = int(LINES * (program.samples[-1].at - program.samples[0].at if program.samples else 0)) + 64
    verdicts.add(program.name, "standard error", not strange and len(lines) <= most,
                 f"{len(lines)} lines (at most {most}), {len(strange)} unknown{': ' + strange[0][:200] if strange else ''}")


class Soak:
    def __init__(self, a, folder):
        self.a, self.verdicts, self.lab, self.seconds = a, Verdicts(), Lab(folder), a.minutes * 60
        self.programs, self.folder, self.pings = [], folder, {}

    def run(self):
        self.lab.open()
        try:
            self.start()
            self.calm_before()
            self.disturb()
            self.judge_end()
        finally:
            self.lab.close()
        left = [n for n in (self.lab.own, self.lab.peer) if os.path.exists(f"/run/netns/{n}")]
        self.verdicts.add("lab", "nothing left behind", not left, ", ".join(left) or "both namespaces are gone")

    def start(self):
        lan = self.a.lantool
        small, long = self.a.minutes < 10, 2 * self.seconds + 600
        growth = (512 if small else 1024) * KIB
        self.serve = Program(self.lab, "serve", [
            lan, "serve", "--json", "--type", "_witap2._tcp", "--mode", "echo", "--name", DECK, "--host", "soak-deck", "--max-connections", "24",
            "--idle", "5s", "--stall", "3s"], Bounds(growth, 48 << 20, extra_descriptors=24))
        self.browse = Program(self.lab, "browse", [lan, "browse", "--json"], Bounds(growth, 64 << 20))
        self.watch = Program(self.lab, "watch", [lan, "watch", "--events", "--json", *TARGETS], Bounds(growth, 48 << 20))
        self.programs = [self.serve, self.browse, self.watch]
        self.farms = [Farm(self.lab, "v1", "Vau", self.a.seed, long), Farm(self.lab, "w1", "We", self.a.seed + 1, long)]
        self.vanishing = Vanishing(self.lab, "v1", self.a.seed + 2)
        self.port = self.await_(lambda: next((r["port"] for r in self.serve.records() if r["event"] == "listening"), None),
                                "serve does not listen")

    def await_(self, condition, complaint, seconds=60):
        """The first true value of a condition; patience costs nothing when the machine is idle."""
        end = time.monotonic() + seconds
        while True:
            if value := condition():
                return value
            if time.monotonic() > end:
                raise RuntimeError(complaint + "".join(
                    f"\n{p.name}: {open(p.err_path).read()[:500]}" for p in self.programs))
            time.sleep(0.2)

    def calm_before(self):
        self.await_(lambda: not self.difference(self.replay()), "browse does not find the farm")
        self.await_(lambda: self.ping()[0] == 0, "serve does not answer")
        time.sleep(6)  # past the server's idle time
        for p in self.programs:
            p.before = read_sample(p.child.pid)

    def disturb(self):
        folders = [f"{TOP}/Tests/Fixtures/pcap", os.path.join(os.path.dirname(TOP), "shared/captures/open")]
        folders += [f"{self.a.captures}"] if self.a.captures else []
        end = time.monotonic() + self.seconds
        garbage = self.lab.tool(
            self.lab.peer, "soak_garbage.py", "--interfaces", "v1,w1", "--unicast", "192.0.2.10", "--unicast", "198.51.100.10",
            "--rate", str(self.a.rate), "--seed", str(self.a.seed), "--pool", str(int(self.a.rate * self.seconds / 12)),
            "--duration", str(self.seconds + 60), *folders, stdout=subprocess.PIPE)
        garbage.stdout.readline()
        clients = self.lab.tool(
            self.lab.peer, "soak_clients.py", "--port", str(self.port), "--seed", str(self.a.seed), "--duration",
            str(self.seconds + 60), "192.0.2.10", "198.51.100.10", "2001:db8::10", stdout=subprocess.PIPE)
        disturbance, churn, ping, look = Disturbance(self.lab, self.a.seed), 0.0, 0.0, 0.0
        pinging = None
        while (now := time.monotonic()) < end and all(p.child.poll() is None for p in self.programs):
            disturbance.step()
            self.vanishing.step()
            if now >= churn:
                churn = now + 1.5
                for farm in self.farms:
                    farm.churn()
            if pinging and pinging.poll() is not None:
                self.pings[pinging.returncode] = self.pings.get(pinging.returncode, 0) + 1
                self.lab.children.remove(pinging)
                pinging = None
            if now >= ping and not pinging:
                ping = now + 8
                pinging = self.lab.start(self.lab.peer, [
                    self.a.lantool, "ping-peer", "-q", "-c", "3", "--interval", "200ms", "--timeout", "5s",
                    f"192.0.2.10:{self.port}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if now >= look:
                look = now + max(1.0, self.seconds / 600)
                for p in self.programs:
                    p.sample()
            time.sleep(0.1)
        self.vanishing.vanish()
        print(f"     disturbances: {disturbance.counts}, farm changes: {[f.ops for f in self.farms]}, "
              f"vanished: {self.vanishing.round}, ping-peer by status: {self.pings}")
        used = os.times()
        for tool in (garbage, clients):
            tool.send_signal(signal.SIGTERM)
            out = tool.communicate(timeout=60)[0]
            print("     " + (out.strip().splitlines() or ["no figures"])[-1])
        print(f"     soak.py itself and its children that ended: {used.user + used.system + used.children_user + used.children_system:.1f} s "
              f"of processor time in {self.seconds:.0f} s")
        self.lab.restore()

    # -- the end ------------------------------------------------------------------------------

    def replay(self, records=None):
        """The list that the events of browse make, by instance and interface, and what does not fit."""
        services = {}
        self.misfits = []
        for r in records if records is not None else self.browse.records():
            if r["event"] not in ("added", "updated", "removed"):
                continue
            key = (r["instance"], r["type"].lower(), r["domain"].lower(), r["interface"])
            if (r["event"] == "added") == (key in services):
                self.misfits.append(f"{r['event']} {key}")
            if r["event"] == "removed":
                services.pop(key, None)
            else:
                services[key] = r
        return services

    def truth(self):
        facts = {}
        for farm in self.farms:
            facts.update(farm.facts())
        for interface in ("v0", "w0"):
            facts[(DECK, interface)] = ("_witap2._tcp", self.port, {"mode": "echo"})
        return facts

    def difference(self, services):
        """What a list of services has otherwise than the farm: a line each; nothing for a right list."""
        told = {(instance, interface): (type_, r.get("port"), r.get("txt")) for (instance, type_, _, interface), r
                in services.items() if instance.startswith(("Farm ", DECK))}
        truth = self.truth() if hasattr(self, "port") else {}
        lines = [f"missing {k}" for k in truth.keys() - told.keys()] + [f"not there {k}" for k in told.keys() - truth.keys()]
        lines += [f"{k}: {told[k]} instead of {truth[k]}" for k in truth.keys() & told.keys() if truth[k] != told[k]]
        return sorted(lines)

    def ping(self):
        run = subprocess.run(["ip", "netns", "exec", self.lab.peer, self.a.lantool, "ping-peer", "-c", "3", "--interval", "200ms",
                              "--timeout", "30s", f"{DECK}._witap2._tcp.local"], capture_output=True, text=True)
        return run.returncode, (run.stdout + run.stderr).strip().splitlines()

    def json_of(self, *arguments):
        run = subprocess.run(["ip", "netns", "exec", self.lab.own, self.a.lantool, *arguments], capture_output=True, text=True)
        return [json.loads(x) for x in run.stdout.splitlines()]

    def settle(self, look, seconds=90):
        """Asks until nothing is wrong or patience is over; how long that took, and what is wrong then."""
        begin = time.monotonic()
        while True:
            wrong = look()
            if not wrong or time.monotonic() - begin > seconds:
                return time.monotonic() - begin, wrong
            time.sleep(1)

    def judge_end(self):
        v = self.verdicts
        died = [f"{p.name} ended with {p.child.returncode}" for p in self.programs if p.child.poll() is not None]
        v.add("all", "still running", not died, "; ".join(died) or "the same three processes")
        time.sleep(10)
        took, wrong = self.settle(lambda: self.difference(self.replay()))
        ghosts = sum(not k[0].startswith(("Farm ", DECK)) for k in self.replay())
        v.add("browse", "final list", not wrong, f"{len(self.truth())} services right after {took + 10:.0f} s of calm"
              + f", {ghosts} that the nonsense told of" if not wrong else "; ".join(wrong[:4]))
        v.add("browse", "events fit", not self.misfits, f"{len(self.misfits)} that do not" + "".join(f": {m}" for m in self.misfits[:2]))
        took, wrong = self.settle(lambda: self.difference(self.replay(self.json_of("browse", "--json", "--once", "--settle", "2s"))))
        v.add("browse", "fresh --once", not wrong, f"the same {len(self.truth())} services" if not wrong else "; ".join(wrong[:4]))
        took, wrong = self.settle(lambda: self.ping()[0])
        v.add("serve", "found and echoes", wrong == 0, f"ping-peer: {self.ping()[1][-1:]}")
        took, wrong = self.settle(self.watch_difference)
        v.add("watch", "final verdicts", not wrong, f"{len(TARGETS)} targets as --once and 'ip route get' have them" if not wrong else "; ".join(wrong[:3]))
        time.sleep(6)  # past the server's idle time
        for p in self.programs:
            p.after = read_sample(p.child.pid)
        for p in self.programs:
            status = p.end()
            v.add(p.name, "ends at SIGINT", status == 0, f"status {status}")
        for p in self.programs:
            judge(p.name, v, p.samples, p.before, p.after, p.bounds)
            judge_output(p, v, DIAGNOSTICS)
        gone = [r["event"] for r in self.serve.records()][-2:]
        v.add("serve", "takes its name back", gone == ["withdrawn", "summary"], f"last events {gone}")

    def watch_difference(self):
        keys = ("status", "flagsValue", "reason", "medium")
        last = {}
        for r in self.watch.records():
            if r["event"] in ("snapshot", "change"):
                last[r["target"]] = r
        wrong = []
        for now in self.json_of("watch", "--once", "--json", *TARGETS):
            if now["event"] != "snapshot":
                continue
            then = last.get(now["target"], {})
            a, b = ([r.get(k) for k in keys] + [{f: [x.get(k) for k in ("reachable", "interface", "source", "gateway")]
                    for f, x in r.get("families", {}).items()}] for r in (then, now))
            if a != b:
                wrong.append(f"{now['target']}: {a} instead of {b}")
            wrong += self.route_difference(now["target"], then)
        return wrong

    def route_difference(self, target, then):
        if not re.fullmatch(r"[0-9a-f.:]+", target):
            return []
        run = subprocess.run(["ip", "-n", self.lab.own, "-j", "route", "get", target], capture_output=True, text=True)
        if run.returncode:
            return [f"{target}: {run.stderr.strip()}"]
        route = json.loads(run.stdout)[0]
        told = [then.get("interface"), then.get("source"), then.get("gateway")]
        right = [route.get("dev"), route.get("prefsrc"), route.get("gateway")]
        return [] if told == right else [f"{target}: {told}, the kernel says {right}"]


DIAGNOSTICS = [r"^lantool (serve|browse): " + x for x in (
    r"a broken message from [0-9a-f.:]+: [a-zA-Z0-9 -]+ at byte \d+$", r"too much is announced: ", r"more than \d+ services; ",
    r"\d+ datagrams? (was|were) (lost|larger)", r"cannot send on ", r"cannot join ")]


# -- the self-test --------------------------------------------------------------------------------

LINE = """
import json, os, sys, threading, time
n, keep, t0 = 0, [], time.monotonic()
def say(seq):
    print(json.dumps({"schema": "self/1", "event": "x", "time": "now", "seq": seq}), flush=True)
def step():
%s
while True:
    n += 1
    step()
    time.sleep(0.1)
"""
MISBEHAVIOURS = {
    "good": ("say(n)", None),
    "leaks": ("say(n); keep.append(os.urandom(40000))", "private memory"),
    "opens": ("say(n); n % 10 or keep.append(open('/dev/null'))", "descriptors"),
    "threads": ("say(n); n % 30 or threading.Thread(target=time.sleep, args=(99,), daemon=True).start()", "threads"),
    "burns": ("say(n)\n    e = time.process_time() + 0.05 * (time.monotonic() - t0 > 17)\n"
              "    while time.process_time() < e: pass", "processor"),
    "skips": ("say(n + (n > 20))", "JSON Lines"),
    "babbles": ("say(n)\n    if n % 20 == 0: print('Fatal error: oh', file=sys.stderr)", "standard error"),
    "dies": ("say(n)\n    if n > 40: os._exit(1)", "samples"),
}


class Nowhere:
    """Stands in for a lab: starts things right here."""

    def __init__(self, folder):
        self.folder, self.own, self.children = folder, None, []

    def start(self, _, command, **options):
        child = subprocess.Popen(command, **options)
        self.children.append(child)
        return child


def self_test(folder):
    lab, programs, wrong = Nowhere(folder), [], []
    try:
        for name, (body, _) in MISBEHAVIOURS.items():
            text = LINE % "\n".join("    " + x.strip() if i == 0 else x for i, x in enumerate(body.split("\n")))
            programs.append(Program(lab, name, [sys.executable, "-c", text], Bounds(256 * KIB)))
        time.sleep(2)
        for p in programs:
            p.before = read_sample(p.child.pid)
        for _ in range(48):
            for p in programs:
                p.sample()
            time.sleep(0.5)
        for p in programs:
            p.after = read_sample(p.child.pid) if p.child.poll() is None else None
    finally:
        for child in lab.children:
            child.kill()
            child.wait()
    for p in programs:
        v = Verdicts(quiet=True)
        judge(p.name, v, p.samples, p.before, p.after, p.bounds)
        judge_output(p, v, DIAGNOSTICS)
        expected, found = MISBEHAVIOURS[p.name][1], [x["check"] for x in v.failures]
        if (expected is None and found) or (expected and expected not in found):
            wrong.append(f"{p.name}: expected {expected}, found {found}")
        print(f"     {p.name:8} caught by: {', '.join(found) or 'nothing'}")
    print("\n".join(wrong) or f"self-test: {len(programs) - 1} kinds of misbehaviour are caught, the good program passes")
    return 1 if wrong else 0


def write_report(path, a, verdicts, seconds):
    head = dict(lantool=a.version, minutes=a.minutes, seed=a.seed, garbagePerSecond=a.rate, seconds=round(seconds),
                held=not verdicts.failures, date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    with open(path, "w") as f:
        if path.endswith(".json"):
            json.dump({**head, "checks": verdicts.lines}, f, indent=1)
            f.write("\n")
        else:
            f.write("# Soak\n\n" + "".join(f"- {k}: {v}\n" for k, v in head.items()) + "\n| held | program | check | figures |\n|---|---|---|---|\n")
            f.writelines(f"| {'yes' if x['held'] else '**no**'} | {x['program']} | {x['check']} | {x['figures'].replace('|', '/')} |\n"
                         for x in verdicts.lines)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--minutes", type=float, default=30)
    p.add_argument("--lantool", default=os.environ.get("LANTOOL", f"{TOP}/.build/lantool"))
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rate", type=float, default=200, help="datagrams of nonsense a second")
    p.add_argument("--captures", help="a folder with more captures to make nonsense of")
    p.add_argument("--report", help="file to write: Markdown, or JSON if it is called so")
    p.add_argument("--keep", help="folder for the output of the programs, kept")
    p.add_argument("--self-test", action="store_true")
    a = p.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = a.keep or tempfile.mkdtemp(prefix="soak-")
    os.makedirs(folder, exist_ok=True)
    try:
        if a.self_test:
            return self_test(folder)
        if os.geteuid():
            sys.exit("soak.py: namespaces need root")
        a.lantool = os.path.realpath(a.lantool)
        a.version = subprocess.run([a.lantool, "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]
        begin, soak = time.monotonic(), Soak(a, folder)
        try:
            soak.run()
        except RuntimeError as e:
            soak.verdicts.add("soak", "ran to its end", False, str(e))
        if a.report:
            write_report(a.report, a, soak.verdicts, time.monotonic() - begin)
        failures = soak.verdicts.failures
        print(f"soak: {len(soak.verdicts.lines)} checks, {len(failures)} failed" + "".join(f"\n  {x['program']}: {x['check']}: {x['figures']}" for x in failures))
        return 1 if failures else 0
    finally:
        if not a.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
