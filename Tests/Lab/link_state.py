#!/usr/bin/env python3
"""States of links that ip(8) cannot set: run inside the network namespace.

link IF [operstate=N] [linkmode=N] [carrier=N]   RTM_SETLINK
tun NAME [type=N] [mode=tun|tap]                 make a tun link and own it until killed
dead NAME                                        make a persistent tun link that nobody owns
ra IF [lifetime=N] [prefix=P] [portal=URI] [nat64=P] [retrans=N]   send one router advertisement
udp ADDRESS                                      send one datagram to port 9
"""
import fcntl
import ipaddress
import os
import signal
import socket
import struct
import sys

TUNSETIFF, TUNSETPERSIST, TUNSETLINK = 0x400454CA, 0x400454CB, 0x400454CD
IFF_TUN, IFF_TAP, IFF_NO_PI = 1, 2, 0x1000
RTM_SETLINK, NLM_F_REQUEST, NLM_F_ACK, NLMSG_ERROR = 19, 1, 4, 2
ATTRIBUTES = {"operstate": (16, "B"), "linkmode": (17, "B"), "carrier": (33, "B")}


def link(name: str, values: dict[str, str]) -> None:
    index = socket.if_nametoindex(name)
    body = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, index, 0, 0)
    for key, value in values.items():
        kind, form = ATTRIBUTES[key]
        data = struct.pack("=" + form, int(value))
        body += struct.pack("=HH", 4 + len(data), kind) + data.ljust((len(data) + 3) // 4 * 4, b"\0")
    header = struct.pack("=IHHII", 16 + len(body), RTM_SETLINK, NLM_F_REQUEST | NLM_F_ACK, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as route:
        route.bind((0, 0))
        route.send(header + body)
        reply = route.recv(65536)
    _, kind, _, _, _, error = struct.unpack_from("=IHHIIi", reply)
    if kind != NLMSG_ERROR or error != 0:
        sys.exit(f"{name}: {os.strerror(-error)}")


def tun(name: str, values: dict[str, str]) -> int:
    device = os.open("/dev/net/tun", os.O_RDWR)
    mode = IFF_TAP if values.get("mode") == "tap" else IFF_TUN
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), mode | IFF_NO_PI))
    if "type" in values:
        fcntl.ioctl(device, TUNSETLINK, int(values["type"]))
    return device


def advertise(name: str, values: dict[str, str]) -> None:
    # Hop limit 64, no flags; router lifetime, reachable and retransmission time.
    message = struct.pack(
        "!BBHBBHII", 134, 0, 0, 64, 0, int(values.get("lifetime", "1800")), 0, 0)
    if "prefix" in values:
        prefix = ipaddress.IPv6Network(values["prefix"])
        message += struct.pack(
            "!BBBBIII16s", 3, 4, prefix.prefixlen, 0xC0, 3600, 3600, 0,
            prefix.network_address.packed)
    if "portal" in values:  # RFC 8910
        data = b"\x25\x00" + values["portal"].encode()
        data = data.ljust((len(data) + 7) // 8 * 8, b"\0")
        message += data[:1] + bytes([len(data) // 8]) + data[2:]
    if "nat64" in values:  # RFC 8781; prefix length code 0 is /96
        prefix = ipaddress.IPv6Network(values["nat64"])
        message += struct.pack("!BBH12s", 38, 2, 600 // 8 << 3, prefix.network_address.packed[:12])
    with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as raw:
        raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, 255)
        raw.sendto(message, ("ff02::1", 0, 0, socket.if_nametoindex(name)))


def main() -> None:
    what, name, *rest = sys.argv[1:]
    values = dict(pair.split("=", 1) for pair in rest)
    if what == "link":
        link(name, values)
    elif what == "tun":
        # What starts this one may wait for the end of all descriptors that it handed on.
        os.closerange(3, 4096)
        owner = tun(name, values)
        signal.alarm(600)  # in case that nobody ends it
        signal.pause()
        os.close(owner)
    elif what == "dead":
        fcntl.ioctl(tun(name, values), TUNSETPERSIST, 1)
    elif what == "ra":
        advertise(name, values)
    elif what == "udp":
        family = socket.AF_INET6 if ":" in name else socket.AF_INET
        socket.socket(family, socket.SOCK_DGRAM).sendto(b"x", (name, 9))
    else:
        sys.exit(__doc__)


main()
