"""Requests at a pace that does not ask whether the server keeps up; for a process of its own."""

import errno
import json
import selectors
import socket
import time
from collections import Counter
from dataclasses import dataclass, field

#: So many connections at most; a request that finds none free is not sent, and counted.
CONNECTIONS = 2_000
#: For answers to what was sent last.
PATIENCE = 60
#: Events in one publish: what makes a crowd of backends out of one slow program.
BATCH = 100


@dataclass
class Outcome:
    #: By status; 0 is a connection that ended without an answer.
    statuses: Counter = field(default_factory=Counter)
    #: Refusals that did not say when to come again.
    unhelpful: int = 0
    #: Requests for which no connection was free, or that the kernel had no room for.
    unsent: int = 0
    #: Those whose answer never came.
    unanswered: int = 0
    seconds: float = 0
    #: The accepted ones of each connection, in the order of its requests.
    accepted: dict[int, list[int]] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        return sum(count for status, count in self.statuses.items() if status)

    @property
    def offered(self) -> int:
        return sum(self.statuses.values()) + self.unsent + self.unanswered


class Connection:
    """One request after the other, each with its number."""

    def __init__(self, number: int, address):
        self.number, self.count = number, 0
        self.socket = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
        self.socket.setblocking(False)
        self._received = b""
        problem = self.socket.connect_ex(address)
        if problem not in (0, errno.EINPROGRESS):
            self.socket.close()
            raise OSError(problem, "connect")

    def send(self, request: bytes):
        self._unsent = request
        self.flush()

    def flush(self) -> bool:
        """Whether everything has gone out."""
        try:
            self._unsent = self._unsent[self.socket.send(self._unsent):]
        except (BlockingIOError, InterruptedError):
            pass
        return not self._unsent

    def receive(self) -> tuple[int, bool, bool] | None:
        """Once it is there: the status, whether the server closes the connection, and whether it says when to come again."""
        try:
            piece = self.socket.recv(1 << 16)
        except (BlockingIOError, InterruptedError):
            return None
        if not piece:
            raise EOFError
        self._received += piece
        head, end, rest = self._received.partition(b"\r\n\r\n")
        if not end:
            return None
        lines = head.lower().split(b"\r\n")
        length = next((int(line[16:]) for line in lines if line.startswith(b"content-length: ")), 0)
        if len(rest) < length:
            return None
        self._received = rest[length:]
        return (int(head[9:12]), b"connection: close" in lines,
                any(line.startswith(b"retry-after: ") for line in lines))


class Load:
    """`make_request`: from a connection's number and the number of its request to the bytes. `path`: of a Unix socket, or
    `host:port`. `is_single`: each request has a connection of its own."""

    def __init__(self, path: str, make_request, *, is_single: bool = False):
        host, _, port = path.rpartition(":")
        self._address = path if path.startswith("/") else (host, int(port))
        self._make_request, self._is_single = make_request, is_single
        self._selector = selectors.DefaultSelector()
        self._free: list[Connection] = []
        self._busy: set[Connection] = set()
        self._numbers = 0
        self.outcome = Outcome()

    def closed(self, workers: int, seconds: float) -> float:
        """As many as the server answers; how many a second that is."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            while len(self._busy) < workers and self._begin():
                pass
            self._turn(0.01)
        return self.outcome.answered / seconds

    def open(self, rate: float, seconds: float) -> Outcome:
        """`rate` a second, come what may."""
        began, begun = time.monotonic(), 0
        while (passed := time.monotonic() - began) < seconds:
            for _ in range(int(passed * rate) - begun):
                begun += 1
                if not self._begin():
                    self.outcome.unsent += 1
            self._turn(0.001)
        self.outcome.seconds = time.monotonic() - began
        until = time.monotonic() + PATIENCE
        while self._busy and time.monotonic() < until:
            self._turn(0.1)
        self.outcome.unanswered = len(self._busy)
        return self.outcome

    def _begin(self) -> bool:
        if self._free:
            connection = self._free.pop()
        elif len(self._busy) < CONNECTIONS:
            try:
                connection = Connection(self._numbers, self._address)
            except OSError:
                return False
            self._numbers += 1
            self._selector.register(connection.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, connection)
        else:
            return False
        self._busy.add(connection)
        try:
            connection.send(self._make_request(connection.number, connection.count))
        except OSError:
            self._end(connection, 0)
        return True

    def _turn(self, timeout: float):
        for key, events in self._selector.select(timeout):
            connection = key.data
            try:
                if events & selectors.EVENT_WRITE and connection.flush():
                    self._selector.modify(connection.socket, selectors.EVENT_READ, connection)
                if events & selectors.EVENT_READ and (answer := connection.receive()):
                    self._note(connection, *answer)
            except (OSError, EOFError):
                self._end(connection, 0)

    def _note(self, connection: Connection, status: int, is_last: bool, is_helpful: bool):
        if status in (429, 503) and not is_helpful:
            self.outcome.unhelpful += 1
        if 200 <= status < 300:
            self.outcome.accepted.setdefault(connection.number, []).append(connection.count)
        if is_last or self._is_single:
            return self._end(connection, status)
        self.outcome.statuses[status] += 1
        connection.count += 1
        self._busy.discard(connection)
        self._free.append(connection)
        return None

    def _end(self, connection: Connection, status: int):
        """A free connection may end: that is no request without an answer."""
        if connection in self._busy:
            self.outcome.statuses[status] += 1
            self._busy.discard(connection)
        elif connection in self._free:
            self._free.remove(connection)
        self._selector.unregister(connection.socket)
        connection.socket.close()


def post(path: str, body) -> bytes:
    content = json.dumps(body).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n"
            f"\r\n").encode() + content


def get(path: str, token: str, *more: str) -> bytes:
    fields = "".join(f"{line}\r\n" for line in more)
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{fields}\r\n".encode()


def run(pipe, kind: str, address: str, tokens: list[str], rate: float | None, seconds: float):
    """In a process of its own: sends the sustainable rate (`rate` is None), or the outcome."""
    load = Load(address, REQUESTS[kind](tokens, "calm" if rate is None else "wild"), is_single=kind == "connect")
    pipe.send(load.closed(16, seconds) if rate is None else load.open(rate, seconds))


def event(people: list[str], name: str, **more) -> dict:
    return {"type": "room_liked", "actor": {"id": "pete", "username": "pete"}, "to": {"owner": people},
            "data": {"room": {"id": "r", "name": name}}, **more}


def _publish(_, phase):
    """Each connection has a person of its own, so that what is there shows the order in which it was accepted."""
    return lambda connection, number: post("/v1/events", [
        event([f"{phase}-{connection}"], f"{number}", key=f"{phase}-{connection}-{number}-{each}") for each in range(BATCH)])


def _push(_, phase):
    return lambda connection, number: post("/v1/events", event([f"phone-{(connection * 31 + number) % 200}"], "n"))


def _poll(tokens, _):
    return lambda connection, number: get("/api/notifications", tokens[(connection + number) % len(tokens)])


def _connect(tokens, _):
    return lambda connection, number: get(
        "/v1/live", tokens[connection % len(tokens)], "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: belfry.v1")


#: What each kind of load asks for.
REQUESTS = {"publish": _publish, "connect": _connect, "poll": _poll, "push": _push}
