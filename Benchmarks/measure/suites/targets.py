"""Everything that has a target, one measurement after the other, and whether it is met."""

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from ..shared.report import table
from . import series

HELP = "everything that has a target, and whether it is met"


@dataclass(frozen=True)
class Target:
    """A line of the summary: what is asked for, and where a measurement's result tells it."""
    name: str
    limit: float
    value: Callable[[dict], float]
    unit: str = "×"
    # A rate has to be reached, a cost must not be exceeded.
    is_least: bool = False
    # What `value` is the median of, where it is one.
    each: Callable[[dict], list[float]] | None = None
    # Whether a small run, or one on a machine without other servers, need not tell it.
    is_optional: bool = False

    def judged(self, result: dict) -> dict:
        line = {
            "name": self.name, "target": f"{'≥' if self.is_least else '≤'} {self.limit:,} {self.unit}", "spread": ""}
        try:
            value = self.value(result)
        except KeyError:
            # It failed, or this server does not tell.
            reason = [*result["problems"], result.get("missing", "not measured")][0].splitlines()[0]
            return line | {"measured": reason, "value": None, "isMet": None}
        return line | {
            "measured": f"{self.number(value)} {self.unit}", "value": value, **self.spread(result),
            "isMet": value >= self.limit if self.is_least else value <= self.limit}

    def spread(self, result: dict) -> dict:
        values = self.each(result) if self.each else []
        return {"spread": f"{self.number(min(values))}–{self.number(max(values))} of {len(values)}" if values else ""}

    def number(self, value: float) -> str:
        """With three digits beside a limit, which two could round to it."""
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3f}" if 0 < abs(self.limit) < 5 else f"{value:.2f}"


@dataclass(frozen=True)
class Run:
    """One measurement: its arguments, and its targets."""
    arguments: list[str]
    targets: list[Target]


def fan_out(name: str, limit: float) -> Target:
    return Target(
        name, limit, lambda result: result["paces"]["lockstep"]["ratio"],
        each=lambda result: result["paces"]["lockstep"]["ratios"])


def notification(name: str, shape: str, suffix: str = "") -> Target:
    return Target(
        name, 3.5, lambda result: result["shapes"][shape]["ratio" + suffix],
        each=lambda result: result["shapes"][shape]["ratios" + suffix])


def rows_a_second(name: str, part: str) -> Target:
    return Target(
        name, 0.80, lambda result: result[part]["ratio"], is_least=True, each=lambda result: result[part]["ratios"])


def events_a_second(name: str, shape: str) -> Target:
    return Target(
        name, 15_000, lambda result: result["shapes"][shape]["belfry"]["perSecond"], "a second", True)


def delay(name: str, limit: float, percentile: str) -> Target:
    return Target(
        name, limit, lambda result: result[percentile], "ms",
        each=lambda result: [one[percentile] for one in result["rounds"]])


def beside_flood(name: str, row: str) -> Target:
    return Target(name, 1.2, lambda result: result["rows"][row]["ratio"])


def against_peers(name: str, sessions: int, pace: str) -> Target:
    """The cheapest peer's cost, of Belfry's."""
    def ratios(result: dict) -> list[float]:
        parts = {part["sessions"]: part["paces"][pace]["servers"] for part in result["fanOut"]}
        servers = parts[sessions]
        peers = [server["microseconds"] for name, server in servers.items() if name not in ("belfry", "floor")]
        if not peers:
            raise KeyError("peers")
        return [min(theirs) / ours for ours, *theirs in zip(servers["belfry"]["microseconds"], *peers)]

    return Target(
        name, 1, lambda result: statistics.median(ratios(result)), is_least=True, each=ratios,
        is_optional=True)


def sessions_growth(result: dict, part: str, key: str = "ratio"):
    return result["bySessions"][part][key]


FAN_OUT = ["fanout", "--pace", "lockstep"]
TEN_THOUSAND = ["--sessions", "10000", "--items", "30"]
# Of feed, and what their rows are called.
KINDS = {("--live-only",): ", live only", (): ", each on the disk first"}

RUNS = [
    Run([*FAN_OUT, "--pairs", "25", "--live-only"], [
        fan_out("feed fan-out to 1,000, live only: CPU a frame, to a plain send", 1.10)]),
    Run([*FAN_OUT, "--pairs", "25"], [
        fan_out("the same, each item on the disk first", 1.10)]),
    Run([*FAN_OUT, "--pairs", "5", *TEN_THOUSAND, "--live-only"], [
        fan_out("feed fan-out to 10,000, live only", 1.20)]),
    Run([*FAN_OUT, "--pairs", "5", *TEN_THOUSAND], [
        fan_out("the same, each item on the disk first", 1.20)]),
    *(run for kind, names in KINDS.items() for run in [
        Run([*FAN_OUT, "--pairs", "5", "--in-flight", "16", "--items", "60", *kind], [
            fan_out(f"16 in flight, a connection each, to 1,000{names}", 0.13)]),
        Run([*FAN_OUT, "--pairs", "5", "--in-flight", "16", "--array", "--items", "60", *kind], [
            fan_out(f"16 in flight, one array, to 1,000{names}", 0.13)]),
        Run([*FAN_OUT, "--pairs", "5", *TEN_THOUSAND, "--in-flight", "4", *kind], [
            fan_out(f"4 in flight, a connection each, to 10,000{names}", 0.28)]),
        Run([*FAN_OUT, "--pairs", "5", *TEN_THOUSAND, "--in-flight", "4", "--array", *kind], [
            fan_out(f"4 in flight, one array, to 10,000{names}", 0.28)])]),
    Run(["unicast", "--publishers", "256", "--events", "30000", "--shape", "in-flight", "--pairs", "9"], [
        notification("notification to one of 10,000, 256 in flight: CPU, to an undurable delivery", "inFlight"),
        notification("the same, to a delivery and the reading of an ack", "inFlight", "WithAck")]),
    Run(["unicast", "--publishers", "8", "--window", "32", "--events", "30000", "--shape", "in-flight", "--pairs", "9"], [
        notification("the same, on 8 streams with 32 in flight each: to an undurable delivery", "inFlight"),
        notification("the same, to a delivery and the reading of an ack", "inFlight", "WithAck")]),
    Run(["unicast"], [
        notification("notification to one of 10,000, 8 in flight: CPU, to an undurable delivery", "inFlight"),
        notification("the same, to a delivery and the reading of an ack", "inFlight", "WithAck"),
        notification("the same, paced at 2,000 a second: to an undurable delivery", "paced"),
        notification("the same, to a delivery and the reading of an ack", "paced", "WithAck")]),
    Run(["unicast", "--publishers", "64", "--shape", "paced", "--commit-interval", "4ms"], [
        notification("the same, commits 4 ms apart: to an undurable delivery", "paced"),
        notification("the same, to a delivery and the reading of an ack", "paced", "WithAck")]),
    Run(["pipelined"], [
        Target("an event of 256 requests at once, CPU", 60, lambda result: result["belfry"]["median"], "µs",
               each=lambda result: result["belfry"]["microseconds"]),
        Target("events of 256 requests at once", 12_000, lambda result: result["belfry"]["perSecond"], "a second", True),
    ]),
    Run(["publish"], [
        Target("durable publish, 8 publishers: events a second, to bare SQLite", 0.70,
               lambda result: result["shapes"]["waiting"]["ratio"], is_least=True,
               each=lambda result: result["shapes"]["waiting"]["ratios"]),
        events_a_second("the same", "waiting"),
        events_a_second("64 in flight in a stream", "stream"),
        events_a_second("64 in flight as an array", "array")]),
    Run(["crowd-rate"], [
        rows_a_second("one event to 10,000: recipients a second, to bare SQLite in one commit", "inOneCommit"),
        rows_a_second("the same, to bare SQLite with a commit each 1,000 rows", "inSteps"),
        Target("the same", 100_000, lambda result: result["perSecond"]["belfry"], "a second", True)]),
    Run(["latency"], [
        delay("publish → frame at 1,000 a second: p50", 5, "p50"),
        delay("the same: p99", 20, "p99")]),
    Run(["fairness"], [
        beside_flood("p99 of one publisher beside another's flood of single events, to alone", "single"),
        beside_flood("the same beside a flooded stream", "stream")]),
    Run(["idle"], [
        Target("idle session: user memory, all of it", 700,
               lambda result: result["bytesPerSession"]["anonymous"], "bytes"),
        Target("the same, a further one", 700,
               lambda result: result["stages"][-1]["perFurtherSession"]["anonymous"], "bytes"),
        Target("the same: CPU for heartbeats", 1.5,
               lambda result: result["microsecondsPerSessionAndSecond"], "µs a second")]),
    Run(["idle", "--tls", "--watch", "5"], [
        Target("idle session over TLS: user memory", 16_384,
               lambda result: result["bytesPerSession"]["anonymous"], "bytes")]),
    Run(["storm"], [
        Target("storm of 10,000: CPU a client, to a plain upgrade", 5, lambda result: result["ratio"],
               each=lambda result: result["ratios"]),
        Target("the same: inboxes read from the store", 0, lambda result: result["readsFromStore"], "reads")]),
    Run(["poll"], [
        Target("unread count unchanged: requests a second, to nginx's 304", 0.60, lambda result: result["ratio"],
               is_least=True, each=lambda result: result["ratios"])]),
    Run(["growth", "--by", "sessions"], [
        Target("growth from 1,000 to 19,000 sessions: a delivery", 1.2,
               lambda result: sessions_growth(result, "delivery"),
               each=lambda result: sessions_growth(result, "delivery", "ratios")),
        Target("the same, beyond what plain sends grow", 1.2,
               lambda result: sessions_growth(result, "delivery", "ratioToFloor")),
        Target("the same: a notification", 1.2, lambda result: sessions_growth(result, "notification"),
               each=lambda result: sessions_growth(result, "notification", "ratios")),
        Target("the same: a further idle session's memory", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["bytes"]),
        Target("the same: an idle session's memory, of all of it", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["bytesOfAll"]),
        Target("the same: an idle session's CPU", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["microsecondsPerSecond"])]),
    Run(["growth", "--by", "rows", "--rows", "1000", "10000000"], [
        Target("growth from 4,000 to 10,000,000 rows in the store: a notification", 1.2,
               lambda result: result["byRows"]["ratio"], each=lambda result: result["byRows"]["ratios"])]),
    Run(["compare"], [
        against_peers("fan-out to 1,000, the cheapest peer's CPU, of Belfry's", 1_000, "lockstep"),
        against_peers("the same, 16 in flight", 1_000, "in flight"),
        against_peers("the same to 10,000", 10_000, "lockstep"),
        against_peers("the same to 10,000, 4 in flight", 10_000, "in flight")]),
]


arguments = series.arguments


def untold(name: str, result: dict) -> list[str]:
    """The targets of a measurement whose values its result does not tell."""
    targets = [target for run in RUNS if run.arguments[0] == name for target in run.targets]
    return [target.name for target in targets if not target.is_optional and target.judged(result)["value"] is None]


def measure(options, folder: Path, say) -> dict:
    """Each measurement in turn, and how it is judged."""
    rows, runs = [], []
    wanted = [run for run in RUNS if not options.only or run.arguments[0] in options.only]
    for run, measured in zip(wanted, series.each([run.arguments for run in wanted], options, folder, say)):
        runs.append(measured)
        for target in run.targets:
            rows.append(target.judged(measured["result"]))
            say("{name}: {measured} ({target})".format(**rows[-1]))
    return {"rows": rows, "runs": runs, "seconds": round(sum(run["seconds"] for run in runs))}


def problems(result: dict) -> list[str]:
    return series.problems(result["runs"])


def describe(result: dict) -> str:
    verdicts = {True: "met", False: "NOT met", None: "–"}
    rows = [("work", "target", "measured", "lowest–highest", "")]
    rows += [
        (row["name"], row["target"], row["measured"], row["spread"], verdicts[row["isMet"]]) for row in result["rows"]]
    return f"{table(rows)}\n\n{result['seconds'] / 60:.0f} minutes in all."
