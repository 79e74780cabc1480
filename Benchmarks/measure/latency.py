"""How long a notification takes from its publisher to its frame, at a steady rate, by one clock."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from . import machine, tokens
from .clients import Publishers
from .options import positive
from .programs import started
from .report import table

HELP = "times from publishers to frames at a steady rate"


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=1_000)
    parser.add_argument("--publishers", type=positive, default=32, help="connections to publish on (default: 32)")
    parser.add_argument("--rate", type=float, default=1_000, help="events a second (default: 1,000)")
    parser.add_argument("--seconds", type=positive, default=20, help="in each round (default: 20)")
    parser.add_argument("--rounds", type=positive, default=5)


def measure(options, folder: Path, say) -> dict:
    sessions = options.sessions
    machine.allow_descriptors(sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    events = round(options.rate * options.seconds)
    with ExitStack() as stack:
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
        rounds = []
        for number in range(options.rounds):
            said = publishers.run(events, options.rate)
            rounds.append({key: said[key] / 1000 for key in ("p50", "p99", "max")})
            say(f"round {number + 1}: " + ", ".join(f"{key} {value:.2f} ms" for key, value in rounds[-1].items()))
    return {
        "sessions": sessions,
        "publishers": options.publishers,
        "eventsPerSecond": options.rate,
        "secondsEach": options.seconds,
        "rounds": rounds,
        "poller": options.poller,
        "cores": cores.json,
    } | {key: round(statistics.median(each[key] for each in rounds), 3) for key in ("p50", "p99", "max")}


def describe(result: dict) -> str:
    rows = [("publish → frame, ms", "p50", "p99", "longest")]
    for number, each in enumerate(result["rounds"]):
        rows.append((f"round {number + 1}", *(f"{each[key]:.2f}" for key in ("p50", "p99", "max"))))
    rows.append(("median", *(f"{result[key]:.2f}" for key in ("p50", "p99", "max"))))
    return (
        f"{table(rows)}\n\n{result['eventsPerSecond']:g} events a second, evenly spaced, for {result['secondsEach']} s, to "
        f"one of {result['sessions']:,} sessions each; times count from when an event was due. Poller: {result['poller']}.")
