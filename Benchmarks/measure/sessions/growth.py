"""What grows with the number of sessions, and with the number of notifications in the store: cost of a delivery, of a
notification, of a session that does nothing."""

import math
import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..delivery.fanout import Round, Sender
from ..shared import machine, rows, tokens
from ..shared.clients import Publishers, Subscribers
from ..shared.cost import Cost, Meter, summary
from ..shared.options import positive
from ..shared.programs import Belfry, Floor, item, started
from ..shared.report import table
from ..shared.store import BareRows, prepared
from .idle import await_sessions, settled

HELP = "costs by the number of sessions and of stored rows"
# Inboxes of the stores that are compared; each then has well under what an inbox may hold.
USERS = 2_000
ITEM_BYTES = 200
# Memory that is free again goes back to the system over ten seconds (jemalloc's `dirty_decay_ms`).
SETTLE_SECONDS = 15
# Sessions beside few are so many times the few: of as many more, what is by chance free counts for too much.
BESIDE_FEW = 4
WARM_UP_EVENTS = 2_000


def arguments(parser) -> None:
    parser.add_argument("--by", choices=["sessions", "rows", "both"], default="both")
    parser.add_argument("--sessions", type=positive, nargs=2, default=[1_000, 19_000], metavar=("FEW", "MANY"))
    parser.add_argument("--rows", type=positive, nargs="+", default=[1_000, 100_000, 1_000_000], help="in the stores")
    parser.add_argument("--items", type=positive, default=20, help="delivered to all in each turn (default: 20)")
    parser.add_argument("--item-rate", type=float, default=2, help="items a second (default: 2)")
    parser.add_argument("--events", type=positive, default=10_000, help="notifications in each turn (default: 10,000)")
    parser.add_argument("--rate", type=float, default=1_000, help="notifications a second (default: 1,000)")
    parser.add_argument("--watch", type=positive, default=55, help="seconds to watch idle sessions (default: 55)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often they take turns (default: 5)")


def measure(options, folder: Path, say) -> dict:
    few, many = options.sessions
    if few >= many:
        raise Failed(f"growth is from few sessions to more, not from {few} to {many}")
    machine.allow_descriptors(many + 400)
    cores = machine.cores()
    result = {"by": options.by, "sessions": [few, many], "rows": options.rows, "poller": options.poller}
    if options.by in ("rows", "both"):
        result["byRows"] = by_rows(options, folder, cores, say)
    cores.keep_to_clients()
    if options.by in ("sessions", "both"):
        result["bySessions"] = by_sessions(options, folder, cores, say)
    return result | {"cores": cores.json}


# Sessions

def by_sessions(options, folder: Path, cores, say) -> dict:
    """Two servers, one with few sessions and one with many, which take turns; and a loop of sends for as many."""
    few, many = options.sessions
    pause = min(SETTLE_SECONDS, options.watch)
    with ExitStack() as stack:
        servers = {count: server(options, folder / str(count), stack, cores.server) for count in options.sessions}
        empty = {count: settled(belfry, pause).anonymous for count, belfry in servers.items()}
        token_files = {}
        deliveries, floors, subscribers = {}, {}, {}
        for count, belfry in servers.items():
            token_files[count] = folder / f"tokens-{count}"
            tokens.write(token_files[count], belfry.data, count, 1)
            subscribers[count] = clients = Subscribers(
                belfry.port, count, ["--tokens", str(token_files[count]), "--feed", "bench"], cores.clients)
            stack.callback(clients.stop)
            clients.open(few)
            sender = Sender(belfry.data, 1, False, item(ITEM_BYTES))
            stack.callback(sender.close)
            deliveries[count] = Round(belfry, cores.server, clients, 1, sender.publish)
        # The first ones also pay for what exists once, and fill what the start has left free.
        steps = []
        for sessions in (few, min(BESIDE_FEW * few, many), many):
            subscribers[many].open(sessions)
            await_sessions(servers[many], sessions)
            steps.append((sessions, settled(servers[many], pause).anonymous))
            say(f"{sessions} sessions: {steps[-1][1]} KiB")
        idle = idling(options, servers, empty, further(*steps), say)
        for count in servers:
            deliveries[count].run(5, count, None)
            floors[count] = sends(count, round(subscribers[count].bytes / subscribers[count].frames), stack, cores)
        # Heartbeats go on between the items, and are no part of what an item costs.
        heartbeats = {f"belfry-{count}": idle[str(count)]["microsecondsPerSecond"] * count / 1e6 for count in servers}

        def delivering(name: str, side: Round, count: int):
            def turn() -> Cost:
                return side.run(options.items, count, options.item_rate, settling=0).without(heartbeats.get(name, 0))

            return turn

        sides = {f"{name}-{count}": delivering(f"{name}-{count}", side, count)
                 for name, by_count in (("belfry", deliveries), ("floor", floors)) for count, side in by_count.items()}
        delivered = taking_turns(sides, options.pairs, "deliveries", say)
        for count, belfry in servers.items():
            subscribers[count].stop()
            await_sessions(belfry, 0)
        publishers = {}
        for count, belfry in servers.items():
            publishers[count] = each = Publishers(
                belfry.data / "belfry.sock", count,
                ["--connections", str(count), "--tokens", str(token_files[count]), "--publishers", "8"], cores.clients,
                belfry.port)
            stack.callback(each.stop)
            each.open(count)
            # Each user's first notification makes the inbox.
            each.run(max(2 * count, min(WARM_UP_EVENTS, options.events)))
        notified = taking_turns({
            f"belfry-{count}": notifying(Meter(servers[count], cores.server), each, options)
            for count, each in publishers.items()}, options.pairs, "notifications", say)
    return {
        "idle": idle,
        "delivery": summaries(delivered) | summarised_growth(delivered, few, many) | {
            "floorRatio": growth(delivered, f"floor-{few}", f"floor-{many}"),
            # How much more than the kernel's own sends grew.
            "ratioToFloor": growth_to_floor(delivered, few, many)},
        "notification": summaries(notified) | summarised_growth(notified, few, many),
    }


def server(options, folder: Path, stack: ExitStack, cores: set[int] | None) -> Belfry:
    folder.mkdir(exist_ok=True)
    # More than it takes by itself, which leaves more descriptors to everything else.
    return started(
        options, folder, stack, cores, {"BELFRY_ADMISSION_CONNECTIONS": str(max(options.sessions) + 100)})


def sends(count: int, frame_bytes: int, stack: ExitStack, cores) -> Round:
    floor = Floor("sends", [str(count)], cores.server)
    stack.callback(floor.stop)
    takers = Subscribers(floor.port, count, ["--raw", str(frame_bytes)], cores.clients)
    stack.callback(takers.stop)
    takers.open(count)
    floor.expect("accepted", count, within=10)
    side = Round(floor, cores.server, takers, 1, lambda: floor.write(str(frame_bytes)))
    side.run(5, count, None)
    return side


def further(few: tuple[int, int], some: tuple[int, int], many: tuple[int, int]) -> dict[int, int]:
    """Bytes of a session beyond the few, beside few others and beside many; of sessions and memory in KiB, as they came."""
    def beyond(step: tuple[int, int]) -> int:
        return round((step[1] - few[1]) * 1024 / (step[0] - few[0]))

    return {few[0]: beyond(some), many[0]: beyond(many)}


def idling(options, servers: dict[int, Belfry], empty: dict[int, int], further: dict[int, int], say) -> dict:
    """Side by side, so each by its own clock: the kernel's threads cannot be told apart."""
    before = {count: belfry.cpu_seconds() for count, belfry in servers.items()}
    time.sleep(options.watch)
    result = {}
    for count, belfry in servers.items():
        result[str(count)] = {
            "bytes": further[count],
            "bytesOfAll": round((belfry.memory().anonymous - empty[count]) * 1024 / count),
            "microsecondsPerSecond": round((belfry.cpu_seconds() - before[count]) / options.watch / count * 1e6, 3)}
        await_sessions(belfry, count)
    few, many = (result[str(count)] for count in servers)
    say(f"idle: {few} and {many}")
    # A few sessions, watched for a moment, may have cost nothing.
    return result | {"ratios": {key: round(many[key] / few[key], 3) if few[key] else math.nan for key in few}}


def notifying(meter: Meter, publishers: Publishers, options):
    return lambda: meter.of(lambda: (options.events, publishers.run(options.events, options.rate)))


# Rows

def by_rows(options, folder: Path, cores, say) -> dict:
    """A server for each size of store, which take turns; nobody is online."""
    _, _, shape = prepared(options, folder, USERS)
    sizes = {}
    for wanted in options.rows:
        began = time.monotonic()
        own = folder / f"rows-{wanted}"
        (own / "data").mkdir(parents=True)
        store = own / "data/belfry.sqlite"
        rows.copy(folder / "data", store)
        bare = BareRows(store, shape, own, None)
        # What making the inboxes left behind is the smallest size.
        missing = wanted - rows.count(store)
        if missing > 0:
            bare.fill(max(missing // USERS, 1), USERS)
        bare.stop()
        rows.seal(options.belfry, own / "data")
        sizes[rows.count(store)] = own
        say(f"{rows.count(store):,} rows, after {time.monotonic() - began:.0f} s")
    cores.keep_to_clients()
    with ExitStack() as stack:
        sides = {}
        for size, own in sizes.items():
            belfry = server(options, own, stack, cores.server)
            publishers = Publishers(belfry.data / "belfry.sock", USERS, ["--publishers", "8"], cores.clients)
            stack.callback(publishers.stop)
            publishers.run(min(WARM_UP_EVENTS, options.events))
            sides[f"belfry-{size}"] = notifying(Meter(belfry, cores.server), publishers, options)
        costs = taking_turns(sides, options.pairs, "notifications", say)
    few, many = min(sizes), max(sizes)
    return summaries(costs) | summarised_growth(costs, few, many)


# Both

def taking_turns(sides: dict, turns: int, what: str, say) -> dict[str, list[Cost]]:
    costs: dict[str, list[Cost]] = {name: [] for name in sides}
    for number in range(turns):
        for name, run in sides.items():
            costs[name].append(run())
        say(f"{what}, turn {number + 1}: " + ", ".join(
            f"{name} {each[-1].microseconds:.2f} µs" for name, each in costs.items()))
    return costs


def summaries(costs: dict[str, list[Cost]]) -> dict:
    return {"costs": {name: summary(each) for name, each in costs.items()}}


def growths(costs: dict[str, list[Cost]], few: str, many: str) -> list[float]:
    return [round(more.microseconds / less.microseconds, 3) for less, more in zip(costs[few], costs[many])]


def growth(costs: dict[str, list[Cost]], few: str, many: str) -> float:
    return statistics.median(growths(costs, few, many))


def summarised_growth(costs: dict[str, list[Cost]], few: int, many: int) -> dict:
    sides = f"belfry-{few}", f"belfry-{many}"
    return {"ratio": growth(costs, *sides), "ratios": growths(costs, *sides)}


def growth_to_floor(costs: dict[str, list[Cost]], few: int, many: int) -> float:
    def above_floor(count: int) -> list[float]:
        return [ours.microseconds / plain.microseconds
                for ours, plain in zip(costs[f"belfry-{count}"], costs[f"floor-{count}"])]

    return round(statistics.median(more / less for less, more in zip(above_floor(few), above_floor(many))), 3)


def describe(result: dict) -> str:
    parts = []
    if by_sessions := result.get("bySessions"):
        few, many = (str(count) for count in result["sessions"])
        delivery, notification, idle = (by_sessions[key] for key in ("delivery", "notification", "idle"))
        rows = [("", f"{few} sessions", f"{many} sessions", "ratio")]
        for name, part, side, ratio in (
            ("µs of CPU a delivered frame", delivery, "belfry", "ratio"),
            ("the same of plain sends", delivery, "floor", "floorRatio"),
            ("µs of CPU a notification", notification, "belfry", "ratio"),
        ):
            rows.append((
                name, *(f"{part['costs'][f'{side}-{count}']['median']:.2f}" for count in (few, many)),
                f"{part[ratio]:.2f}"))
        for name, key in (
            ("bytes a further idle session", "bytes"), ("bytes a session, all of them", "bytesOfAll"),
            ("µs of CPU a second", "microsecondsPerSecond"),
        ):
            rows.append((name, f"{idle[few][key]}", f"{idle[many][key]}", f"{idle['ratios'][key]:.2f}"))
        parts.append(f"{table(rows)}\n\nA delivery beyond what plain sends grow: {delivery['ratioToFloor']:.2f}.")
    if by_rows := result.get("byRows"):
        rows = [("rows in the store", "µs of CPU a notification", "user share")]
        for name, cost in by_rows["costs"].items():
            rows.append((f"{int(name.partition('-')[2]):,}", f"{cost['median']:.1f}", f"{cost['userShare']:.0%}"))
        parts.append(f"{table(rows)}\n\nFrom the smallest to the greatest: {by_rows['ratio']:.2f}.")
    return "\n\n".join(parts)
