"""What the comparison puts to the same work: a server, its subscribers, and who publishes to them.

Here are those made for it or in this repository; compare_daemons.py has those that come with the system.
"""

import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .. import Failed
from ..shared import tokens
from ..shared.build import BUILT
from ..shared.clients import Subscribers
from ..shared.family import Family
from ..shared.machine import Cores
from ..shared.process import Child
from ..shared.programs import Belfry, Floor
from .compare_publishers import AnsweredPublisher, http_request, over_tcp, over_unix

CHANNEL = "bench"
# Nobody subscribes to it: what publishing costs by itself.
SILENT_CHANNEL = "nobody"

NIO_BUILD = BUILT / "nio"
NIO_PROGRAM = NIO_BUILD / "release/nio-peer"


@dataclass(frozen=True)
class Work:
    """What every server is put to."""
    belfry: Path
    belfry_settings: dict[str, str]
    folder: Path
    sessions: int
    # Publications under way at once.
    in_flight: int
    payload: bytes
    cores: Cores

    def own_folder(self, name: str) -> Path:
        """An empty one."""
        own = self.folder / name
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir()
        return own


class Contender:
    """One of those that are compared."""

    def __init__(self, name: str, server: Child, clients: Subscribers, publisher):
        self.name = name
        self.clients = clients
        self._server = server
        self._publisher = publisher
        # Whether a publication's cost can be told from its delivery's: only an answer tells when it is over.
        self.is_answered = isinstance(publisher, AnsweredPublisher)
        # Where it is answered, the server has all its processes by now.
        self.publish(SILENT_CHANNEL, 1)
        self.family = Family(server)

    def open(self, count: int) -> None:
        """Until so many are subscribed in all."""
        self.clients.open(count)
        if isinstance(self._server, Floor):
            self._server.expect("accepted", count, within=10)

    def begin(self) -> None:
        """To be called before publishing, after others had their turns."""
        self._publisher.reconnect()

    def publish(self, channel: str, count: int) -> None:
        """So many at once; returns when the server has answered, where it does."""
        try:
            self._publisher.publish(channel, count)
        except OSError as problem:
            raise Failed(f"{self.name} took no publication: {problem}") from None


class _FloorPublisher:
    """Publishes nothing: it tells the floor how many bytes to send to everybody, and how often."""

    def __init__(self, floor: Floor, frame_bytes: int):
        self._floor = floor
        self._line = str(frame_bytes)

    def reconnect(self) -> None:
        """It has no connection."""

    def publish(self, channel: str, count: int) -> None:
        if channel == CHANNEL:
            self._floor.write("\n".join([self._line] * count))


# Each starts one server and what belongs to it; the stack stops them again.


def start_floor(work: Work, stack: ExitStack, frame_bytes: int) -> Contender:
    """`frame_bytes`: what it sends for a publication."""
    floor = Floor("sends", [str(work.sessions)], work.cores.server)
    stack.callback(floor.stop)
    clients = Subscribers(floor.port, work.sessions, ["--raw", str(frame_bytes)], work.cores.clients)
    stack.callback(clients.stop)
    return Contender("floor", floor, clients, _FloorPublisher(floor, frame_bytes))


def start_belfry(work: Work, stack: ExitStack) -> Contender:
    belfry = Belfry(work.belfry, work.own_folder("belfry"), work.belfry_settings, work.cores.server)
    stack.callback(belfry.stop)
    token_file = belfry.data.parent / "tokens"
    tokens.write(token_file, belfry.data, work.sessions, 1)
    clients = Subscribers(
        belfry.port, work.sessions, ["--tokens", str(token_file), "--feed", CHANNEL], work.cores.clients)
    stack.callback(clients.stop)
    publisher = AnsweredPublisher(
        lambda: over_unix(belfry.data / "belfry.sock"),
        # Several items are one request with an array.
        lambda channel, count: [http_request(
            f"/v1/feeds/{channel}/items",
            work.payload if count == 1 else b"[" + b",".join([work.payload] * count) + b"]")])
    stack.callback(publisher.close)
    return Contender("belfry", belfry, clients, publisher)


def start_nio(work: Work, stack: ExitStack) -> Contender:
    server = Child("nio", [str(NIO_PROGRAM)], work.cores.server)
    stack.callback(server.stop)
    port = server.expect("port", 1, within=10)["port"]
    clients = listeners(work, stack, port, len(work.payload), ["--path", f"/feeds/{CHANNEL}"])
    publisher = AnsweredPublisher(
        lambda: over_tcp(port),
        lambda channel, count: [http_request(f"/feeds/{channel}", work.payload)] * count)
    stack.callback(publisher.close)
    return Contender("nio", server, clients, publisher)


def listeners(work: Work, stack: ExitStack, port: int, message_bytes: int, options: list[str]) -> Subscribers:
    """Subscribers of another protocol than Belfry's; `message_bytes`: of a message in a frame's payload."""
    clients = Subscribers(
        port, work.sessions, ["--message-bytes", str(message_bytes), *options], work.cores.clients, "listeners")
    stack.callback(clients.stop)
    return clients
