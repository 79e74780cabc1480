"""Everything that has a target, one measurement after the other, and whether it is met."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import Failed
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
            reason = result.get("problem", "not measured").splitlines()[0]
            return line | {"measured": reason, "value": None, "isMet": None}
        return line | {
            "measured": f"{value:,.{2 if abs(value) < 100 else 0}f} {self.unit}", "value": value,
            "isMet": value >= self.limit if self.is_least else value <= self.limit}


@dataclass(frozen=True)
class Run:
    """One measurement: its arguments, those that make it short, and its targets."""
    arguments: list[str]
    quick: list[str]
    targets: list[Target]


def lockstep(result: dict) -> float:
    return result["paces"]["lockstep"]["ratio"]


def sessions_growth(result: dict, part: str, ratio: str = "ratio") -> float:
    return result["bySessions"][part][ratio]


FAN_OUT = ["fanout", "--pace", "lockstep", "--pairs", "5"]
TEN_THOUSAND = ["--sessions", "10000", "--items", "30"]
ONE_PAIR = ["--pairs", "1"]

RUNS = [
    Run(FAN_OUT, ["--items", "20", *ONE_PAIR], [
        Target("feed fan-out to 1,000: CPU a frame, to a plain send", 1.10, lockstep)]),
    Run([*FAN_OUT, *TEN_THOUSAND], ["--sessions", "2000", "--items", "10", *ONE_PAIR], [
        Target("feed fan-out to 10,000", 1.20, lockstep)]),
    Run([*FAN_OUT, "--in-flight", "16", "--items", "60"], ["--items", "5", *ONE_PAIR], [
        Target("16 in flight, a connection each, to 1,000", 0.13, lockstep)]),
    Run([*FAN_OUT, "--in-flight", "16", "--array", "--items", "60"], ["--items", "5", *ONE_PAIR], [
        Target("16 in flight, one array, to 1,000", 0.13, lockstep)]),
    Run([*FAN_OUT, *TEN_THOUSAND, "--in-flight", "4"], ["--sessions", "2000", "--items", "5", *ONE_PAIR], [
        Target("4 in flight, a connection each, to 10,000", 0.28, lockstep)]),
    Run([*FAN_OUT, *TEN_THOUSAND, "--in-flight", "4", "--array"], ["--sessions", "2000", "--items", "5", *ONE_PAIR], [
        Target("4 in flight, one array, to 10,000", 0.28, lockstep)]),
    Run(["unicast"], ["--sessions", "1000", "--events", "1000", *ONE_PAIR], [
        Target("notification to one of 10,000, 8 in flight: CPU, to an undurable delivery", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratio"]),
        Target("the same, to a delivery and the reading of an ack", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratioWithAck"]),
        Target("the same, paced at 2,000 a second: to an undurable delivery", 3.5,
               lambda result: result["shapes"]["paced"]["ratio"]),
        Target("the same, to a delivery and the reading of an ack", 3.5,
               lambda result: result["shapes"]["paced"]["ratioWithAck"])]),
    Run(["unicast", "--publishers", "256", "--events", "30000"], [
        "--sessions", "1000", "--events", "1000", *ONE_PAIR], [
        Target("notification to one of 10,000, 256 in flight: CPU, to an undurable delivery", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratio"]),
        Target("the same, to a delivery and the reading of an ack", 3.5,
               lambda result: result["shapes"]["inFlight"]["ratioWithAck"])]),
    Run(["publish"], ["--users", "500", "--events", "1000", *ONE_PAIR], [
        Target("durable publish, 8 publishers: events a second, to bare SQLite", 0.70,
               lambda result: result["shapes"]["waiting"]["ratio"], is_least=True),
        Target("the same", 15_000, lambda result: result["shapes"]["waiting"]["belfry"]["perSecond"], "a second", True),
        Target("64 in flight in a stream", 15_000,
               lambda result: result["shapes"]["stream"]["belfry"]["perSecond"], "a second", True),
        Target("64 in flight as an array", 15_000,
               lambda result: result["shapes"]["array"]["belfry"]["perSecond"], "a second", True)]),
    Run(["crowd-rate"], ["--recipients", "2000", "--events", "2", *ONE_PAIR], [
        Target("one event to 10,000: recipients a second, to bare SQLite in one commit", 0.80,
               lambda result: result["inOneCommit"]["ratio"], is_least=True),
        Target("the same, to bare SQLite with a commit each 1,000 rows", 0.80,
               lambda result: result["inSteps"]["ratio"], is_least=True),
        Target("the same", 100_000, lambda result: result["perSecond"]["belfry"], "a second", True)]),
    Run(["latency"], ["--seconds", "2", "--rounds", "1"], [
        Target("publish → frame at 1,000 a second: p50", 5, lambda result: result["p50"], "ms"),
        Target("the same: p99", 20, lambda result: result["p99"], "ms")]),
    Run(["idle"], ["--sessions", "1000", "--watch", "5"], [
        Target("idle session: user memory, all of it", 700,
               lambda result: result["bytesPerSession"]["anonymous"], "bytes"),
        Target("the same, a further one", 700,
               lambda result: result["stages"][-1]["perFurtherSession"]["anonymous"], "bytes"),
        Target("the same: CPU for heartbeats", 1.5,
               lambda result: result["microsecondsPerSessionAndSecond"], "µs a second")]),
    Run(["idle", "--tls", "--watch", "5"], ["--sessions", "1000"], [
        Target("idle session over TLS: user memory", 16_384,
               lambda result: result["bytesPerSession"]["anonymous"], "bytes")]),
    Run(["storm"], ["--sessions", "1000", "--at-once", "200", *ONE_PAIR], [
        Target("storm of 10,000: CPU a client, to a plain upgrade", 5, lambda result: result["ratio"]),
        Target("the same: inboxes read from the store", 0, lambda result: result["readsFromStore"], "reads")]),
    Run(["poll"], ["--seconds", "1", *ONE_PAIR], [
        Target("unread count unchanged: requests a second, to nginx's 304", 0.60, lambda result: result["ratio"],
               is_least=True)]),
    Run(["growth", "--by", "sessions"], ["--sessions", "200", "1000", "--events", "500", "--watch", "5", *ONE_PAIR], [
        Target("growth from 1,000 to 19,000 sessions: a delivery", 1.2,
               lambda result: sessions_growth(result, "delivery")),
        Target("the same, beyond what plain sends grow", 1.2,
               lambda result: sessions_growth(result, "delivery", "ratioToFloor")),
        Target("the same: a notification", 1.2, lambda result: sessions_growth(result, "notification")),
        Target("the same: an idle session's memory", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["bytes"]),
        Target("the same: an idle session's CPU", 1.2,
               lambda result: result["bySessions"]["idle"]["ratios"]["microsecondsPerSecond"])]),
    Run(["growth", "--by", "rows"], ["--rows", "1000", "20000", "--events", "500", *ONE_PAIR], [
        Target("growth from 4,000 to 1,000,000 rows in the store: a notification", 1.2,
               lambda result: result["byRows"]["ratio"])]),
]


def arguments(parser) -> None:
    parser.add_argument("--quick", action="store_true", help="small and short: whether it runs, not what it costs")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these measurements only")


def measure(options, folder: Path, say) -> dict:
    """Each measurement in turn; one that fails is told, and the others go on."""
    rows, runs = [], []
    for number, run in enumerate(RUNS):
        if options.only and run.arguments[0] not in options.only:
            continue
        arguments = [*run.arguments, *(run.quick if options.quick else [])]
        say(f"\n== {' '.join(arguments)}")
        own = folder / str(number)
        own.mkdir()
        began = time.monotonic()
        try:
            result = options.run(arguments, own)
        # Whatever goes wrong with one, a server that resets a connection, too, the others' results are not lost.
        except Exception as problem:
            reason = str(problem) if isinstance(problem, Failed) else repr(problem)
            say(f"failed: {reason}")
            result = {"problem": reason}
        seconds = round(time.monotonic() - began, 1)
        runs.append({"arguments": arguments, "seconds": seconds, "result": result})
        for target in run.targets:
            rows.append(target.judged(result))
            say("{name}: {measured} ({target})".format(**rows[-1]))
        say(f"took {seconds} s")
    return {"isQuick": options.quick, "rows": rows, "runs": runs, "seconds": round(sum(run["seconds"] for run in runs))}


def describe(result: dict) -> str:
    # A quick run's sizes are others than the names tell.
    verdicts = {} if result["isQuick"] else {True: "met", False: "NOT met", None: "–"}
    rows = [("work", "target", "measured", "")]
    rows += [(row["name"], row["target"], row["measured"], verdicts.get(row["isMet"], "quick")) for row in result["rows"]]
    return f"{table(rows)}\n\n{result['seconds'] / 60:.0f} minutes in all."
