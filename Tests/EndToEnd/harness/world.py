"""What one case has to itself: a folder, servers, sinks and sessions; all of it is gone afterwards."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import tokens
from .http import Answer, once
from .live import Live, RawSocket
from .ports import lasting_port
from .processes import Process
from .suite import PATIENCE, Failed, expect_equal, wait_until

ROOT = Path(__file__).resolve().parents[3]
ROOMS = str(ROOT / "Config/catalogs/rooms.yaml")
CATALOGS = [str(path) for path in sorted((ROOT / "Config/catalogs").glob("*.yaml"))]
#: Settings of push services have names of their own.
PROVIDERS = ("APNS_", "FCM_", "ONESIGNAL_", "VAPID_", "WEBPUSH_")


def clean_environment() -> dict[str, str]:
    """This process's, without settings that the person who runs the tests may have."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("BELFRY_", *PROVIDERS))}


@dataclass
class Server:
    """`belfry serve` on a folder; may be stopped, killed and started again."""

    world: "World"
    data: str
    settings: dict[str, str]
    arguments: list[str]
    #: What starts the program: a command that its own is appended to.
    launcher: list[str] = field(default_factory=list)
    process: Process | None = None
    #: An `SSLContext` where the public listener speaks TLS.
    tls: object = None
    listen: str = ""
    ops: str = ""
    socket: str = ""
    #: The listener for publishers on other machines; empty without one.
    publishing: str = ""
    #: The processes that ended on purpose, for their logs.
    earlier: list[Process] = field(default_factory=list)

    def start(self) -> "Server":
        self.begin()
        return self.await_serving()

    def begin(self):
        # A server that starts again keeps its addresses.
        listen, ops = (address or f"127.0.0.1:{lasting_port()}" for address in (self.listen, self.ops))
        publishing = {}
        if "BELFRY_PUBLISHING_LISTEN" in self.settings:
            publishing["BELFRY_PUBLISHING_LISTEN"] = self.publishing or f"127.0.0.1:{lasting_port()}"
        store = {} if "BELFRY_STORE" in self.settings else self.world.store(self.data)
        self.process = Process(
            [*self.launcher, self.world.belfry, "serve", "--data", self.data, "--listen", listen, "--ops", ops,
             *self.arguments],
            {**clean_environment(), **store, **self.settings, **publishing}, folder=str(self.world.folder))

    def await_serving(self, within: float | None = None) -> "Server":
        line = self.process.errors.wait_for(lambda line: "serving" in line, within or PATIENCE, "serving")
        # As JSON it is `"listen":"127.0.0.1:4711"`, as text `listen=127.0.0.1:4711`.
        self.listen, self.ops, self.socket, self.publishing = (
            self._address(name, line) for name in ("listen", "ops", "socket", "publishing"))
        return self

    @staticmethod
    def _address(name: str, line: str) -> str:
        found = re.search(rf'"?{name}"?[:=]"?(\[[^\]]+\]:\d+|[^\s",\]]+)', line)
        return found.group(1) if found else ""

    @property
    def log(self) -> list[str]:
        processes = self.earlier + ([self.process] if self.process else [])
        return [line for process in processes for line in process.errors.all]

    def kill(self):
        self._ended(lambda: self.process.kill())

    def follow(self) -> "Server":
        """A process for the same port and folder that waits until this one leaves; not serving yet."""
        other = Server(self.world, self.data, self.settings, [*self.arguments, "--takeover"], listen=self.listen,
                       ops=self.ops, socket=self.socket, publishing=self.publishing, tls=self.tls)
        other.begin()
        self.world.servers.append(other)
        return other

    def terminate(self, within: float = PATIENCE) -> int:
        self.process.signal(signal.SIGTERM)
        code = self.process.wait(within)
        self._ended(lambda: None)
        return code

    def _ended(self, end):
        end()
        self.earlier.append(self.process)
        self.process = None

    # MARK: As backends use it

    def post(self, path: str, body, **headers) -> Answer:
        return once(self.socket, "POST", path, body, **headers)

    def publish(self, events) -> dict | list:
        """One event or several; the answer, which must be 202."""
        answer = self.post("/v1/events", events)
        if answer.status != 202:
            raise Failed(f"publishing was answered by {answer.status}: {answer.body!r}")
        return answer.json()

    def publish_item(self, feed: str, item) -> dict:
        answer = self.post(f"/v1/feeds/{feed}/items", item)
        expect_equal(answer.status, 202, "the status of a published item")
        return answer.json()

    def stream(self, lines: list[str]) -> list[dict]:
        """Publishes lines as they are; the answers, a line each."""
        body = "".join(line + "\n" for line in lines).encode()
        answer = once(self.socket, "POST", "/v1/events", body, Content_Type="application/x-ndjson")
        expect_equal(answer.status, 200, "the status of a stream")
        return [json.loads(line) for line in answer.body.splitlines()]

    # MARK: As apps use it

    def rest(self, user: str, method: str, path: str, body=None, **headers) -> Answer:
        return once(self.listen, method, path, body, token=self.world.token(user), tls=self.tls, **headers)

    def get(self, user: str, path: str = "/api/notifications", **headers) -> dict:
        answer = self.rest(user, "GET", path, **headers)
        expect_equal(answer.status, 200, f"the status of GET {path}")
        return answer.json()

    def list_all(self, user: str) -> list[dict]:
        """Every notification, newest first, by cursor."""
        rows, cursor = [], ""
        while True:
            page = self.get(user, f"/api/notifications?limit=100{cursor}")
            rows += page["data"]
            if not page["meta"]["hasNextPage"]:
                return rows
            cursor = f"&before={rows[-1]['id']}"

    def unread(self, user: str) -> int:
        return self.get(user, "/api/notifications/unread-count")["data"]["unreadCount"]

    def open(self, **more) -> Live:
        """A WebSocket that has not said hello."""
        return self.world.keep(self.world.live(self.listen, **{"tls": self.tls, **more}))

    def session(self, user: str, *, compression: str | None = "deflate", **more) -> Live:
        live = self.open(compression=compression)
        live.hello(self.world.token(user), **more)
        return live

    def raw(self, **more) -> RawSocket:
        return self.world.keep(RawSocket(self.listen, **{"tls": self.tls, **more}))

    def register_device(self, user: str, device: str = "phone-1", push_token: str = "a1b2c3") -> Answer:
        return self.rest(user, "POST", "/api/notifications/register-device",
                         {"device_id": device, "apns_token": push_token})

    # MARK: As operators use it

    def ask(self, path: str, method: str = "GET", body=None, **headers) -> Answer:
        """A call of the console, as its pages make it."""
        return once(self.ops, method, path, body, **{"Belfry_Console": "", **headers})

    def metrics(self) -> dict[str, float]:
        answer = once(self.ops, "GET", "/metrics")
        expect_equal(answer.status, 200, "the status of /metrics")
        samples = (line.rsplit(" ", 1) for line in answer.body.decode().splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in samples}

    def drift(self) -> float:
        """By a count that has begun after this call: a large store is counted in the background."""
        asked = time.time()

        def counted():
            told = self.metrics()
            return told if told.get("belfry_store_counted_timestamp_seconds", 0) >= asked else None

        return wait_until(counted, 300, "the store to be counted")["belfry_unread_drift"]

    def check_health(self, user: str = "health-check"):
        """It still does its whole job: publish, deliver, list."""
        session = self.session(user)
        before = session.ready["seq"]
        self.publish({"type": "room_liked", "to": {"owner": [user]}, "actor": {"id": "pete", "username": "pete"},
                      "data": {"room": {"id": "r", "name": "n"}}})
        session.expect("new", seq=before + 1)
        expect_equal(self.get(user)["meta"]["seq"], before + 1, "the list's seq")
        session.close()


def is_push(line: str) -> bool:
    """Google's token service, which the sink plays too, has lines of its own."""
    return '"provider"' in line and '"provider":"token"' not in line


class Sink:
    """`belfry sink`: the push service, and the phones behind it."""

    def __init__(self, world: "World", script: list[dict]):
        arguments = [world.belfry, "sink", "--listen", "127.0.0.1:0", "--data", str(world.folder / "sink")]
        if script:
            path = world.folder / "script.ndjson"
            path.write_text("".join(json.dumps(rule) + "\n" for rule in script))
            arguments += ["--script", str(path)]
        self.process = Process(arguments, clean_environment())
        first = json.loads(self.process.output.wait_for(lambda line: "APNS_ENDPOINT" in line, PATIENCE,
                                                        "APNS_ENDPOINT"))
        #: Everything that points a server here.
        self.settings = first

    @property
    def pushes(self) -> list[dict]:
        """Every push that reached the sink."""
        return [json.loads(line) for line in self.process.output.all if is_push(line)]

    @property
    def shown(self) -> list[dict]:
        """What phones show."""
        return [push for push in self.pushes if "title" in push]

    def wait_for(self, count: int, within: float = PATIENCE) -> list[dict]:
        """So many requests have come, with whatever answer."""
        self.process.output.wait_for_count(is_push, count, within, "pushes")
        return self.pushes

    def wait_for_shown(self, count: int, within: float = PATIENCE) -> list[dict]:
        self.process.output.wait_for_count(lambda line: '"title"' in line, count, within, "shown pushes")
        return self.shown


class World:
    def __init__(self, belfry: str, shared: Path, poller: str | None):
        self.belfry = belfry
        self.apns_key = str(shared / "apns.p8")
        self.folder = Path(tempfile.mkdtemp(prefix="belfry-e2e-"))
        self._poller = poller
        self._tokens: dict[str, str] = {}
        self._closing: list = []
        self.servers: list[Server] = []
        #: Data folders whose stores a case has damaged.
        self.damaged: set[str] = set()
        #: The databases of servers that keep their store in PostgreSQL; None for SQLite.
        self.databases = None
        #: What `serve` starts: a `Server`, or what stands in its place.
        self.server = Server
        #: How `open` and `session` reach a server: a `Live`, or what stands in its place.
        self.live = Live
        self._sinks: list[Sink] = []
        self._lock = threading.Lock()

    def token(self, user: str) -> str:
        with self._lock:
            return self._tokens.setdefault(user, tokens.token(user))

    def store(self, data: str) -> dict[str, str]:
        """The settings of the store for a data folder."""
        return {"BELFRY_STORE": self.databases.url(data)} if self.databases else {}

    def stored(self, server: Server) -> bytes:
        """All that the store of a server holds, in whatever form."""
        if self.databases:
            return self.databases.dump(server.data)
        return b"".join(file.read_bytes() for file in Path(server.data).glob("belfry.sqlite*"))

    def keep(self, closable):
        self._closing.append(closable)
        return closable

    def serve(self, *, catalogs=(ROOMS,), arguments=(), data: str = "data", certificate=None, launcher=(),
              ops: str = "", **settings) -> Server:
        """Starts a server. Settings are named like their variables without `BELFRY_`; those of providers in full.

        `certificate`: a `Certificate` for the public listener. `ops`: the operators' address; empty for any.
        """
        if certificate:
            settings = {"TLS_CERTIFICATE_FILE": certificate.file, "TLS_KEY_FILE": certificate.key_file, **settings}
        named = {name if name.startswith((*PROVIDERS, "BELFRY_")) else f"BELFRY_{name}": value for name, value in settings.items()}
        defaults = {"BELFRY_AUTH_SECRET": tokens.SECRET, "BELFRY_LOG_FORMAT": "json"}
        if self._poller:
            defaults["BELFRY_POLLER"] = self._poller
        catalog_arguments = [argument for path in catalogs for argument in ("--catalog", path)]
        server = self.server(self, str(self.folder / data), {**defaults, **named}, [*catalog_arguments, *arguments],
                        list(launcher))
        server.tls = certificate.context if certificate else None
        server.ops = ops
        self.servers.append(server)
        return server.start()

    def sink(self, *script: dict) -> Sink:
        sink = Sink(self, list(script))
        self._sinks.append(sink)
        return sink

    def start(self, *arguments: str, folder: str | None = None, **environment: str) -> Process:
        """Any other command of the program, running."""
        process = Process([self.belfry, *arguments], {**clean_environment(), **environment}, folder=folder)
        self._closing.append(process)
        return process

    def run(self, *arguments: str, input: str = "", **environment: str) -> subprocess.CompletedProcess:
        """Any other command of the program, to its end."""
        return subprocess.run([self.belfry, *arguments], input=input, text=True, capture_output=True, timeout=60,
                              env={**clean_environment(), **environment}, cwd=self.folder)

    @property
    def last_words(self) -> list[str]:
        """What a case that failed leaves to read."""
        return [line for server in self.servers for line in server.log][-12:]

    def rewrite_checksums(self, data: str):
        """After a case has changed the file of a stopped server: what it has changed counts as written so."""
        told = self.run("verify", "--data", data, "--rewrite-checksums")
        if told.returncode not in (0, 1):
            raise Failed(f"belfry verify --rewrite-checksums: {told.stderr}")

    def verify(self, data: str) -> dict:
        """What `belfry verify` says of a store in SQLite."""
        told = self.run("verify", "--data", data, "--json")
        if told.returncode not in (0, 1):
            raise Failed(f"belfry verify: {told.stderr}")
        return json.loads(told.stdout)

    def check_afterwards(self):
        """What holds after every case: no server fell over, no log tells a token, and each store in SQLite is sound."""
        for server in self.servers:
            if server.process and server.process.exit_code is not None:
                raise Failed(f"the server ended by itself with code {server.process.exit_code}")
            for line in server.log:
                if "eyJ" in line or tokens.SECRET in line:
                    raise Failed(f"a secret in the log: {line}")
        for data in {server.data for server in self.servers} - self.damaged:
            if (Path(data) / "belfry.sqlite").exists() and (found := self.verify(data)["findings"]):
                raise Failed(f"belfry verify finds {found}")

    def end(self):
        for closable in self._closing:
            try:
                closable.kill() if isinstance(closable, Process) else closable.close()
            except Exception:
                pass  # it may be gone already; the case has had its say
        for server in self.servers:
            if server.process:
                server.process.kill()
        for sink in self._sinks:
            sink.process.kill()
        if self.databases:
            self.databases.end()
        shutil.rmtree(self.folder, ignore_errors=True)
