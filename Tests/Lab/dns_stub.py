#!/usr/bin/env python3
"""A DNS server that knows no name and prints each name that it is asked for: dns_stub.py ADDRESS."""
import socket
import struct
import sys

import mdns_wire as w


def main():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((sys.argv[1], 53))
    print("ready", flush=True)
    while True:
        data, source = s.recvfrom(4096)
        labels, end = w.decode_name(data, 12)
        print(b".".join(labels).decode(), flush=True)
        head = struct.pack("!6H", struct.unpack_from("!H", data)[0], 0x8183, 1, 0, 0, 0)
        s.sendto(head + data[12 : end + 4], source)


main()
