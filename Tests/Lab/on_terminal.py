#!/usr/bin/env python3
"""Runs a program on a terminal of its own: on_terminal.py [TEXT KEY…] -- COMMAND…

Once the program has shown TEXT, each KEY (hexadecimal digits) is typed, half a second apart. What
the program shows goes to standard output, and its exit status is that of this program.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


def main():
    split = sys.argv.index("--")
    words, command = sys.argv[1:split], sys.argv[split + 1:]
    text = words[0].encode() if words else None
    keys = [bytes.fromhex(key) for key in words[1:]]
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    shown, due, end = b"", None, time.monotonic() + 30
    while time.monotonic() < end:
        ready = select.select([terminal], [], [], 0.1)[0]
        if ready:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data
            os.write(1, data)
        if text is not None and text in shown and due is None:
            due = time.monotonic() + 0.5
        if due is not None and keys and time.monotonic() >= due:
            os.write(terminal, keys.pop(0))
            due = time.monotonic() + 0.5
    else:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


sys.exit(main())
