"""The network of a soak: two namespaces, two lasting links and one that comes and goes."""
import glob, os, random, shutil, subprocess, tempfile, time

HERE = os.path.dirname(os.path.realpath(__file__))

OWN_LASTING = """
link set lo up
link set v0 up
link set w0 up
addr replace 192.0.2.10/24 brd + dev v0
addr replace 2001:db8::10/64 dev v0 nodad
addr replace 198.51.100.10/24 brd + dev w0
addr replace 2001:db8:1::10/64 dev w0 nodad
route replace default via 192.0.2.20 dev v0
route replace 203.0.113.0/24 via 198.51.100.20 dev w0
route replace ::/0 via 2001:db8::20 dev v0
route replace 2001:db8:99::/48 via 2001:db8:1::20 dev w0
"""

PEER_LASTING = """
link set lo up
link set v1 up
link set w1 up
addr replace 192.0.2.20/24 brd + dev v1
addr replace 2001:db8::20/64 dev v1 nodad
addr replace 198.51.100.20/24 brd + dev w1
addr replace 2001:db8:1::20/64 dev w1 nodad
"""

# One in LOSS is dropped on the way in and out, every COPIESth goes out twice.
DISTURB = """
table netdev disturb {{
  chain come {{ type filter hook ingress device "{own}0" priority 0;
    udp dport 5353 numgen random mod 100 < {loss} drop; }}
  chain go {{ type filter hook egress device "{own}0" priority 0;
    udp dport 5353 numgen random mod 100 < {loss} drop; }}
}}
"""
DOUBLE = """
table netdev disturb {{
  chain go {{ type filter hook egress device "{own}1" priority 0;
    udp dport 5353 meta mark != 0x1ab numgen random mod 100 < {copies} meta mark set 0x1ab dup to "{own}1"; }}
}}
"""


class Lab:
    """Namespaces with names of their own, gone when it is closed."""

    def __init__(self, folder):
        self.own, self.peer = f"lt{os.getpid()}sa", f"lt{os.getpid()}sb"
        self.folder, self.children = folder, []

    def open(self):
        for name in (self.own, self.peer):
            self.must("ip", "netns", "add", name)
            self.inside(name, "sh", "-c",
                        "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad; echo 0 >/proc/sys/net/ipv6/conf/all/accept_dad")
        # Where both ends have the same index the kernel's link watch waits for up to a second.
        for letter, index in (("v", 101), ("w", 111)):
            self.must("ip", "-n", self.own, "link", "add", f"{letter}0", "index", str(index), "type", "veth",
                      "peer", "name", f"{letter}1", "index", str(index + 100), "netns", self.peer)
        self.restore()

    def close(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
                child.wait()
        for name in (self.own, self.peer):
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)

    def must(self, *command):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(f"{' '.join(command)}: {run.stderr.strip()}")
        return run.stdout

    def inside(self, name, *command):
        return self.must("ip", "netns", "exec", name, *command)

    def ip(self, name, lines):
        """Commands of ip, a line each; what fails, fails."""
        subprocess.run(["ip", "-n", name, "-force", "-batch", "-"], input=lines, text=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def nft(self, name, rules):
        subprocess.run(["ip", "netns", "exec", name, "nft", "-f", "-"], input=rules, text=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self, name, command, **options):
        """A child inside a namespace. `ip netns exec` becomes the program: its pid is the program's."""
        child = subprocess.Popen(["ip", "netns", "exec", name, *command], **options)
        self.children.append(child)
        return child

    def tool(self, name, script, *arguments, **options):
        return self.start(name, ["python3", f"{HERE}/{script}", *arguments], text=True, **options)

    def restore(self):
        """The state of the beginning, whatever was done to it."""
        for name in (self.own, self.peer):
            self.nft(name, "table netdev disturb\ndelete table netdev disturb\n")
        self.ip(self.peer, PEER_LASTING)
        for extra in ("link del u0",):
            self.ip(self.own, extra)
        self.ip(self.own, "".join(f"addr del 198.18.{n}.1/24 dev v0\naddr del 2001:db8:18:{n}::1/64 dev v0\n"
                                  f"route del 198.19.{n}.0/24\n" for n in range(8)) + OWN_LASTING)


class Disturbance:
    """One thing after the other that happens to a network."""

    def __init__(self, lab, seed):
        self.lab, self.r, self.counts, self.pending, self.extra_up = lab, random.Random(seed), {}, [], False

    def step(self):
        """Does what is due; to be called a few times a second."""
        now = time.monotonic()
        due = [x for x in self.pending if x[0] <= now]
        self.pending = [x for x in self.pending if x[0] > now]
        for _, name, lines in due:
            self.lab.ip(name, lines)
        if not hasattr(self, "next") or now >= self.next:
            self.next = now + self.r.uniform(0.7, 2.0)
            kind = self.r.choice((self.flap, self.flap, self.carrier, self.address, self.address, self.route, self.route,
                                  self.extra, self.loss, self.loss))
            kind()
            self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1

    def later(self, seconds, name, lines):
        self.pending.append((time.monotonic() + seconds, name, lines))

    def flap(self):
        link = self.r.choice(("v0", "w0"))
        self.lab.ip(self.lab.own, f"link set {link} down\n")
        self.later(self.r.choice((0.05, 0.5, 2)), self.lab.own, OWN_LASTING)

    def carrier(self):
        link = self.r.choice(("v1", "w1"))
        self.lab.ip(self.lab.peer, f"link set {link} down\n")
        self.later(self.r.choice((0.05, 0.5, 2)), self.lab.peer, PEER_LASTING)
        self.later(2.5, self.lab.own, OWN_LASTING)

    def address(self):
        n, word = self.r.randrange(8), self.r.choice(("replace", "del"))
        self.lab.ip(self.lab.own, f"addr {word} 198.18.{n}.1/24 dev v0\naddr {word} 2001:db8:18:{n}::1/64 dev v0 nodad\n")
        if self.r.random() < 0.3:
            self.lab.ip(self.lab.own, "addr del 198.51.100.10/24 dev w0\naddr del 2001:db8:1::10/64 dev w0\n")
            self.later(1, self.lab.own, OWN_LASTING)

    def route(self):
        n, word = self.r.randrange(8), self.r.choice(("replace", "del"))
        self.lab.ip(self.lab.own, f"route {word} 198.19.{n}.0/24 via 192.0.2.20\n")
        if self.r.random() < 0.5:
            self.lab.ip(self.lab.own, "route del default\nroute del ::/0\nroute del 203.0.113.0/24\n")
            self.later(self.r.uniform(0.1, 1.5), self.lab.own, OWN_LASTING)

    def extra(self):
        """A link with new indices each time."""
        if self.extra_up:
            self.lab.ip(self.lab.own, "link del u0\n")
        else:
            n = self.r.randrange(250)
            self.lab.ip(self.lab.own, f"link add u0 type veth peer name u1 netns {self.lab.peer}\n"
                                      f"addr add 10.9.{n}.1/24 dev u0\nlink set u0 up\n")
            self.lab.ip(self.lab.peer, f"addr add 10.9.{n}.2/24 dev u1\nlink set u1 up\n")
        self.extra_up = not self.extra_up

    def loss(self):
        for name in (self.lab.own, self.lab.peer):
            self.lab.nft(name, "table netdev disturb\ndelete table netdev disturb\n")
        link = self.r.choice("vw")
        self.lab.nft(self.lab.own, DISTURB.format(own=link, loss=self.r.choice((0, 10, 30))))
        self.lab.nft(self.lab.peer, DOUBLE.format(own=link, copies=self.r.choice((0, 20, 50))))
