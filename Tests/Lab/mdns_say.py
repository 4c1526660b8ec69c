#!/usr/bin/env python3
"""Sends DNS messages given as lines of hexadecimal digits on standard input.

    ip netns exec NAME python3 mdns_say.py INTERFACE SOURCE [4|6]

Each goes from SOURCE, port 5353, to the group with TTL 255, and is told by a line `sent`. It refuses
to run outside a network namespace of a test.
"""
import socket
import struct
import sys

import mdns_wire as w


def main():
    iface, source = sys.argv[1], sys.argv[2]
    family = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    w.require_lab(iface)
    index = socket.if_nametoindex(iface)
    s = socket.socket(socket.AF_INET if family == 4 else socket.AF_INET6, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if family == 4:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("8xi", index))
        s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        s.bind((source, w.PORT))
        group = (w.MCAST4, w.PORT)
    else:
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        s.bind((source, w.PORT, 0, index))
        group = (w.MCAST6, w.PORT, 0, index)
    print("ready", flush=True)
    for line in sys.stdin:
        s.sendto(bytes.fromhex(line.strip()), group)
        print("sent", flush=True)


main()
