#!/usr/bin/env python3
"""Measures a built Belfry: `python3 Benchmarks/run.py idle` or `… fanout`. README.md tells what the numbers mean.

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

from measure import Failed, build, fanout, idle, machine, report  # noqa: E402

MEASUREMENTS = {"idle": (idle.measure, report.idle), "fanout": (fanout.measure, report.fanout)}


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments():
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--belfry", type=Path, default=HERE.parent / ".build/release/belfry", help="the program")
    common.add_argument("--poller", choices=["epoll", "dispatch"], default="epoll")
    common.add_argument("--shards", type=positive, help="default: one a core for idle, one for fanout")
    common.add_argument("--sessions-per-user", type=positive, default=1, help="at most 16 (default: 1)")
    parser = argparse.ArgumentParser(description="Measurements of a built Belfry.")
    kinds = parser.add_subparsers(dest="measurement", required=True)
    kind = kinds.add_parser("idle", parents=[common], help="memory of sessions that do nothing")
    kind.add_argument("--sessions", type=positive, default=10_000)
    kind = kinds.add_parser("fanout", parents=[common], help="CPU per delivered feed item, against plain sends")
    kind.add_argument("--sessions", type=positive, default=1_000)
    kind.add_argument("--items", type=positive, default=300, help="in each half of a pair (default: 300)")
    kind.add_argument("--pairs", type=positive, default=7, help="how often the two alternate (default: 7)")
    kind.add_argument("--rate", type=float, default=50, help="items a second of the second pace (default: 50)")
    kind.add_argument("--item-bytes", type=positive, default=200)
    return parser.parse_args()


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
    return 0


if __name__ == "__main__":
    sys.exit(main())
