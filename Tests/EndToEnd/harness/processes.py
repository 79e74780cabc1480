"""Child processes whose output lines can be waited for."""

import signal
import subprocess
import threading
import time
from pathlib import Path

from .suite import Failed


class Lines:
    """The lines of one stream, as they come."""

    def __init__(self, stream):
        self._lines: list[str] = []
        #: When each was read, by the monotonic clock.
        self._times: list[float] = []
        self._news = threading.Condition()
        self._has_ended = False
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            with self._news:
                self._lines.append(line.rstrip("\n"))
                self._times.append(time.monotonic())
                self._news.notify_all()
        with self._news:
            self._has_ended = True
            self._news.notify_all()

    @property
    def all(self) -> list[str]:
        with self._news:
            return list(self._lines)

    @property
    def timed(self) -> list[tuple[float, str]]:
        with self._news:
            return list(zip(self._times, self._lines))

    def wait_for_end(self, within: float):
        """Until nobody can write to the stream any more: what a process wrote last may be read after it has ended."""
        with self._news:
            self._news.wait_for(lambda: self._has_ended, within)

    def wait_for(self, matches, within: float, what: str) -> str:
        """The first line that matches, from the first one on."""
        deadline = time.monotonic() + within
        place = 0
        with self._news:
            while True:
                while place < len(self._lines):
                    place += 1
                    if matches(self._lines[place - 1]):
                        return self._lines[place - 1]
                left = deadline - time.monotonic()
                if left <= 0 or self._has_ended:
                    tail = "\n".join(self._lines[-8:])
                    raise Failed(f"no line with {what}; the last ones were:\n{tail}")
                self._news.wait(left)

    def wait_for_count(self, matches, count: int, within: float, what: str) -> list[str]:
        deadline = time.monotonic() + within
        with self._news:
            while True:
                found = [line for line in self._lines if matches(line)]
                if len(found) >= count:
                    return found
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Failed(f"expected {count} {what} within {within} s, found {len(found)}: {found[-4:]}")
                self._news.wait(left)


class Process:
    """One run of the program."""

    def __init__(self, arguments: list[str], environment: dict[str, str], *, folder: str | None = None,
                 descriptors=()):
        self.arguments = arguments
        self._process = subprocess.Popen(
            arguments, env=environment, cwd=folder, pass_fds=descriptors, text=True, errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.output = Lines(self._process.stdout)
        self.errors = Lines(self._process.stderr)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        return self._process.poll()

    def write(self, text: str):
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def close_input(self):
        self._process.stdin.close()

    def signal(self, number: int):
        self._process.send_signal(number)
        if number == signal.SIGSTOP:
            # One thread takes the signal and stops the others: until it runs, they go on.
            while not self._is_stopped:
                time.sleep(0.001)

    @property
    def _is_stopped(self) -> bool:
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/stat")
        # The state stands behind the name, which is in parentheses (proc(5)).
        return all(thread.read_text().rpartition(")")[2].split()[0] == "T" for thread in threads)

    def wait(self, within: float) -> int:
        try:
            code = self._process.wait(within)
        except subprocess.TimeoutExpired:
            raise Failed(f"still running after {within} s: {' '.join(self.arguments[:3])}") from None
        self._read_to_the_end()
        return code

    def kill(self):
        """As `kill -9` does, from one moment to the next."""
        self._process.kill()
        self._process.wait()
        self._read_to_the_end()

    def _read_to_the_end(self):
        for lines in (self.output, self.errors):
            # Children of its own may have the stream still, and are no reason to fail.
            lines.wait_for_end(5)
