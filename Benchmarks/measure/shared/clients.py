"""The clients of a measurement: C programs that hold thousands of connections each."""

from pathlib import Path

from .build import BUILT
from .process import Child


class Clients(Child):
    """One of the programs of `client/`."""

    def __init__(self, program: str, port: int, options: list[str], cores: set[int] | None):
        super().__init__(program, [str(BUILT / program), "--port", str(port), *options], cores)

    def open(self, count: int, within: float = 120) -> None:
        """Until so many connections are open in all."""
        self.write(f"open {count}")
        self.expect("ready", count, within)

    def report(self, key: str) -> dict:
        """What it has counted; `key` is one that only the answer has."""
        self.write("report")
        return self.expect(key, 0, within=10)


class Subscribers(Clients):
    def __init__(
        self, port: int, most: int, options: list[str], cores: set[int] | None, program: str = "subscribers",
    ):
        """`program`: "listeners" for servers of another protocol, which count in the same words."""
        super().__init__(program, port, ["--connections", str(most), *options], cores)
        self.frames = 0
        self.bytes = 0

    def await_frames(self, count: int, within: float = 30) -> None:
        """Until so many frames have come since the start."""
        if self.frames >= count:
            return
        said = self.expect("frames", count, within)
        self.frames, self.bytes = said["frames"], said["bytes"]


class Echoers(Clients):
    def __init__(self, port: int, most: int, payload_bytes: int, cores: set[int] | None):
        super().__init__("echoers", port, ["--connections", str(most), "--bytes", str(payload_bytes)], cores)
        self._echoed = 0

    def run(self, messages: int, rate: float | None, within: float) -> dict:
        """Each connection with one message under way, or at evenly spaced times."""
        self.write(f"paced {messages} {rate}" if rate else f"busy {messages}")
        self._echoed += messages
        return self.expect("echoed", self._echoed, within)


class Publishers(Clients):
    """Publishers over a Unix socket, and the sessions of those they publish to, if there are any."""

    def __init__(self, socket: Path, users: int, options: list[str], cores: set[int] | None, port: int = 0):
        super().__init__("publishers", port, ["--socket", str(socket), "--users", str(users), *options], cores)
        self._done = 0

    def run(self, events: int, rate: float | None = None) -> dict:
        """Each publisher after its answer, or at evenly spaced times; what was seen, times in µs."""
        self.begin(events, rate)
        return self.end(events, rate)

    def begin(self, events: int, rate: float | None = None) -> None:
        """Does not wait; the result is for ``end``."""
        self.write(f"paced {events} {rate}" if rate else f"run {events}")
        self._done += events

    def end(self, events: int, rate: float | None = None) -> dict:
        return self.expect("done", self._done, within=60 + events / (rate or 500))


class Storm(Clients):
    """Sessions that all leave and all come back."""

    def __init__(self, port: int, most: int, credentials: Path, options: list[str], cores: set[int] | None):
        super().__init__("storm", port, ["--connections", str(most), "--tokens", str(credentials), *options], cores)
        self._most = most

    def leave(self) -> None:
        self.write("leave")
        self.expect("left", self._most, within=30)

    def come_back(self, missed: int) -> dict:
        """Until each is back and has got the changes that it missed; times in µs."""
        self.write(f"return {missed}")
        return self.expect("back", self._most, within=120)
