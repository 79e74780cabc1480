#!/usr/bin/env python3
"""Measures a built Belfry: `python3 Benchmarks/run.py NAME`; `--help` lists the names. README.md tells what the numbers
mean.

The result goes to standard output as JSON, a table and the progress to standard error.
"""

import argparse
import json
import os
import shlex
import signal
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from measure import (  # noqa: E402
    Failed, build, churn, compare, compare_peers, compare_report, crowd, crowd_rate, drain, echo, fanout, growth, idle,
    latency, machine, million, poll, publish, push, push_faults, push_outage, report, slow_readers, storm, targets, unicast)

MEASUREMENTS = {
    "all": (targets.measure, report.all_targets),
    "idle": (idle.measure, report.idle),
    "fanout": (fanout.measure, report.fanout),
    "compare": (compare.measure, compare_report.describe),
    "echo": (echo.measure, report.echo),
    "unicast": (unicast.measure, report.unicast),
    "publish": (publish.measure, report.publish),
    "crowd-rate": (crowd_rate.measure, report.crowd_rate),
    "storm": (storm.measure, report.storm),
    "poll": (poll.measure, report.poll),
    "growth": (growth.measure, report.growth),
    "latency": (latency.measure, report.latency),
    "slow-readers": (slow_readers.measure, report.slow_readers),
    "drain": (drain.measure, report.drain),
    "churn": (churn.measure, report.churn),
    "crowd": (crowd.measure, report.crowd),
    "million": (million.measure, report.million),
    "push": (push.measure, report.push),
    "push-faults": (push_faults.measure, report.push_faults),
    "push-outage": (push_outage.measure, report.push_outage),
}


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments(given: list[str] | None = None):
    """Those of the command line, or of one of the measurements of `all`."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--belfry", type=Path, default=HERE.parent / ".build/release/belfry", help="the program")
    common.add_argument("--poller", choices=["epoll", "dispatch"], default="epoll")
    common.add_argument("--shards", type=positive, help="default: one, or one a core if it has all cores")
    users = argparse.ArgumentParser(add_help=False)
    users.add_argument("--sessions-per-user", type=positive, default=1, help="at most 16 (default: 1)")
    tls = argparse.ArgumentParser(add_help=False)
    tls.add_argument("--tls", action="store_true", help="encrypted")
    parser = argparse.ArgumentParser(description="Measurements of a built Belfry.")
    kinds = parser.add_subparsers(dest="measurement", required=True)

    kind = kinds.add_parser("idle", parents=[common, users, tls], help="memory of connections that do nothing")
    kind.add_argument("--sessions", type=positive, help="default: 10,000; 15,000 with --echo")
    kind.add_argument("--echo", action="store_true", help="of `belfry echo`: the engine without the gateway")
    kind.add_argument("--watch", type=positive, default=55, help="seconds to watch their CPU (default: 55)")

    kind = kinds.add_parser("fanout", parents=[common, users], help="CPU per delivered feed item, against plain sends")
    kind.add_argument("--sessions", type=positive, default=1_000)
    kind.add_argument("--items", type=positive, default=300, help="in each half of a pair (default: 300)")
    kind.add_argument("--pairs", type=positive, default=7, help="how often the two alternate (default: 7)")
    kind.add_argument("--rate", type=float, default=50, help="items a second of the second pace (default: 50)")
    kind.add_argument("--item-bytes", type=positive, default=200)
    kind.add_argument("--in-flight", type=positive, default=1, help="items published at the same time (default: 1)")
    kind.add_argument("--array", action="store_true", help="publish them as one array, not on a connection each")
    kind.add_argument("--pace", choices=["lockstep", "rate", "both"], default="both")

    kind = kinds.add_parser("compare", parents=[common], help="fan-out and idle memory, against other servers")
    kind.add_argument("--peers", nargs="*", choices=compare_peers.PEERS, default=compare_peers.PEERS)
    kind.add_argument("--sessions", type=positive, nargs="+", default=[1_000, 10_000], help="default: 1000 10000")
    kind.add_argument(
        "--in-flight", type=positive, nargs="+", default=[], help="for each of the sizes (default: 16, 4 above 1,000)")
    kind.add_argument("--items", type=positive, help="in each half (default: as many as take about a second)")
    kind.add_argument("--rounds", type=positive, default=5, help="how often all take turns (default: 5)")
    kind.add_argument("--item-bytes", type=positive, default=200)
    kind.add_argument("--idle-connections", type=int, default=10_000, help="0 leaves the memory out (default: 10,000)")
    kind.add_argument("--markdown", type=Path, help="a file for the tables")

    kind = kinds.add_parser("echo", parents=[common], help="CPU and system calls per echo, against an epoll loop in C")
    kind.add_argument("--connections", type=positive, default=1_000)
    kind.add_argument("--message-bytes", type=positive, default=64, help="at most 125 (default: 64)")
    kind.add_argument("--busy-messages", type=positive, default=200_000, help="in each half of a pair")
    kind.add_argument("--paced-messages", type=positive, default=60_000, help="in each half of a pair")
    kind.add_argument("--rate", type=float, default=20_000, help="messages a second of the second shape")
    kind.add_argument("--pairs", type=positive, default=7, help="how often the two alternate (default: 7)")

    kind = kinds.add_parser("unicast", parents=[common], help="CPU per notification to one of many, against a send")
    kind.add_argument("--sessions", type=positive, default=10_000, help="at most 18,000 (default: 10,000)")
    kind.add_argument("--publishers", type=positive, default=8, help="each with one event under way (default: 8)")
    kind.add_argument("--events", type=positive, default=20_000, help="in each half of a pair (default: 20,000)")
    kind.add_argument("--rate", type=float, default=2_000, help="events a second of the paced shape (default: 2,000)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often they alternate (default: 5)")

    kind = kinds.add_parser("publish", parents=[common], help="durable events a second, against bare SQLite")
    kind.add_argument("--users", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    kind.add_argument("--publishers", type=positive, default=8, help="that wait for their answers (default: 8)")
    kind.add_argument("--events", type=positive, default=20_000, help="in each half of a pair (default: 20,000)")
    kind.add_argument("--shape", choices=["waiting", "one", "array", "stream", "all"], default="all")
    kind.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")

    kind = kinds.add_parser("crowd-rate", parents=[common], help="one event to very many, against bare SQLite")
    kind.add_argument("--recipients", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    kind.add_argument("--events", type=positive, default=10, help="in each half of a pair (default: 10)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often they alternate (default: 5)")

    kind = kinds.add_parser("storm", parents=[common], help="everybody comes back at once, against plain upgrades")
    kind.add_argument("--sessions", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    kind.add_argument("--missed", type=positive, default=2, help="changes of each inbox meanwhile (default: 2)")
    kind.add_argument("--at-once", type=positive, default=1_000, help="clients on their way (default: 1,000)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")

    kind = kinds.add_parser("poll", parents=[common], help="unread counts that have not changed, against nginx")
    kind.add_argument("--connections", type=positive, default=100)
    kind.add_argument("--users", type=positive, default=1_000, help="who ask in turn (default: 1,000)")
    kind.add_argument("--seconds", type=positive, default=5, help="in each half of a pair (default: 5)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")

    kind = kinds.add_parser("growth", parents=[common], help="costs by the number of sessions and of stored rows")
    kind.add_argument("--by", choices=["sessions", "rows", "both"], default="both")
    kind.add_argument("--sessions", type=positive, nargs=2, default=[1_000, 19_000], metavar=("FEW", "MANY"))
    kind.add_argument("--rows", type=positive, nargs="+", default=[1_000, 100_000, 1_000_000], help="in the stores")
    kind.add_argument("--events", type=positive, default=10_000, help="notifications in each turn (default: 10,000)")
    kind.add_argument("--rate", type=float, default=1_000, help="notifications a second (default: 1,000)")
    kind.add_argument("--watch", type=positive, default=55, help="seconds to watch idle sessions (default: 55)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often they take turns (default: 5)")

    kind = kinds.add_parser("latency", parents=[common], help="times from publishers to frames at a steady rate")
    kind.add_argument("--sessions", type=positive, default=1_000)
    kind.add_argument("--publishers", type=positive, default=32, help="connections to publish on (default: 32)")
    kind.add_argument("--rate", type=float, default=1_000, help="events a second (default: 1,000)")
    kind.add_argument("--seconds", type=positive, default=20, help="in each round (default: 20)")
    kind.add_argument("--rounds", type=positive, default=5)

    kind = kinds.add_parser(
        "slow-readers", parents=[common, users, tls], help="delivery times beside sessions that stopped reading")
    kind.add_argument("--sessions", type=positive, default=5_000)
    kind.add_argument("--slow", type=positive, default=100, help="how many of them stop (default: 100)")
    kind.add_argument("--items", type=positive, default=200, help="in each half of a pair (default: 200)")
    kind.add_argument("--rate", type=float, default=10, help="items a second (default: 10)")
    kind.add_argument("--item-bytes", type=positive, default=2_000)
    kind.add_argument("--pairs", type=positive, default=4, help="how often the two alternate (default: 4)")

    kind = kinds.add_parser("drain", parents=[common, tls], help="a second process takes over from a busy one")
    kind.add_argument("--sessions", type=positive, default=5_000)
    kind.add_argument("--rate", type=float, default=10, help="events a second (default: 10)")
    kind.add_argument("--groups", type=positive, default=10, help="each event is for one of so many groups of users")
    kind.add_argument("--deadline", type=positive, default=30, help="seconds that the first one has (default: 30)")
    kind.add_argument("--drain-rate", type=positive, help="sessions told to come back a second (default: its own)")

    kind = kinds.add_parser("churn", parents=[common, tls], help="connections that vanish in every way")
    kind.add_argument("--minutes", type=float, default=5)
    kind.add_argument("--warm-up", type=float, default=5, help="minutes before the start is looked at (default: 5)")
    kind.add_argument("--per-minute", type=positive, default=6_000, help="new connections (default: 6,000)")

    kind = kinds.add_parser("crowd", parents=[common], help="one event to very many, beside others' publishes")
    kind.add_argument("--recipients", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    kind.add_argument("--events", type=positive, default=10, help="such events in each pair (default: 10)")
    kind.add_argument("--publishers", type=positive, default=8, help="others (default: 8)")
    kind.add_argument("--rate", type=float, default=400, help="their events a second, all together (default: 400)")
    kind.add_argument("--seconds", type=positive, default=5, help="without such events, in each pair (default: 5)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")

    kind = kinds.add_parser("million", parents=[common], help="very many sessions without sockets: the server's own part")
    kind.add_argument("--sessions", type=positive, default=1_000_000, help="at most 2,000,000 (default: 1,000,000)")
    kind.add_argument("--items", type=positive, default=10, help="to all of them (default: 10)")
    kind.add_argument("--events", type=positive, default=2_000, help="for one of them each (default: 2,000)")
    kind.add_argument("--item-bytes", type=positive, default=200)

    kind = kinds.add_parser("push", parents=[common], help="pushes a second to a service, against h2load")
    kind.add_argument("--jobs", type=positive, default=100_000)
    kind.add_argument("--devices", type=positive, default=5_000)
    kind.add_argument("--lead", type=positive, default=10, help="seconds before the first push is due (default: 10)")
    kind.add_argument("--concurrency", type=positive, default=200, help="Belfry's push.concurrency (default: 200)")
    kind.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")

    kind = kinds.add_parser("push-faults", parents=[common], help="a service that errs and a server that is killed")
    kind.add_argument("--jobs", type=positive, default=100_000)
    kind.add_argument("--devices", type=positive, default=10_000)
    kind.add_argument("--kills", type=int, default=3)
    kind.add_argument("--lead", type=positive, default=30, help="seconds before the first push is due (default: 30)")
    kind.add_argument("--minutes", type=positive, default=15, help="to wait for the last one (default: 15)")

    kind = kinds.add_parser("push-outage", parents=[common], help="one service falls silent beside another")
    kind.add_argument("--devices", type=positive, default=500, help="of each service (default: 500)")
    kind.add_argument("--rate", type=float, default=100, help="events a second (default: 100)")
    kind.add_argument("--seconds", type=positive, default=30, help="of each part (default: 30)")

    kind = kinds.add_parser("all", parents=[common], help="everything that has a target, and whether it is met")
    kind.add_argument("--quick", action="store_true", help="small and short: whether it runs, not what it costs")
    kind.add_argument("--only", nargs="+", metavar="NAME", help="these measurements only")
    return parser.parse_args(given)


def run_one(options, given: list[str], folder: Path) -> dict:
    """One of the measurements of `all`, of the same program."""
    own = arguments(given)
    machine.use_all_cores()
    own.belfry, own.poller, own.shards = options.belfry, options.poller, options.shards
    return MEASUREMENTS[own.measurement][0](own, folder, say)


def leave_in_order(number, _frame):
    # Unwinds the stack, and with it everything that was started.
    raise SystemExit(128 + number)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    options = arguments()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave_in_order)
    measure, describe = MEASUREMENTS[options.measurement]
    options.run = lambda given, folder: run_one(options, given, folder)
    try:
        if not os.access(options.belfry, os.X_OK):
            raise Failed(f"{options.belfry} is not there: build it with `make build`, or name another with --belfry")
        result = {
            "measurement": options.measurement,
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "command": shlex.join(["python3", "Benchmarks/run.py", *sys.argv[1:]]),
            "machine": machine.described(),
            "program": machine.program(options.belfry.resolve()),
        }
        build.compile_all()
        with tempfile.TemporaryDirectory(prefix="belfry-bench-") as folder:
            result |= measure(options, Path(folder), say)
    except Failed as problem:
        say(f"run.py: {problem}")
        return 1
    print(json.dumps(result, indent=2))
    say(f"\n{describe(result)}")
    if getattr(options, "markdown", None):
        options.markdown.write_text(describe(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
