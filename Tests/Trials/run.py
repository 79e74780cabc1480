#!/usr/bin/env python3
"""Runs the program while it is killed, stopped and cut off, and judges what everybody saw: `Tests/Trials/run.py`.

    Tests/Trials/run.py --kills 20                      # as `make test` does, on SQLite
    Tests/Trials/run.py --kills 1000 --pauses 200 --cuts 200
    Tests/Trials/run.py --cluster --kills 100           # three nodes on one PostgreSQL
    Tests/Trials/run.py --minutes 360 --kills 0         # hours without a kill, and how memory grows
    Tests/Trials/run.py --judge HISTORY                 # again, what a failed run has kept

The seed decides what is done, and not when: a run is never the same twice. A history that breaks a promise is kept.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]

sys.dont_write_bytecode = True

from harness.cluster import Cluster  # noqa: E402
from harness.databases import Databases, ensure_server  # noqa: E402
from harness.runner import make_apns_key  # noqa: E402
from harness.suite import Failed  # noqa: E402
from harness.world import ROOT, World  # noqa: E402
from history import read  # noqa: E402
from judge import Verdict, judge  # noqa: E402
from slopes import Samples, slope  # noqa: E402
from trial import SETTINGS, Trial  # noqa: E402

#: After so many faults everything comes to rest, and is judged.
FAULTS_A_TRIAL = 20
#: A run with so many of a kind of fault in which these never happened shows nothing about them.
NEEDED = (
    ("kill", 10, "sessions that came back"),
    ("kill", 10, "pushes that were needed"),
    ("kill", 10, "pushes that were not needed"),
    ("kill", 10, "devices that were told everything"),
    ("kill", 500, "stored before its answer was lost"),
)


def arguments():
    parser = argparse.ArgumentParser(
        description="Kills, pauses and cuts, and a judge of what everybody saw", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--belfry", default=str(ROOT / ".build/debug/belfry"), help="the program to try")
    parser.add_argument("--kills", type=int, default=20, help="how often a node is killed by SIGKILL")
    parser.add_argument("--pauses", type=int, default=0, help="how often a node's process is stopped for a while")
    parser.add_argument("--cuts", type=int, default=0, help="how often the network fails")
    parser.add_argument("--minutes", type=float, default=0, help="go on for so long at least")
    parser.add_argument("--cluster", action="store_true", help="three nodes on one PostgreSQL in the place of one with SQLite")
    parser.add_argument("--pause", type=float, default=0.02, help="how long a backend waits between two events, in seconds on average")
    parser.add_argument("--seed", type=int, default=1, help="decides what is done")
    parser.add_argument("--judge", type=Path, metavar="HISTORY", help="judge a history that was kept, and do nothing else")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.judge:
        return tell(judge(read(options.judge)), [])
    if options.cluster:
        ensure_server()
    if not Path(options.belfry).exists():
        print(f"{options.belfry} is not there: build it first, or name another program with --belfry")
        return 1
    with tempfile.TemporaryDirectory(prefix="belfry-trials-") as folder:
        make_apns_key(Path(folder))
        world = World(str(Path(options.belfry).resolve()), Path(folder), None)
        if options.cluster:
            world.databases, world.server = Databases(world.folder), Cluster
        try:
            return run(world, options)
        finally:
            world.end()


def run(world: World, options) -> int:
    chance = random.Random(options.seed)
    faults = ["kill"] * options.kills + ["pause"] * options.pauses + ["cut"] * options.cuts
    chance.shuffle(faults)
    portions = [faults[start:start + FAULTS_A_TRIAL] for start in range(0, len(faults), FAULTS_A_TRIAL)] or [[]]
    sink = world.sink()
    server = world.serve(**sink.settings, **SETTINGS)
    samples = Samples(server)
    samples.start()
    whole, began, number = Verdict(), time.monotonic(), 0
    share = options.minutes * 60 / len(portions)
    while number < len(portions) or time.monotonic() - began < options.minutes * 60:
        trial = Trial(server, sink, number, chance, options.pause)
        stopped = None
        try:
            trial.run(portions[number] if number < len(portions) else [], min(share, 300))
        except Failed as failure:
            stopped = str(failure)
        verdict = judge(trial.history.facts) if stopped is None else Verdict([stopped])
        whole.counts += verdict.counts
        number += 1
        if verdict.broken:
            kept = Path(tempfile.gettempdir()) / f"belfry-history-{options.seed}-{number}.ndjson"
            trial.history.write(kept)
            whole.broken += verdict.broken + [f"the history is kept in {kept}"]
            break
        events = whole.counts["Published"]
        print(f"trial {number}: {time.monotonic() - began:.0f} s, {events} events, nothing broken so far", flush=True)
    samples.end()
    if server.drift() != 0:
        whole.broken.append("the count of unread notifications has drifted")
    if not whole.broken:
        whole.broken += missing(whole.counts, faults)
    return tell(whole, slopes(samples) if options.minutes else [])


def missing(counts: Counter, faults: list[str]) -> list[str]:
    return [f"it never happened: {name}" for kind, least, name in NEEDED if faults.count(kind) >= least and not counts[name]]


def slopes(samples: Samples) -> list[str]:
    lines = []
    for name, points in samples.series.items():
        # The first tenth warms up: caches fill, and the allocator takes what it keeps.
        steady = points[len(points) // 10:]
        rise, error = slope(steady)
        # Of the many gauges only those that do not stay where they are.
        if ": belfry_" in name and abs(rise) <= 3 * error:
            continue
        lines.append(f"{name}: {steady[0][1]:.1f} to {steady[-1][1]:.1f}, {rise:+.2f} ± {error:.2f} an hour")
    return lines


def tell(verdict: Verdict, more: list[str]) -> int:
    for name, count in sorted(verdict.counts.items()):
        print(f"{count:>10,}  {name}")
    for line in more:
        print(f"            {line}")
    for line in verdict.broken[:20]:
        print(f"BROKEN  {line}")
    print(f"{0 if verdict.broken else 1} passed, {1 if verdict.broken else 0} failed")
    return 1 if verdict.broken else 0


if __name__ == "__main__":
    sys.exit(main())
