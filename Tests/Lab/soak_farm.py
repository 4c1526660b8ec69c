"""Services that come, change and go during a soak, and the truth about them."""
import json, random, signal, subprocess, time

# Short, so that what was missed by loss is known again soon after things have calmed down.
TTL = "20"


class Farm:
    """A `zeroconf_farm.py` with a list of what it offers now."""

    def __init__(self, lab, interface, mark, seed, duration, count=12, hosts=3):
        self.interface, self.mark, self.r, self.serial = interface, mark, random.Random(seed), 0
        self.hosts = hosts
        self.child = lab.tool(
            lab.peer, "zeroconf_farm.py", "--control", "--iface", interface, "--count", str(count), "--hosts", str(hosts),
            "--host-prefix", f"farm-{mark}-host-", "--name", f"Farm {mark} %d", "--type", "_http._tcp,_ipp._tcp",
            "--ttl", TTL, "--ttl-host", TTL, "--duration", str(duration), "--no-delay",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.child.stdout.readline()
        types = ("_http._tcp", "_ipp._tcp")
        self.truth = {f"Farm {mark} {i}": (types[i % 2], 1024 + i, {"id": str(i)}) for i in range(count)}
        self.away, self.ops = {}, 0

    def tell(self, **what):
        try:
            self.child.stdin.write(json.dumps(what) + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass
        self.ops += 1

    def churn(self):
        """One service comes, goes, comes back or changes."""
        kind = self.r.choice(("new", "txt", "del", "back"))
        name = self.r.choice(sorted(self.truth)) if self.truth else None
        if kind == "txt" and name:
            text = {"id": str(self.r.randrange(10**6)), "state": "x" * self.r.randrange(100)}
            type_, port, _ = self.truth[name]
            self.truth[name] = (type_, port, text)
            self.tell(op="txt", name=name, txt=[f"{k}={v}" for k, v in text.items()])
        elif kind == "del" and len(self.truth) > 6:
            fact = self.truth.pop(name)
            if "Visitor" not in name:
                self.away[name] = fact
            self.tell(op="del", name=name)
        elif kind == "back" and self.away:
            name = self.r.choice(sorted(self.away))
            self.truth[name] = self.away.pop(name)
            self.tell(op="reannounce", name=name)
        elif kind == "new" and len(self.truth) < 25:
            self.serial += 1
            name = f"Farm {self.mark} Visitor {self.serial}"
            self.truth[name] = ("_http._tcp", 20000 + self.serial % 40000, {"visit": str(self.serial)})
            self.tell(op="add", name=name, type="_http._tcp", port=20000 + self.serial % 40000, txt=[f"visit={self.serial}"])

    def facts(self):
        """What a browser has to show: (name, interface) and what belongs to it."""
        return {(name, self.interface.replace("1", "0")): (t, port, txt) for name, (t, port, txt) in self.truth.items()}


class Vanishing:
    """Services that disappear without a word, again and again under new names."""

    def __init__(self, lab, interface, seed):
        self.lab, self.interface, self.r, self.round, self.child, self.until = lab, interface, random.Random(seed), 0, None, 0

    def step(self):
        now = time.monotonic()
        if self.child is None:
            if now >= self.until:
                self.round += 1
                self.child = self.lab.tool(
                    self.lab.peer, "zeroconf_farm.py", "--iface", self.interface, "--count", "6", "--hosts", "2",
                    "--host-prefix", f"gone-{self.round}-host-", "--name", f"Farm Gone {self.round} %d", "--ttl", TTL,
                    "--ttl-host", TTL, "--no-goodbye", "--no-delay", "--duration", "600", stdout=subprocess.DEVNULL)
                self.until = now + self.r.uniform(6, 14)
        elif now >= self.until:
            self.vanish()
            self.until = now + self.r.uniform(1, 6)

    def vanish(self):
        if self.child:
            self.child.send_signal(signal.SIGKILL)
            self.child.wait()
            self.lab.children.remove(self.child)
            self.child = None
