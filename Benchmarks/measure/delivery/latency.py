"""How long a notification takes from its publisher to its frame, at a steady rate, by one clock; and how long the disk takes
by itself at that rate."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from ..shared import machine, tokens
from ..shared.build import BUILT
from ..shared.clients import Publishers
from ..shared.options import positive
from ..shared.process import Child
from ..shared.programs import started
from ..shared.report import table
from ..shared.slow_disk import SlowDisk

HELP = "times from publishers to frames at a steady rate, beside a disk's syncs"
TIMES = ("p50", "p99", "max")


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=1_000)
    parser.add_argument("--publishers", type=positive, default=32, help="connections to publish on (default: 32)")
    parser.add_argument("--rate", type=float, default=1_000, help="events a second (default: 1,000)")
    parser.add_argument("--seconds", type=positive, default=20, help="in each round (default: 20)")
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument(
        "--writes-per-second", type=positive, help="hold the disk to so many (default: as many as it takes; as root)")


def measure(options, folder: Path, say) -> dict:
    sessions = options.sessions
    machine.allow_descriptors(sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    events = round(options.rate * options.seconds)
    with ExitStack() as stack:
        limit = options.writes_per_second
        slow_disk = stack.enter_context(SlowDisk(folder, limit)) if limit else None
        belfry = started(options, folder, stack, cores.server)
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, sessions, 1)
        publishers = Publishers(
            belfry.data / "belfry.sock", sessions,
            ["--connections", str(sessions), "--tokens", str(token_file), "--publishers", str(options.publishers)],
            cores.clients, belfry.port)
        stack.callback(publishers.stop)
        publishers.open(sessions)
        publishers.run(sessions)
        if slow_disk:
            slow_disk.hold(belfry.pid)
        rounds, disk_rounds, disk = [], [], None
        for number in range(options.rounds):
            before = belfry.written_bytes()
            rounds.append(times(publishers.run(events, options.rate)))
            if not disk:
                bytes_each = max(1, (belfry.written_bytes() - before) // events)
                disk = Disk(folder / "disk", bytes_each, cores.server)
                stack.callback(disk.stop)
                if slow_disk:
                    slow_disk.hold(disk.pid)
            disk_rounds.append(times(disk.run(events, options.rate, within=options.seconds * 3 + 60)))
            say(f"round {number + 1}: {told(rounds[-1])}; the disk alone {told(disk_rounds[-1])}")
    return {
        "sessions": sessions,
        "publishers": options.publishers,
        "eventsPerSecond": options.rate,
        "secondsEach": options.seconds,
        "writesPerSecond": limit,
        "rounds": rounds,
        "disk": {"bytesEach": bytes_each, "rounds": disk_rounds} | medians(disk_rounds),
        "poller": options.poller,
        "cores": cores.json,
    } | medians(rounds)


class Disk(Child):
    """Writes and syncs as much as each event does, at the same pace, and nothing else."""

    def __init__(self, file: Path, bytes_each: int, cores: set[int] | None):
        super().__init__("disk floor", [str(BUILT / "disk-floor"), str(file), str(bytes_each)], cores)
        self._synced = 0
        self.expect("ready", 1, within=60)

    def run(self, messages: int, rate: float, within: float) -> dict:
        self._synced += messages
        self.write(f"run {messages} {rate}")
        return self.expect("synced", self._synced, within)


def times(said: dict) -> dict:
    """Milliseconds."""
    return {key: said[key] / 1000 for key in TIMES}


def medians(rounds: list[dict]) -> dict:
    return {key: round(statistics.median(each[key] for each in rounds), 3) for key in TIMES}


def told(round_: dict) -> str:
    return ", ".join(f"{key} {value:.2f} ms" for key, value in round_.items())


def describe(result: dict) -> str:
    disk = result["disk"]
    rows = [("publish → frame, ms", "p50", "p99", "longest", "the disk alone: p50", "p99", "longest")]
    pairs = [*zip(result["rounds"], disk["rounds"]), (result, disk)]
    for number, sides in enumerate(pairs):
        name = f"round {number + 1}" if number < len(result["rounds"]) else "median"
        rows.append((name, *(f"{side[key]:.2f}" for side in sides for key in TIMES)))
    limit = result["writesPerSecond"]
    held = f" Both on a disk held to {limit:,} writes a second." if limit else ""
    return (
        f"{table(rows)}\n\n{result['eventsPerSecond']:g} events a second, evenly spaced, for {result['secondsEach']} s, to "
        f"one of {result['sessions']:,} sessions each; times count from when an event was due. The disk alone: a program "
        f"that writes {disk['bytesEach']:,} bytes for each, and syncs them.{held} Poller: {result['poller']}.")
