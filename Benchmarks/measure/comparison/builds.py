"""Two builds of Belfry, side by side: which one takes less CPU to tell one of many, durably.

Both run on the server's core, each with its own store and sessions, and take short turns. What else the machine does meets
both, so a few percent show that two runs one after the other would hide."""

import copy
import random
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..delivery import unicast
from ..shared import machine, tokens
from ..shared.cost import Cost, summary
from ..shared.options import positive
from ..shared.programs import started
from ..shared.report import table

HELP = "CPU per notification to one of many, of two builds that take turns"
RESAMPLES = 2_000


def arguments(parser) -> None:
    parser.add_argument("--other", type=Path, help="the other program (default: the same one, which shows the noise)")
    parser.add_argument("--sessions", type=positive, default=8_000, help="of each, at most 18,000 (default: 8,000)")
    parser.add_argument("--publishers", type=positive, default=256, help="each with one event under way (default: 256)")
    parser.add_argument("--events", type=positive, default=4_000, help="in each turn (default: 4,000)")
    parser.add_argument("--pairs", type=positive, default=100, help="turns of each (default: 100)")


def measure(options, folder: Path, say) -> dict:
    programs = {"belfry": options.belfry, "other": options.other or options.belfry}
    if not programs["other"].is_file():
        raise Failed(f"{programs['other']} is not there: --other takes the path of a built Belfry")
    machine.allow_descriptors(options.sessions + 400)
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        sides = {name: side(name, program, options, folder, cores, stack) for name, program in programs.items()}
        costs = {name: [] for name in sides}
        for number in range(options.pairs):
            # Who is first meets what the pause before it has left.
            for name in sides if number % 2 == 0 else reversed(sides):
                costs[name].append(sides[name].run(options.events, None))
            if (number + 1) % 10 == 0 or number + 1 == options.pairs:
                say(f"{number + 1} of {options.pairs} turns: {ratio(list(zip(*costs.values()))):.3f}")
    pairs = list(zip(costs["belfry"], costs["other"]))
    return {
        "sessions": options.sessions,
        "publishers": options.publishers,
        "events": options.events,
        "programs": {name: machine.program(program.resolve()) for name, program in programs.items()},
        "belfry": summary(costs["belfry"]),
        "other": summary(costs["other"]),
        "ratio": round(ratio(pairs), 4),
        "interval": [round(bound, 4) for bound in interval(pairs)],
        "poller": options.poller,
        "cores": cores.json,
    }


def side(name: str, program: Path, options, folder: Path, cores, stack: ExitStack) -> unicast.Side:
    own = copy.copy(options)
    own.belfry = program
    place = folder / name
    place.mkdir()
    belfry = started(own, place, stack, cores.server)
    token_file = place / "tokens"
    tokens.write(token_file, belfry.data, options.sessions, 1)
    opened = unicast.opened(belfry, belfry.data / "belfry.sock", token_file, [], options, cores, stack)
    # Each user's first notification makes the inbox.
    opened.run(max(options.sessions, unicast.WARM_UP_EVENTS), None)
    return opened


def ratio(pairs: list[tuple[Cost, Cost]]) -> float:
    """Of the sums: a turn that the machine disturbed counts once, and not as a ratio of its own."""
    belfry, other = (sum(cost.microseconds for cost in costs) for costs in zip(*pairs))
    return belfry / other


def interval(pairs: list[tuple[Cost, Cost]]) -> tuple[float, float]:
    """Where the ratio would lie in 95 of 100 runs, as drawing these turns anew tells it (bootstrap)."""
    draw = random.Random(1)
    ratios = sorted(ratio(draw.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    return ratios[RESAMPLES // 40], ratios[-1 - RESAMPLES // 40]


def describe(result: dict) -> str:
    rows = [("µs of CPU a notification", "median", "user share", "events/s")]
    rows += [
        (result["programs"][name]["path"],
         f"{result[name]['median']:.1f}", f"{result[name]['userShare']:.0%}", f"{result[name]['perSecond']:,.0f}")
        for name in ("belfry", "other")]
    low, high = result["interval"]
    return (
        f"{table(rows)}\n\nThe first takes {result['ratio']:.3f} of what the second does (95 of 100: {low:.3f} to {high:.3f}). "
        f"{len(result['belfry']['microseconds'])} turns of {result['events']:,} events, {result['sessions']:,} sessions each, "
        f"{result['publishers']} publishers. Poller: {result['poller']}.")
