"""How long a notification takes from a publisher at one node to the frame of a session at another one."""

from contextlib import ExitStack
from pathlib import Path

from ..delivery.latency import TIMES, medians, times, told
from ..shared import machine, tokens
from ..shared.clients import Publishers
from ..shared.options import positive
from ..shared.report import table
from .nodes import Cluster

HELP = "times from a publisher at one node to a frame of another one"
#: How many nodes there are, and how they hear of each other.
WAYS = {"alone": (1, {}), "listening": (2, {}), "polling": (2, {"BELFRY_STORE_POLL_INTERVAL": "50ms"})}


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=1_000)
    parser.add_argument("--publishers", type=positive, default=32, help="connections to publish on (default: 32)")
    parser.add_argument("--rate", type=float, default=1_000, help="events a second (default: 1,000)")
    parser.add_argument("--seconds", type=positive, default=20, help="in each round (default: 20)")
    parser.add_argument("--rounds", type=positive, default=5)


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(3 * options.sessions + 600)
    events = round(options.rate * options.seconds)
    with ExitStack() as stack:
        publishers, database = {}, None
        for way, (count, settings) in WAYS.items():
            own = folder / way
            own.mkdir()
            if database:
                database.sql(f"CREATE DATABASE {way}")
            cluster = Cluster(options, own, stack, count, settings, database=database, name=way if database else "postgres")
            database = cluster.database
            publishes, shows = cluster.nodes[0], cluster.nodes[-1]
            tokens.write(own / "tokens", shows.data, options.sessions, 1)
            publishers[way] = Publishers(
                publishes.socket, options.sessions,
                ["--connections", str(options.sessions), "--tokens", str(own / "tokens"), "--publishers",
                 str(options.publishers)], None, shows.port)
            stack.callback(publishers[way].stop)
            publishers[way].open(options.sessions)
            publishers[way].run(options.sessions)
        rounds = {way: [] for way in WAYS}
        for number in range(options.rounds):
            for way in WAYS:
                rounds[way].append(times(publishers[way].run(events, options.rate)))
                say(f"round {number + 1}, {way}: {told(rounds[way][-1])}")
    return {
        "sessions": options.sessions, "eventsPerSecond": options.rate, "secondsEach": options.seconds,
        "ways": {way: {"rounds": rounds[way]} | medians(rounds[way]) for way in WAYS}}


def describe(result: dict) -> str:
    rows = [("", "p50, p99, max of a publication's frame in ms")]
    rows += [(way, told({key: found[key] for key in TIMES})) for way, found in result["ways"].items()]
    return f"{table(rows)}\n\n{result['eventsPerSecond']:,.0f} events a second, {result['sessions']:,} sessions."
