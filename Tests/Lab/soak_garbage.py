#!/usr/bin/env python3
"""Sends nonsense to UDP port 5353: random bytes, and messages of captures with faults put in.

    ip netns exec NAME python3 soak_garbage.py --interfaces v1,w1 --rate 200 --seed 1 FOLDER…

What is sent comes from a pool that is made beforehand, so that sending costs little and the names
in it are no endless stream: what a cache makes of them has been seen after a while, and memory that
grows beyond that is a leak. One JSON line at the end tells what went out.
"""
import argparse, glob, json, os, random, signal, socket, struct, sys, time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import mdns_wire as w

PORTS = (5353, 5355, 53)


def frames(data):
    """The packets of a pcap or pcapng file, as far as it can be read."""
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}
    if data[:4] in order:
        o, at = order[data[:4]], 24
        while at + 16 <= len(data):
            n = struct.unpack_from(o + "I", data, at + 8)[0]
            yield data[at + 16 : at + 16 + n]
            at += 16 + n
        return
    if data[:4] != b"\x0a\x0d\x0d\x0a":
        return
    at, o = 0, "<"
    while at + 12 <= len(data):
        if data[at : at + 4] == b"\x0a\x0d\x0d\x0a":
            o = "<" if data[at + 8 : at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        kind, n = struct.unpack_from(o + "II", data, at)
        if n < 12 or n % 4:
            return
        if kind == 6 and at + 28 <= len(data):
            yield data[at + 28 : at + 28 + struct.unpack_from(o + "I", data, at + 20)[0]]
        at += n


def payload(frame):
    """The UDP payload to or from a DNS port behind whatever link header, or None."""
    for at in (14, 18, 16, 4, 0, 20, 22):
        head = frame[at : at + 60]
        if len(head) >= 28 and head[0] >> 4 == 4 and head[9] == 17:
            udp = at + (head[0] & 15) * 4
        elif len(head) >= 48 and head[0] >> 4 == 6 and head[6] == 17:
            udp = at + 40
        else:
            continue
        if udp + 8 <= len(frame) and set(struct.unpack_from("!HH", frame, udp)) & set(PORTS):
            return frame[udp + 8 :][:1400]
    return None


def corpus(folders):
    found = []
    for path in sorted(p for f in folders for p in glob.glob(f + "/*")):
        if path.endswith((".pcap", ".pcapng")) and os.path.getsize(path) < 4 << 20:
            with open(path, "rb") as file:
                here = [p for p in map(payload, frames(file.read())) if p and len(p) >= 12]
            found += here[:200]
        elif path.endswith(".bin") and os.path.getsize(path) < 1400:
            with open(path, "rb") as file:
                found.append(file.read())
    return found


def mutate(r, messages):
    """A message with one to four faults."""
    b = bytearray(r.choice(messages))
    for _ in range(r.randint(1, 4)):
        kind = r.randrange(6)
        if kind == 0:  # single bits
            for _ in range(r.randint(1, 8)):
                if b:
                    b[r.randrange(len(b))] ^= 1 << r.randrange(8)
        elif kind == 1:  # a cut
            del b[r.randint(0, len(b)) :]
        elif kind == 2:  # the front of one, the back of another
            other = r.choice(messages)
            b = b[: r.randint(0, len(b))] + bytearray(other[r.randint(0, len(other)) :])
        elif kind == 3 and len(b) >= 12:  # counts
            struct.pack_into("!H", b, 4 + 2 * r.randrange(4), r.choice((0, 1, 2, 255, 0x7FFF, 0xFFFF)))
        elif kind == 4 and len(b) > 14:  # a pointer anywhere
            struct.pack_into("!H", b, r.randrange(12, len(b) - 1), 0xC000 | r.randrange(0x4000))
        elif b:  # a part twice
            at = r.randrange(len(b))
            b[at:at] = b[at : at + r.randint(1, 64)]
    return bytes(b[:1400])


def datagram(r, messages):
    return r.randbytes(r.choice((0, 1, 11, 12, 40, 300, 1200))) if not messages or r.random() < 0.3 else mutate(r, messages)


class Sender:
    def __init__(self, a):
        self.a, self.r = a, random.Random(a.seed)
        messages = corpus(a.folders)
        self.pool = [datagram(self.r, messages) for _ in range(a.pool)]
        self.stats = dict(event="garbage", messages=len(messages), pool=len(self.pool), sent=0, failed=0)
        self.ways = []
        for interface in a.interfaces.split(","):
            for family in (4, 6):
                for port in (w.PORT, w.PORT, w.PORT, 0):  # one in four from a port that is not 5353
                    s = w.mdns_socket(family, interface, port, join=False, rcvbuf=2304)
                    self.ways.append((s, w.group(s)))
                    if family == 4 and port:
                        self.ways += [(s, (to, w.PORT)) for to in a.unicast]

    def run(self):
        stop = []
        for s in (signal.SIGTERM, signal.SIGINT):
            signal.signal(s, lambda *_: stop.append(1))
        print(json.dumps({"event": "ready", **self.stats}), flush=True)
        tick, due = 0.05, 0.0
        end, last = time.monotonic() + self.a.duration, time.monotonic()
        while not stop and (now := time.monotonic()) < end:
            due = min(due + (now - last) * self.a.rate, self.a.rate)  # after a stall no more than a second's worth
            last = now
            while due >= 1:
                due -= 1
                s, to = self.r.choice(self.ways)
                try:
                    s.sendto(self.r.choice(self.pool), to)
                    self.stats["sent"] += 1
                except OSError:  # the link is down just now
                    self.stats["failed"] += 1
            time.sleep(tick)
        self.stats["cpuSeconds"] = round(time.process_time(), 2)
        print(json.dumps(self.stats), flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--interfaces", default="v1")
    p.add_argument("--unicast", action="append", default=[])
    p.add_argument("--rate", type=float, default=200)
    p.add_argument("--pool", type=int, default=4000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--duration", type=float, default=60)
    p.add_argument("folders", nargs="*")
    Sender(p.parse_args()).run()


main()
