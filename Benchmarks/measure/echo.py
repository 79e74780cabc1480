"""What an echoed message costs: server CPU against a plain epoll loop in C, and system calls."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from . import cost, machine, system_calls
from .clients import Echoers
from .cost import Cost, Meter
from .process import Child
from .programs import Echo, Floor

WARM_UP_MESSAGES = 20_000
# Traced, a server is slower by a multiple: a pace that it still keeps up with, so that nothing piles up.
TRACED_MESSAGES = 20_000
TRACED_RATE = 2_000


class Side:
    """A server and its clients."""

    def __init__(self, server: Child, cores: set[int] | None, clients: Echoers):
        self.server = server
        self._meter = Meter(server, cores)
        self._clients = clients

    def run(self, messages: int, rate: float | None) -> Cost:
        return self._meter.of(
            lambda: (messages, self._clients.run(messages, rate, within=60 + messages / (rate or 5_000))))


def measure(options, folder: Path, say) -> dict:
    count = options.connections
    machine.allow_descriptors(count + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    shards = options.shards or 1
    shapes = {"busy": (options.busy_messages, None), "paced": (options.paced_messages, options.rate)}
    with ExitStack() as stack:
        belfry = Echo(
            options.belfry, folder, ["--poller", options.poller, "--shards", str(shards)], cores.server)
        stack.callback(belfry.stop)
        floor = Floor("echo", [], cores.server)
        stack.callback(floor.stop)
        sides = []
        for server in (belfry, floor):
            clients = Echoers(server.port, count, options.message_bytes, cores.clients)
            stack.callback(clients.stop)
            clients.open(count)
            side = Side(server, cores.server, clients)
            side.run(WARM_UP_MESSAGES, None)
            sides.append(side)
        result = {}
        for name, (messages, rate) in shapes.items():
            result[name] = alternate(sides, messages, rate, options.pairs, lambda text: say(f"{name}: {text}"))
            result[name]["systemCalls"] = {
                who: system_calls.of(side.server, TRACED_MESSAGES, lambda: side.run(
                    TRACED_MESSAGES, TRACED_RATE if rate else None))
                for who, side in zip(("belfry", "floor"), sides)}
    return {
        "connections": count,
        "messageBytes": options.message_bytes,
        "messages": {name: messages for name, (messages, _) in shapes.items()},
        "pacedMessagesPerSecond": options.rate,
        "tracedMessagesPerSecond": TRACED_RATE,
        "poller": options.poller,
        "shards": shards,
        "cores": cores.json,
        "shapes": result,
    }


def alternate(sides: list[Side], messages: int, rate: float | None, pairs: int, say) -> dict:
    costs = [[], []]

    def run(place: int) -> Cost:
        costs[place].append(sides[place].run(messages, rate))
        return costs[place][-1]

    result = cost.alternate(lambda: run(0), lambda: run(1), pairs, say)
    for name, each in zip(("belfry", "floor"), costs):
        result[name] |= {
            "messagesPerSecond": round(statistics.median(messages / one.said["seconds"] for one in each)),
            "p50Microseconds": statistics.median(one.said["p50"] for one in each),
            "p99Microseconds": statistics.median(one.said["p99"] for one in each),
            "lateMessages": sum(one.said["late"] for one in each),
        }
    return result
