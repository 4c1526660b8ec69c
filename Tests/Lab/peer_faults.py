#!/usr/bin/env python3
"""A TCP peer that misbehaves as a test wants it to: peer_faults.py PORT [KEY=VALUE]…

It listens on PORT, prints `ready`, and echoes what it gets, but for:

  on=ADDR       listens on this address only; may be given again (default: both families)
  delay=SEC     each answer comes that much later; what comes meanwhile is not held up by it
  after=N       N bytes are echoed on each connection; then comes what `then` says
  then=WHAT     close: the connection is closed; reset: it is reset; short: half of the next
                answer is sent, then it is closed; mute: nothing more is sent; exit: it is closed
                and nobody listens any more
  wrong=N       the byte at N of the stream comes back with its bits turned round
  greet=HEX     these bytes are sent first
  read=no       nothing is ever read
  answer=no     nothing is ever sent
  window=N      bytes of the receive buffer

A line `quit` on standard input, or its end, ends it; `drop` resets every connection; `close` closes
the listening sockets. What the tests call misbehaviour is this program's, not the one's under test.
"""
import os
import queue
import socket
import struct
import sys
import threading
import time


class Peer:
    def __init__(self, port, options):
        self.options = options
        self.listeners, self.connections, self.lock = [], set(), threading.Lock()
        self.late = {}
        places = options.get("on") or ["0.0.0.0", "::"]
        for place in places:
            family = socket.AF_INET6 if ":" in place else socket.AF_INET
            s = socket.socket(family, socket.SOCK_STREAM)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            if "window" in options:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, int(options["window"]))
            s.bind((place, port))
            s.listen(128)
            self.listeners.append(s)

    def serve(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.connections.add(connection)
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        try:
            self.echo(connection)
        except OSError:
            pass
        finally:
            with self.lock:
                self.connections.discard(connection)
            connection.close()

    def echo(self, connection):
        options = self.options
        if "greet" in options:
            connection.sendall(bytes.fromhex(options["greet"]))
        if options.get("read") == "no":
            time.sleep(600)
        left = int(options["after"]) if "after" in options else None
        wrong, done = int(options.get("wrong", -1)), 0
        while True:
            data = connection.recv(65536)
            if not data:
                return
            if options.get("answer") == "no":
                continue
            if left is not None and len(data) > left:
                self.send(connection, data[:left])
                return self.end(connection, data[left:])
            if done <= wrong < done + len(data):
                at = wrong - done
                data = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1:]
            done += len(data)
            left = None if left is None else left - len(data)
            self.send(connection, data)

    def send(self, connection, data):
        delay = float(self.options.get("delay", 0))
        if delay == 0:
            connection.sendall(data)
            return
        with self.lock:
            if connection not in self.late:
                self.late[connection] = queue.Queue()
                threading.Thread(target=self.send_late, args=(connection,), daemon=True).start()
            self.late[connection].put((time.monotonic() + delay, data))

    def send_late(self, connection):
        """Sends what is due in the order that it came in."""
        while True:
            due, data = self.late[connection].get()
            time.sleep(max(0, due - time.monotonic()))
            try:
                connection.sendall(data)
            except OSError:
                return

    def end(self, connection, rest):
        how = self.options.get("then", "close")
        if how == "short":
            connection.sendall(rest[:len(rest) // 2])
        elif how == "reset":
            reset(connection)
        elif how == "mute":
            time.sleep(600)
        elif how == "exit":
            self.close_listeners()

    def close_listeners(self):
        for listener in self.listeners:
            # A thread in accept() keeps the socket alive unless it is shut down.
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            listener.close()


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def main():
    options = {}
    for word in sys.argv[2:]:
        key, value = word.split("=", 1)
        if key == "on":
            options.setdefault("on", []).append(value)
        else:
            options[key] = value
    peer = Peer(int(sys.argv[1]), options)
    for listener in peer.listeners:
        threading.Thread(target=peer.serve, args=(listener,), daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        order = line.strip()
        if order == "quit":
            break
        if order == "close":
            peer.close_listeners()
        if order == "drop":
            with peer.lock:
                for connection in peer.connections:
                    reset(connection)
                    # Wakes the thread that reads; the reset leaves with its close.
                    connection.shutdown(socket.SHUT_RD)
        print(f"did {order}", flush=True)
    os._exit(0)


main()
