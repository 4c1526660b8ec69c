"""The network of the README: a user's host on one side of a veth pair, everybody else on the other.

The user has eth0 with 192.0.2.10 and 2001:db8::10 and goes anywhere by way of 192.0.2.1. Behind the
pair are a printer, a network disk, a game of WiTap, a DNS server for example.org and its web server;
each is `lantool serve` or Knot. No packet leaves the two network namespaces, whose names hold the
process id. Commands of the user run in a mount namespace with a hosts file, resolv.conf and a home
of their own.
"""
import atexit
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
LANTOOL = os.path.realpath(os.environ.get("LANTOOL") or os.path.join(TOP, ".build/lantool"))

PEER_MAC = "02:00:5e:10:00:01"
DECK = ["192.0.2.7/24", "2001:db8::7/64", "fe80::1/64"]
# The others have theirs on the loopback, so that Deck's host does not take them for its own.
OTHERS = ["192.0.2.1", "192.0.2.20", "192.0.2.30", "192.0.2.40", "192.0.2.53", "198.51.100.7",
          "2001:db8::1", "2001:db8::20", "2001:db8::30", "2001:db8::40", "2001:db8:51::7"]

# Options of `serve` for each service; a number stands for a machine that it is published for.
SERVICES = {
    "deck": (None, ["--name", "Deck", "--host", "deck", "--port", "4242"]),
    "laser": (20, ["--name", "Laser, 2nd floor", "--type", "_ipp._tcp,_universal", "--port", "631",
                   "--txt", "rp=printers/laser", "--txt", "Duplex=T"]),
    "nas": (30, ["--name", "nas", "--type", "_ssh._tcp", "--port", "22"]),
    "kitchen": (40, ["--name", "Łukasz’s Music", "--type", "_raop._tcp", "--port", "7000", "--txt", "ch=2"]),
}
ECHO_PORTS = [7, 22, 443, 631]

ZONE = """$TTL 60
@ SOA ns hostmaster 1 60 60 60 60
@ NS ns
ns A 192.0.2.53
www A 198.51.100.7
www AAAA 2001:db8:51::7
b._dns-sd._udp PTR @
lb._dns-sd._udp PTR @
_services._dns-sd._udp PTR _http._tcp
_http._tcp PTR intranet._http._tcp
intranet._http._tcp SRV 0 0 80 www
intranet._http._tcp TXT "path=/"
"""

ETC = {
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "resolv.conf": "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n",
    "nsswitch.conf": "hosts: files dns\n",
}

# Addresses can be used at once, and nothing is sent that no command has asked for.
QUIET = """cd /proc/sys/net/ipv6/conf
for s in default all; do
  for key in accept_ra router_solicitations accept_dad dad_transmits; do echo 0 >$s/$key; done
done"""

ENTER = """set -e
mount --make-rprivate /
for name in hosts resolv.conf nsswitch.conf; do mount --bind "$ROOM/etc/$name" "/etc/$name"; done
hostname desk
cd "$WORK"
exec "$@"
"""

one_at_a_time = threading.Lock()
count = 0


class LabFault(Exception):
    pass


def ip(*arguments, check=True, batch=None):
    run = subprocess.run(["ip", *arguments], input=batch, capture_output=True, text=True)
    if check and run.returncode != 0:
        raise LabFault(f"ip {' '.join(arguments)}: {run.stderr}")
    return run.stdout


class Lab:
    """Two namespaces with the services that `wants` names; `dns` is one more."""

    def __init__(self, wants):
        global count
        with one_at_a_time:
            count += 1
            self.own, self.peer = f"lr{os.getpid()}n{count}a", f"lr{os.getpid()}n{count}b"
            self.room = tempfile.mkdtemp(prefix="lantool-readme-")
            self.children, self.wants, self.is_down = {}, wants, False
            atexit.register(self.end)
        try:
            with one_at_a_time:
                self.join()
            self.furnish()
            self.start(wants)
        except Exception:
            self.end()
            raise

    def join(self):
        for name in (self.own, self.peer):
            ip("netns", "add", name)
            subprocess.run(["ip", "netns", "exec", name, "sh", "-c", QUIET], check=True)
        subprocess.run(self.other("sh", "-c", "echo 1 >/proc/sys/net/ipv6/conf/default/addr_gen_mode"), check=True)
        # Where both ends have the same index the kernel's link watch waits for up to a second.
        ip("-n", self.own, "-batch", "-", batch=f"""link set lo up
link add eth0 index 2 address 02:00:5e:10:00:0a type veth peer name eth0 index 3 \
address {PEER_MAC} netns {self.peer}
addr add 192.0.2.10/24 brd + dev eth0
addr add 2001:db8::10/64 dev eth0 nodad
""")
        lines = ["link set lo up", *(f"addr add {a} dev lo" for a in OTHERS)]
        lines += [f"addr add {a} dev eth0{' nodad' if ':' in a else ''}" for a in DECK]
        ip("-n", self.peer, "-batch", "-", batch="\n".join(lines + ["link set eth0 up\n"]))
        lines = ["link set eth0 up", "route add default via 192.0.2.1", "route add ::/0 via 2001:db8::1"]
        # Nobody answers for an address of the loopback.
        lines += [f"neigh add {a} lladdr {PEER_MAC} dev eth0 nud permanent" for a in OTHERS if "db8::" in a]
        ip("-n", self.own, "-batch", "-", batch="\n".join(lines) + "\n")

    def furnish(self):
        """Files of the user's host: names in /etc, programs, the folder to work in."""
        self.bin, self.work = f"{self.room}/bin", f"{self.room}/work"
        for folder in ("etc", "bin", "work", "home", "knot", "install"):
            os.mkdir(f"{self.room}/{folder}")
        for name, text in ETC.items():
            self.write(f"etc/{name}", text)
        self.write("knot/zone", ZONE)
        self.write("enter.sh", ENTER)
        os.symlink(LANTOOL, f"{self.bin}/lantool")
        self.program("sudo", '#!/bin/sh\nexec "$@"\n')
        self.program("on-change", f'#!/bin/sh\necho "$LANTOOL_TARGET $LANTOOL_STATUS" >>"{self.room}/changes"\n')
        shutil.copy(f"{TOP}/Tests/Fixtures/pcap/syn-rfc6762-faults.pcapng", f"{self.work}/lan.pcapng")
        # The program under test, however old it is, and never the one of this machine.
        make = shutil.which("make")
        self.program("make", f'#!/bin/sh\nexec {make} -o "{LANTOOL}" PROGRAM="{LANTOOL}" "$@"\n')
        for entry in os.listdir(TOP):
            if not entry.startswith("."):
                os.symlink(f"{TOP}/{entry}", f"{self.work}/{entry}")

    def write(self, name, text):
        with open(f"{self.room}/{name}", "w") as file:
            file.write(text)

    def read(self, name):
        """What a file holds; nothing where there is none."""
        path = f"{self.room}/{name}"
        return open(path, errors="replace").read() if os.path.exists(path) else ""

    def program(self, name, text):
        self.write(f"bin/{name}", text)
        os.chmod(f"{self.bin}/{name}", 0o755)

    def environment(self):
        keep = {k: v for k, v in os.environ.items() if k in ("LANTOOL_LAB",)}
        return keep | {
            "PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": f"{self.room}/home", "LC_ALL": "C.UTF-8",
            "ROOM": self.room, "WORK": self.work, "TERM": "xterm-256color", "TZ": "UTC",
            "DESTDIR": f"{self.room}/install", "XDG_STATE_HOME": f"{self.room}/home/state",
        }

    def user(self, *command):
        """`command` as the user has it."""
        return ["ip", "netns", "exec", self.own, "unshare", "--mount", "--uts", "bash",
                f"{self.room}/enter.sh", *command]

    def other(self, *command):
        return ["ip", "netns", "exec", self.peer, *command]

    def spawn(self, name, command, ready):
        """Starts what belongs to the network and waits in `await_ready` for the text `ready`."""
        log = open(f"{self.room}/{name}.log", "wb")
        child = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", *command], stdin=subprocess.PIPE, stdout=log, stderr=log,
            start_new_session=True, env=self.environment())
        self.children[name] = (child, ready)

    def await_ready(self):
        for name, (child, ready) in self.children.items():
            end = time.monotonic() + 15
            while ready not in (text := self.read(f"{name}.log")):
                if child.poll() is not None or time.monotonic() > end:
                    raise LabFault(f"{name} is not ready: {text}")
                time.sleep(0.02)

    def start(self, wants):
        for name in wants:
            if name == "dns":
                self.spawn("dns", [f"{HERE}/dns_server.sh", self.peer, f"{self.room}/knot", "192.0.2.53"], "ready")
                continue
            number, options = SERVICES[name]
            if number is not None:
                options = [*options, "--publish-only", "--host", name, "--proxy-address", f"192.0.2.{number}",
                           "--proxy-address", f"2001:db8::{number}"]
            self.spawn(name, self.other(LANTOOL, "serve", "--json", *options), '"published"')
        if wants == self.wants and wants:
            for port in ECHO_PORTS:
                self.spawn(f"echo-{port}", self.other(
                    LANTOOL, "serve", "--json", "--no-publish", "--allow", "any", "--mode", "echo", "--port",
                    str(port)), '"listening"')
        self.await_ready()
        if wants:
            # Announced twice, a second apart, and then not said again for a second (RFC 6762 section 6).
            time.sleep(2.2)

    def stop(self, name):
        """Takes a service back, with a goodbye."""
        child, _ = self.children.pop(name)
        child.terminate()
        child.wait(timeout=5)

    def link(self, state):
        """The cable at the other end of eth0: up or down."""
        ip("-n", self.peer, "link", "set", "eth0", state)
        self.is_down = state == "down"
        if state == "up":
            # The kernel drops them with the link.
            for address in DECK:
                if ":" in address:
                    ip("-n", self.peer, "addr", "replace", address, "dev", "eth0", "nodad")

    def mend(self):
        """Brings back what a command needed to go."""
        if self.is_down:
            self.link("up")
        if missing := [name for name in self.wants if name not in self.children]:
            self.start(missing)

    def end(self):
        atexit.unregister(self.end)
        for child, _ in self.children.values():
            child.terminate()
        for child, _ in self.children.values():
            try:
                child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
        self.children = {}
        for name in (self.own, self.peer):
            for pid in re.findall(r"\d+", ip("netns", "pids", name, check=False)):
                try:
                    os.kill(int(pid), 9)
                except ProcessLookupError:
                    pass
            ip("netns", "del", name, check=False)
        shutil.rmtree(self.room, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
