#!/usr/bin/env python3
"""A raw mDNS responder that plays H hosts with K services from one namespace.

    ip netns exec NAME python3 zeroconf_farm.py --count 500 --hosts 50 --duration 60

Answers PTR/SRV/TXT/A/AAAA/ANY, the service-type meta-query and subtypes, over
IPv4 and IPv6, multicast, QU and legacy unicast, with known-answer suppression
(also over several TC packets), the one-second rule, shared-record delays and
packet splitting. Never runs longer than --duration. Stdlib only.
"""
import argparse, heapq, json, os, random, select, signal, socket, sys, time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import mdns_wire as w

META = w.name("_services._dns-sd._udp.local")


def exotic():
    """Services whose names, TXT or subtypes are at the edge of what is allowed."""
    t = "_http._tcp"
    L = ["long=" + "x" * 250]
    return [
        dict(name="Dots. in. a. name.", type=t, port=8001, txt=["a=1"]),
        dict(name="Grüße aus Köln", type=t, port=8002, txt=["ü=ö"]),
        dict(name="日本語プリンター", type="_ipp._tcp", port=631, txt=["rp=印刷"]),
        dict(name="Party 🎉🖨️👩‍💻", type=t, port=8003, txt=["emoji=🎉"]),
        dict(name="x" * 63, type=t, port=8004, txt=["len=63"]),
        dict(name="é" * 31 + "x", type=t, port=8005, txt=["len=63 bytes of UTF-8"]),
        dict(name="back\\slash and \"quotes\" and tab\there", type=t, port=8006, txt=[]),
        dict(name="empty txt", type=t, port=8007, txt=[]),
        dict(name="zero-length rdata txt", type=t, port=8008, txt_hex=""),
        dict(name="binary txt", type=t, port=8009, txt_hex="0a62696e3d0001fffe3d0a" + "036b6579" + "046b65793d" + "05" + "6b6579322c"),
        dict(name="txt without equals", type=t, port=8010, txt=["flag", "=novalue", "Key=a=b=c", "key=second is ignored"]),
        dict(name="one 255 byte string", type=t, port=8011, txt=["v=" + "y" * 253]),
        dict(name="txt 1300", type=t, port=8012, txt=L * 5),
        dict(name="txt 4000 (IP fragments)", type=t, port=8013, txt=L * 15),
        dict(name="txt 8400 (IP fragments)", type=t, port=8014, txt=L * 33),
        dict(name="with subtypes", type=t, port=8015, txt=["s=1"], subtypes=["_printer", "_uni日本"]),
        dict(name="port zero", type=t, port=0, txt=[]),
        dict(name="prio and weight", type=t, port=8016, prio=7, weight=9, txt=[]),
        dict(name="udp service", type="_sip._udp", port=5060, txt=["transport=udp"]),
        dict(name="MiXeD CaSe", type="_HTTP._TCP", port=8017, txt=["CaSe=Kept"]),
    ]


class Host:
    def __init__(self, i, a):
        self.name = w.name(f"{a.host_prefix}{i}.local")
        self.a = a
        self.set([f"10.77.{100 + i // 250}.{i % 250 + 1}"], [] if a.v4_only else [f"fd77::f:{i:x}"])

    def set(self, v4, v6):
        self.rr = [w.A(self.name, x, self.a.ttl_host) for x in v4] + [w.AAAA(self.name, x, self.a.ttl_host) for x in v6]
        self.nsec = w.NSEC(self.name, [1] * bool(v4) + [28] * bool(v6), self.a.ttl_host)


class Service:
    def __init__(self, d, host, a):
        self.host, self.d, self.up = host, d, True
        self.type = w.name(d["type"].rstrip(".").removesuffix(".local") + ".local")
        nm = d["name"].encode("utf-8", "surrogateescape") if isinstance(d["name"], str) else d["name"]
        self.inst = (nm,) + self.type
        self.subs = [(s.encode(), b"_sub") + self.type for s in d.get("subtypes", ())]
        self.a = a
        self.set_txt(bytes.fromhex(d["txt_hex"]) if "txt_hex" in d else w.txt_rdata(d.get("txt", ())))

    def set_txt(self, rd):
        a, d = self.a, self.d
        self.ptr = w.PTR(self.type, self.inst, a.ttl)
        self.srv = w.SRV(self.inst, self.host.name, d.get("port", 80), a.ttl_host, True, d.get("prio", 0), d.get("weight", 0))
        self.txt = w.RR(self.inst, 16, a.ttl, rd, True)
        self.nsec = w.NSEC(self.inst, [16, 33], a.ttl_host)
        self.subptr = [w.PTR(s, self.inst, a.ttl) for s in self.subs]


class Farm:
    def __init__(self, a):
        self.a, self.heap, self.seq, self.stop = a, [], 0, False
        self.stats = dict(queries=0, questions=0, packets_out=0, bytes_out=0, answers=0, suppressed=0, ratelimited=0, bad=0)
        self.hosts = [Host(i, a) for i in range(max(1, a.hosts))]
        self.hostby = {w.fold(h.name): h for h in self.hosts}
        self.svc, self.types, self.subs = {}, {}, {}
        self.last, self.held, self.rest = {}, {}, b""
        self.socks = [w.mdns_socket(f, a.iface, a.port, loop=a.loop) for f in a.fams]
        types = [t.strip() for t in a.type.split(",")]
        specs = [dict(name=a.name.replace("%d", str(i)), type=types[i % len(types)], port=1024 + i % 60000,
                      txt=[f"id={i}"] + ["pad=" + "p" * a.txt_pad] * bool(a.txt_pad)) for i in range(a.count)]
        if a.exotic:
            specs += exotic()
        if a.spec:
            specs += json.load(open(a.spec))
        for i, d in enumerate(specs):
            self.add(d, i)

    def add(self, d, i=0):
        host = self.hosts[i % len(self.hosts)]
        if d.get("host"):
            hn = w.fold(w.name(d["host"] if d["host"].endswith("local") else d["host"] + ".local"))
            host = self.hostby.get(hn, host)
        s = Service(d, host, self.a)
        self.svc[w.fold(s.inst)] = s
        self.types.setdefault(w.fold(s.type), []).append(s)
        for x in s.subs:
            self.subs.setdefault(w.fold(x), []).append(s)
        return s

    # -- sending ----------------------------------------------------------
    def at(self, dt, fn, *args):
        self.seq += 1
        heapq.heappush(self.heap, (time.monotonic() + dt, self.seq, fn, args))

    def emit(self, sock, dest, an, ar=(), id=0, q=(), legacy=False):
        """Split answers over packets of at most --mtu bytes; each service's
        additional records ride with its own answer when they fit."""
        limit, packets, cur, curar, size, have = self.a.payload, [], [], [], 12, set()

        def est(r):  # an upper bound that assumes common suffixes compress
            return len(r.name[0]) + 18 + len(r.rdata) if r.type in (1, 28, 16) else len(r.name[0]) + 20 + min(len(r.rdata), 80)

        extra = {}
        for r in ar:
            extra.setdefault(r[0], []).append(r[1])
        for r in an:
            add = [x for x in extra.get(id_of(r), ()) if id_of(x) not in have]
            need = est(r) + sum(est(x) for x in add)
            if cur and size + need > limit:
                packets.append((cur, curar))
                cur, curar, size, have = [], [], 12, set()
                add = extra.get(id_of(r), [])
                need = est(r) + sum(est(x) for x in add)
            if size + need > limit:
                add, need = [], est(r)
            cur.append(r)
            curar += add
            have.update(id_of(x) for x in add)
            size += need
        if cur:
            packets.append((cur, curar))
        for k, (c, x) in enumerate(packets):
            m = w.response(c, x, id, q if k == 0 else ())
            if legacy:
                m.an = [w.RR(r.name, r.type, min(r.ttl, 10), r.rdata, False) for r in m.an]
                m.ar = [w.RR(r.name, r.type, min(r.ttl, 10), r.rdata, False) for r in m.ar]
            self.at(k * self.a.pace_us / 1e6, self.send, sock, dest, w.encode(m))

    def send(self, sock, dest, data):
        try:
            sock.sendto(data, dest)
            self.stats["packets_out"] += 1
            self.stats["bytes_out"] += len(data)
        except OSError as e:
            self.stats["bad"] += 1
            self.stats["last_error"] = str(e)

    def full(self, s):
        """Answers and additionals for one service's announcement."""
        return [s.ptr, *s.subptr, s.srv, s.txt]

    def announce(self, services, ttl0=False):
        an = []
        for s in services:
            an += self.full(s)
        if ttl0:
            an = [w.RR(r.name, r.type, 0, r.rdata, r.flush) for r in an]
            ar = []
        else:
            ar = [(id_of(s.srv), r) for s in services for r in s.host.rr]
        now = time.monotonic()
        for k in self.socks:
            for r in an:
                self.last[(k.family, id_of(r))] = now
            self.emit(k, w.group(k), an, ar)

    # -- answering --------------------------------------------------------
    def answers(self, q):
        """(records, shared?) for one question; records as (rr, [additionals])."""
        n, t, out = w.fold(q.name), q.type, []
        if q.cls not in (1, 255):
            return [], False
        shared = False
        if n == w.fold(META) and t in (12, 255):
            return [(w.PTR(META, ss[0].type, self.a.ttl), []) for ss in self.types.values() if any(s.up for s in ss)], True
        if t in (12, 255):
            for s in self.types.get(n, ()):
                if s.up:
                    out.append((s.ptr, [s.srv, s.txt, *s.host.rr]))
                    shared = True
            for s in self.subs.get(n, ()):
                if s.up:
                    out.append((w.PTR(q.name, s.inst, self.a.ttl), [s.srv, s.txt, *s.host.rr]))
                    shared = True
        s = self.svc.get(n)
        if s and s.up:
            if t in (33, 255):
                out.append((s.srv, s.host.rr))
            if t in (16, 255):
                out.append((s.txt, []))
            if t not in (33, 16, 255):
                out.append((s.nsec, []))
        h = self.hostby.get(n)
        if h:
            got = [r for r in h.rr if t in (r.type, 255)]
            out += [(r, [x for x in h.rr if x is not r]) for r in got] or [(h.nsec, [])] * (not self.a.no_nsec)
        return out, shared

    def on_packet(self, sock, p):
        m = p.msg
        if m is None or m.opcode or m.rcode:
            self.stats["bad"] += m is None
            return
        if m.qr or (m.ns and not m.q):
            return
        self.stats["queries"] += 1
        src = (p.src, p.sport)
        if m.tc or src in self.held:  # known answers over several packets
            h = self.held.get(src)
            if h:
                h[0].extend(m.q)
                h[1].extend(m.an)
            elif m.q:
                self.held[src] = [list(m.q), list(m.an), p]
                self.at(random.uniform(0.4, 0.5), self.release, sock, src)
            return
        self.reply(sock, p, m.q, m.an, m.id)

    def release(self, sock, src):
        q, an, p = self.held.pop(src)
        self.reply(sock, p, q, an, p.msg.id)

    def reply(self, sock, p, qs, known, mid):
        legacy = p.sport != w.PORT
        ka = {}
        for r in known:
            ka[r.key()] = r.ttl
        multi, uni, seen, shared_any = [], [], set(), False
        now = time.monotonic()
        probe = bool(p.msg.ns)
        for q in qs:
            self.stats["questions"] += 1
            recs, shared = self.answers(q)
            shared_any |= shared
            for r, extra in recs:
                k = id_of(r)
                if k in seen:
                    continue
                if not legacy and ka and ka.get(r.key(), -1) >= r.ttl / 2:
                    self.stats["suppressed"] += 1
                    continue
                seen.add(k)
                lk = (sock.family, k)
                last = self.last.get(lk, -1e9)
                if legacy or (q.qu and now - last < r.ttl / 4):
                    uni.append((r, extra))
                elif now - last < (0.25 if probe else 1.0):
                    self.stats["ratelimited"] += 1
                else:
                    self.last[lk] = now
                    multi.append((r, extra))
        delay = random.uniform(0.02, 0.12) if shared_any and not self.a.no_delay else 0.0
        for recs, dest in ((multi, w.group(sock)), (uni, None)):
            if not recs:
                continue
            self.stats["answers"] += len(recs)
            ar = [] if self.a.no_additionals else [(id_of(r), x) for r, ex in recs for x in ex if id_of(x) not in seen]
            if dest is None:
                dest = (p.src, p.sport) if sock.family == socket.AF_INET else (p.src, p.sport, 0, socket.if_nametoindex(self.a.iface))
            if legacy:
                self.at(0, self.emit, sock, dest, [r for r, _ in recs], ar, mid, qs, True)
            else:
                self.at(delay, self.emit, sock, dest, [r for r, _ in recs], ar)

    # -- behaviour over time ----------------------------------------------
    def flap(self):
        s = random.choice(list(self.svc.values()))
        s.up = not s.up
        self.announce([s], ttl0=not s.up)
        self.stats["flaps"] = self.stats.get("flaps", 0) + 1
        self.at(1 / self.a.flap, self.flap)

    def change(self):
        s = random.choice([x for x in self.svc.values() if x.up])
        n = self.stats["txt_changes"] = self.stats.get("txt_changes", 0) + 1
        s.set_txt(w.txt_rdata([f"seq={n}", f"at={time.time():.3f}"]))
        for k in self.socks:
            self.emit(k, w.group(k), [s.txt])
        self.at(1 / self.a.txt_change, self.change)

    def grow(self):
        n = len(self.svc)
        self.announce([self.add(dict(name=f"Grown {n}", type=self.a.type, port=1024 + n, txt=[]), n)])
        self.at(self.a.grow, self.grow)

    def tell(self, records):
        """Announces what has changed, twice and a second apart."""
        for k in self.socks:
            self.emit(k, w.group(k), records)
            self.at(1.0, self.emit, k, w.group(k), records)

    def control(self, line):
        c = json.loads(line)
        op = c.pop("op")
        if op == "add":
            s = self.add(c, len(self.svc))
            self.announce([s])
            self.at(1.0, self.announce, [s])
        elif op in ("del", "txt", "reannounce"):
            key = next((k for k, s in self.svc.items() if s.d["name"] == c["name"]), None)
            if key is None:
                print(json.dumps({"event": "error", "no such service": c["name"]}), flush=True)
                return
            s = self.svc[key]
            if op == "del":
                s.up = False
                self.announce([s], ttl0=True)
            elif op == "txt":
                s.set_txt(bytes.fromhex(c["txt_hex"]) if "txt_hex" in c else w.txt_rdata(c["txt"]))
                self.tell([s.txt])
            else:
                s.up = True
                self.announce([s])
        elif op == "host":
            h = self.hostby[w.fold(w.name(c["name"] + ".local"))]
            h.set(c.get("v4", []), c.get("v6", []))
            self.tell(h.rr)
        elif op == "stats":
            print(json.dumps({"event": "stats", **self.stats}), flush=True)
        elif op == "quit":
            self.stop = True

    def run(self):
        a, t0, cpu0 = self.a, time.monotonic(), time.process_time()
        if not a.no_announce:
            up = list(self.svc.values())
            self.announce(up)
            self.at(1.0, self.announce, up)
        if a.flap:
            self.at(1 / a.flap, self.flap)
        if a.txt_change:
            self.at(1 / a.txt_change, self.change)
        if a.grow:
            self.at(a.grow, self.grow)
        for sg in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sg, lambda *_: setattr(self, "stop", True))
        print(json.dumps({"event": "ready", "services": len(self.svc), "hosts": len(self.hosts), "pid": os.getpid()}), flush=True)
        if a.ready:
            open(a.ready, "w").close()
        fds = list(self.socks) + ([sys.stdin] if a.control else [])
        while not self.stop:
            now = time.monotonic()
            if now - t0 > a.duration:
                break
            wait = min(0.5, self.heap[0][0] - now) if self.heap else 0.5
            try:
                rd, _, _ = select.select(fds, [], [], max(0, wait))
            except InterruptedError:
                continue
            for s in rd:
                if s is sys.stdin:
                    part = os.read(s.fileno(), 65536)  # not readline, which may keep a line back
                    if not part:
                        fds.remove(s)
                    *lines, self.rest = (self.rest + part).split(b"\n")
                    for line in filter(bytes.strip, lines):
                        self.control(line)
                    continue
                for _ in range(64):
                    p = w.recv(s)
                    if p is None:
                        break
                    self.on_packet(s, p)
            now = time.monotonic()
            while self.heap and self.heap[0][0] <= now:
                _, _, fn, args = heapq.heappop(self.heap)
                fn(*args)
        if not a.no_goodbye:
            self.heap.clear()
            self.announce([s for s in self.svc.values() if s.up], ttl0=True)
            while self.heap:
                t, _, fn, args = heapq.heappop(self.heap)
                time.sleep(max(0, t - time.monotonic()))
                fn(*args)
        self.stats.update(event="end", wall_s=round(time.monotonic() - t0, 2), cpu_s=round(time.process_time() - cpu0, 3))
        print(json.dumps(self.stats), flush=True)


def id_of(r):
    return (r.name, r.type, r.rdata)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--count", type=int, default=50, help="services K (0 with --exotic/--spec)")
    ap.add_argument("--hosts", type=int, default=10, help="synthetic host names H")
    ap.add_argument("--type", default="_http._tcp", help="comma-separated service types, used in turn")
    ap.add_argument("--name", default="Farm Service %d", help="instance name pattern")
    ap.add_argument("--host-prefix", default="farm-host-")
    ap.add_argument("--exotic", action="store_true", help="add edge-case names, TXT and subtypes")
    ap.add_argument("--spec", help="JSON list of {name,type,port,txt|txt_hex,subtypes,host}")
    ap.add_argument("--list-exotic", action="store_true", help="print that list as JSON and end")
    ap.add_argument("--txt-pad", type=int, default=0, help="extra TXT bytes for each service (<=250)")
    ap.add_argument("--family", choices=["4", "6", "46"], default="46")
    ap.add_argument("--iface", default="v1")
    ap.add_argument("--port", type=int, default=5353, help=argparse.SUPPRESS)
    ap.add_argument("--ttl", type=int, default=4500)
    ap.add_argument("--ttl-host", type=int, default=120)
    ap.add_argument("--payload", type=int, default=1400, help="bytes in a UDP payload before splitting")
    ap.add_argument("--pace-us", type=float, default=300, help="gap between the packets of one burst")
    ap.add_argument("--no-delay", action="store_true", help="answer shared records at once")
    ap.add_argument("--no-announce", action="store_true")
    ap.add_argument("--no-additionals", action="store_true", help="bare answers: a browser must ask for SRV/TXT/A itself")
    ap.add_argument("--no-goodbye", action="store_true", help="vanish silently")
    ap.add_argument("--flap", type=float, default=0, help="services going down or up per second")
    ap.add_argument("--txt-change", type=float, default=0, help="TXT changes per second")
    ap.add_argument("--grow", type=float, default=0, help="a new instance every so many seconds")
    ap.add_argument("--v4-only", action="store_true", help="hosts without an IPv6 address")
    ap.add_argument("--no-nsec", action="store_true", help="silence for records that do not exist")
    ap.add_argument("--control", action="store_true", help="JSON lines on stdin: {op: add|del|txt|host|reannounce|stats|quit, ...}")
    ap.add_argument("--duration", type=float, default=60)
    ap.add_argument("--loop", action="store_true", help="also heard by other sockets of this host")
    ap.add_argument("--ready", help="file made once it answers")
    a = ap.parse_args()
    if a.list_exotic:
        print(json.dumps(exotic(), ensure_ascii=False, indent=1))
        return
    a.fams = [int(c) for c in a.family]
    Farm(a).run()


if __name__ == "__main__":
    main()
