"""Everybody comes back at once: server CPU for each client that connects, authenticates and resumes, against a plain
server that only answers the upgrade."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from ..publishing.crowd import Crowd
from ..shared import machine, tokens
from ..shared.clients import Storm
from ..shared.cost import Cost, Meter, alternate
from ..shared.options import positive
from ..shared.programs import Belfry, Floor, started
from ..shared.report import table
from .idle import await_sessions

HELP = "everybody comes back at once, against plain upgrades"
READS = 'belfry_inbox_reads_total{from="%s"}'


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    parser.add_argument("--missed", type=positive, default=2, help="changes of each inbox meanwhile (default: 2)")
    parser.add_argument("--at-once", type=positive, default=1_000, help="clients on their way (default: 1,000)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")


def measure(options, folder: Path, say) -> dict:
    sessions, missed = options.sessions, options.missed
    machine.allow_descriptors(sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        floor = Floor("upgrade", [], cores.server)
        stack.callback(floor.stop)
        crowd = Crowd(belfry.data, sessions)
        stack.callback(crowd.close)
        # Makes the inboxes.
        crowd.publish()
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, sessions, 1)
        storms = []
        for server, flags in ((belfry, []), (floor, ["--floor"])):
            storm = Storm(server.port, sessions, token_file, ["--at-once", str(options.at_once), *flags], cores.clients)
            stack.callback(storm.stop)
            storm.open(sessions)
            storms.append(storm)
        meters = Meter(belfry, cores.server), Meter(floor, cores.server)
        said: list[dict] = []

        def ours() -> Cost:
            storms[0].leave()
            await_sessions(belfry, 0)
            for _ in range(missed):
                crowd.publish()
            before = reads(belfry)
            cost = meters[0].of(lambda: (sessions, storms[0].come_back(missed)))
            await_sessions(belfry, sessions)
            said.append(cost.said | {
                f"readsFrom{source.capitalize()}": count - before[source] for source, count in reads(belfry).items()})
            return cost

        def plain() -> Cost:
            storms[1].leave()
            return meters[1].of(lambda: (sessions, storms[1].come_back(0)))

        # The first time back is slower for both: memory that is new.
        ours(), plain()
        said.clear()
        result = alternate(ours, plain, options.pairs, say)
    return {
        "sessions": sessions,
        "missed": missed,
        "atOnce": options.at_once,
        "rounds": said,
        "poller": options.poller,
        "cores": cores.json,
    } | result | {key: statistics.median(each[key] for each in said) for key in said[0]}


def problems(result: dict) -> list[str]:
    sessions, changes = result["sessions"], result["sessions"] * result["missed"]
    return [
        f"{each['recovered']} of {sessions} clients went on where they were, with {each['changes']} of {changes} changes"
        for each in result["rounds"] if (each["recovered"], each["changes"]) != (sessions, changes)]


def reads(belfry: Belfry) -> dict[str, float]:
    """How often inboxes were read since the start, by where they were found; nothing where the metrics do not tell."""
    counts = {source: belfry.metric(READS % source, or_else=-1) for source in ("memory", "store")}
    return {source: count for source, count in counts.items() if count >= 0}


def describe(result: dict) -> str:
    belfry, floor = result["belfry"], result["floor"]
    rows = [
        ("", "belfry", "floor"),
        ("µs of CPU a client", f"{belfry['median']:.1f}", f"{floor['median']:.1f}"),
        ("ratio, lowest–highest", f"{result['ratio']:.2f}", f"{min(result['ratios']):.2f}–{max(result['ratios']):.2f}"),
        ("user share", f"{belfry['userShare']:.0%}", f"{floor['userShare']:.0%}"),
        ("clients a second", f"{belfry['perSecond']:,.0f}", f"{floor['perSecond']:,.0f}"),
        ("all back after, s", f"{result['seconds']:.2f}", ""),
        ("one back after, p50 / p99, ms", f"{result['p50'] / 1000:.1f} / {result['p99'] / 1000:.1f}", ""),
        ("recovered, changes replayed", f"{result['recovered']:,.0f}, {result['changes']:,.0f}", ""),
    ]
    if "readsFromStore" in result:
        rows.append((
            "inboxes read from memory, from the store",
            f"{result.get('readsFromMemory', 0):,.0f}, {result['readsFromStore']:,.0f}", ""))
    return (
        f"{table(rows)}\n\n{result['sessions']:,} clients, at most {result['atOnce']:,} on their way; each missed "
        f"{result['missed']} changes. Poller: {result['poller']}.")
