#!/usr/bin/env python3
"""A DNS server that says what a test gives it: resolve_dns.py ADDRESS PORT SPEC.

SPEC is the JSON object of resolve_peer.py; of it, `records` counts. A name without records does not
exist. It prints `ready` as a line of JSON, then each question.
"""
import json
import socket
import struct
import sys

import resolve_peer


def answer(message, records):
    number, found = resolve_peer.questions(message)
    name, kind, _, raw = found[0]
    word = resolve_peer.WORDS.get(kind, kind)
    print(json.dumps({"name": name.hex(), "type": word}), flush=True)
    own = [entry for entry in records if resolve_peer.wire(entry[0]).lower() == name.lower()]
    chosen = [entry for entry in own if entry[1] == word]
    bodies = [resolve_peer.record("lo", entry[:3] + [{"flush": False, "ttl": 300}])
              for entry in chosen]
    flags = 0x8580 if own else 0x8583
    head = struct.pack("!HHHHHH", number, flags, 1, len(bodies), 0, 0)
    return head + raw + b"".join(bodies)


if __name__ == "__main__":
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind((sys.argv[1], int(sys.argv[2])))
    spec = json.loads(sys.argv[3])
    print(json.dumps({"ready": True}), flush=True)
    while True:
        query, sender = listener.recvfrom(4096)
        listener.sendto(answer(query, spec["records"]), sender)
