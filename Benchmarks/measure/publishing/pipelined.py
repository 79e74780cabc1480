"""Events that one connection sends without waiting for answers: what each costs, and how many go through a second."""

import json
import socket
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import machine
from ..shared.cost import Meter, summary
from ..shared.options import positive
from ..shared.programs import started
from ..shared.report import table

HELP = "events of one connection that waits for no answer"


def arguments(parser) -> None:
    parser.add_argument("--window", type=positive, default=256, help="requests that are sent at once (default: 256)")
    parser.add_argument("--events", type=positive, default=25_600, help="in each round (default: 25,600)")
    parser.add_argument("--rounds", type=positive, default=5, help="default: 5")


class Pipeline:
    """One connection to the publishers' socket."""

    def __init__(self, path: Path, window: int):
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.settimeout(60)
        self._connection.connect(str(path))
        event = {"type": "room_liked", "actor": {"id": "user-123", "username": "pete", "firstName": "Pete"},
                 "data": {"room": {"id": "room-789", "name": "Italy Trip"}}}
        # Of different people, as backends' events are.
        bodies = [json.dumps(event | {"to": {"owner": [f"user-{number}"]}}).encode() for number in range(window)]
        self._requests = b"".join(
            b"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (len(body), body) for body in bodies)
        self._window = window

    def run(self, events: int) -> tuple[int, dict]:
        for _ in range(events // self._window):
            self._connection.sendall(self._requests)
            taken, rest = 0, b""
            while taken < self._window:
                if not (piece := self._connection.recv(1 << 18)):
                    raise Failed("belfry closed the connection")
                rest += piece
                taken += rest.count(b"HTTP/1.1 202 ")
                # A status may be cut in two.
                rest = rest[-12:] if not rest.endswith(b"HTTP/1.1 202 ") else b""
        return events // self._window * self._window, {}

    def close(self) -> None:
        self._connection.close()


def measure(options, folder: Path, say) -> dict:
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        pipeline = Pipeline(belfry.data / "belfry.sock", options.window)
        stack.callback(pipeline.close)
        meter = Meter(belfry, cores.server)
        events = max(options.events, options.window)
        pipeline.run(events)
        costs = []
        for number in range(options.rounds):
            costs.append(meter.of(lambda: pipeline.run(events)))
            say(f"round {number + 1}: {costs[-1].microseconds:.1f} µs, {costs[-1].count / costs[-1].seconds:,.0f} a second")
    return {"window": options.window, "events": events, "poller": options.poller, "cores": cores.json,
            "belfry": summary(costs)}


def describe(result: dict) -> str:
    belfry = result["belfry"]
    rows = [("events a second", "CPU µs an event", "user share"),
            (f"{belfry['perSecond']:,.0f}", f"{belfry['median']:.1f}", f"{belfry['userShare']:.0%}")]
    return f"{table(rows)}\n\n{result['window']} requests at once on one connection. Poller: {result['poller']}."
