"""Every measurement, small and short, some at a time: whether it still runs, not what anything costs."""

from pathlib import Path

from ..shared import options
from ..shared.report import table
from . import series, targets

HELP = "every measurement, small and short: whether it runs, not what it costs"

ONE_PAIR = ["--pairs", "1"]
# So that all sessions have been pinged within moments, and memory is looked at then.
PINGS = ["--heartbeat", "0.2"]

# Few enough sessions for 4,096 open files. The longest come first, so that nothing waits for them in the end.
RUNS = [
    ["growth", "--sessions", "100", "500", "--rows", "500", "2000", "--items", "10", "--item-rate", "10",
     "--events", "200", "--watch", "1", *ONE_PAIR],
    # A network of its own needs root.
    ["cluster-storm", "--sessions", "150", "--rate", "50", "--phones", "20", "--calm", "2", "--stop", "2", "--without", "cut"],
    ["fanout", "--sessions", "200", "--items", "20", "--synced-floor", *ONE_PAIR],
    ["fanout", "--sessions", "200", "--items", "20", "--live-only", *ONE_PAIR],
    ["fanout", "--sessions", "200", "--items", "5", *ONE_PAIR, "--pace", "lockstep", "--in-flight", "16", "--array"],
    ["unicast", "--sessions", "500", "--events", "500", *ONE_PAIR],
    ["unicast", "--sessions", "500", "--events", "500", "--window", "8", *ONE_PAIR],
    ["builds", "--sessions", "500", "--events", "500", "--pairs", "2"],
    ["publish", "--users", "500", "--events", "200", *ONE_PAIR],
    ["pipelined", "--events", "512", "--rounds", "1"],
    ["crowd-rate", "--recipients", "2000", "--events", "2", *ONE_PAIR],
    ["crowd", "--seconds", "1", "--events", "2", *ONE_PAIR],
    ["fairness", "--seconds", "1", "--turns", "1"],
    ["latency", "--sessions", "500", "--seconds", "1", "--rounds", "1"],
    ["open-console", "--sessions", "500", "--seconds", "3", "--rounds", "1"],
    ["idle", "--sessions", "200", "--watch", "1", *PINGS],
    ["idle", "--sessions", "200", "--watch", "1", *PINGS, "--echo", "--tls"],
    ["storm", "--sessions", "500", "--at-once", "100", *ONE_PAIR],
    ["ways", "--sessions", "100", "--events", "5", "--rounds", "1"],
    ["poll", "--users", "100", "--seconds", "1", *ONE_PAIR],
    ["echo", "--connections", "200", "--busy-messages", "2000", "--paced-messages", "2000", *ONE_PAIR],
    ["stored", "--events", "400", "--users", "50"],
    ["million", "--sessions", "5000", "--items", "3", "--events", "200", *PINGS],
    # SwiftNIO's server would have to be built.
    ["compare", "--peers", "nchan", "nats", "mosquitto", "--sessions", "200", "--items", "32", "--rounds", "1",
     "--idle-connections", "200", *PINGS],
    ["slow-readers", "--sessions", "200", "--slow", "10", "--items", "100", "--rate", "100", "--stall", "2", *ONE_PAIR],
    ["drain", "--sessions", "300", "--deadline", "5"],
    ["churn", "--per-minute", "1200", "--minutes", "0.05", "--warm-up", "0", "--quiet", "1"],
    # With little under way at a time, so that they do not leave within a moment.
    ["push", "--jobs", "10000", "--devices", "500", "--lead", "8", "--concurrency", "1", *ONE_PAIR],
    # What is not answered waits for 20 s: so without that. What fails waits for 10 at least, and more the second time: so
    # few. The sink draws its faults alike each time, and some meet these.
    ["push-faults", "--jobs", "150", "--devices", "100", "--kills", "1", "--lead", "3", "--without", "noAnswer", "drop"],
    ["push-outage", "--devices", "50", "--rate", "50", "--seconds", "2", "--status", "503"],
    ["cluster-latency", "--sessions", "100", "--rate", "100", "--seconds", "1", "--rounds", "1"],
    ["cluster-cost", "--sessions", "90", "--publishers", "9", "--events", "300", "--rounds", "1"],
]


# Those that take more than ten seconds even so.
SLOW = {"growth", "cluster-storm", "cluster-latency", "cluster-cost", "million", "push", "push-faults", "push-outage", "churn",
        "fairness", "compare", "slow-readers", "drain"}


def arguments(parser) -> None:
    series.arguments(parser)
    parser.add_argument("--quick", action="store_true", help="without those that take more than ten seconds even so")
    parser.add_argument("--jobs", type=options.positive, default=4, help="how many run at a time (default: 4)")


def measure(chosen, folder: Path, say) -> dict:
    runs = []
    selected = [run for run in RUNS if not (chosen.quick and run[0] in SLOW)]
    for run in series.each(selected, chosen, folder, say, chosen.jobs):
        runs.append(run)
        result = run["result"]
        if "missing" not in result and not result["problems"]:
            result["problems"] = [
                f"its result lacks what a target asks for: {name}" for name in targets.untold(run["arguments"][0], result)]
    return {
        "runs": runs, "seconds": round(sum(run["seconds"] for run in runs)),
        "neverRun": sorted(set(chosen.names) - {run[0] for run in RUNS}),
    }


def problems(result: dict) -> list[str]:
    never = [f"{name}: measure/suites/short.py has no short form of it" for name in result["neverRun"]]
    return never + series.problems(result["runs"])


def describe(result: dict) -> str:
    rows = [("measurement", "seconds", "")]
    rows += [(" ".join(run["arguments"]), f"{run['seconds']:.1f}", verdict(run["result"])) for run in result["runs"]]
    return f"{table(rows)}\n\n{result['seconds']} seconds of them all."


def verdict(result: dict) -> str:
    if result["problems"]:
        return "FAILED"
    return f"left out: {result['missing']}" if "missing" in result else "ran"
