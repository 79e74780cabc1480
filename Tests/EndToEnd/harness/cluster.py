"""Several nodes on one PostgreSQL, behind HAProxy, in the place of one server."""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

from .ports import lasting_port
from .processes import Process
from .world import ROOT, Server

sys.path.append(str(ROOT / "scripts"))

from servers import haproxy  # noqa: E402

#: Every octet goes through as it is, to one node after the other. A node that refuses is passed over, and nothing else is
#: asked of them: a proxy's own answers are not what the cases are about.
CONFIGURATION = """
defaults
    mode tcp
    timeout connect 5s
    timeout client 90s
    timeout server 90s
    option redispatch 1
    retries 3

listen public
    bind 127.0.0.1:{port}
    balance roundrobin
{servers}
"""
#: What the nodes tell of the store is about the same rows; everything else is each node's own.
OF_THE_STORE = ("belfry_inboxes", "belfry_notifications", "belfry_devices", "belfry_unread_drift", "belfry_push_jobs",
                "belfry_pushes_waiting", "belfry_outbox_rows", "belfry_outbox_oldest", "belfry_outbox_refused_rows")
COUNTED = "belfry_store_counted_timestamp_seconds"


class _Lines:
    """The lines of all nodes."""

    def __init__(self, streams):
        self._streams = streams

    @property
    def all(self) -> list[str]:
        return [line for stream in self._streams for line in stream.all]

    def wait_for(self, matches, within: float, what: str) -> str:
        """Until each node has such a line; the first node's."""
        return [stream.wait_for(matches, within, what) for stream in self._streams][0]

    def wait_for_count(self, matches, count: int, within: float, what: str) -> list[str]:
        """So many of each node."""
        return [line for stream in self._streams for line in stream.wait_for_count(matches, count, within, what)]


class _Processes:
    """The processes of all nodes, used like one."""

    def __init__(self, nodes: list[Server]):
        self._processes: list[Process] = [node.process for node in nodes]
        self.output = _Lines([process.output for process in self._processes])
        self.errors = _Lines([process.errors for process in self._processes])

    @property
    def pid(self) -> int:
        return self._processes[0].pid

    @property
    def exit_code(self) -> int | None:
        """Of the first that has ended."""
        return next((code for process in self._processes if (code := process.exit_code) is not None), None)

    def signal(self, number: int):
        for process in self._processes:
            process.signal(number)

    def wait(self, within: float) -> int:
        """The worst code."""
        return max((process.wait(within) for process in self._processes), key=abs)

    def kill(self):
        for process in self._processes:
            process.signal(9)
        for process in self._processes:
            process.kill()


class _Proxy:
    """HAProxy; clients do not see which node they reach."""

    def __init__(self, folder: Path, nodes: list[Server]):
        servers = "\n".join(f"    server node-{number} {node.listen}" for number, node in enumerate(nodes, 1))
        file = folder / "haproxy.cfg"
        self.port = lasting_port()
        file.write_text(CONFIGURATION.format(port=self.port, servers=servers))
        self._process = haproxy.start(file, self.port, subprocess.DEVNULL)

    def close(self):
        self._process.kill()
        self._process.wait()


class Cluster(Server):
    """Clients reach the nodes through the proxy, publishers one node after the other."""

    COUNT = 3
    #: How the nodes hear of each other, beyond the default.
    hearing: dict[str, str] = {}

    def begin(self):
        if not hasattr(self, "nodes"):
            self.nodes = [self._node(number) for number in range(1, self.COUNT + 1)]
            self._proxy = None
            if "--dev" in self.arguments:
                self._share_secret()
        for node in self.nodes:
            node.begin()
        self.process = _Processes(self.nodes)

    def _node(self, number: int) -> Server:
        # The first has the folder that cases know.
        suffix = "" if number == 1 else f"-{number}"
        own = {"BELFRY_NODE": f"node-{number}", **self.world.store(self.data), **self.hearing}
        if path := self.settings.get("BELFRY_SOCKET"):
            own["BELFRY_SOCKET"] = path + suffix
        return Server(self.world, self.data + suffix, {**self.settings, **own}, self.arguments, self.launcher)

    def _share_secret(self):
        self.world.run("token", "--data", self.data, "--user", "somebody")
        for node in self.nodes[1:]:
            Path(node.data).mkdir(mode=0o700)
            shutil.copy(Path(self.data, "dev-secret"), node.data)

    def await_serving(self, within: float | None = None) -> "Cluster":
        for node in self.nodes:
            node.await_serving(within)
        if self._proxy is None:
            self._proxy = self.world.keep(_Proxy(self.world.folder, self.nodes))
        self.listen, self.ops = f"127.0.0.1:{self._proxy.port}", self.nodes[0].ops
        self._sockets = itertools.cycle([node.socket for node in self.nodes])
        self._remote = itertools.cycle([node.publishing for node in self.nodes])
        return self

    # MARK: One node after the other

    @property
    def socket(self) -> str:
        return next(self._sockets)

    @socket.setter
    def socket(self, _):
        pass

    @property
    def publishing(self) -> str:
        return next(self._remote)

    @publishing.setter
    def publishing(self, _):
        pass

    # MARK: All nodes

    @property
    def log(self) -> list[str]:
        """By the times with which lines of JSON begin."""
        return sorted((line for node in self.nodes for line in node.log), key=lambda line: line[:34])

    def metrics(self) -> dict[str, float]:
        told = [node.metrics() for node in self.nodes]
        return {name: self._joined(name, [one[name] for one in told if name in one])
                for name in {name for one in told for name in one}}

    @staticmethod
    def _joined(name: str, values: list[float]) -> float:
        if name.startswith(COUNTED):
            return min(values)
        return max(values) if name.startswith(OF_THE_STORE) else sum(values)

    def _ended(self, end):
        end()
        for node in self.nodes:
            node._ended(lambda: None)
        self.process = None


class PollingCluster(Cluster):
    """The same where nodes cannot listen, as behind a pooler of connections."""

    hearing = {"BELFRY_STORE_POLL_INTERVAL": "50ms"}
