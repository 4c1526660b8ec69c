#!/usr/bin/env python3
"""A multicast DNS responder that does exactly what a test says: resolve_peer.py IF SPEC.

SPEC is a JSON object:
  records   [[name, type, data, options]…]; data by type: A, AAAA: address ("own" of AAAA is the
            link-local address of IF); PTR, CNAME: name; SRV: [priority, weight, port, target];
            TXT: list of hexadecimal strings; HINFO: [cpu, os]; NSEC: list of types; a name is text
            with escapes, or a list of hexadecimal labels. Options: ttl, flush, delay (seconds),
            over (4 or 6: the version of IP that the answer goes out by).
  deny      names whose owner answers with NSEC for what it does not have
  mute      types that are never answered
  faults    for one-shot questions: list of "id", "question": wrong replies that go before the right
            one
  announce  seconds between announcements of everything unasked; 0 for none
Each question is written to standard output as a line of JSON.
"""
import json
import select
import socket
import struct
import sys
import time

TYPES = {"A": 1, "CNAME": 5, "SOA": 6, "PTR": 12, "HINFO": 13, "TXT": 16, "AAAA": 28, "SRV": 33, "NSEC": 47, "ANY": 255}
WORDS = {number: word for word, number in TYPES.items()}


def labels(name):
    if isinstance(name, list):
        return [bytes.fromhex(part) for part in name]
    parts, label, data = [], bytearray(), name.encode()
    at = 0
    while at < len(data):
        byte = data[at]
        at += 1
        if byte == 0x2E:
            parts.append(bytes(label))
            label = bytearray()
        elif byte == 0x5C and data[at:at + 3].isdigit():
            label.append(int(data[at:at + 3]))
            at += 3
        elif byte == 0x5C:
            label.append(data[at])
            at += 1
        else:
            label.append(byte)
    return parts + [bytes(label)] if label else parts


def wire(name):
    return b"".join(bytes([len(part)]) + part for part in labels(name)) + b"\0"


def own_link_local(interface):
    with open("/proc/net/if_inet6", encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[5] == interface and words[3] == "20":
                return bytes.fromhex(words[0])
    return None


def rdata(interface, name, kind, data):
    if kind == "A":
        return socket.inet_aton(data)
    if kind == "AAAA":
        return own_link_local(interface) if data == "own" else socket.inet_pton(socket.AF_INET6, data)
    if kind in ("PTR", "CNAME"):
        return wire(data)
    if kind == "SRV":
        return struct.pack("!HHH", *data[:3]) + wire(data[3])
    if kind == "TXT":
        strings = [bytes.fromhex(text) for text in data] or [b""]
        return b"".join(bytes([len(text)]) + text for text in strings)
    if kind == "HINFO":
        return b"".join(bytes([len(text)]) + text.encode() for text in data)
    if kind == "SOA":
        return wire(data[0]) + wire(data[1]) + struct.pack("!5I", *data[2:])
    if kind == "NSEC":
        bits = bytearray(32)
        for word in data:
            bits[TYPES[word] // 8] |= 0x80 >> TYPES[word] % 8
        bits = bits.rstrip(b"\0") or b"\0"
        return wire(name) + bytes([0, len(bits)]) + bits
    raise SystemExit(f"no type {kind}")


def record(interface, entry, is_legacy=False):
    name, kind, data = entry[:3]
    options = entry[3] if len(entry) > 3 else {}
    flush = 0x8000 if options.get("flush", kind != "PTR") and not is_legacy else 0
    body = rdata(interface, name, kind, data)
    ttl = min(options.get("ttl", 120), 10 if is_legacy else 1 << 31)
    return wire(name) + struct.pack("!HHIH", TYPES[kind], 1 | flush, ttl, len(body)) + body


def read_name(message, at):
    parts, end, jumps = [], None, 0
    while jumps < 64:
        length = message[at]
        if length >= 0xC0:
            end = end or at + 2
            at = (length & 0x3F) << 8 | message[at + 1]
            jumps += 1
        elif length == 0:
            return b"".join(bytes([len(part)]) + part for part in parts) + b"\0", end or at + 1
        else:
            parts.append(message[at + 1:at + 1 + length])
            at += 1 + length
    raise ValueError("loop")


def questions(message):
    number, flags, count = struct.unpack_from("!HHH", message)
    if flags & 0x8000:
        return number, []
    at, found = 12, []
    for _ in range(count):
        start = at
        name, at = read_name(message, at)
        kind, cls = struct.unpack_from("!HH", message, at)
        at += 4
        found.append((name, kind, cls, message[start:at]))
    return number, found


class Peer:
    def __init__(self, interface, spec):
        self.interface, self.spec, self.later = interface, spec, []
        index = socket.if_nametoindex(interface)
        four = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        four.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        four.bind(("", 5353))
        membership = struct.pack("4s4si", socket.inet_aton("224.0.0.251"), b"\0" * 4, index)
        four.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        four.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, membership)
        four.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        six.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        six.bind(("", 5353))
        group = socket.inet_pton(socket.AF_INET6, "ff02::fb") + struct.pack("@I", index)
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        self.sockets = {4: four, 6: six}
        self.groups = {4: ("224.0.0.251", 5353), 6: ("ff02::fb", 5353, 0, index)}

    def send(self, version, answers, to=None, number=0, asked=()):
        head = struct.pack("!HHHHHH", number, 0x8400, len(asked), len(answers), 0, 0)
        body = head + b"".join(asked) + b"".join(answers)
        try:
            self.sockets[version].sendto(body, to or self.groups[version])
        except OSError as error:
            print(json.dumps({"error": str(error)}), flush=True)

    def matching(self, name, kind):
        own = [entry for entry in self.spec["records"] if wire(entry[0]).lower() == name.lower()]
        word = WORDS.get(kind, "")
        if word in self.spec.get("mute", []):
            return []
        found = [entry for entry in own if kind == 255 or TYPES[entry[1]] in (kind, 5)]
        denied = [wire(text).lower() for text in self.spec.get("deny", [])]
        if not found and name.lower() in denied:
            text = next(text for text in self.spec["deny"] if wire(text).lower() == name.lower())
            found = [[text, "NSEC", sorted({entry[1] for entry in own})]]
        return found

    def answer(self, version, message, sender):
        number, found = questions(message)
        for name, kind, cls, raw in found:
            line = {"name": name.hex(), "type": WORDS.get(kind, kind), "qu": bool(cls & 0x8000),
                    "version": version, "port": sender[1], "from": sender[0]}
            print(json.dumps(line), flush=True)
        is_legacy = sender[1] != 5353
        if is_legacy:
            answers, asked = [], []
            for name, kind, cls, raw in found:
                entries = self.matching(name, kind)
                answers += [record(self.interface, entry, True) for entry in entries]
                asked.append(raw)
            if answers:
                self.answer_legacy(version, answers, sender, number, asked)
            return
        now = {}
        for name, kind, cls, raw in found:
            for entry in self.matching(name, kind):
                options = entry[3] if len(entry) > 3 else {}
                over = options.get("over", version)
                if options.get("delay", 0) > 0:
                    self.later.append((time.monotonic() + options["delay"], over, entry))
                else:
                    now.setdefault(over, []).append(record(self.interface, entry))
        for over, answers in now.items():
            self.send(over, answers)

    def answer_legacy(self, version, answers, sender, number, asked):
        for fault in self.spec.get("faults", []):
            wrong = [record(self.interface, entry, True) for entry in self.spec["wrong"]]
            if fault == "id":
                self.send(version, wrong, sender, number ^ 0x5555, asked)
            elif fault == "question":
                other = wire("other.local") + struct.pack("!HH", 1, 1)
                self.send(version, wrong, sender, number, [other])
        if not self.spec.get("silent"):
            self.send(version, answers, sender, number, asked)

    def announce(self):
        for version in (4, 6):
            self.send(version, [record(self.interface, entry) for entry in self.spec["records"]])

    def run(self):
        print(json.dumps({"ready": True}), flush=True)
        period, next_time = self.spec.get("announce", 0), time.monotonic()
        while True:
            wait = min([entry[0] for entry in self.later], default=None)
            if period:
                wait = min(wait or next_time, next_time)
            timeout = None if wait is None else max(0, wait - time.monotonic())
            ready = select.select(list(self.sockets.values()), [], [], timeout)[0]
            for version, one in self.sockets.items():
                if one in ready:
                    message, sender = one.recvfrom(9000)
                    try:
                        self.answer(version, message, sender)
                    except (ValueError, IndexError, struct.error):
                        pass
            for entry in [entry for entry in self.later if entry[0] <= time.monotonic()]:
                self.later.remove(entry)
                self.send(entry[1], [record(self.interface, entry[2])])
            if period and time.monotonic() >= next_time:
                self.announce()
                next_time += period


if __name__ == "__main__":
    Peer(sys.argv[1], json.loads(sys.argv[2])).run()
