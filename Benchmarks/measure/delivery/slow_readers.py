"""What readers that have stopped reading do to the others: delivery times with and without them, and memory."""

import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import machine, tokens
from ..shared.clients import Clients
from ..shared.options import encrypted, per_user, positive
from ..shared.programs import Belfry, Publisher, padded, started, tls_settings
from ..shared.report import encryption, table

HELP = "delivery times beside sessions that stopped reading"
FEED = "bench"
WARM_UP_ITEMS = 50
# Items that are under way when the last one is published.
ARRIVAL_SECONDS = 2
# A close frame waits two seconds for its reader, behind all that was not read. One of the slow ones stops this much
# before the others: when it is cut off, most of them have been told, and some look why.
AHEAD_SECONDS = 1
LOOKING = 20
# From the first that is gone to the last: not all sockets are full at the same time.
MOST_SECONDS_APART = 15
# So long that nobody is given up for not answering before it is given up for not reading.
HEARTBEAT = "120s"
# From the moment in which they stop: their buffers fill up, then the stall is waited out, then they are closed.
MOST_SECONDS_TO_CLOSE = 90


def arguments(parser) -> None:
    per_user(parser)
    encrypted(parser)
    parser.add_argument("--sessions", type=positive, default=5_000)
    parser.add_argument("--slow", type=positive, default=100, help="how many of them stop (default: 100)")
    parser.add_argument("--items", type=positive, default=200, help="in each half of a pair (default: 200)")
    parser.add_argument("--rate", type=float, default=10, help="items a second (default: 10)")
    parser.add_argument("--item-bytes", type=positive, default=2_000)
    parser.add_argument("--stall", type=positive, default=20, help="seconds until it is cut off (default: 20)")
    parser.add_argument("--pairs", type=positive, default=4, help="how often the two alternate (default: 4)")


def measure(options, folder: Path, say) -> dict:
    sessions, slow = options.sessions, options.slow
    machine.allow_descriptors(sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    settings = {"BELFRY_LIVE_HEARTBEAT": HEARTBEAT, "BELFRY_LIMITS_STALL_TIMEOUT": f"{options.stall}s"}
    flags = []
    if options.tls:
        settings |= tls_settings(folder)
        flags.append("--tls")
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server, settings)
        publisher = Publisher(belfry.data)
        stack.callback(publisher.close)
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, sessions, options.sessions_per_user)
        readers = Clients(
            "readers", belfry.port,
            ["--connections", str(sessions), "--slow", str(slow), "--tokens", str(token_file), "--feed", FEED, *flags],
            cores.clients)
        stack.callback(readers.stop)
        readers.open(sessions)
        pace = Pace(publisher, options.rate, options.item_bytes)
        pace.publish(WARM_UP_ITEMS)
        time.sleep(ARRIVAL_SECONDS)
        before = belfry.memory()
        pairs = []
        for number in range(options.pairs):
            without = attentive(belfry, readers, pace, options)
            stuck = with_slow(belfry, readers, pace, options)
            pair = {"without": without, "with": stuck, "ratio": round(stuck["p99"] / without["p99"], 3)}
            pairs.append(pair)
            say(f"pair {number + 1}: p99 {without['p99'] / 1000:.1f} ms without, {stuck['p99'] / 1000:.1f} ms with, "
                f"{pair['ratio']:.2f}; {stuck['gone']} gone after {stuck['secondsToClose']:.1f} s, "
                f"{stuck['closedAsSlow']} of {stuck['looked']} that looked told 4203")
        time.sleep(ARRIVAL_SECONDS)
        after = belfry.memory()
    most, most_without = (max(pair[half]["mostAnonymousKiB"] for pair in pairs) for half in ("with", "without"))
    return {
        "sessions": sessions,
        "slow": slow,
        "isEncrypted": options.tls,
        "itemBytes": options.item_bytes,
        "itemsPerSecond": options.rate,
        "items": options.items,
        "poller": options.poller,
        "shards": options.shards or 1,
        "cores": cores.json,
        "pairs": pairs,
        "ratio": round(statistics.median(pair["ratio"] for pair in pairs), 3),
        "before": before.json,
        "afterwards": after.json,
        "mostAnonymousKiB": {"with": most, "without": most_without},
        "bytesPerSlowSession": round((most - most_without) * 1024 / slow),
    }


def problems(result: dict) -> list[str]:
    """Those who looked before they were closed may stay."""
    stuck = [pair["with"] for pair in result["pairs"]]
    return [
        f"{each['gone']} of {result['slow']} slow readers were cut off"
        for each in stuck if each["gone"] < result["slow"] - each["looked"]]


class Pace:
    """Items at fixed times, each with the time at which it was published."""

    def __init__(self, publisher: Publisher, rate: float, item_bytes: int):
        self._publisher = publisher
        self._rate = rate
        self._item_bytes = item_bytes

    def publish(self, items: int, on_the_way=lambda: None) -> None:
        began = time.monotonic()
        for number in range(items):
            time.sleep(max(began + number / self._rate - time.monotonic(), 0))
            self._publisher.publish(FEED, padded({"t": time.monotonic_ns()}, self._item_bytes))
            on_the_way()


def attentive(belfry: Belfry, readers: Clients, pace: Pace, options) -> dict:
    """Everybody reads."""
    memory = Peak(belfry)
    readers.write("measure")
    pace.publish(options.items, memory.look)
    return delivered(readers, options) | {"mostAnonymousKiB": memory.most}


def delivered(readers: Clients, options) -> dict:
    time.sleep(ARRIVAL_SECONDS)
    said = readers.report("samples")
    expected = options.items * (options.sessions - options.slow)
    if said["samples"] != expected:
        raise Failed(f"{said['samples']} items came to attentive readers instead of {expected}")
    return {key: said[key] for key in ("samples", "p50", "p99", "max")}


def with_slow(belfry: Belfry, readers: Clients, pace: Pace, options) -> dict:
    """The slow ones stop reading; what the others get is measured, then it goes on until the slow ones are closed."""
    memory = Peak(belfry)
    # The kernel gives a connection that has taken much the more room; a new one's is full within seconds.
    reopen(belfry, readers, options)
    stopped = time.monotonic()
    readers.write("stop 1")
    pace.publish(round(options.rate * AHEAD_SECONDS))
    # The answer to a publisher comes before the item to the readers.
    time.sleep(ARRIVAL_SECONDS)
    readers.write("measure")
    readers.write(f"stop {options.slow}")
    pace.publish(options.items, memory.look)
    result = delivered(readers, options)
    while belfry.sessions() == options.sessions:
        if time.monotonic() - stopped > MOST_SECONDS_TO_CLOSE:
            raise Failed("readers that stopped are not closed")
        pace.publish(1, memory.look)
    seconds = time.monotonic() - stopped
    looking = min(LOOKING, options.slow)
    readers.write(f"resume {looking}")
    deadline = time.monotonic() + MOST_SECONDS_APART
    # Those who looked before they were closed are slow no more, and stay.
    while options.sessions - belfry.sessions() < options.slow - looking and time.monotonic() < deadline:
        pace.publish(1, memory.look)
    gone = options.sessions - belfry.sessions()
    said = readers.report("samples")
    reopen(belfry, readers, options)
    return result | {
        "secondsToClose": round(seconds, 2),
        "gone": gone,
        "looked": looking,
        "closedAsSlow": said["closedAsSlow"],
        "cut": said["cut"],
        "mostAnonymousKiB": memory.most,
    }


def reopen(belfry: Belfry, readers: Clients, options) -> None:
    readers.write("reopen")
    readers.expect("reopened", 1, within=30)
    # Those that they were before may still be there.
    deadline = time.monotonic() + 10
    while belfry.sessions() != options.sessions:
        if time.monotonic() > deadline:
            raise Failed(f"belfry has {belfry.sessions()} sessions instead of {options.sessions}")
        time.sleep(0.1)


class Peak:
    """The most anonymous memory seen, in KiB."""

    def __init__(self, belfry: Belfry):
        self._belfry = belfry
        self.most = 0

    def look(self) -> None:
        self.most = max(self.most, self._belfry.memory().anonymous)


def describe(result: dict) -> str:
    rows = [(
        "ms to the attentive", "p50 without", "p50 with", "p99 without", "p99 with", "ratio of p99", "slow ones gone",
        "after s", "told 4203")]
    for number, pair in enumerate(result["pairs"]):
        without, stuck = pair["without"], pair["with"]
        rows.append((
            f"pair {number + 1}", *(f"{each[key] / 1000:.1f}" for key in ("p50", "p99") for each in (without, stuck)),
            f"{pair['ratio']:.2f}", f"{stuck['gone']}", f"{stuck['secondsToClose']:.1f}",
            f"{stuck['closedAsSlow']} of {stuck['looked']} that looked"))
    return (
        f"{table(rows)}\n\nMedian ratio: {result['ratio']:.2f}. {result['slow']} of {result['sessions']} sessions "
        f"stop reading{encryption(result)}; items of {result['itemBytes']} bytes, {result['itemsPerSecond']:g} a "
        f"second. Poller: {result['poller']}.\nAnonymous memory: {result['before']['anonymousKiB']:,} KiB before, "
        f"{result['mostAnonymousKiB']['without']:,} at most without slow ones, "
        f"{result['mostAnonymousKiB']['with']:,} with, {result['afterwards']['anonymousKiB']:,} afterwards: "
        f"{result['bytesPerSlowSession']:,} bytes a slow session.")
