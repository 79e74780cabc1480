"""Durable events a second, for one person each, against a bare SQLite program that writes the same rows."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from . import machine
from .clients import Publishers
from .cost import Cost, Meter, compared
from .programs import started
from .store import BareRows, prepared

IN_FLIGHT = 64
WARM_UP_EVENTS = 2_000


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(200)
    cores = machine.cores()
    copy, shape, _ = prepared(options, folder, options.users)
    cores.keep_to_clients()
    count = options.publishers
    # How Belfry is published to, and how many events the floor commits at once.
    shapes = {
        "waiting": (["--publishers", str(count)], count),
        "one": (["--publishers", "1"], 1),
        "array": (["--publishers", "1", "--batch", str(IN_FLIGHT)], IN_FLIGHT),
        "stream": (["--publishers", "1", "--stream", str(IN_FLIGHT)], IN_FLIGHT),
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
            publishers.run(WARM_UP_EVENTS)
            bare.run(WARM_UP_EVENTS, 1, per_commit)
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
