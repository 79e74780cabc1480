"""What sessions cost that have no WebSocket: memory, and CPU a frame, beside sessions with one, in turns."""

import http.client
import json
import selectors
import socket
import statistics
import struct
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import machine, tokens
from ..shared.options import positive
from ..shared.programs import started
from ..shared.report import table

HELP = "memory and CPU of sessions with event streams, beside WebSockets"
WAYS = ("nobody", "websocket", "events")
#: In each frame that tells a new notification, once.
MARK = b'"type":"new"'
READY = b'"type":"ready"'
PATIENCE = 60


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=1_000)
    parser.add_argument("--events", type=positive, default=100, help="each to all sessions (default: 100)")
    parser.add_argument("--rounds", type=positive, default=5, help="turns of each way (default: 5)")


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(2 * options.sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    turns = {way: [] for way in WAYS}
    for number in range(options.rounds):
        for way in WAYS if number % 2 == 0 else reversed(WAYS):
            own = folder / f"{number}-{way}"
            own.mkdir()
            turns[way].append(turn(options, own, cores, way))
            say(f"round {number + 1}, {way}: {told(turns[way][-1])}")
    frames = {way: [each["cpu"] - nobody["cpu"] for each, nobody in zip(turns[way], turns["nobody"])]
              for way in WAYS[1:]}
    return {
        "sessions": options.sessions, "events": options.events, "turns": turns, "poller": options.poller,
        "cores": cores.json,
        # Storing is the same for all, so it is left out of what a frame costs.
        "microsecondsPerFrame": {way: statistics.median(each) for way, each in frames.items()},
        "ratio": {
            "frame": round(statistics.median(frames["events"]) / statistics.median(frames["websocket"]), 3),
            "all": round(median(turns["events"], "cpu") / median(turns["websocket"], "cpu"), 3),
            "memory": round(median(turns["events"], "bytes") / median(turns["websocket"], "bytes"), 3),
        },
    }


def median(turns: list[dict], key: str) -> float:
    return statistics.median(each[key] for each in turns)


def turn(options, folder: Path, cores, way: str) -> dict:
    """A server of its own, so that its memory is that of these sessions."""
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        users = [f"user-{number}" for number in range(options.sessions)]
        # Inboxes, caches and code that runs for the first time are no session's.
        publish(belfry, users, 5)
        time.sleep(1)
        before = belfry.memory()
        secret = tokens.secret(belfry.data)
        readers = Readers(belfry.port)
        stack.callback(readers.close)
        if way != "nobody":
            for user in users:
                readers.open(way, tokens.token(user, secret))
            readers.read(lambda: readers.ready == options.sessions)
        time.sleep(1)
        memory = belfry.memory().anonymous - before.anonymous
        cpu = belfry.cpu_seconds()
        count = options.events * options.sessions
        # Clients read meanwhile, or they would be slow readers.
        publishing = threading.Thread(target=publish, args=(belfry, users, options.events))
        publishing.start()
        readers.read(lambda: not publishing.is_alive() and (way == "nobody" or readers.frames >= count))
        spent = belfry.cpu_seconds() - cpu
        return {"cpu": spent / count * 1e6, "bytes": memory * 1024 / options.sessions}


def publish(belfry, users: list[str], count: int) -> None:
    """Events to everybody, one after the other; comes back when all are delivered."""
    connection = http.client.HTTPConnection("belfry")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(str(belfry.data / "belfry.sock"))
    event = {"type": "room_liked", "actor": {"id": "pete", "username": "pete"}, "to": {"owner": users},
             "data": {"room": {"id": "room-1", "name": "Italy Trip"}}, "push": {"when": "never"}}

    def call(method: str, path: str, body=None) -> tuple[int, dict]:
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    published = []
    for _ in range(count):
        status, answer = call("POST", "/v1/events", event)
        if status != 202:
            raise Failed(f"an event was answered with {status}: {answer}")
        published.append(answer["event"])
    deadline = time.monotonic() + PATIENCE
    for name in published:
        # A small audience is delivered before the answer, and is not found here.
        while (found := call("GET", f"/v1/events/{name}"))[0] == 200 and found[1]["state"] == "working":
            if time.monotonic() > deadline:
                raise Failed("the events were not delivered in time")
            time.sleep(0.05)
    connection.close()


class Readers:
    """Clients that read frames and count them, without looking further: their work is not the server's."""

    def __init__(self, port: int):
        self._address = ("127.0.0.1", port)
        self._selector = selectors.DefaultSelector()
        #: By socket, the end of what it has read, which may be the beginning of a mark.
        self._ends: dict[socket.socket, bytes] = {}
        self.frames = 0
        self.ready = 0

    def open(self, way: str, token: str) -> None:
        connection = socket.create_connection(self._address, timeout=10)
        head = f"Host: belfry\r\nAuthorization: Bearer {token}\r\n"
        if way == "events":
            connection.sendall(f"GET /v1/live/events HTTP/1.1\r\n{head}\r\n".encode())
        else:
            hello = b'{"type":"hello"}'
            # A mask of zeros leaves the text as it is.
            frame = struct.pack("!BBL", 0x81, 0x80 | len(hello), 0) + hello
            connection.sendall(
                f"GET /v1/live HTTP/1.1\r\n{head}Upgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                "Sec-WebSocket-Protocol: belfry.v1\r\n\r\n".encode() + frame)
        connection.setblocking(False)
        self._ends[connection] = b""
        self._selector.register(connection, selectors.EVENT_READ)

    def read(self, is_done) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_done():
            if time.monotonic() > deadline:
                raise Failed(f"{self.ready} sessions are ready, and {self.frames} frames came in time")
            for key, _ in self._selector.select(0.1):
                self._take(key.fileobj)

    def _take(self, connection: socket.socket) -> None:
        read = connection.recv(1 << 16)
        if not read:
            raise Failed("the server has closed a session")
        end = self._ends[connection]
        text = end + read
        self.frames += text.count(MARK) - end.count(MARK)
        self.ready += text.count(READY)
        self._ends[connection] = text[1 - len(READY):]

    def close(self) -> None:
        for connection in self._ends:
            connection.close()
        self._selector.close()


def told(turn: dict) -> str:
    return f"{turn['cpu']:.2f} µs of CPU a recipient, {turn['bytes']:.0f} bytes a session"


def describe(result: dict) -> str:
    rows = [("way", "CPU a recipient, µs", "CPU a frame, µs", "bytes a session")]
    for way, turns in result["turns"].items():
        frame = result["microsecondsPerFrame"].get(way)
        rows.append((way, f"{median(turns, 'cpu'):.2f}", f"{frame:.2f}" if frame else "", f"{median(turns, 'bytes'):.0f}"))
    ratio = result["ratio"]
    rows.append(("events / websocket", f"{ratio['all']:.3f}", f"{ratio['frame']:.3f}", f"{ratio['memory']:.3f}"))
    return (f"{table(rows)}\n\nMedians of {len(result['turns']['events'])} turns, {result['events']} events to "
            f"{result['sessions']:,} sessions each. Poller: {result['poller']}.")
