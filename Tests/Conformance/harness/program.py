"""The program under test."""

import json
import subprocess
from pathlib import Path


class ProgramFailed(Exception):
    """The program did not start, or did not end as it should."""


class EchoServer:
    """`belfry echo --listen` on a free port."""

    def __init__(self, belfry: str, arguments: list[str], log: Path):
        self._log = log
        with open(log, "w") as errors:
            self._process = subprocess.Popen(
                [belfry, "echo", "--listen", "127.0.0.1:0", *arguments], text=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=errors)
        try:
            self.address = json.loads(self._process.stdout.readline())["listen"]
        except (ValueError, KeyError):
            self._process.kill()
            self._process.wait()
            raise ProgramFailed(f"belfry echo did not start:\n{log.read_text().strip()}") from None

    def stop(self):
        """It must still be there, and end by itself when it is told to."""
        self._process.terminate()
        try:
            code = self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise ProgramFailed("belfry echo did not end within 60 s of SIGTERM") from None
        finally:
            self._process.stdout.close()
        if code != 0:
            raise ProgramFailed(f"belfry echo ended with {code}:\n{self._log.read_text().strip()[-2000:]}")


class EchoClient:
    """`belfry echo --connect -`: visits one URL after another."""

    def __init__(self, belfry: str, arguments: list[str], urls: list[str], log: Path):
        self._log = log
        with open(log, "w") as errors:
            self._process = subprocess.Popen(
                [belfry, "echo", "--connect", "-", *arguments], text=True, stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=errors)
        try:
            with self._process.stdin as stream:
                stream.write("".join(f"{url}\n" for url in urls))
        except BrokenPipeError:
            pass  # it has ended already, and `finish` tells how

    def finish(self, within: float):
        """Waits until all URLs were visited."""
        try:
            code = self._process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ProgramFailed(f"belfry echo --connect was not done after {within:.0f} s") from None
        if code != 0:
            raise ProgramFailed(f"belfry echo --connect ended with {code}:\n{self._log.read_text().strip()[-2000:]}")

    def kill(self):
        self._process.kill()
        self._process.wait()
