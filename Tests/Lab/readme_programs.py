"""Programs that the test of the README starts: in a pipe, and on a terminal."""
import os
import re
import shlex
import signal
import subprocess
import time


class Fault(Exception):
    """What does not hold, in words."""


class Running:
    """A command whose output goes to files, in a process group of its own."""

    count = 0

    def __init__(self, lab, command, together=False):
        Running.count += 1
        self.base = f"{lab.room}/run-{Running.count}"
        with open(self.base + ".out", "wb") as out, open(self.base + ".err", "wb") as err:
            self.child = subprocess.Popen(
                lab.user("bash", "-c", command), stdin=subprocess.DEVNULL, stdout=out,
                stderr=out if together else err, start_new_session=True, env=lab.environment())

    def out(self):
        return open(self.base + ".out", errors="replace").read()

    def err(self):
        return open(self.base + ".err", errors="replace").read()

    def signal(self, number):
        try:
            os.killpg(self.child.pid, number)
        except ProcessLookupError:
            pass

    def shows(self, pattern, limit):
        end = time.monotonic() + limit
        while not re.search(pattern, self.out(), re.M):
            if self.child.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.03)
        return True

    def wait(self, limit):
        """The status as a shell tells it; None where it never ended."""
        try:
            status = self.child.wait(timeout=limit)
            return status if status >= 0 else 128 - status
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            self.child.wait()
            return None


class Screen:
    """A command on a terminal, drawn by tmux."""

    count = 0

    def __init__(self, lab, command, size):
        Screen.count += 1
        self.lab, self.name = lab, f"readme-{Screen.count}"
        script = f"trap : INT; {command}\necho \"[status $?]\"; exec sleep 600"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]),
                  shlex.join(lab.user("bash", "-c", script)))

    def tmux(self, *arguments):
        environment = self.lab.environment() | {"TMUX_TMPDIR": self.lab.room}
        run = subprocess.run(["tmux", "-L", self.name, *arguments], capture_output=True, text=True, env=environment)
        if run.returncode != 0:
            raise Fault(f"tmux {arguments[0]}: {run.stderr}")
        return run.stdout

    def text(self):
        lines = [line.rstrip() for line in self.tmux("capture-pane", "-p", "-J", "-S", "-200").split("\n")]
        return "\n".join(lines).strip("\n")

    def shows(self, pattern, limit=20):
        end = time.monotonic() + limit
        while not re.search(pattern, self.text(), re.M):
            if time.monotonic() > end:
                raise Fault(f"the screen never shows {pattern}, but\n{self.text()}")
            time.sleep(0.05)

    def type(self, *keys):
        self.tmux("send-keys", *keys)

    def finish(self):
        """What the terminal holds after the end, and the status."""
        self.shows(r"\[status \d+\]", 30)
        text, _, rest = self.text().rpartition("[status ")
        return text.rstrip("\n"), int(rest.split("]")[0])

    def close(self):
        try:
            self.tmux("kill-server")
        except Fault:
            pass
