"""What an echoed message costs: server CPU against a plain epoll loop in C, and system calls."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from ..shared import cost, machine, system_calls
from ..shared.clients import Echoers
from ..shared.cost import Cost, Meter
from ..shared.options import positive
from ..shared.process import Child
from ..shared.programs import Echo, Floor
from ..shared.report import table

HELP = "CPU and system calls per echo, against an epoll loop in C"
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


def arguments(parser) -> None:
    parser.add_argument("--connections", type=positive, default=1_000)
    parser.add_argument("--message-bytes", type=positive, default=64, help="at most 125 (default: 64)")
    parser.add_argument("--busy-messages", type=positive, default=200_000, help="in each half of a pair")
    parser.add_argument("--paced-messages", type=positive, default=60_000, help="in each half of a pair")
    parser.add_argument("--rate", type=float, default=20_000, help="messages a second of the second shape")
    parser.add_argument("--pairs", type=positive, default=7, help="how often the two alternate (default: 7)")


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
            side.run(min(WARM_UP_MESSAGES, options.busy_messages), None)
            sides.append(side)
        result = {}
        for name, (messages, rate) in shapes.items():
            result[name] = alternate(sides, messages, rate, options.pairs, lambda text: say(f"{name}: {text}"))
            traced = min(TRACED_MESSAGES, messages)
            result[name]["systemCalls"] = {
                who: system_calls.of(side.server, traced, lambda: side.run(traced, TRACED_RATE if rate else None))
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


def describe(result: dict) -> str:
    rows = [(
        "µs of CPU a message", "belfry", "floor", "ratio", "lowest–highest", "user share", "messages/s", "p99 µs",
        "system calls a message")]
    for name, shape in result["shapes"].items():
        belfry, floor, calls = shape["belfry"], shape["floor"], shape["systemCalls"]
        rows.append((
            name, f"{belfry['median']:.2f}", f"{floor['median']:.2f}", f"{shape['ratio']:.2f}",
            f"{min(shape['ratios']):.2f}–{max(shape['ratios']):.2f}",
            f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['messagesPerSecond']:,} / {floor['messagesPerSecond']:,}",
            f"{belfry['p99Microseconds']:,.0f} / {floor['p99Microseconds']:,.0f}",
            f"{calls['belfry']['perMessage']:.2f} / {calls['floor']['perMessage']:.2f}"))
    calls = "\n".join(
        f"{name}: " + ", ".join(f"{call} {share}" for call, share in shape["systemCalls"]["belfry"]["byName"].items())
        for name, shape in result["shapes"].items())
    return (
        f"{table(rows)}\n\n{result['connections']} connections, messages of {result['messageBytes']} bytes. "
        f"Poller: {result['poller']}.\nBelfry's system calls a message, traced "
        f"(paced: at {result['tracedMessagesPerSecond']:,} a second):\n{calls}")
