#!/usr/bin/env python3
"""A web server that answers as networks and portals do; it ends itself after 30 s.

http_answers.py PORT
"""
import signal
import socket
import sys
import threading
import time

ANSWERS = {
    "/204": b"HTTP/1.1 204 No Content\r\n\r\n",
    "/good": b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nsuccess\n",
    "/chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nsuccess\n\r\n0\r\n\r\n",
    "/page": b"HTTP/1.0 200 OK\r\n\r\n<html>Please log in</html>",
    "/moved": b"HTTP/1.1 302 Found\r\nLocation: http://portal.example/\x1b[1m\r\n\r\n",
    "/511": b"HTTP/1.1 511 Network Authentication Required\r\n\r\n",
    "/500": b"HTTP/1.1 500 Internal Server Error\r\n\r\n",
    "/junk": b"SSH-2.0-OpenSSH_9.2\r\n",
    "/broken": b"HTTP/1.1 200 OK\r\nContent-",
}


def serve(connection):
    with connection:
        request = b""
        while b"\r\n\r\n" not in request:
            part = connection.recv(4096)
            if not part:
                return
            request += part
        path = request.split(b" ")[1].decode()
        if path == "/hang":
            time.sleep(20)
            return
        answer = ANSWERS.get(path, b"HTTP/1.1 404 Not Found\r\n\r\n")
        # In two parts, as a slow network would bring it.
        connection.sendall(answer[:9])
        time.sleep(0.01)
        connection.sendall(answer[9:])


def main():
    signal.alarm(30)
    listener = socket.create_server(("0.0.0.0", int(sys.argv[1])))
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


main()
