"""The servers of a measurement, Belfry's and the floors', and who publishes to Belfry."""

import http.client
import json
import os
import socket
import subprocess
import urllib.request
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from .build import BUILT
from .machine import ROOT
from .process import Child

CATALOG = ROOT / "Config/catalogs/rooms.yaml"
# What an operator's shell may hold must not change what is measured.
FOREIGN_SETTINGS = ("BELFRY_", "APNS_", "FCM_", "ONESIGNAL_", "VAPID_", "WEBPUSH_")

# Publishers here pause while others take their turn, or thousands of sessions open. Requests come faster than any app's, and
# all from one address: their rates are counted, but refuse none.
SETTINGS = {
    "BELFRY_LOG_FORMAT": "json", "BELFRY_LIMITS_IDLE_TIMEOUT": "1h", "BELFRY_LIMITS_REQUESTS_PER10S": "100000000",
    "BELFRY_LIMITS_REQUESTS_PER_ADDRESS_PER10S": "100000000",
}


class Belfry(Child):
    """The server, with a data folder and ports of its own; or one that takes these over from another."""

    def __init__(
        self, program: Path, folder: Path, settings: dict[str, str], cores: set[int] | None,
        takes_over: "Belfry | None" = None, port: int | None = None, catalogs: tuple[Path, ...] = (),
        configuration: Path | None = None,
    ):
        """`port`: that of one that was killed, whose data folder this one goes on with. `configuration`: a file, for what no
        variable can say."""
        self.data = folder / "data"
        self.port, ops_port = free_ports(2)
        self.port = port or self.port
        self.ops = f"127.0.0.1:{ops_port}"
        flags = [flag for catalog in (CATALOG, *catalogs) for flag in ("--catalog", str(catalog))]
        if configuration:
            flags += ["--config", str(configuration)]
        if takes_over:
            self.port = takes_over.port
            flags.append("--takeover")
        self._log = folder / ("belfry-2.log" if takes_over else "belfry.log")
        with self._log.open("wb") as log:
            super().__init__(
                "belfry",
                [str(program), "serve", "--dev", "--data", str(self.data), "--listen", f"127.0.0.1:{self.port}",
                 "--ops", self.ops, *flags],
                # What it prints for people is in nobody's way there: it stays in the pipe.
                cores, errors=log, env=environment(settings))
        if not takes_over:
            self.await_ready()

    def await_ready(self, within: float = 20) -> None:
        deadline = time.monotonic() + within
        while time.monotonic() < deadline and not self.has_ended:
            if self.is_ready:
                return
            time.sleep(0.05)
        log = self.log()
        self.stop()
        raise Failed(f"belfry did not become ready; its log ends with:\n{log}")

    @property
    def is_ready(self) -> bool:
        try:
            return self._ask("/readyz") == "ready\n"
        except OSError:
            return False

    def log(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-10:])

    def logged(self, message: str) -> dict | None:
        """The log's line with this message, once it is there."""
        for line in self._log.read_text(errors="replace").splitlines():
            if line.startswith("{") and (entry := json.loads(line)).get("message") == message:
                return entry
        return None

    def await_logged(self, message: str, within: float) -> dict:
        deadline = time.monotonic() + within
        while not (entry := self.logged(message)):
            if time.monotonic() > deadline or self.has_ended:
                raise Failed(f"belfry did not say {message!r}; its log ends with:\n{self.log()}")
            time.sleep(0.02)
        return entry

    def sessions(self) -> int:
        """How many it says are live."""
        return int(self.metric("belfry_sessions"))

    def metric(self, sample: str, or_else: float | None = None) -> float:
        """A sample of its metrics by name and labels, as they are written there."""
        for line in self._ask("/metrics").splitlines():
            if line.startswith(sample + " "):
                return float(line.rsplit(" ", 1)[1])
        if or_else is None:
            raise Failed(f"belfry's metrics do not tell of {sample}")
        return or_else

    def drift(self, within: float = 300) -> float:
        """Of the unread counts, by a count of the store that has begun after this call."""
        asked = time.time()
        while self.metric("belfry_store_counted_timestamp_seconds", or_else=0) < asked:
            if time.time() > asked + within:
                raise Failed(f"belfry did not count its store within {within} s")
            time.sleep(0.2)
        return self.metric("belfry_unread_drift")

    def _ask(self, path: str) -> str:
        with urllib.request.urlopen(f"http://{self.ops}{path}", timeout=10) as answer:
            return answer.read().decode()


def started(
    options, folder: Path, stack: ExitStack, cores: set[int] | None, settings: dict[str, str] = {},
    catalogs: tuple[Path, ...] = (), configuration: Path | None = None,
) -> Belfry:
    """One as the command line asks for it, until the stack unwinds.

    With one shard, unless told otherwise: it has one core, and a second one would only take turns with the first.
    """
    belfry = Belfry(
        options.belfry, folder,
        {"BELFRY_POLLER": options.poller, "BELFRY_SHARDS": str(options.shards or 1), **settings}, cores,
        catalogs=catalogs, configuration=configuration)
    stack.callback(belfry.stop)
    return belfry


def environment(settings: dict[str, str]) -> dict[str, str]:
    """A server's: with these settings, and none of the shell's."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN_SETTINGS)}
    return own | SETTINGS | settings


class Echo(Child):
    """`belfry echo`: the same engine without the gateway."""

    def __init__(self, program: Path, folder: Path, options: list[str], cores: set[int] | None):
        self._log = folder / "echo.log"
        with self._log.open("wb") as log:
            super().__init__("belfry echo", [str(program), "echo", "--listen", "127.0.0.1:0", *options], cores, log)
        try:
            self.port = int(self.expect("listen", None, within=10)["listen"].rpartition(":")[2])
        except Failed as problem:
            self.stop()
            raise Failed(f"{problem}\n{self.log()}") from None
        self._own_sockets = self.sockets()

    def log(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-10:])

    def sessions(self) -> int:
        """Nothing tells but its sockets."""
        return self.sockets() - self._own_sockets


class Floor(Child):
    """A C program that does the least that a server can: `sends`, `echo`, `unicast` or `upgrade`."""

    def __init__(self, kind: str, arguments: list[str], cores: set[int] | None):
        super().__init__(f"{kind} floor", [str(BUILT / f"{kind}-floor"), *arguments], cores)
        self.port = self.expect("port", 1, within=10)["port"]


class Publisher:
    """A backend: publishes over the Unix socket, on one connection."""

    def __init__(self, data: Path):
        self._http = _UnixConnection(str(data / "belfry.sock"))

    def publish(self, feed: str, item: bytes) -> None:
        """Returns once the item is committed."""
        status, body = self.post(f"/v1/feeds/{feed}/items", item)
        if status != 202:
            raise Failed(f"publishing was answered with {status}: {body[:200].decode(errors='replace')}")

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        self.begin(path, body)
        return self.end()

    def begin(self, path: str, body: bytes) -> None:
        """Sends it off; the answer is for ``end``."""
        self._http.request("POST", path, body, {"Content-Type": "application/json"})

    def end(self) -> tuple[int, bytes]:
        answer = self._http.getresponse()
        return answer.status, answer.read()

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


def item(size: int) -> bytes:
    """A feed item of exactly `size` bytes, as JSON without spaces: the server keeps it as it is."""
    return padded({}, size)


def padded(members: dict, size: int) -> bytes:
    """These members and a text that makes it `size` bytes."""
    empty = json.dumps(members | {"text": ""}, separators=(",", ":"))
    if size < len(empty):
        raise Failed(f"an item has at least {len(empty)} bytes")
    return (empty[:-2] + "x" * (size - len(empty)) + empty[-2:]).encode()


def certificate(folder: Path) -> tuple[Path, Path]:
    """A new self-signed certificate with a P-256 key, and the key."""
    files = folder / "certificate.pem", folder / "key.pem"
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-out", str(files[0]), "-keyout", str(files[1])]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as problem:
        raise Failed(f"no certificate can be made: {problem}") from None
    return files


def tls_settings(folder: Path) -> dict[str, str]:
    """What makes `belfry serve` speak TLS."""
    chain, key = certificate(folder)
    return {"BELFRY_TLS_CERTIFICATE_FILE": str(chain), "BELFRY_TLS_KEY_FILE": str(key)}


def free_ports(count: int) -> list[int]:
    """Ports that nobody had a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
