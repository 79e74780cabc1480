"""What an echoed message costs: server CPU against a plain epoll loop in C, and system calls."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from . import machine, system_calls
from .clients import Echoers
from .process import Child
from .programs import Echo, Floor

WARM_UP_MESSAGES = 20_000
# Traced, a server is slower by a multiple: a pace that it still keeps up with, so that nothing piles up.
TRACED_MESSAGES = 20_000
TRACED_RATE = 2_000


class Side:
    """A server and its clients."""

    def __init__(self, server: Child, clients: Echoers):
        self.server = server
        self._clients = clients

    def run(self, messages: int, rate: float | None) -> "Cost":
        cpu, ticks = self.server.cpu_seconds(), self.server.user_and_system_ticks()
        said = self._clients.run(messages, rate, within=60 + messages / (rate or 5_000))
        user, system = (after - before for after, before in zip(self.server.user_and_system_ticks(), ticks))
        return Cost((self.server.cpu_seconds() - cpu) / messages * 1e6, said, messages, user, system)


class Cost:
    def __init__(self, microseconds: float, said: dict, messages: int, user_ticks: int, system_ticks: int):
        self.microseconds = microseconds
        self.said = said
        self.messages_a_second = messages / said["seconds"]
        self.user_ticks = user_ticks
        self.system_ticks = system_ticks


def measure(options, folder: Path, say) -> dict:
    count = options.connections
    machine.allow_descriptors(count + 200)
    server_core, client_core = machine.cores() or (None, None)
    if client_core:
        machine.stay_on(client_core)
    shards = options.shards or 1
    shapes = {"busy": (options.busy_messages, None), "paced": (options.paced_messages, options.rate)}
    with ExitStack() as stack:
        belfry = Echo(
            options.belfry, folder, ["--poller", options.poller, "--shards", str(shards)], server_core)
        stack.callback(belfry.stop)
        floor = Floor("echo", [], server_core)
        stack.callback(floor.stop)
        sides = []
        for server in (belfry, floor):
            clients = Echoers(server.port, count, options.message_bytes, client_core)
            stack.callback(clients.stop)
            clients.open(count)
            side = Side(server, clients)
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
        "cores": {"server": sorted(server_core), "clients": sorted(client_core)} if client_core else None,
        "shapes": result,
    }


def alternate(sides: list[Side], messages: int, rate: float | None, pairs: int, say) -> dict:
    """Belfry, floor, Belfry, floor, …: what else the machine does meets both alike."""
    costs = []
    for number in range(pairs):
        pair = [side.run(messages, rate) for side in sides]
        costs.append(pair)
        ours, plain = (cost.microseconds for cost in pair)
        say(f"pair {number + 1}: belfry {ours:.2f} µs, floor {plain:.2f} µs a message, {ours / plain:.2f}")
    ratios = [ours.microseconds / plain.microseconds for ours, plain in costs]
    return {
        "belfry": summary([ours for ours, _ in costs]),
        "floor": summary([plain for _, plain in costs]),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "ratio": round(statistics.median(ratios), 3),
    }


def summary(costs: list[Cost]) -> dict:
    user, system = (sum(getattr(cost, kind) for cost in costs) for kind in ("user_ticks", "system_ticks"))
    return {
        "microsecondsPerMessage": [round(cost.microseconds, 3) for cost in costs],
        "median": round(statistics.median(cost.microseconds for cost in costs), 3),
        # How much of it the program itself ran, and not the kernel for it.
        "userShare": round(user / max(user + system, 1), 3),
        "messagesPerSecond": round(statistics.median(cost.messages_a_second for cost in costs)),
        "p50Microseconds": statistics.median(cost.said["p50"] for cost in costs),
        "p99Microseconds": statistics.median(cost.said["p99"] for cost in costs),
        "lateMessages": sum(cost.said["late"] for cost in costs),
    }
