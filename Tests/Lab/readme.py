#!/usr/bin/env python3
"""Runs every block of README.md in a network of its own (readme_lab.py), as root.

    LANTOOL=/path/to/lantool readme.py [--json] [--update] [--only TEXT] [--jobs N]

A block of a kind that is not known here is a failure, and so is a command that does something else
than readme_table.py says. --only takes the blocks whose name or text holds TEXT; --update writes what
the commands of the console blocks print now into README.md. The last line says how many blocks held.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

from readme_lab import TOP, Lab
from readme_programs import Fault, Running, Screen
from readme_table import EVERYTHING, LINES, PICTURES, Line, Picture

README = os.path.join(TOP, "README.md")
PROMPT, MORE = "$ ", "> "


class Block:
    """A fenced block with the heading it stands under."""

    def __init__(self, number, heading, language, line, text):
        self.number, self.heading, self.language, self.line, self.text = number, heading, language, line, text
        self.notes = []

    @property
    def name(self):
        return f"{self.number}: {self.language or 'no language'}, {self.heading}, line {self.line}"


def blocks(readme):
    found, heading, fence = [], "", None
    for number, line in enumerate(readme.split("\n"), 1):
        if fence is None and line.startswith("#"):
            heading = line.lstrip("# ")
        elif fence is None and line.lstrip().startswith("```"):
            fence = (line.strip("` "), number, [])
        elif fence is not None and line.startswith("```"):
            language, start, text = fence
            found.append(Block(len(found) + 1, heading, language, start, "\n".join(text)))
            fence = None
        elif fence is not None:
            fence[2].append(line)
    if fence is not None:
        raise Fault(f"the block of line {fence[1]} has no end")
    return found


def complete(text):
    """Whether a shell would take `text` as a whole command."""
    if re.search(r"(\\|\||&&)$", text):
        return False
    return subprocess.run(["bash", "-n", "-c", text], capture_output=True).returncode == 0


def commands(text):
    """The commands of a `sh` block."""
    found, part = [], ""
    for line in text.split("\n"):
        if not part and not line.strip():
            continue
        part = f"{part}\n{line}" if part else line
        if complete(part):
            if part.strip().startswith("#"):
                part = ""
                continue
            found.append(part)
            part = ""
    if part:
        raise Fault(f"not a whole command: {part}")
    return found


def key(command):
    """A command as the table names it: without the comment behind it."""
    return re.sub(r"\s+# .*", "", command).strip()


def sessions(text):
    """The commands of a `console` block, each with the output that is shown."""
    found = []
    lines = text.split("\n")
    if not lines[0].startswith(PROMPT):
        raise Fault("a console block begins with a command behind '$ '")
    while lines:
        command = lines.pop(0)[len(PROMPT):]
        while lines and lines[0].startswith(MORE) and not complete(command):
            command += "\n" + lines.pop(0)[len(MORE):]
        shown = []
        while lines and not lines[0].startswith(PROMPT):
            shown.append(lines.pop(0))
        found.append((command, "\n".join(shown)))
    return found


VARIES = [
    (r"\d{4}-\d\d-\d\d", "DATE"),
    (r"\d\d:\d\d:\d\d(\.\d+)?", "TIME"),
    (r"\d+(\.\d+)?(/\d+(\.\d+)?)+ ms", "N ms"),
    (r"\b\d+(\.\d+)? (ns|us|ms|s|%)(?![\w])", r"N \2"),
    (r"(?<=[:t ])(3[2-9]|[45]\d|6[0-5])\d{3}\b", "PORT"),
    (r"(Microseconds|Nanoseconds|ttlSeconds)\": ?[\d.]+", r"\1: N"),
    (r"ttl \d+", "ttl N"),
    (r"cwnd \d+", "cwnd N"),
    (r"[ \t]+", " "),
]


def normal(text, exact):
    """`text` without what differs from run to run."""
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    if not exact:
        for pattern, name in VARIES:
            lines = [re.sub(pattern, name, line) for line in lines]
    return lines


def differences(shown, printed, command, unordered):
    # What a capture holds never varies.
    exact = "Tests/Fixtures" in command
    shown, printed = normal(shown, exact), normal(printed, exact)
    if unordered:
        shown, printed = sorted(shown), sorted(printed)
    if shown != printed:
        return "\n".join(["the README shows", *shown, "but now it prints", *printed])
    return None


def is_wanted(status, line):
    return status in (line.status if isinstance(line.status, tuple) else (line.status,))


def run_line(lab, command, line, block):
    """One command of a `sh` block."""
    if line.plan:
        block.notes.append(f"not run here: {key(command)}: {line.plan}")
        if not command.startswith("make "):
            program = os.path.join(TOP, shlex.split(key(command))[0])
            if not os.access(program, os.X_OK):
                raise Fault(f"{program} is no program")
            return
        run = subprocess.run(["make", "-n", *shlex.split(key(command))[1:]], cwd=TOP, capture_output=True, text=True)
        if run.returncode != 0 or not re.search(line.out, run.stdout, re.M):
            raise Fault(f"make -n: status {run.returncode}\n{run.stdout}{run.stderr}")
        return
    if line.terminal:
        return run_on_terminal(lab, command, line)
    run, beside = Running(lab, command), None
    try:
        if line.during or line.act:
            time.sleep(0.7)
        if line.during:
            beside = Running(lab, line.during)
        if line.act:
            line.act(lab)
        if line.follows:
            if not run.shows(line.out, 15):
                raise Fault(f"it never shows {line.out}, but\n{run.out()}{run.err()}")
            if run.child.poll() is not None:
                raise Fault("it ends by itself")
            time.sleep(0.2)
            run.signal(signal.SIGINT)
        status = run.wait(8 if line.follows else 25)
        said = f"\n{run.out()[-2000:]}{run.err()[-2000:]}"
        if not is_wanted(status, line):
            raise Fault(("it never ends" if status is None else f"status {status}, not {line.status}") + said)
        if (re.search(line.out, run.out(), re.M) is None) if line.out else run.out():
            raise Fault(f"standard output is not {line.out or 'empty'}{said}")
        if re.fullmatch(line.err, run.err()) is None:
            raise Fault(f"standard error is not {line.err or 'empty'}{said}")
        if line.check and (fault := line.check(lab)):
            raise Fault(fault)
    finally:
        for child in filter(None, (run, beside)):
            child.signal(signal.SIGKILL)
            child.child.wait()
        if line.act:
            lab.mend()


def run_on_terminal(lab, command, line):
    screen = Screen(lab, command, (100, 30))
    try:
        if line.keys:
            screen.shows(line.before)
            screen.type(line.keys)
        screen.shows(line.out, 30)
        if line.follows:
            screen.type("C-c")
        text, status = screen.finish()
        if not is_wanted(status, line):
            raise Fault(f"status {status}, not {line.status}\n{text}")
    finally:
        screen.close()


def take_picture(lab, command, picture):
    """What a command of a `console` block prints."""
    if picture.until:
        screen = Screen(lab, command, picture.size)
        try:
            screen.shows(picture.until)
            for act, pattern in picture.acts:
                act(lab)
                screen.shows(pattern)
            text = screen.text()
            if not picture.ends:
                screen.type("C-c")
            left, status = screen.finish()
            if status != 0:
                raise Fault(f"status {status}\n{left}")
            return text if picture.live else left
        finally:
            screen.close()
    run = Running(lab, command, together=True)
    try:
        status = run.wait(20)
        if status != 0:
            raise Fault(f"status {status}\n{run.out()}")
        return run.out()
    finally:
        run.signal(signal.SIGKILL)


def needs_network(command):
    return not re.match(r"lantool sniff (-r|--explain|--help) |\.ci/run|make (?!setup run)|sudo make", command)


def expected(command):
    if (line := LINES.get(key(command))) is None:
        if re.match(r"(sudo )?make|\.ci", command):
            raise Fault("what becomes of this is not in readme_table.py")
        line = Line()
    return line


def run_sh(block, _):
    lines = commands(block.text)
    with Lab(EVERYTHING if any(map(needs_network, lines)) else ()) as lab:
        faults = []
        for command in lines:
            try:
                run_line(lab, command, expected(command), block)
            except Fault as fault:
                faults.append(f"{key(command)}\n{fault}")
        if faults:
            raise Fault("\n\n".join(faults))


def run_console(block, update):
    shown = sessions(block.text)
    now, faults = [], []
    pictures = [PICTURES.get(key(command), Picture()) for command, _ in shown]
    services = pictures[0].services if any(needs_network(command) for command, _ in shown) else ()
    with Lab(services) as lab:
        for (command, text), picture in zip(shown, pictures):
            try:
                printed = take_picture(lab, command, picture).rstrip("\n")
            except Fault as fault:
                faults.append(f"{command}\n{fault}")
                printed = text
            lines = [PROMPT + command.replace("\n", "\n" + MORE)]
            now += lines + ([line.rstrip() for line in printed.split("\n")] if printed else [])
            if fault := differences(text, printed, command, picture.unordered):
                faults.append(f"{command}\n{fault}")
    if update:
        block.update = "\n".join(now)
    if faults:
        raise Fault("\n\n".join(faults))


def run_swift(block, _):
    path = "Examples/printers/Sources/printers/main.swift"
    if open(os.path.join(TOP, path)).read().rstrip("\n") != block.text:
        raise Fault(f"it is not {path}, which is what CI builds")
    block.notes.append(f"not run here: it is {path}, which CI builds")


def run_unit(block, _):
    """The unit is one for systemd, and what it runs first waits for what it names."""
    with Lab(EVERYTHING) as lab:
        for program in set(re.findall(r"/usr/local/bin/(\S+)", block.text)) - {"lantool"}:
            lab.program(program, "#!/bin/sh\n")
        unit = block.text.replace("/usr/local/bin", lab.bin) + "\n"
        lab.write("example.service", unit)
        verify = subprocess.run(
            ["systemd-analyze", "verify", f"{lab.room}/example.service"], capture_output=True, text=True)
        if verify.returncode != 0 or verify.stderr:
            raise Fault(f"systemd-analyze verify: {verify.returncode}\n{verify.stdout}{verify.stderr}")
        before = re.findall(r"^ExecStartPre=(.*)", unit, re.M)
        if not before:
            raise Fault("there is no ExecStartPre")
        lab.link("down")
        for command in before:
            late = Running(lab, re.sub(r"--timeout[ =]\S+", "--timeout 1s", command))
            if late.wait(10) in (0, None):
                raise Fault("it does not fail without the network")
        runs = [Running(lab, command) for command in before]
        time.sleep(1.5)
        try:
            if any(r.child.poll() is not None for r in runs):
                raise Fault("it does not wait for the network: " + "".join(r.out() + r.err() for r in runs))
            lab.link("up")
            for r in runs:
                if (status := r.wait(20)) != 0:
                    raise Fault(f"status {status} with the network\n{r.out()}{r.err()}")
        finally:
            for r in runs:
                r.signal(signal.SIGKILL)


HANDLERS = {"sh": run_sh, "console": run_console, "swift": run_swift, "ini": run_unit}


def run(block, update):
    start, fault = time.monotonic(), None
    try:
        if block.language not in HANDLERS:
            raise Fault("no test knows how to run a block of this language")
        HANDLERS[block.language](block, update)
    except Exception as error:  # whatever it is, this block does not hold
        fault = f"{error if isinstance(error, Fault) else repr(error)}"
    return {"block": block.number, "name": block.name, "fault": fault, "notes": block.notes,
            "seconds": round(time.monotonic() - start, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=6)
    options = parser.parse_args()
    # Ctrl-C as a shell has it, whatever started this; and an end that cleans up.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    readme = open(README).read()
    chosen = [b for b in blocks(readme) if options.only in b.name or options.only in b.text]
    good = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda b: run(b, options.update), chosen):
            good += result["fault"] is None
            if options.json:
                print(json.dumps(result, ensure_ascii=False), flush=True)
                continue
            print(f"{'ok    ' if result['fault'] is None else 'FAULT '}{result['name']} ({result['seconds']} s)", flush=True)
            for text in result["notes"] + ([result["fault"]] if result["fault"] else []):
                print("       " + text.replace("\n", "\n       "), flush=True)
    lines = readme.split("\n")
    for block in reversed(chosen):
        if hasattr(block, "update"):
            lines[block.line:block.line + block.text.count("\n") + 1] = block.update.split("\n")
    if options.update:
        open(README, "w").write("\n".join(lines))
    if not options.json:
        print(f"{good} of {len(chosen)} blocks hold")
    return 0 if good == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
