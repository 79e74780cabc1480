"""Durable events a second, for one person each, against a bare SQLite program that writes the same rows."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from ..shared import machine
from ..shared.clients import Publishers
from ..shared.cost import Cost, Meter, compared
from ..shared.options import positive
from ..shared.programs import started
from ..shared.report import table
from ..shared.store import BareRows, prepared

HELP = "durable events a second, against bare SQLite"
IN_FLIGHT = 64
WARM_UP_EVENTS = 2_000


def arguments(parser) -> None:
    parser.add_argument("--users", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    parser.add_argument("--publishers", type=positive, default=8, help="that wait for their answers (default: 8)")
    parser.add_argument("--events", type=positive, default=20_000, help="in each half of a pair (default: 20,000)")
    parser.add_argument("--shape", choices=["waiting", "one", "array", "stream", "all"], default="all")
    parser.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(200)
    cores = machine.cores()
    copy, shape, _ = prepared(options, folder, options.users)
    cores.keep_to_clients()
    count, warm_up = options.publishers, min(WARM_UP_EVENTS, options.events)
    # How Belfry is published to, and how many events the floor commits at once.
    shapes = {
        "waiting": (["--publishers", str(count)], count),
        "one": (["--publishers", "1"], 1),
        "array": (["--publishers", "1", "--batch", str(IN_FLIGHT)], IN_FLIGHT),
        "stream": (["--publishers", "1", "--stream", "--window", str(IN_FLIGHT)], IN_FLIGHT),
    }
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        bare = BareRows(copy, shape, folder, cores.server)
        stack.callback(bare.stop)
        meters = Meter(belfry, cores.server), Meter(bare, cores.server)
        results = {}
        for name, (flags, per_commit) in shapes.items():
            if options.shape not in (name, "all"):
                continue
            publishers = Publishers(belfry.data / "belfry.sock", options.users, flags, cores.clients)
            stack.callback(publishers.stop)
            publishers.run(warm_up)
            bare.run(warm_up, 1, per_commit)
            # One publisher waits for each commit: as many events would take minutes.
            events = max(options.events // (count if name == "one" else 1), 1)
            results[name] = alternate(
                lambda: meters[0].of(lambda: (events, publishers.run(events))),
                lambda: meters[1].of(lambda: (events, bare.run(events, 1, per_commit))),
                options.pairs, lambda text: say(f"{name}: {text}"))
            publishers.stop()
    return {
        "users": options.users,
        "publishers": count,
        "events": options.events,
        "rows": shape.described,
        "poller": options.poller,
        "cores": cores.json,
        "shapes": results,
    }


def alternate(ours, plain, pairs: int, say) -> dict:
    """By events a second, as each side tells them itself; CPU beside it."""
    costs: tuple[list[Cost], list[Cost]] = ([], [])
    for number in range(pairs):
        for side, run in zip(costs, (ours, plain)):
            side.append(run())
        belfry, floor = (side[-1].count / side[-1].said["seconds"] for side in costs)
        say(f"pair {number + 1}: belfry {belfry:,.0f}, floor {floor:,.0f} events a second, {belfry / floor:.2f}")
    rates = [[cost.count / cost.said["seconds"] for cost in side] for side in costs]
    ratios = [belfry / floor for belfry, floor in zip(*rates)]
    result = compared(*costs)
    result["cpuRatio"] = result["ratio"]
    for name, each in zip(("belfry", "floor"), rates):
        result[name]["perSecond"] = round(statistics.median(each), 1)
    result["belfry"] |= {key: statistics.median(cost.said[key] for cost in costs[0]) for key in ("p50", "p99")}
    return result | {
        "ratios": [round(ratio, 3) for ratio in ratios], "ratio": round(statistics.median(ratios), 3),
        "floorCommits": costs[1][-1].said["commits"]}


def describe(result: dict) -> str:
    rows = [(
        "events a second", "belfry", "floor", "ratio", "lowest–highest", "CPU µs an event", "ratio of CPU", "user share",
        "p50 / p99 ms")]
    for name, shape in result["shapes"].items():
        belfry, floor = shape["belfry"], shape["floor"]
        rows.append((
            name, f"{belfry['perSecond']:,.0f}", f"{floor['perSecond']:,.0f}", f"{shape['ratio']:.2f}",
            f"{min(shape['ratios']):.2f}–{max(shape['ratios']):.2f}", f"{belfry['median']:.1f} / {floor['median']:.1f}",
            f"{shape['cpuRatio']:.2f}", f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['p50'] / 1000:.1f} / {belfry['p99'] / 1000:.1f}"))
    return (
        f"{table(rows)}\n\n{result['publishers']} waiting publishers; 64 in flight as arrays and in a stream; one "
        f"recipient each of {result['users']:,}. Poller: {result['poller']}.\nRows of an event: "
        f"{', '.join(result['rows']['recipient'])}.")
