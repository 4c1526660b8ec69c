#!/usr/bin/env python3
"""What another host does and sees while `lantool serve` publishes; a trial a run, one JSON line out.

    ip netns exec NAME python3 serve_peer.py TRIAL [ARGUMENT…]

On v1 of a lab; it refuses to run outside a network namespace of a test. Trials that start before the
program say `ready` on standard error first.
"""
import json
import select
import socket
import subprocess
import sys
import time

import mdns_wire as w

TYPE = w.name("_witap2._tcp.local")
DECK = (b"Deck",) + TYPE
OWN4 = "192.0.2.10"


def ready():
    print("ready", file=sys.stderr, flush=True)


def watch(sockets, seconds, hear, until=None):
    """Calls `hear` with each datagram that comes from the program's host; True when `until` held."""
    end = time.time() + seconds
    while time.time() < end:
        select.select(sockets, [], [], min(0.05, max(0, end - time.time())))
        for s in sockets:
            while (p := w.recv(s)) is not None:
                hear(p)
        if until and until():
            return True
    return False


def own(p):
    """Sent by the program's host."""
    return p.src == OWN4 or (p.family == 6 and p.src not in own6())


def own6(cache=[]):
    """The addresses of this host."""
    if not cache:
        text = subprocess.run(["ip", "-6", "-o", "addr"], capture_output=True, text=True).stdout
        cache.append({line.split()[3].split("/")[0] for line in text.splitlines()})
    return cache[0]


def reflect(seconds):
    """Sends all that it hears from the program back to the group, unchanged (SE-01)."""
    sockets = [w.mdns_socket(4), w.mdns_socket(6)]
    names, count = [], 0

    def hear(p):
        nonlocal count
        if not own(p):
            return
        count += 1
        sockets[0 if p.family == 4 else 1].sendto(p.data, w.group(sockets[0 if p.family == 4 else 1]))
        if p.msg and p.msg.qr:
            for r in p.msg.an:
                if r.type == 33 and r.ttl and w.show(r.name) not in names:
                    names.append(w.show(r.name))

    ready()
    watch(sockets, float(seconds), hear)
    return {"reflected": count, "names": names}


def records(m):
    return [{"name": w.show(r.name), "type": w.tname(r.type), "ttl": r.ttl, "flush": r.flush, "text": r.text()}
            for r in m.records]


def legacy(port="41000"):
    """Asks from an ordinary port, as plain resolvers do (SE-03)."""
    s = w.mdns_socket(4, port=0, join=False)
    s.close()
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.0.2.20"))
    s.bind(("192.0.2.20", int(port)))
    s.settimeout(2)
    question = bytes.fromhex("123401000001000000000000075f776974617032045f746370056c6f63616c00000c0001")
    s.sendto(question, (w.MCAST4, w.PORT))
    try:
        data, source = s.recvfrom(9000)
    except TimeoutError:
        return {"answer": False}
    m = w.decode(data)
    return {"answer": True, "from": source[0], "port": source[1], "id": m.id, "questions": [[w.show(q.name), w.tname(q.type)] for q in m.q],
            "records": records(m), "notes": m.notes}


def ask(digits, family="4", wait="0.8"):
    """Sends a question and tells the records of all answers, and after how many milliseconds."""
    s = w.mdns_socket(int(family))
    got = []
    begin = time.time()
    s.sendto(bytes.fromhex(digits), w.group(s))

    def hear(p):
        if own(p) and p.msg and p.msg.qr:
            got.append({"ms": round((p.t - begin) * 1000, 1), "records": records(p.msg)})

    watch([s], float(wait), hear)
    return {"answers": got}


def continued(ttl):
    """A query whose known answers follow in a second packet (SE-05)."""
    s = w.mdns_socket(4)
    seen = {}
    watch([s], 2.2, lambda p: None)  # past announcements
    begin = time.time()
    s.sendto(bytes.fromhex("000002000001000000000000075f776974617032045f746370056c6f63616c00000c0001"), w.group(s))
    time.sleep(0.02)
    s.sendto(w.encode(w.Message(0, 0, [], [w.PTR(TYPE, DECK, int(ttl), False)])), w.group(s))

    def hear(p):
        if own(p) and p.msg and p.msg.qr:
            for r in p.msg.an:
                if r.type == 12 and w.same(r.name, TYPE):
                    seen.setdefault(r.target[0].decode(), round((p.t - begin) * 1000, 1))

    watch([s], 1.2, hear)
    return {"instances": seen}


def goodbyes(seconds):
    """Which record types are taken back over which version of IP, until it was quiet for a time."""
    sockets = [w.mdns_socket(4), w.mdns_socket(6)]
    gone, alive = {4: set(), 6: set()}, []

    def hear(p):
        if own(p) and p.msg and p.msg.qr:
            for r in p.msg.an:
                if r.ttl == 0:
                    gone[p.family].add(w.tname(r.type))
                elif any(gone.values()):
                    alive.append(repr(r))

    ready()
    watch(sockets, float(seconds), hear)
    return {"ipv4": sorted(gone[4]), "ipv6": sorted(gone[6]), "after": alive}


def defend(name, seconds):
    """Says of each probe for an instance of the type that it has the name already."""
    s = w.mdns_socket(4)
    taken = (name.encode(),) + TYPE
    sent, names = 0, []

    def hear(p):
        nonlocal sent
        if not own(p) or not p.msg:
            return
        if w.classify(p) == "probe" and any(w.same(q.name, taken) for q in p.msg.q):
            s.sendto(w.encode(w.response([w.SRV(taken, "rival.local", 9)])), w.group(s))
            sent += 1
        if p.msg.qr:
            for r in p.msg.an:
                if r.type == 33 and r.ttl and r.name[0].decode() not in names:
                    names.append(r.name[0].decode())

    ready()
    watch([s], float(seconds), hear, until=lambda: bool(names))
    return {"answered": sent, "names": names}


def texts(count, seconds):
    """The TXT records that are announced, each once, until there were so many."""
    s = w.mdns_socket(4)
    seen = []

    def hear(p):
        if own(p) and p.msg and p.msg.qr:
            for r in p.msg.records:
                if r.type == 16 and w.same(r.name, DECK) and r.ttl:
                    one = {"strings": r.text(), "flush": r.flush}
                    if one not in seen:
                        seen.append(one)
                        print(json.dumps(one), file=sys.stderr, flush=True)

    ready()
    watch([s], float(seconds), hear, until=lambda: len(seen) >= int(count))
    return {"texts": seen}


def heard(seconds):
    """How many messages of multicast DNS come from the program's host."""
    sockets = [w.mdns_socket(4), w.mdns_socket(6)]
    kinds = []
    ready()
    watch(sockets, float(seconds), lambda p: own(p) and kinds.append(w.classify(p)))
    return {"messages": kinds}


def main():
    w.require_lab("v1")
    trial = {f.__name__: f for f in (reflect, legacy, ask, continued, goodbyes, defend, texts, heard)}[sys.argv[1]]
    print(json.dumps(trial(*sys.argv[2:]), ensure_ascii=False), flush=True)


main()
