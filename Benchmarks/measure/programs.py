"""The three programs of a measurement: Belfry, the floor, and the subscribers of either."""

import http.client
import json
import os
import socket
import time
import urllib.request
from pathlib import Path

from . import Failed
from .build import BUILT
from .machine import ROOT
from .process import Child

CATALOG = ROOT / "Config/catalogs/rooms.yaml"
# What an operator's shell may hold must not change what is measured.
FOREIGN_SETTINGS = ("BELFRY_", "APNS_", "FCM_", "ONESIGNAL_", "VAPID_")


class Belfry(Child):
    """The server, with a data folder and ports of its own."""

    def __init__(self, program: Path, folder: Path, settings: dict[str, str], cores: set[int] | None):
        self.data = folder / "data"
        self.port, self._ops_port = _free_ports(2)
        self._log = folder / "belfry.log"
        environment = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN_SETTINGS)}
        with self._log.open("wb") as log:
            super().__init__(
                "belfry",
                [str(program), "serve", "--dev", "--data", str(self.data), "--listen", f"127.0.0.1:{self.port}",
                 "--ops", f"127.0.0.1:{self._ops_port}", "--catalog", str(CATALOG)],
                # What it prints for people is in nobody's way there: it stays in the pipe.
                cores, errors=log, env=environment | settings)
        self._await_ready()

    def _await_ready(self) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not self.has_ended:
            try:
                if self._ask("/readyz") == "ready\n":
                    return
            except OSError:
                time.sleep(0.05)
        log = self.log()
        self.stop()
        raise Failed(f"belfry did not become ready; its log ends with:\n{log}")

    def log(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-10:])

    def sessions(self) -> int:
        """How many it says are live."""
        for line in self._ask("/metrics").splitlines():
            if line.startswith("belfry_sessions "):
                return int(float(line.split()[1]))
        raise Failed("belfry's metrics do not tell of sessions")

    def _ask(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._ops_port}{path}", timeout=10) as answer:
            return answer.read().decode()


class Publisher:
    """A backend: publishes feed items over the Unix socket, on one connection."""

    def __init__(self, data: Path):
        self._http = _UnixConnection(str(data / "belfry.sock"))

    def publish(self, feed: str, item: bytes) -> None:
        """Returns once the item is committed."""
        self._http.request("POST", f"/v1/feeds/{feed}/items", item, {"Content-Type": "application/json"})
        answer = self._http.getresponse()
        body = answer.read()
        if answer.status != 202:
            raise Failed(f"publishing was answered with {answer.status}: {body[:200].decode(errors='replace')}")

    def close(self) -> None:
        self._http.close()


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str):
        super().__init__("belfry", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Floor(Child):
    """The plain send loop."""

    def __init__(self, connections: int, cores: set[int] | None):
        super().__init__("floor", [str(BUILT / "floor"), str(connections)], cores)
        self.port = self.expect("port", 1, within=10)["port"]


class Subscribers(Child):
    def __init__(self, port: int, most: int, options: list[str], cores: set[int] | None):
        super().__init__(
            "subscribers",
            [str(BUILT / "subscribers"), "--port", str(port), "--connections", str(most), *options], cores)
        self.frames = 0
        self.bytes = 0

    def open(self, count: int, within: float = 120) -> None:
        self.write(f"open {count}")
        self.expect("ready", count, within)

    def await_frames(self, count: int, within: float = 30) -> None:
        """Until so many frames have come since the start."""
        if self.frames >= count:
            return
        said = self.expect("frames", count, within)
        self.frames, self.bytes = said["frames"], said["bytes"]


def item(size: int) -> bytes:
    """A feed item of exactly `size` bytes, as JSON without spaces: the server keeps it as it is."""
    empty = json.dumps({"text": ""}, separators=(",", ":"))
    if size < len(empty):
        raise Failed(f"an item has at least {len(empty)} bytes")
    return empty.replace('""', f'"{"x" * (size - len(empty))}"').encode()


def _free_ports(count: int) -> list[int]:
    """Ports that nobody had a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
