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

from measure import Failed  # noqa: E402
from measure.cluster import cluster_cost, cluster_latency, cluster_storm  # noqa: E402
from measure.comparison import builds, compare  # noqa: E402
from measure.delivery import echo, fanout, latency, slow_readers, unicast  # noqa: E402
from measure.operation import open_console  # noqa: E402
from measure.publishing import crowd, crowd_rate, fairness, pipelined, publish, stored  # noqa: E402
from measure.push import push, push_faults, push_outage  # noqa: E402
from measure.sessions import churn, drain, growth, idle, million, poll, storm, ways  # noqa: E402
from measure.shared import build, entries, machine, options  # noqa: E402
from measure.suites import short, targets  # noqa: E402

# Each says what it takes (`arguments`), measures, and describes what it found. Some also say which `problems` a result
# has: what may not be, however slow the machine.
MEASUREMENTS = {
    "all": targets,
    "short": short,
    "idle": idle,
    "fanout": fanout,
    "compare": compare,
    "echo": echo,
    "unicast": unicast,
    "builds": builds,
    "publish": publish,
    "pipelined": pipelined,
    "crowd-rate": crowd_rate,
    "storm": storm,
    "poll": poll,
    "ways": ways,
    "growth": growth,
    "stored": stored,
    "latency": latency,
    "slow-readers": slow_readers,
    "drain": drain,
    "churn": churn,
    "crowd": crowd,
    "fairness": fairness,
    "million": million,
    "push": push,
    "push-faults": push_faults,
    "push-outage": push_outage,
    "open-console": open_console,
    "cluster-latency": cluster_latency,
    "cluster-cost": cluster_cost,
    "cluster-storm": cluster_storm,
}


def arguments(given: list[str] | None = None):
    """Those of the command line, or of one of the measurements of `all` or `short`."""
    parser = argparse.ArgumentParser(description="Measurements of a built Belfry.")
    names = parser.add_subparsers(dest="measurement", required=True)
    for name, measurement in MEASUREMENTS.items():
        own = names.add_parser(name, help=measurement.HELP)
        options.common(own)
        measurement.arguments(own)
    return parser.parse_args(given)


def measured(chosen, folder: Path) -> dict:
    measurement = MEASUREMENTS[chosen.measurement]
    result = measurement.measure(chosen, folder, say)
    return result | {"problems": measurement.problems(result) if hasattr(measurement, "problems") else []}


def run_one(chosen, given: list[str], folder: Path) -> dict:
    """One of the measurements of `all` or `short`, of the same program."""
    own = arguments(given)
    machine.use_all_cores()
    own.belfry, own.poller, own.shards = chosen.belfry, chosen.poller, chosen.shards
    return measured(own, folder)


def leave_in_order(number, _frame):
    # Unwinds the stack, and with it everything that was started.
    raise SystemExit(128 + number)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    chosen = arguments()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave_in_order)
    measurement = MEASUREMENTS[chosen.measurement]
    chosen.run = lambda given, folder: run_one(chosen, given, folder)
    chosen.names = [name for name, each in MEASUREMENTS.items() if each not in (targets, short)]
    try:
        if chosen.results:
            entries.check(chosen.results)
        if not os.access(chosen.belfry, os.X_OK):
            raise Failed(f"{chosen.belfry} is not there: build it with `make build`, or name another with --belfry")
        result = {
            "measurement": chosen.measurement,
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "command": shlex.join(["python3", "Benchmarks/run.py", *sys.argv[1:]]),
            "machine": machine.described(),
            "program": machine.program(chosen.belfry.resolve()),
        }
        build.compile_all()
        with tempfile.TemporaryDirectory(prefix="belfry-bench-") as folder:
            result |= measured(chosen, Path(folder))
    except Failed as problem:
        say(f"run.py: {problem}")
        return 1
    # First: who reads standard output may have gone. Nor is what was measured lost with the file.
    try:
        if chosen.results:
            entries.add(chosen.results, result, measurement.describe(result))
    except OSError as error:
        result["problems"].append(f"--results: {error}")
    print(json.dumps(result, indent=2))
    say(f"\n{measurement.describe(result)}")
    for problem in result["problems"]:
        say(f"run.py: {chosen.measurement}: {problem}")
    return 1 if result["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
