#!/usr/bin/env python3
"""Clients of `lantool serve` that misbehave, and one that does not; one JSON line out.

    ip netns exec NAME python3 serve_clients.py HOST PORT reset|crowd [ARGUMENT…]
"""
import json
import os
import socket
import struct
import sys
import time


def echo(host, port):
    """True if the bytes come back."""
    with socket.create_connection((host, port), timeout=3) as s:
        s.settimeout(3)
        s.sendall(b"whole")
        got = b""
        while len(got) < 5 and (part := s.recv(16)):
            got += part
        return got == b"whole"


def reset(host, port, times, seconds):
    """Clients that send zeros without reading and close with a reset (SE-11)."""
    for _ in range(int(times)):
        s = socket.create_connection((host, port), timeout=3)
        s.setblocking(False)
        end = time.time() + float(seconds)
        while time.time() < end:
            try:
                s.send(bytes(65536))
            except BlockingIOError:
                time.sleep(0.005)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()
    return {"echo": echo(host, port)}


def cpu(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def crowd(host, port, pid, count, seconds):
    """More clients than the server has descriptors for (SE-13)."""
    clients = []
    for _ in range(int(count)):
        s = socket.socket()
        s.settimeout(0.5)
        try:
            s.connect((host, port))
        except OSError:
            pass
        clients.append(s)
    before = cpu(pid)
    time.sleep(float(seconds))
    share = (cpu(pid) - before) / float(seconds)
    for s in clients:
        s.close()
    served = False
    for _ in range(20):
        try:
            served = echo(host, port)
            break
        except OSError:
            time.sleep(0.1)
    return {"cpu": round(share, 3), "echo": served}


def main():
    host, port, what, *rest = sys.argv[1:]
    print(json.dumps({"reset": reset, "crowd": crowd}[what](host, int(port), *rest)), flush=True)


main()
