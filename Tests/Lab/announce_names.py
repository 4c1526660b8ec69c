#!/usr/bin/env python3
"""Announces services of any names again and again, until its standard input ends.

    ip netns exec NAME python3 announce_names.py INTERFACE SOURCE HOST TYPE=LABEL...

TYPE is such as _ipp._tcp, LABEL the hexadecimal digits of an instance label's bytes. Every host and
service is announced five times a second, as if by a host that never gets tired of it. It refuses to run
outside a network namespace of a test.
"""
import select
import socket
import struct
import sys

import mdns_wire as w


def main():
    iface, source, host = sys.argv[1:4]
    w.require_lab(iface)
    index = socket.if_nametoindex(iface)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("8xi", index))
    s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    s.bind((source, w.PORT))
    target = w.name(host)
    messages = []
    for word in sys.argv[4:]:
        kind, _, digits = word.partition("=")
        kind = w.name(kind + ".local")
        service = (bytes.fromhex(digits),) + kind
        messages.append(w.encode(w.response(
            [w.PTR(kind, service), w.SRV(service, target, 1234), w.TXT(service)],
            [w.A(target, source)])))
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.2)[0]:
        for message in messages:
            s.sendto(message, (w.MCAST4, w.PORT))


main()
