"""Everything that has a target, one measurement after the other, and whether it is met."""

from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import series
from .report import table

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

    def judged(self, result: dict) -> dict:
        line = {"name": self.name, "target": f"{'≥' if self.is_least else '≤'} {self.limit:,} {self.unit}"}
        try:
            value = self.value(result)
        except KeyError:
            # It failed, or this server does not tell.
            reason = [*result["problems"], result.get("missing", "not measured")][0].splitlines()[0]
            return line | {"measured": reason, "value": None, "isMet": None}
        return line | {
            "measured": f"{value:,.{2 if abs(value) < 100 else 0}f} {self.unit}", "value": value,
            "isMet": value >= self.limit if self.is_least else value <= self.limit}


@dataclass(frozen=True)
class Run:
    """One measurement: its arguments, and its targets."""
    arguments: list[str]
    targets: list[Target]


def lockstep(result: dict) -> float:
    return result["paces"]["lockstep"]["ratio"]


def sessions_growth(result: dict, part: str, ratio: str = "ratio") -> float:
    return result["bySessions"][part][ratio]


FAN_OUT = ["fanout", "--pace", "lockstep", "--pairs", "5"]
TEN_THOUSAND = ["--sessions", "10000", "--items", "30"]

RUNS = [
    Run(FAN_OUT, [
        Target("feed fan-out to 1,000: CPU a frame, to a plain send", 1.10, lockstep)]),
    Run([*FAN_OUT, *TEN_THOUSAND], [
        Target("feed fan-out to 10,000", 1.20, lockstep)]),
    Run([*FAN_OUT, "--in-flight", "16", "--items", "60"], [
        Target("16 in flight, a connection each, to 1,000", 0.13, lockstep)]),
    Run([*FAN_OUT, "--in-flight", "16", "--array", "--items", "60"], [
        Target("16 in flight, one array, to 1,000", 0.13, lockstep)]),
    Run([*FAN_OUT, *TEN_THOUSAND, "--in-flight", "4"], [
        Target("4 in flight, a connection each, to 10,000", 0.28, lockstep)]),
    Run([*FAN_OUT, *TEN_THOUSAND, "--in-flight", "4", "--array"], [
        Target("4 in flight, one array, to 10,000", 0.28, lockstep)]),
    Run(["unicast"], [
        Target("notification to one of 10,000, 8 in flight: CPU, to an undurable delivery", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratio"]),
        Target("the same, to a delivery and the reading of an ack", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratioWithAck"]),
        Target("the same, paced at 2,000 a second: to an undurable delivery", 3.5,
               lambda result: result["shapes"]["paced"]["ratio"]),
        Target("the same, to a delivery and the reading of an ack", 3.5,
               lambda result: result["shapes"]["paced"]["ratioWithAck"])]),
    Run(["unicast", "--publishers", "256", "--events", "30000"], [
        Target("notification to one of 10,000, 256 in flight: CPU, to an undurable delivery", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratio"]),
        Target("the same, to a delivery and the reading of an ack", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratioWithAck"])]),
    Run(["publish"], [
        Target("durable publish, 8 publishers: events a second, to bare SQLite", 0.70,
               lambda result: result["shapes"]["waiting"]["ratio"], is_least=True),
        Target("the same", 15_000, lambda result: result["shapes"]["waiting"]["belfry"]["perSecond"], "a second", True),
        Target("64 in flight in a stream", 15_000,
               lambda result: result["shapes"]["stream"]["belfry"]["perSecond"], "a second", True),
        Target("64 in flight as an array", 15_000,
               lambda result: result["shapes"]["array"]["belfry"]["perSecond"], "a second", True)]),
    Run(["crowd-rate"], [
        Target("one event to 10,000: recipients a second, to bare SQLite in one commit", 0.80,
               lambda result: result["inOneCommit"]["ratio"], is_least=True),
        Target("the same, to bare SQLite with a commit each 1,000 rows", 0.80,
               lambda result: result["inSteps"]["ratio"], is_least=True),
        Target("the same", 100_000, lambda result: result["perSecond"]["belfry"], "a second", True)]),
    Run(["latency"], [
        Target("publish → frame at 1,000 a second: p50", 5, lambda result: result["p50"], "ms"),
        Target("the same: p99", 20, lambda result: result["p99"], "ms")]),
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
        Target("storm of 10,000: CPU a client, to a plain upgrade", 5, lambda result: result["ratio"]),
        Target("the same: inboxes read from the store", 0, lambda result: result["readsFromStore"], "reads")]),
    Run(["poll"], [
        Target("unread count unchanged: requests a second, to nginx's 304", 0.60, lambda result: result["ratio"],
               is_least=True)]),
    Run(["growth", "--by", "sessions"], [
        Target("growth from 1,000 to 19,000 sessions: a delivery", 1.2,
               lambda result: sessions_growth(result, "delivery")),
        Target("the same, beyond what plain sends grow", 1.2,
               lambda result: sessions_growth(result, "delivery", "ratioToFloor")),
        Target("the same: a notification", 1.2, lambda result: sessions_growth(result, "notification")),
        Target("the same: a further idle session's memory", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["bytes"]),
        Target("the same: an idle session's memory, of all of it", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["bytesOfAll"]),
        Target("the same: an idle session's CPU", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["microsecondsPerSecond"])]),
    Run(["growth", "--by", "rows"], [
        Target("growth from 4,000 to 1,000,000 rows in the store: a notification", 1.2,
               lambda result: result["byRows"]["ratio"])]),
]


arguments = series.arguments


def untold(name: str, result: dict) -> list[str]:
    """The targets of a measurement whose values its result does not tell."""
    targets = [target for run in RUNS if run.arguments[0] == name for target in run.targets]
    return [target.name for target in targets if target.judged(result)["value"] is None]


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
    rows = [("work", "target", "measured", "")]
    rows += [(row["name"], row["target"], row["measured"], verdicts[row["isMet"]]) for row in result["rows"]]
    return f"{table(rows)}\n\n{result['seconds'] / 60:.0f} minutes in all."
