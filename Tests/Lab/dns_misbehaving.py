"""A DNS server that misbehaves as the first label of the name asks (the last one of a service's): python3 dns_misbehaving.py PORT

It answers A questions with 192.0.2.1 over IPv4, IPv6 and TCP, except for these labels:
silent, servfail, refused, notimp, rcode9, garbage, short, wrongid, stranger (only a wrong id or
question), late (both wrong ones first), cut (TC; whole over TCP), cuthang, cutclose, cutshort,
cutlong (65,000 octets over TCP), formerr (no EDNS wanted), alias-N, loop, lame, slow-MS, nodata,
trailing. Lines on standard output tell what was asked.
"""
import socket
import struct
import sys
import threading
import time

PORT = int(sys.argv[1])


def parse(query):
    position, labels = 12, []
    while query[position]:
        labels.append(query[position + 1:position + 1 + query[position]])
        position += 1 + query[position]
    return labels, query[12:position + 5], struct.unpack(">H", query[position + 1:position + 3])[0]


def encode(labels):
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def record(owner, kind, data, ttl=60):
    return owner + struct.pack(">HHIH", kind, 1, ttl, len(data)) + data


def message(query, question, flags=0x8500, answers=(), authorities=(), identity=None):
    counts = (1 if question else 0, len(answers), len(authorities), 0)
    head = (identity or query[:2]) + struct.pack(">HHHHH", flags, *counts)
    return head + question + b"".join(answers) + b"".join(authorities)


def other(query):
    return bytes([query[0] ^ 0xFF, query[1]])


ADDRESS = bytes([192, 0, 2, 1])
SOA = encode([b"ns", b"test"]) + encode([b"root", b"test"]) + struct.pack(">5I", 1, 60, 60, 60, 30)


def answers_for(query, over_stream):
    """The datagrams, or the streams' messages, that answer a query."""
    labels, question, kind = parse(query)
    word = labels[-1 if labels[0].startswith(b"_") else 0].decode("latin-1").lower()
    here = b"\xc0\x0c"
    good = message(query, question, answers=[record(here, 1, ADDRESS)])
    codes = {"servfail": 2, "notimp": 4, "refused": 5, "rcode9": 9}
    has_options = query[11] != 0
    print(word, "tcp" if over_stream else "udp", "edns" if has_options else "plain", flush=True)
    if word == "silent":
        return []
    if word in codes:
        return [message(query, question, 0x8500 | codes[word])]
    if word == "garbage":
        return [query[:2] + bytes([0x85, 0, 0, 1, 0, 9, 0, 0, 0, 0]) + question + b"\xff" * 40]
    if word == "short":
        return [query[:2] + b"\x85"]
    if word == "wrongid":
        return [message(query, question, answers=[record(here, 1, ADDRESS)], identity=other(query))]
    if word == "stranger":
        name = encode([b"elsewhere", b"test"]) + question[-4:]
        return [message(query, name, answers=[record(here, 1, ADDRESS)])]
    if word == "late":
        name = encode([b"elsewhere", b"test"]) + question[-4:]
        forged = [record(here, 1, bytes([192, 0, 2, 66]))]
        return [message(query, question, answers=forged, identity=other(query)),
                message(query, name, answers=forged), good]
    if word.startswith("cut") and not over_stream:
        return [message(query, question, 0x8700)]
    if word == "cutlong":
        records = [record(here, 1, struct.pack(">I", 0x0A000000 + i)) for i in range(4060)]
        return [message(query, question, answers=records)]
    if word == "formerr" and has_options:
        return [message(query, b"", 0x8001)]
    if word.startswith("alias-") and int(word[6:]) > 0:
        target = encode([b"alias-%d" % (int(word[6:]) - 1)] + labels[1:])
        return [message(query, question, answers=[record(here, 5, target)])]
    if word == "loop":
        return [message(query, question, answers=[record(here, 5, encode(labels))])]
    if word == "lame":
        return [message(query, question, 0x8100,
                        authorities=[record(encode([b"test"]), 2, encode([b"ns", b"test"]))])]
    if word.startswith("slow-"):
        time.sleep(int(word[5:]) / 1000)
    if word == "nodata" or kind != 1:
        return [message(query, question, authorities=[record(encode([b"test"]), 6, SOA)])]
    if word == "trailing":
        return [good + b"more"]
    return [good]


def datagrams(family, address):
    server = socket.socket(family, socket.SOCK_DGRAM)
    server.bind((address, PORT))

    def serve(query, peer):
        for answer in answers_for(query, False):
            server.sendto(answer, peer)

    while True:
        query, peer = server.recvfrom(4096)
        threading.Thread(target=serve, args=(query, peer), daemon=True).start()


def streams(family, address):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((address, PORT))
    server.listen(64)

    def serve(connection):
        size = connection.recv(2, socket.MSG_WAITALL)
        query = connection.recv(struct.unpack(">H", size)[0], socket.MSG_WAITALL)
        word = parse(query)[0][0]
        if word == b"cuthang":
            time.sleep(60)
        if word == b"cutclose":
            connection.close()
            return
        for answer in answers_for(query, True):
            framed = struct.pack(">H", len(answer)) + answer
            # In pieces, as a slow network would bring them.
            connection.sendall(framed[:1])
            time.sleep(0.02)
            connection.sendall(framed[1:20] if word == b"cutshort" else framed[1:])
        connection.close()

    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    for work in (datagrams, streams):
        threading.Thread(target=work, args=(family, address), daemon=True).start()
time.sleep(3600)
