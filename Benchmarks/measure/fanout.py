"""What it costs to deliver one item to many: server CPU per frame, against a plain send loop."""

import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from . import Failed, machine, tokens
from .clients import Subscribers
from .process import Child
from .programs import Belfry, Floor, Publisher, item

FEED = "bench"
# Nobody subscribes to it: what publishing costs by itself.
SILENT_FEED = "nobody"
WARM_UP_ROUNDS = 30


class Round:
    """One side of a comparison: a server, its subscribers, and how one item is sent off to all of them."""

    def __init__(self, server: Child, subscribers: Subscribers, send):
        self.server = server
        self._subscribers = subscribers
        self._send = send

    def run(self, rounds: int, connections: int, rate: float | None) -> "Cost":
        """Each round after the one before has arrived everywhere, or at a fixed rate."""
        cpu, ticks = self.server.cpu_seconds(), self.server.user_and_system_ticks()
        first, began = self._subscribers.frames, time.monotonic()
        for number in range(rounds):
            await_turn(began, number, rate)
            self._send()
            if not rate:
                self._subscribers.await_frames(first + (number + 1) * connections)
        self._subscribers.await_frames(first + rounds * connections)
        seconds = time.monotonic() - began
        spent = [after - before for after, before in zip(self.server.user_and_system_ticks(), ticks)]
        frames = self._subscribers.frames - first
        if frames != rounds * connections:
            raise Failed(f"{frames} frames came instead of {rounds * connections}")
        return Cost((self.server.cpu_seconds() - cpu) / frames * 1e6, seconds, spent[0], spent[1])


class Cost:
    def __init__(self, microseconds_per_frame: float, seconds: float, user_ticks: int, system_ticks: int):
        self.microseconds_per_frame = microseconds_per_frame
        self.seconds = seconds
        self.user_ticks = user_ticks
        self.system_ticks = system_ticks


def measure(options, folder: Path, say) -> dict:
    sessions = options.sessions
    machine.allow_descriptors(sessions + 200)
    server_core, client_core = machine.cores() or (None, None)
    if client_core:
        machine.stay_on(client_core)
    # One core for the server, so one shard: a second one would only take turns with the first.
    shards = options.shards or 1
    with ExitStack() as stack:
        belfry = Belfry(
            options.belfry, folder, {"BELFRY_POLLER": options.poller, "BELFRY_SHARDS": str(shards)}, server_core)
        stack.callback(belfry.stop)
        publisher = Publisher(belfry.data)
        stack.callback(publisher.close)
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, sessions, options.sessions_per_user)
        subscribers = Subscribers(
            belfry.port, sessions, ["--tokens", str(token_file), "--feed", FEED], client_core)
        stack.callback(subscribers.stop)
        subscribers.open(sessions)
        body = item(options.item_bytes)
        ours = Round(belfry, subscribers, lambda: publisher.publish(FEED, body))
        ours.run(WARM_UP_ROUNDS, sessions, None)
        # What an item takes on the wire, so that the floor sends as much; the offset's digits are all that varies.
        frame_bytes = round(subscribers.bytes / subscribers.frames)

        floor = Floor("sends", [str(sessions)], server_core)
        stack.callback(floor.stop)
        takers = Subscribers(floor.port, sessions, ["--raw", str(frame_bytes)], client_core)
        stack.callback(takers.stop)
        takers.open(sessions)
        floor.expect("accepted", sessions, within=10)
        plain = Round(floor, takers, lambda: floor.write(str(frame_bytes)))
        plain.run(WARM_UP_ROUNDS, sessions, None)

        paces = {}
        for name, rate in (("lockstep", None), ("rate", options.rate)):
            paces[name] = alternate(ours, plain, options, rate, lambda text: say(f"{name}: {text}"))
            alone = publishing_alone(belfry, publisher, body, options.items, rate)
            paces[name] |= share_of_publishing(paces[name], alone, sessions)
    return {
        "sessions": sessions,
        "itemBytes": options.item_bytes,
        "frameBytes": frame_bytes,
        "items": options.items,
        "poller": options.poller,
        "shards": shards,
        "cores": {"server": sorted(server_core), "clients": sorted(client_core)} if client_core else None,
        "itemsPerSecond": options.rate,
        "paces": paces,
    }


def alternate(ours: Round, plain: Round, options, rate: float | None, say) -> dict:
    """Belfry, floor, Belfry, floor, …: what else the machine does meets both alike."""
    pairs = []
    for number in range(options.pairs):
        pair = [side.run(options.items, options.sessions, rate) for side in (ours, plain)]
        pairs.append(pair)
        costs = [cost.microseconds_per_frame for cost in pair]
        say(f"pair {number + 1}: belfry {costs[0]:.2f} µs, floor {costs[1]:.2f} µs a frame, {costs[0] / costs[1]:.2f}")
    ratios = [pair[0].microseconds_per_frame / pair[1].microseconds_per_frame for pair in pairs]
    return {
        "belfry": summary([pair[0] for pair in pairs], options.items),
        "floor": summary([pair[1] for pair in pairs], options.items),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "ratio": round(statistics.median(ratios), 3),
    }


def summary(costs: list[Cost], rounds: int) -> dict:
    each = [cost.microseconds_per_frame for cost in costs]
    user, system = (sum(getattr(cost, kind) for cost in costs) for kind in ("user_ticks", "system_ticks"))
    return {
        "microsecondsPerFrame": [round(cost, 3) for cost in each],
        "median": round(statistics.median(each), 3),
        # How much of it the program itself ran, and not the kernel for it.
        "userShare": round(user / max(user + system, 1), 3),
        "roundsPerSecond": round(rounds * len(costs) / sum(cost.seconds for cost in costs), 1),
    }


def publishing_alone(belfry: Belfry, publisher: Publisher, body: bytes, items: int, rate: float | None) -> float:
    """Microseconds of server CPU for one item that nobody gets: HTTP, JSON, the durable commit."""
    for _ in range(WARM_UP_ROUNDS):
        publisher.publish(SILENT_FEED, body)
    cpu, began = belfry.cpu_seconds(), time.monotonic()
    for number in range(items):
        await_turn(began, number, rate)
        publisher.publish(SILENT_FEED, body)
    return (belfry.cpu_seconds() - cpu) / items * 1e6


def share_of_publishing(pace: dict, microseconds: float, sessions: int) -> dict:
    """The floor publishes nothing, so what is left without it is the delivery itself."""
    per_frame = microseconds / sessions
    return {
        "publishingAlone": {"microsecondsPerItem": round(microseconds, 1), "perFrame": round(per_frame, 3)},
        "ratioWithoutPublishing": round(statistics.median(
            (ours - per_frame) / plain for ours, plain in zip(
                pace["belfry"]["microsecondsPerFrame"], pace["floor"]["microsecondsPerFrame"])), 3),
    }


def await_turn(began: float, number: int, rate: float | None) -> None:
    if rate:
        time.sleep(max(began + number / rate - time.monotonic(), 0))
