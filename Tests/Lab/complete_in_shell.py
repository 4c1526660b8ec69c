#!/usr/bin/env python3
"""Types lines and a tab into an interactive shell and tells what the program would have been given.

    complete_in_shell.py bash|zsh|fish COMPLETIONS < LINES

LINES is a JSON list of strings. Behind each the tab key is typed and then Enter; a function in the
place of `lantool` notes its arguments, while the completions themselves run the program. Standard
output is a JSON object: `arguments`, a list for each line or null where the line never came to run;
`files`, what the lines have left in the working directory; `seconds`, the longest from tab to run.
"""
import json
import os
import pty
import select
import signal
import sys
import tempfile
import time

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
SETUP = {
    "bash": r"""bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
source {folder}/lantool.bash
lantool() {{ {{ printf '%s\0' "$@"; printf '\n'; }} >>{out}; }}
""",
    "zsh": r"""unsetopt zle_bracketed_paste beep
fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word
lantool() {{ {{ printf '%s\0' "$@"; printf '\n' }} >>{out} }}
""",
    "fish": r"""source {folder}/lantool.fish
function lantool; printf '%s\0' $argv >>{out}; printf '\n' >>{out}; end
""",
}


class Shell:
    def __init__(self, name, folder, out):
        self.shown, self.out = b"", out
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", PS1="", HISTFILE="/dev/null")
            os.execvp(START[name][0], START[name])
        for line in SETUP[name].format(folder=folder, out=out).splitlines():
            self.type(line + "\r")
        self.type("echo rea''dy\r")
        self.read(20, lambda: b"ready\r\n" in self.shown)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, seconds, condition):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            if select.select([self.terminal], [], [], 0.02)[0]:
                self.shown += os.read(self.terminal, 65536)
        return True

    def records(self):
        with open(self.out, "rb") as file:
            return file.read().split(b"\n")[:-1]

    def complete(self, line):
        before = len(self.records())
        self.type(line + "\t")
        time.sleep(0.05)
        self.type("\r")
        if not self.read(8, lambda: len(self.records()) > before):
            self.type("\x03\r")
            self.read(0.5, lambda: False)
            return None
        words = self.records()[before].split(b"\0")[:-1]
        return [word.decode("utf-8", "backslashreplace") for word in words]


def main():
    name, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as here, tempfile.NamedTemporaryFile() as out:
        os.chdir(here)
        shell = Shell(name, folder, out.name)
        arguments, longest = [], 0
        for line in json.load(sys.stdin):
            began = time.monotonic()
            arguments.append(shell.complete(line))
            longest = max(longest, time.monotonic() - began)
        files = os.listdir(here)
        os.kill(shell.pid, signal.SIGKILL)
        os.waitpid(shell.pid, 0)
        os.chdir("/")
    json.dump({"arguments": arguments, "files": files, "seconds": longest}, sys.stdout)
    if None in arguments:
        sys.stderr.write(shell.shown.decode("utf-8", "backslashreplace"))


main()
