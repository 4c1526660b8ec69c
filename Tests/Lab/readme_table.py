"""What the commands of the README are expected to do, where that is not the ordinary thing.

The ordinary thing is: the command ends by itself with status 0, has written something to standard
output and nothing to standard error. A command that is not in this table is held to that, but for
`make` and `.ci/run`: these are run only if they stand here.
"""
import subprocess
import time
from dataclasses import dataclass, field
from typing import Callable

EVERYTHING = ("laser", "nas", "kitchen", "deck", "dns")


@dataclass
class Line:
    """A command of a `sh` block."""

    out: str = r"\S"  # a pattern in standard output; "" for nothing at all
    err: str = ""  # a pattern for all of standard error; "" for nothing at all
    status: int | tuple = 0  # several where it depends on who is first
    follows: bool = False  # interrupted, as by Ctrl-C, once `out` was seen
    during: str = ""  # run on the user's host meanwhile
    act: Callable | None = None  # done to the lab meanwhile
    terminal: bool = False  # needs a terminal; `out` is looked for on the screen
    keys: str = ""  # typed there once `before` is shown
    before: str = ""
    plan: str = ""  # not run here, for this reason: `make -n` has to show `out`
    check: Callable | None = None  # looks at the lab afterwards; returns a fault or nothing


@dataclass
class Picture:
    """A command of a `console` block; what it prints is compared with the README."""

    until: str = ""  # on a terminal: once the screen shows this pattern,
    acts: list = field(default_factory=list)  # these are done, each followed by a wait for its pattern,
    live: bool = False  # and the screen is the picture as it stands, else what is left after Ctrl-C
    size: tuple = (100, 30)
    unordered: bool = False  # lines that come at the same time have no order
    ends: bool = False  # by itself, without Ctrl-C
    services: tuple = EVERYTHING


SUMMARY = r"lantool browse: \d+ services?( of \d+ types?)?; .*\n"
ASK = "lantool browse --once -q"


def pull(lab):
    lab.link("down")


def leave(lab):
    lab.stop("deck")


def pull_later(lab):
    time.sleep(1.5)
    lab.link("down")


def plug_later(lab):
    time.sleep(1)
    lab.link("up")


def ping_back(lab):
    """Somebody else tests the peer that the user runs."""
    subprocess.run(
        lab.other("lantool", "ping-peer", "-c", "3", "--interval", "0.2s"), check=True, capture_output=True,
        env=lab.environment())


def installed(lab):
    for path in ("bin/lantool", "share/man/man1/lantool-browse.1", "share/lantool/schema/lantool.browse.schema.json"):
        if subprocess.run(["test", "-e", f"{lab.room}/install/usr/local/{path}"]).returncode != 0:
            return f"{path} is not installed"


def changed(lab):
    text = lab.read("changes")
    return None if "notReachable" in text else f"the program of --exec was told {text!r}"


LINES = {
    # Start; after Ctrl-C make ends by the signal or by an error of its own
    "make setup run": Line(terminal=True, out=r"Deck +WiTap game.*\n(.*\n)*nas +Remote login(.*\n)*Łukasz", follows=True, status=(2, 130)),
    "make setup-test test": Line(
        plan="it runs this very test; CI does it as two steps", out="scripts/apt-install .*python3(.*\n)*scripts/test"),
    "sudo make install": Line(check=installed),
    "sudo make uninstall": Line(check=lambda lab: "it is still there" if installed(lab) is None else None),

    # Browse; it is told to stop, so a summary follows
    "lantool browse --once _ipp._tcp _ipps._tcp": Line(out="Laser, 2nd floor", err=SUMMARY),
    "lantool browse _universal._sub._ipp._tcp": Line(out="Laser, 2nd floor", err=SUMMARY, follows=True),
    "lantool browse --expect Deck --timeout 10s -q _witap2._tcp": Line(out=""),
    "lantool browse --passive": Line(out="Laser, 2nd floor", err=SUMMARY, during=ASK, follows=True),
    "lantool browse --read lan.pcapng": Line(err=SUMMARY),
    "lantool browse --domain example.org --server 192.0.2.53 _http._tcp": Line(
        out="intranet", err=SUMMARY, follows=True),
    "lantool browse --zone --once _ipp._tcp": Line(out=r"SRV 0 0 631 "),
    "lantool browse --types printer": Line(out="_ipp._tcp"),

    # Resolve
    "lantool resolve 192.0.2.7 fe80::1%eth0": Line(out=r"192\.0\.2\.7 +deck\.local"),
    "lantool resolve --all nas.local": Line(out=r"192\.0\.2\.30 .*mdns"),
    "lantool resolve --why www.example.org": Line(out="rule"),
    "lantool resolve --type TXT 'Deck._witap2._tcp.local'": Line(out="mode=echo"),
    "lantool resolve --watch nas.local": Line(out=r"192\.0\.2\.30", follows=True),

    # Sniff
    "sudo lantool sniff": Line(out=r"_ipp\._tcp\.local", err=r"lantool sniff: listening on eth0\n(?s:.*)", during=ASK, follows=True),
    "lantool sniff --socket": Line(
        out=r"_ipp\._tcp\.local", err="(?s)lantool sniff: listening on eth0 with a UDP socket.*", during=ASK, follows=True),
    "sudo tcpdump -w - | lantool sniff -r -": Line(out="question +PTR", err="(?s)tcpdump: listening on eth0.*", during=ASK, follows=True),
    "lantool sniff -i eth0 -w lan.pcapng --ring-size 10M --ring-files 5": Line(
        out=r"_ipp\._tcp\.local", err=r"(?s)lantool sniff: listening on eth0\n.*", during=ASK, follows=True),

    # Watch
    "lantool watch --wait='reachable and ipv6' --for 2s --timeout 2m": Line(),
    "lantool watch --events": Line(out="link eth0|eth0.*no carrier|neighbour", act=pull, follows=True, status=1),
    "lantool watch --verify tcp:443 192.0.2.7": Line(out=r"verified: tcp:443", follows=True),
    "lantool watch --exec on-change default": Line(out="not reachable", act=pull, follows=True, status=1, check=changed),
    "lantool watch --record bug.pcapng": Line(out="default", follows=True),
    "lantool watch --replay bug.pcapng": Line(out="default"),

    # Serve and ping-peer
    "lantool serve --type _http._tcp --publish-only --port 8080 --txt path=/": Line(
        out=r"published 'desk'  _http\._tcp", follows=True),
    "lantool serve --mode tap --tiles": Line(terminal=True, out="waiting for a player", follows=True),
    "lantool ping-peer nas.local:7": Line(out="probe=2 ", follows=True),
    "lantool ping-peer --mode connect -c 5 www.example.org:443": Line(out=r"5 sent, 5 received"),

    # Pipelines; Ctrl-C ends jq by the signal
    "lantool watch --wait --timeout 30s -q www.example.org || echo 'still offline'": Line(out=""),
    """lantool browse --once --json _ipp._tcp | jq -r 'select(.event == "added") | "\\(.instance)\\t\\(.addresses[0])"'""":
        Line(out=r"Laser, 2nd floor\t192\.0\.2\.20"),
    """lantool sniff -4 --json |
  jq -r --unbuffered 'select(.kind == "goodbye") | .answers[] | select(.type == "SRV") | .name'""":
        Line(out=r"Deck\._witap2\._tcp\.local", err="(?s)lantool sniff: listening on eth0.*", act=leave, follows=True, status=130),
    """lantool watch --json | jq -r --unbuffered 'select(.event == "change") | "\\(.status) \\(.reason // "")"' |
  while read -r status reason; do echo "now $status $reason"; done""":
        Line(out="now notReachable no-carrier", act=pull, follows=True, status=130),

    # Contributing
    "make lint": Line(plan="it is a step of CI", out="scripts/lint-arrows"),
    "make fuzz FUZZ_TIME=600": Line(plan="CI fuzzes for a shorter time", out="Fuzz/run all 600"),
    "make conformance": Line(plan="the tests of serve run the same program", out="Tests/Lab/conformance.py"),
    "make bench": Line(plan="it takes minutes and a quiet machine", out="Benchmarks/peer"),
    "make check-lab": Line(plan="it runs this very test", out="scripts/test lab"),
    "make soak": Line(plan="it takes half an hour; CI runs a short one", out="Tests/Lab/soak.py"),
    "make asan tsan": Line(plan="builds of their own; CI has a part of them", out="scripts/test|sanitize"),
    ".ci/run": Line(plan="it runs this very test"),
}

PICTURES = {
    "lantool browse": Picture(until=r"Deck(.*\n)*Laser(.*\n)*nas(.*\n)*Łukasz", live=True, size=(106, 10)),
    "lantool browse --duration 4s | cut -c 12-": Picture(
        until=r"(?s)(?=.*\+ Deck)(?=.*\+ Laser)(?=.*\+ Łukasz)(?=.*\+ nas)", ends=True, unordered=True, size=(250, 30),
        acts=[(leave, "- Deck.*goodbye")]),
    "lantool watch": Picture(
        until="reachable", size=(160, 30),
        acts=[(pull_later, "not reachable"), (plug_later, r"not reachable(.*\n)+.* reachable \(ethernet\)")]),
    "lantool serve --name Deck --host deck": Picture(
        until="published", services=(), acts=[(ping_back, "closed by the peer")]),
}
