"""Child processes: what they use, what they say, and that they end with this one."""

import ctypes
import json
import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .. import Failed

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Memory:
    """KiB, as /proc/PID/status has them."""
    resident: int
    # The part that no file stands behind. The rest is code, which the kernel drops and reads again as it likes.
    anonymous: int

    @property
    def json(self) -> dict:
        return {"residentKiB": self.resident, "anonymousKiB": self.anonymous}


class Child:
    """A program that takes lines and says lines of JSON."""

    def __init__(self, name: str, command: list[str], cores: set[int] | None, errors=None, **options):
        def prepare():
            # Even if this process is killed, nothing stays behind.
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if cores:
                os.sched_setaffinity(0, cores)

        self.name = name
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, preexec_fn=prepare,
            # Ctrl-C is for this process, which then stops the others in order.
            start_new_session=True, **options)
        self._unread = b""
        self._clock = cpu_clock(self.pid)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    # Talking

    def write(self, line: str) -> None:
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"{self.name} has ended: {self._last_words()}") from None

    def expect(self, key: str, at_least: int | None, within: float) -> dict:
        """The next line that has `key`, with at least this value; an error that the program tells ends the wait."""
        deadline = time.monotonic() + within
        awaited = key if at_least is None else f"{key} of {at_least}"
        while True:
            said = self._next_line(deadline, awaited)
            if "error" in said:
                raise Failed(f"{self.name}: {said['error']}")
            if key in said and (at_least is None or said[key] >= at_least):
                return said

    def _next_line(self, deadline: float, awaited: str) -> dict:
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise Failed(f"{self.name} did not tell in time of {awaited}")
            more = os.read(self._process.stdout.fileno(), 65_536)
            if not more:
                raise Failed(f"{self.name} has ended while {awaited} was awaited")
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)

    def _last_words(self) -> str:
        try:
            return self._next_line(time.monotonic() + 1, "an error").get("error", "no reason given")
        except Failed:
            return "no reason given"

    # What it uses

    def cpu_seconds(self) -> float:
        """Of all threads since the start, also of those that have ended; in nanoseconds, not ticks."""
        return time.clock_gettime(self._clock)

    def user_and_system_ticks(self) -> tuple[int, int]:
        # The name in parentheses may hold spaces: fields count from behind it (proc(5)).
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]), int(fields[12])

    def memory(self) -> Memory:
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{self.pid}/status").read_text().splitlines() if ":" in line)
        return Memory(int(status["VmRSS"].split()[0]), int(status["RssAnon"].split()[0]))

    def written_bytes(self) -> int:
        """By write(2) and its kin since the start: to files, where sockets are sent to. What goes to the disk is told in whole
        folios, which a short write may touch for many times its length."""
        lines = Path(f"/proc/{self.pid}/io").read_text().splitlines()
        return int(dict(line.split(": ", 1) for line in lines)["wchar"])

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def sockets(self) -> int:
        """How many of them are sockets."""
        count = 0
        for number in os.listdir(f"/proc/{self.pid}/fd"):
            try:
                count += os.readlink(f"/proc/{self.pid}/fd/{number}").startswith("socket:")
            except FileNotFoundError:
                pass  # closed meanwhile
        return count

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/task"))

    # The end

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def terminate(self) -> None:
        """Asks it to leave, and does not wait."""
        self._process.terminate()

    def await_end(self, within: float) -> int:
        """Its exit code."""
        try:
            return self._process.wait(within)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name} has not ended after {within:.0f} s") from None

    def kill(self) -> None:
        """Without a word, as a power cut would."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def stop(self, within: float = 15) -> None:
        """Asks, then insists. Closed input ends the C programs, SIGTERM the server."""
        if self._process.stdin:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass  # it has ended by itself
        self._process.terminate()
        try:
            self._process.wait(within)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def cpu_clock(pid: int) -> int:
    """For `time.clock_gettime`: all threads of the process, in nanoseconds."""
    clock = ctypes.c_int()
    problem = _libc.clock_getcpuclockid(pid, ctypes.byref(clock))
    if problem:
        raise Failed(f"no CPU clock for process {pid}: {os.strerror(problem)}")
    return clock.value
