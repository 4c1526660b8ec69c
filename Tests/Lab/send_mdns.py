#!/usr/bin/env python3
"""Sends one multicast DNS query to a group; refuses to run outside a network namespace of a test.

usage: send_mdns.py INTERFACE 4|6|vlan
The query is the one of case SN-01: PTR for _witap2._tcp.local; "vlan" sends that case's whole frame.
"""
import glob
import os
import socket
import struct
import sys

QUERY = bytes.fromhex(
    "000000000001000000000000" "075f776974617032045f746370056c6f63616c00000c0001"
)

TAGGED = bytes.fromhex(
    "01005e0000fb0200000000018100001f0800"
    "4500004000010000ff1118a9c0000207e00000fb14e914e9002c0000"
    "000000000001000000000000075f776974617032045f746370056c6f63616c00000c8001"
)


def inside_lab():
    """True if this process is in a namespace that a lab has made and named."""
    here = os.stat("/proc/self/ns/net").st_ino
    return any(os.stat(path).st_ino == here for path in glob.glob("/run/netns/lt*"))


def main():
    interface, family = sys.argv[1], sys.argv[2]
    port = 5353
    if not inside_lab():
        sys.exit("send_mdns.py: not inside a test's network namespace")
    if family == "vlan":
        s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        s.bind((interface, 0))
        s.send(TAGGED)
        return
    index = socket.if_nametoindex(interface)
    if family == "4":
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("4s4si", b"", b"", index))
        s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        where = ("224.0.0.251", port)
    else:
        s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        where = ("ff02::fb", port, 0, index)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    s.bind(("" if family == "4" else "::", port))
    s.sendto(QUERY, where)


main()
