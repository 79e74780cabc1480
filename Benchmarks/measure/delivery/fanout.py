"""What it costs to deliver one item to many: server CPU per frame, against a plain send loop."""

import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import machine, tokens
from ..shared.clients import Subscribers
from ..shared.cost import Cost, Meter, compared
from ..shared.options import per_user, positive
from ..shared.process import Child
from ..shared.programs import Floor, Publisher, item, started
from ..shared.report import table

HELP = "CPU per delivered feed item, against plain sends"
FEED = "bench"
# Nobody subscribes to it: what publishing costs by itself.
SILENT_FEED = "nobody"
# Feeds whose names begin so keep nothing.
LIVE_ONLY = "live:"
LIVE_ONLY_CATALOG = machine.ROOT / "Benchmarks/catalogs/live-only.yaml"
WARM_UP_ROUNDS = 30
# Before each turn, and not counted. Who got nothing for longer than a retransmission timeout acknowledges the next 16
# segments at once (Linux: TCP_MAX_QUICKACKS in include/net/tcp.h). Over loopback the sender's core does that for the
# receiver, so a turn of few rounds, or of joined frames, would cost the sender more than a long one.
SETTLING_ROUNDS = 20


class Round:
    """One side of a comparison: a server, its subscribers, and how `in_flight` items are sent off to all of them."""

    def __init__(self, server: Child, cores: set[int] | None, subscribers: Subscribers, in_flight: int, send):
        self._meter = Meter(server, cores)
        self._subscribers = subscribers
        self._in_flight = in_flight
        self._send = send

    def run(self, rounds: int, connections: int, rate: float | None, settling: int = SETTLING_ROUNDS) -> Cost:
        """Each round after the one before has arrived everywhere, or at a fixed rate."""
        self._run(settling, connections * self._in_flight, None)
        return self._meter.of(lambda: self._run(rounds, connections * self._in_flight, rate))

    def _run(self, rounds: int, frames_each: int, rate: float | None) -> tuple[int, dict]:
        first, began = self._subscribers.frames, time.monotonic()
        for number in range(rounds):
            await_turn(began, number, rate)
            self._send()
            if not rate:
                self._subscribers.await_frames(first + (number + 1) * frames_each)
        self._subscribers.await_frames(first + rounds * frames_each)
        frames = self._subscribers.frames - first
        if frames != rounds * frames_each:
            raise Failed(f"{frames} frames came instead of {rounds * frames_each}")
        return frames, {}


class Sender:
    """Publishes an item, or several at the same time: each on a connection of its own, or all as one array."""

    def __init__(self, data: Path, in_flight: int, as_array: bool, body: bytes, feeds: str = ""):
        """`feeds`: what the names of the feeds begin with."""
        self._feeds = feeds
        self._publishers = [Publisher(data) for _ in range(1 if as_array else in_flight)]
        self._body = b"[" + b",".join([body] * in_flight) + b"]" if as_array and in_flight > 1 else body

    def publish(self, feed: str = FEED) -> None:
        """Returns once all are answered."""
        for publisher in self._publishers:
            publisher.begin(f"/v1/feeds/{self._feeds}{feed}/items", self._body)
        for publisher in self._publishers:
            status, answer = publisher.end()
            if status != 202:
                raise Failed(f"publishing was answered with {status}: {answer[:200].decode(errors='replace')}")

    def close(self) -> None:
        for publisher in self._publishers:
            publisher.close()


def arguments(parser) -> None:
    per_user(parser)
    parser.add_argument("--sessions", type=positive, default=1_000)
    parser.add_argument("--items", type=positive, default=300, help="in each half of a pair (default: 300)")
    parser.add_argument("--pairs", type=positive, default=7, help="how often the two alternate (default: 7)")
    parser.add_argument("--rate", type=float, default=50, help="items a second of the second pace (default: 50)")
    parser.add_argument("--item-bytes", type=positive, default=200)
    parser.add_argument("--in-flight", type=positive, default=1, help="items published at the same time (default: 1)")
    parser.add_argument("--array", action="store_true", help="publish them as one array, not on a connection each")
    parser.add_argument(
        "--live-only", action="store_true", help="to a feed that keeps nothing, as all that the compared servers have")
    parser.add_argument("--pace", choices=["lockstep", "rate", "both"], default="both")
    parser.add_argument(
        "--synced-floor", action="store_true",
        help="also a floor that has each item on the disk before it sends, with one item in flight")


def measure(options, folder: Path, say) -> dict:
    sessions, in_flight = options.sessions, options.in_flight
    if options.synced_floor and in_flight > 1:
        raise Failed("--synced-floor takes one item in flight: Belfry commits several together")
    machine.allow_descriptors(sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        belfry = started(
            options, folder, stack, cores.server, catalogs=(LIVE_ONLY_CATALOG,) if options.live_only else ())
        feeds = LIVE_ONLY if options.live_only else ""
        sender = Sender(belfry.data, in_flight, options.array, item(options.item_bytes), feeds)
        stack.callback(sender.close)
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, sessions, options.sessions_per_user)
        subscribers = Subscribers(
            belfry.port, sessions, ["--tokens", str(token_file), "--feed", feeds + FEED], cores.clients)
        stack.callback(subscribers.stop)
        subscribers.open(sessions)
        ours = Round(belfry, cores.server, subscribers, in_flight, sender.publish)
        ours.run(WARM_UP_ROUNDS, sessions, None)
        # What an item takes on the wire, so that the floor sends as much; the offset's digits are all that varies.
        frame_bytes = round(subscribers.bytes / subscribers.frames)

        def floor(flags: list[str]) -> Round:
            server = Floor("sends", [str(sessions), *flags], cores.server)
            stack.callback(server.stop)
            takers = Subscribers(server.port, sessions, ["--raw", str(frame_bytes)], cores.clients)
            stack.callback(takers.stop)
            takers.open(sessions)
            server.expect("accepted", sessions, within=10)
            # A send for each frame, also where Belfry has several that wait for one connection.
            lines = "\n".join([str(frame_bytes)] * in_flight)
            opened = Round(server, cores.server, takers, in_flight, lambda: server.write(lines))
            opened.run(WARM_UP_ROUNDS, sessions, None)
            return opened

        sides = {"belfry": ours, "floor": floor([])}
        if options.synced_floor:
            sides["syncedFloor"] = floor([str(folder / "log")])
        paces = {}
        for name, rate in (("lockstep", None), ("rate", options.rate)):
            if options.pace not in (name, "both"):
                continue
            paces[name] = alternate(
                sides, lambda side: side.run(options.items, sessions, rate), options.pairs,
                lambda text: say(f"{name}: {text}"))
            alone = publishing_alone(Meter(belfry, cores.server), sender, options.items, rate)
            paces[name] |= share_of_publishing(paces[name], alone / (sessions * in_flight))
    return {
        "sessions": sessions,
        "inFlight": in_flight,
        "isArray": options.array,
        "isLiveOnly": options.live_only,
        "itemBytes": options.item_bytes,
        "frameBytes": frame_bytes,
        "items": options.items,
        "poller": options.poller,
        "shards": options.shards or 1,
        "cores": cores.json,
        "itemsPerSecond": options.rate,
        "paces": paces,
    }


def alternate(sides: dict[str, Round], run, pairs: int, say) -> dict:
    costs: dict[str, list[Cost]] = {name: [] for name in sides}
    for number in range(pairs):
        for name, side in sides.items():
            costs[name].append(run(side))
        belfry, *floors = (each[-1].microseconds for each in costs.values())
        say(f"pair {number + 1}: belfry {belfry:.2f} µs, " + ", ".join(
            f"{name} {floor:.2f} µs, {belfry / floor:.2f}" for name, floor in zip(("floor", "synced"), floors)))
    pace = compared(costs["belfry"], costs["floor"])
    if "syncedFloor" in costs:
        synced = compared(costs["belfry"], costs["syncedFloor"])
        pace |= {"syncedFloor": synced["floor"], "ratiosToSynced": synced["ratios"], "ratioToSynced": synced["ratio"]}
    return pace


def publishing_alone(meter: Meter, sender: Sender, rounds: int, rate: float | None) -> float:
    """Microseconds of server CPU for a round of items that nobody gets: HTTP, JSON, the durable commit."""
    def work() -> tuple[int, dict]:
        began = time.monotonic()
        for number in range(rounds):
            await_turn(began, number, rate)
            sender.publish(SILENT_FEED)
        return rounds, {}

    for _ in range(WARM_UP_ROUNDS):
        sender.publish(SILENT_FEED)
    return meter.of(work).microseconds


def share_of_publishing(pace: dict, per_frame: float) -> dict:
    """The floor publishes nothing, so what is left without it is the delivery itself."""
    return {
        "publishingAlone": {"perFrame": round(per_frame, 3)},
        "ratioWithoutPublishing": round(statistics.median(
            (ours - per_frame) / plain for ours, plain in zip(
                pace["belfry"]["microseconds"], pace["floor"]["microseconds"])), 3),
    }


def await_turn(began: float, number: int, rate: float | None) -> None:
    if rate:
        time.sleep(max(began + number / rate - time.monotonic(), 0))


def describe(result: dict) -> str:
    rows = [(
        "µs of CPU a frame", "belfry", "floor", "ratio", "lowest–highest", "without publishing", "user share",
        "frames/s")]
    for name, pace in result["paces"].items():
        belfry, floor = pace["belfry"], pace["floor"]
        rows.append((
            name, f"{belfry['median']:.2f}", f"{floor['median']:.2f}", f"{pace['ratio']:.2f}",
            f"{min(pace['ratios']):.2f}–{max(pace['ratios']):.2f}", f"{pace['ratioWithoutPublishing']:.2f}",
            f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['perSecond']:,.0f} / {floor['perSecond']:,.0f}"))
    alone = ", ".join(
        f"{pace['publishingAlone']['perFrame']:.3f} µs ({name})" for name, pace in result["paces"].items())
    synced = "".join(
        f"\nA floor that has each item on the disk first ({name}): {pace['syncedFloor']['median']:.2f} µs; Belfry to it "
        f"{pace['ratioToSynced']:.2f} ({min(pace['ratiosToSynced']):.2f}–{max(pace['ratiosToSynced']):.2f})."
        for name, pace in result["paces"].items() if "syncedFloor" in pace)
    return (
        f"{table(rows)}\n\n{result['sessions']:,} sessions, {result['inFlight']} in flight"
        f"{' as an array' if result['isArray'] else ''}, "
        f"{'live only' if result['isLiveOnly'] else 'each on the disk first'}, "
        f"items of {result['itemBytes']} bytes, {result['frameBytes']} on the wire. Poller: {result['poller']}.\n"
        f"Of a frame's cost, publishing: {alone}.{synced}")
