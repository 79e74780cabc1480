#!/usr/bin/env python3
"""Counts what the hot paths take, and compares it with `budgets.tsv`: `python3 Tests/Budgets/run.py [--belfry PATH]`.

A path may take a tenth more instructions than its budget. One that takes a tenth less has earned a smaller budget:
`--update` writes what was counted. Only a release build counts. Needs valgrind, binutils and a C compiler.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]

sys.dont_write_bytecode = True

from counted import Counter, wrapper  # noqa: E402
from harness import world  # noqa: E402
from harness.suite import Failed  # noqa: E402
from paths import HotPath, hot_paths  # noqa: E402

BUDGETS = HERE / "budgets.tsv"
TOLERANCE = 0.10
#: Before counting: caches fill, statements are prepared, buffers grow.
WARM_UP = 50
OPERATIONS = 200


def arguments():
    parser = argparse.ArgumentParser(description="Instructions of the hot paths, against their budgets")
    parser.add_argument("--belfry", default=str(HERE.parents[1] / ".build/release/belfry"), help="a release build")
    parser.add_argument("--update", action="store_true", help="write what was counted as the new budgets")
    return parser.parse_args()


def count(belfry: str, folder: Path, budgets: dict[str, int]) -> dict[str, int]:
    """Instructions of each path's operation, the system calls' own not included."""
    # A program runs some fifty times slower under valgrind.
    world.START_DEADLINE = 180
    tested, phones = world.World(wrapper(belfry, folder), folder, None), world.World(belfry, folder, None)
    try:
        sink = phones.sink()
        # No beat comes in between, and one shard does all.
        server = tested.serve(
            SHARDS="1", LIVE_HEARTBEAT="3600s", LIMITS_CLIENT_FRAMES_PER10S="65000", LIMITS_REQUESTS_PER10S="1000000",
            LIMITS_REQUESTS_PER_ADDRESS_PER10S="1000000", **sink.settings)
        counter, costs = Counter(server, folder), {}
        for path in hot_paths(server, sink):
            costs[path.name] = cost(path, counter, costs)
            if costs[path.name] > budgets.get(path.name, 0) * (1 + TOLERANCE):
                # What comes once in thousands of operations, as when SQLite copies its log back, may have fallen into it.
                costs[path.name] = min(costs[path.name], cost(path, counter, costs))
            print(f"{costs[path.name]:>9,}  {path.name}", flush=True)
        return costs
    finally:
        tested.end()
        phones.end()


def cost(path: HotPath, counter: Counter, costs: dict[str, int]) -> int:
    for _ in range(WARM_UP):
        path.operate()
    counter.since_last()
    for _ in range(OPERATIONS):
        path.operate()
    each = counter.since_last(path.functions) / OPERATIONS
    return round((each - (costs[path.without] if path.without else 0)) / path.count)


def read_budgets() -> dict[str, int]:
    lines = BUDGETS.read_text().splitlines()[1:]
    return {name: int(budget) for budget, name in (line.split("\t") for line in lines)}


def write_budgets(costs: dict[str, int]):
    BUDGETS.write_text("".join(["instructions\tpath\n", *(f"{cost}\t{name}\n" for name, cost in costs.items())]))


def judge(costs: dict[str, int], budgets: dict[str, int]) -> list[str]:
    """What is wrong, a line each."""
    if costs.keys() != budgets.keys():
        return [f"{BUDGETS.name} and paths.py name different paths: {sorted(costs.keys() ^ budgets.keys())}"]
    problems = []
    for name, cost in costs.items():
        change = cost / budgets[name] - 1
        if change > TOLERANCE:
            problems.append(f"{name}: {cost:,} instructions, {change:.0%} more than its budget of {budgets[name]:,}")
        elif change < -TOLERANCE:
            print(f"{name}: {-change:.0%} less than its budget; --update keeps it so")
    return problems


def main() -> int:
    options = arguments()
    budgets = read_budgets()
    folder = Path(tempfile.mkdtemp(prefix="belfry-budgets-"))
    try:
        costs = count(options.belfry, folder, budgets)
    except Failed as problem:
        print(f"budgets: {problem}", file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.update:
        write_budgets(costs)
        return 0
    problems = judge(costs, budgets)
    for problem in problems:
        print(f"budgets: {problem}", file=sys.stderr)
    print(f"{len(costs) - len(problems)} of {len(costs)} hot paths within their budgets")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
