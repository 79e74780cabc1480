"""Several nodes of Belfry on one PostgreSQL of their own, as a new user has them: with HAProxy in front."""

import secrets
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from ..shared.machine import ROOT
from ..shared.process import Child
from ..shared.programs import CATALOG, Belfry, environment, free_ports
from .namespace import Namespace

sys.path.append(str(ROOT / "scripts"))

from servers import haproxy, postgres  # noqa: E402

# The server's own settings, but for memory and the number of connections: a commit waits for the disk.
DATABASE = """
max_connections = 200
shared_buffers = 256MB
max_wal_size = 4GB
"""
ACCESS = "local all all trust\nhost all all 10.0.0.0/8 trust\n"


class Database:
    """PostgreSQL, reached over a Unix socket, and by TCP over the way of a namespace."""

    def __init__(self, folder: Path, namespace: Namespace | None = None):
        folder.mkdir()
        # The server runs as another user, who has to get there.
        for parent in folder.parents:
            if parent.stat().st_mode & 0o777 == 0o700:
                parent.chmod(0o711)
        postgres.give(folder)
        self._server = postgres.Server(folder)
        self.url = self._server.url
        port, = free_ports(1)
        host = namespace.host("database") if namespace else ""
        self._server.make(f"{DATABASE}listen_addresses = '{host}'\nport = 5432\n", ACCESS)
        self.remote_url = f"postgres://belfry@{host}:5432/postgres"
        self.start()

    def start(self) -> None:
        self._server.start()
        self._server.wait()

    def kill(self) -> None:
        """The postmaster, without a word. Its processes notice and end; until then, no other one starts."""
        pid = self._server.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self._server.process.kill()
        self._server.process.wait()
        while any(Path(f"/proc/{child}").exists() for child in children):
            time.sleep(0.01)

    def sql(self, statement: str) -> str:
        done = subprocess.run(
            ["psql", "-qtA", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def stop(self) -> None:
        self._server.stop()


class Node(Belfry):
    """`belfry serve`, one of several."""

    def __init__(
        self, program: Path, folder: Path, number: int, secret: str, settings: dict[str, str],
        namespace: Namespace | None = None, before: "Node | None" = None,
    ):
        """`before`: one that has ended, whose addresses this one has."""
        self.number = number
        self.data = folder / f"node-{number}"
        self.data.mkdir(mode=0o700, exist_ok=True)
        # Where tokens are looked for.
        (self.data / "dev-secret").write_text(secret)
        host = namespace.inside("clients") if namespace else "127.0.0.1"
        self.port, ops = free_ports(2)
        self.listen, self.ops = f"{host}:{self.port}", f"{host}:{ops}"
        if before:
            self.port, self.listen, self.ops = before.port, before.listen, before.ops
        self._log = folder / f"node-{number}.log"
        own = {"BELFRY_NODE": f"node-{number}", "BELFRY_AUTH_SECRET": secret, "BELFRY_LOG_FORMAT": "json"}
        with self._log.open("ab") as log:
            Child.__init__(
                self, f"node {number}",
                [*(namespace.prefix if namespace else []), str(program), "serve", "--data", str(self.data), "--listen",
                 self.listen, "--ops", self.ops, "--catalog", str(CATALOG)],
                None, errors=log, env=environment(settings | own))

    @property
    def socket(self) -> Path:
        return self.data / "belfry.sock"


class Cluster:
    """Nodes that can be killed, stopped and started again; each keeps its address."""

    def __init__(
        self, options, folder: Path, stack: ExitStack, count: int, settings: dict[str, str] = {},
        namespace: Namespace | None = None, database: Database | None = None, name: str = "postgres",
    ):
        """`namespace`: for the last node. `database`: one that others use as well, and what it is called there."""
        self._options, self._folder, self._namespace = options, folder, namespace
        self._secret = secrets.token_hex(32)
        self._settings = {"BELFRY_POLLER": options.poller, "BELFRY_SHARDS": str(options.shards or 1), **settings}
        self._count = count
        self.database = database or Database(folder / "postgres", namespace)
        if not database:
            stack.callback(self.database.stop)
        self._url = self.database.url.replace("/postgres?", f"/{name}?")
        self.nodes: list[Node] = []
        stack.callback(lambda: [node.stop() for node in self.nodes])
        for number in range(1, count + 1):
            self.nodes.append(self._node(number))
            self.nodes[-1].await_ready()

    def _node(self, number: int, before: Node | None = None) -> Node:
        namespace = self._namespace if number == self._count else None
        url = self.database.remote_url if namespace else self._url
        return Node(
            self._options.belfry, self._folder, number, self._secret, self._settings | {"BELFRY_STORE": url}, namespace,
            before)

    def start_again(self, number: int) -> None:
        """The node of this number, which has ended."""
        place = number - 1
        self.nodes[place] = self._node(number, self.nodes[place])
        self.nodes[place].await_ready()

    def front(self, stack: ExitStack) -> int:
        """The port of HAProxy, with the configuration that operators get."""
        port, = free_ports(1)
        settings = haproxy.variables(port, [(node.listen, node.ops) for node in self.nodes])
        log = stack.enter_context((self._folder / "haproxy.log").open("w"))
        process = haproxy.start(haproxy.CONFIGURATION, port, log, settings)
        stack.callback(lambda: (process.terminate(), process.wait()))
        return port

    def cpu_seconds(self) -> float:
        return sum(node.cpu_seconds() for node in self.nodes)
