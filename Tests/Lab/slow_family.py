#!/usr/bin/env python3
"""Answers A over IPv4 and AAAA over IPv6, each after a time: slow_family.py NAME SECONDS4 SECONDS6."""
import select
import sys
import time

import mdns_wire as w


def main():
    name, delays = w.name(sys.argv[1]), [float(x) for x in sys.argv[2:4]]
    sockets = [w.mdns_socket(4), w.mdns_socket(6)]
    records = [w.A(name, "192.0.2.20"), w.AAAA(name, "2001:db8::20")]
    print("ready", flush=True)
    due = []
    while True:
        wait = max(0, min((at for at, _ in due), default=time.monotonic() + 1) - time.monotonic())
        for s in select.select(sockets, [], [], wait)[0]:
            which = sockets.index(s)
            packet = w.recv(s)
            if packet is None or packet.msg is None or packet.msg.qr:
                continue
            if any(w.same(q.name, name) and q.type in (records[which].type, 255) for q in packet.msg.q):
                due.append((time.monotonic() + delays[which], which))
        now = time.monotonic()
        for at, which in [x for x in due if x[0] <= now]:
            due.remove((at, which))
            sockets[which].sendto(w.encode(w.response([records[which]])), w.group(sockets[which]))


main()
