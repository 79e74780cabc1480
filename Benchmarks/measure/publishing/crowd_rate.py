"""One event for very many people: how many a second, against a bare SQLite program that writes the same rows."""

import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from ..shared import machine
from ..shared.cost import Cost, Meter, compared
from ..shared.options import positive
from ..shared.programs import started
from ..shared.report import table
from ..shared.store import BareRows, prepared
from .crowd import Crowd

HELP = "one event to very many, against bare SQLite"
# Belfry commits no more at once, so that nobody else waits long (SQLiteStoreOptions.rowsPerCommit).
ROWS_PER_COMMIT = 1_000


def arguments(parser) -> None:
    parser.add_argument("--recipients", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    parser.add_argument("--events", type=positive, default=10, help="in each half of a pair (default: 10)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often they alternate (default: 5)")


def measure(options, folder: Path, say) -> dict:
    recipients = options.recipients
    machine.allow_descriptors(200)
    cores = machine.cores()
    copy, _, shape = prepared(options, folder, recipients)
    cores.keep_to_clients()
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        crowd = Crowd(belfry.data, recipients)
        stack.callback(crowd.close)
        bare = BareRows(copy, shape, folder, cores.server)
        stack.callback(bare.stop)
        meters = Meter(belfry, cores.server), Meter(bare, cores.server)

        def ours() -> Cost:
            return meters[0].of(lambda: (
                options.events * recipients, {"seconds": sum(crowd.publish() for _ in range(options.events))}))

        def plain(per_commit: int) -> Cost:
            return meters[1].of(lambda: (
                options.events * recipients, bare.run(options.events, recipients, per_commit)))

        sides = {"belfry": ours, "floor": lambda: plain(recipients), "floorInSteps": lambda: plain(ROWS_PER_COMMIT)}
        for side in sides.values():
            side()
        costs: dict[str, list[Cost]] = {name: [] for name in sides}
        for number in range(options.pairs):
            for name, side in sides.items():
                costs[name].append(side())
                # The log is copied into the file by the side that wrote it, not by the next one's disk time.
                time.sleep(0.2)
            say(f"pair {number + 1}: recipients a second: " + ", ".join(
                f"{name} {rate(each[-1]):,.0f}" for name, each in costs.items()))
    rates = {name: [rate(cost) for cost in each] for name, each in costs.items()}

    def ratio(floor: str) -> dict:
        each = [ours / plain for ours, plain in zip(rates["belfry"], rates[floor])]
        return {"ratios": [round(one, 3) for one in each], "ratio": round(statistics.median(each), 3)}

    return {
        "recipients": recipients,
        "events": options.events,
        "rows": shape.described,
        "poller": options.poller,
        "perSecond": {name: round(statistics.median(each)) for name, each in rates.items()},
        "inOneCommit": ratio("floor"),
        "inSteps": ratio("floorInSteps"),
        "cpu": compared(costs["belfry"], costs["floor"]),
        "cores": cores.json,
    }


def rate(cost: Cost) -> float:
    return cost.count / cost.said["seconds"]


def describe(result: dict) -> str:
    rows = [("recipients a second", "median", "belfry's ratio to it", "lowest–highest")]
    rows.append(("belfry", f"{result['perSecond']['belfry']:,}", "", ""))
    for name, key, side in (
        ("floor, one commit an event", "inOneCommit", "floor"),
        ("floor, a commit each 1,000 rows", "inSteps", "floorInSteps"),
    ):
        ratios = result[key]["ratios"]
        rows.append((
            name, f"{result['perSecond'][side]:,}", f"{result[key]['ratio']:.2f}", f"{min(ratios):.2f}–{max(ratios):.2f}"))
    each = result["rows"]
    return (
        f"{table(rows)}\n\n{result['recipients']:,} recipients an event. CPU: {result['cpu']['belfry']['median']:.2f} / "
        f"{result['cpu']['floor']['median']:.2f} µs a recipient, ratio {result['cpu']['ratio']:.2f}. Poller: "
        f"{result['poller']}.\nRows for each recipient: {', '.join(each['recipient'])}; for each {each['pageSize']}: "
        f"{', '.join(each['page'])}; for the event: {', '.join(each['event'])}.")
