"""What an event costs three nodes, and what it costs one on the same PostgreSQL."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from ..shared import machine, tokens
from ..shared.clients import Publishers
from ..shared.options import positive
from ..shared.report import table
from .nodes import Cluster

HELP = "CPU of three nodes for an event, beside that of one"
COUNTS = (1, 3)


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=900)
    parser.add_argument("--publishers", type=positive, default=33, help="connections to publish on (default: 33)")
    parser.add_argument("--events", type=positive, default=15_000, help="in each round (default: 15,000)")
    parser.add_argument("--rate", type=float, help="events a second in all (default: as fast as they are answered)")
    parser.add_argument("--rounds", type=positive, default=5)


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(3 * options.sessions + 600)
    with ExitStack() as stack:
        sides, database = {}, None
        for count in COUNTS:
            own = folder / f"nodes-{count}"
            own.mkdir()
            if database:
                database.sql("CREATE DATABASE several")
            cluster = Cluster(options, own, stack, count, database=database, name="several" if database else "postgres")
            database = cluster.database
            sides[count] = Side(options, own, cluster, stack)
            sides[count].open()
        rounds = {count: [] for count in COUNTS}
        for number in range(options.rounds):
            for count in COUNTS:
                rounds[count].append(sides[count].run())
                say(f"round {number + 1}: {count} nodes, {rounds[count][-1]:.1f} µs of CPU an event")
    medians = {count: statistics.median(rounds[count]) for count in COUNTS}
    return {
        "events": options.events, "eventsPerSecond": options.rate, "sessions": options.sessions, "rounds": rounds,
        "microseconds": medians, "ratio": round(medians[1] / medians[3], 3)}


class Side:
    """Publishers at each node; the sessions of those they publish to are at the next node."""

    def __init__(self, options, folder: Path, cluster: Cluster, stack: ExitStack):
        self._cluster = cluster
        self._sessions = options.sessions // len(cluster.nodes)
        self._events = options.events // len(cluster.nodes)
        self._rate = options.rate / len(cluster.nodes) if options.rate else None
        self._publishers = []
        for place, node in enumerate(cluster.nodes):
            shows = cluster.nodes[(place + 1) % len(cluster.nodes)]
            # Each has people of its own.
            first = place * self._sessions
            token_file = folder / f"tokens-{place}"
            tokens.write(token_file, shows.data, self._sessions, 1, first)
            self._publishers.append(Publishers(
                node.socket, self._sessions,
                ["--connections", str(self._sessions), "--tokens", str(token_file), "--first", str(first), "--publishers",
                 str(options.publishers // len(cluster.nodes))], None, shows.port))
            stack.callback(self._publishers[-1].stop)

    def open(self) -> None:
        for publishers in self._publishers:
            publishers.open(self._sessions)
            publishers.run(self._sessions)

    def run(self) -> float:
        """Microseconds of CPU of all nodes for an event."""
        before = self._cluster.cpu_seconds()
        for publishers in self._publishers:
            publishers.begin(self._events, self._rate)
        for publishers in self._publishers:
            publishers.end(self._events, self._rate)
        return (self._cluster.cpu_seconds() - before) * 1e6 / (self._events * len(self._publishers))


def describe(result: dict) -> str:
    rows = [("nodes", "µs of CPU for an event, published, stored, shown at the next node and acknowledged")]
    rows += [(str(count), f"{cost:.1f}") for count, cost in result["microseconds"].items()]
    pace = f", at {result['eventsPerSecond']:,.0f} events a second" if result["eventsPerSecond"] else ""
    return f"{table(rows)}\n\nFor a CPU second three nodes do {result['ratio']:.2f} of what one does{pace}."
