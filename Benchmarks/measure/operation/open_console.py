"""What an open console costs a server under load: the same load with it and without it, in turns."""

import base64
import http.client
import os
import socket
import statistics
import threading
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..delivery.latency import times
from ..shared import machine, tokens
from ..shared.clients import Publishers
from ..shared.options import positive
from ..shared.programs import started
from ..shared.report import table

HELP = "CPU and delivery times with an open console, beside those with none"
#: What the page "Now" asks for: once, and then every ten seconds.
ONCE, AGAIN = ("/console", "/console/who", "/console/history"), ("/v1/push", "/console/nodes")
AGAIN_SECONDS = 10


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=10_000)
    parser.add_argument("--publishers", type=positive, default=32, help="connections to publish on (default: 32)")
    parser.add_argument("--rate", type=float, default=1_000, help="events a second (default: 1,000)")
    parser.add_argument("--seconds", type=positive, default=15, help="of each turn (default: 15)")
    parser.add_argument("--rounds", type=positive, default=10, help="turns of each (default: 10)")


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(options.sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    events = round(options.rate * options.seconds)
    turns = {"closed": [], "open": []}
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, options.sessions, 1)
        publishers = Publishers(
            belfry.data / "belfry.sock", options.sessions,
            ["--connections", str(options.sessions), "--tokens", str(token_file), "--publishers",
             str(options.publishers)], cores.clients, belfry.port)
        stack.callback(publishers.stop)
        publishers.open(options.sessions)
        # Each user's first notification makes the inbox.
        publishers.run(options.sessions)

        def turn() -> dict:
            before = belfry.cpu_seconds()
            said = publishers.run(events, options.rate)
            return {"cpu": (belfry.cpu_seconds() - before) / events * 1e6} | times(said)

        for number in range(options.rounds):
            for name in ("closed", "open") if number % 2 == 0 else ("open", "closed"):
                if name == "closed":
                    turns[name].append(turn())
                else:
                    with Console(belfry.ops) as console:
                        turns[name].append(turn())
                    if console.messages < options.seconds - 2:
                        raise Failed(f"the console had {console.messages} messages in {options.seconds} s")
            say(f"round {number + 1}: " + "; ".join(f"{name} {told(turns[name][-1])}" for name in turns))
    return {
        "sessions": options.sessions,
        "eventsPerSecond": options.rate,
        "secondsEach": options.seconds,
        "ratios": {key: [open_[key] / closed[key] for closed, open_ in zip(turns["closed"], turns["open"])]
                   for key in ("cpu", "p50", "p99")},
        "poller": options.poller,
        "cores": cores.json,
    } | turns | {"ratio": {key: round(median(turns["open"], key) / median(turns["closed"], key), 4)
                           for key in ("cpu", "p50", "p99")}}


def median(turns: list[dict], key: str) -> float:
    return statistics.median(each[key] for each in turns)


class Console:
    """As a browser has the page "Now" open: it takes the messages of the socket, and asks for what the page shows."""

    def __init__(self, ops: str):
        self._ops = ops
        self.messages = 0
        self._ended = threading.Event()

    def __enter__(self) -> "Console":
        for path in ONCE:
            self._get(path)
        self._socket = socket.create_connection(self._address, timeout=10)
        self._socket.sendall(
            (f"GET /console/live HTTP/1.1\r\nHost: {self._ops}\r\nOrigin: http://{self._ops}\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        self._stream = self._socket.makefile("rb")
        if b" 101 " not in (status := self._stream.readline()):
            raise Failed(f"the console's socket was answered with {status.decode().strip()}")
        while self._stream.readline().strip():
            pass
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._ask)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._socket.close()

    @property
    def _address(self) -> tuple[str, int]:
        host, _, port = self._ops.rpartition(":")
        return host, int(port)

    def _read(self) -> None:
        """Frames of a server: an octet of kind, a length, and the text (RFC 6455, section 5.2)."""
        while head := self._stream.read(2):
            length = head[1]
            if length >= 126:
                length = int.from_bytes(self._stream.read(2 if length == 126 else 8))
            self._stream.read(length)
            self.messages += 1

    def _ask(self) -> None:
        while True:
            for path in AGAIN:
                self._get(path)
            if self._ended.wait(AGAIN_SECONDS):
                return

    def _get(self, path: str) -> None:
        connection = http.client.HTTPConnection(*self._address, timeout=10)
        connection.request("GET", path, headers={"Belfry-Console": "measurement"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise Failed(f"{path} was answered with {answer.status}")
        connection.close()


def told(turn: dict) -> str:
    return f"{turn['cpu']:.1f} µs an event, p99 {turn['p99']:.2f} ms"


def describe(result: dict) -> str:
    rows = [("console", "CPU an event, µs", "p50, ms", "p99, ms")]
    rows += [(name, *(f"{median(result[name], key):.2f}" for key in ("cpu", "p50", "p99"))) for name in ("closed", "open")]
    rows.append(("ratio", *(f"{result['ratio'][key]:.3f}" for key in ("cpu", "p50", "p99"))))
    return (
        f"{table(rows)}\n\nMedians of {len(result['open'])} turns of {result['secondsEach']} s each, with "
        f"{result['eventsPerSecond']:g} events a second to one of {result['sessions']:,} sessions. Poller: {result['poller']}.")
