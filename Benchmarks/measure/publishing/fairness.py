"""What one publisher's flood does to another's events: a quota, streams, and apps of their own between the two."""

import sqlite3
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from .. import Failed
from ..shared import machine
from ..shared.build import BENCHMARKS
from ..shared.options import positive
from ..shared.process import Child
from ..shared.programs import CATALOG, started
from ..shared.report import table
from .crowd import spread

HELP = "one publisher's flood beside another's few events"
# Begins each phase and does not count: then the flood's burst is used up, or what it has left behind is over.
SETTLE_SECONDS = 0.5
WARM_UP_SECONDS = 1
# A flood of single events is so many times what it may publish, on so many connections.
EXCESS = 5
SINGLE_CONNECTIONS = 8
# How much more than its quota a publisher may get: what its stream holds when it learns that there is none left.
SLACK_EVENTS = 600
SLACK = 1.02
# Of the server in the row with two apps; the first is that of CATALOG.
APPS = {"steady": "rooms", "flood": "others"}


@dataclass(frozen=True)
class Row:
    name: str
    has_quota: bool = False
    is_stream: bool = True
    has_apps: bool = False
    connections: int | None = None


ROWS = {
    "single": Row("single beyond its quota", has_quota=True, is_stream=False, connections=SINGLE_CONNECTIONS),
    "stream": Row("stream beyond its quota", has_quota=True, connections=1),
    "unlimited": Row("stream without quota"),
    "apps": Row("another app", has_apps=True),
}


def arguments(parser) -> None:
    parser.add_argument("--row", choices=[*ROWS, "all"], default="all")
    parser.add_argument("--rate", type=float, default=100, help="the other's events a second (default: 100)")
    parser.add_argument("--people", type=positive, default=100, help="who get these in turn (default: 100)")
    parser.add_argument("--quota", type=positive, default=500, help="the flood's events a second (default: 500)")
    parser.add_argument("--flooded", type=positive, default=10_000, help="who get the flood in turn (default: 10,000)")
    parser.add_argument("--connections", type=positive, default=4, help="streams without quota (default: 4)")
    parser.add_argument("--seconds", type=positive, default=2, help="of each phase (default: 2)")
    parser.add_argument("--turns", type=positive, default=10, help="alone, flooded, alone again (default: 10)")


def measure(options, folder: Path, say) -> dict:
    cores = machine.cores()
    cores.keep_to_clients()
    rows = {}
    for key, row in ROWS.items():
        if options.row not in (key, "all"):
            continue
        own = folder / key
        own.mkdir()
        rows[key] = flooded(row, options, own, cores, lambda text: say(f"{row.name}: {text}"))
    return {
        "rate": options.rate, "quota": options.quota, "turns": options.turns, "seconds": options.seconds,
        "poller": options.poller, "cores": cores.json, "rows": rows}


def flooded(row: Row, options, folder: Path, cores: machine.Cores, say) -> dict:
    keys = {name: Key(options.belfry, name) for name in ("steady", "flood")}
    with ExitStack() as stack:
        belfry = started(
            options, folder, stack, cores.server, catalogs=catalogs(row, folder),
            configuration=configuration(row, keys, options.quota, folder))
        steady = Steady(belfry.data, keys["steady"], options, cores.clients)
        stack.callback(steady.stop)
        flood = Flood(belfry.data, keys["flood"], row, options, cores.clients)
        stack.callback(flood.stop)
        # Makes inboxes, and finds the caches cold.
        floods = [flood.during(WARM_UP_SECONDS)]
        phases: list[dict] = []
        for number in range(options.turns):
            phases.append({})
            # Alone twice, since two equal things differ too. Each comes before the flood in every other turn.
            names = ("alone", "flooded", "control") if number % 2 == 0 else ("control", "flooded", "alone")
            for name in names:
                began = time.monotonic()
                if name == "flooded":
                    floods.append(flood.during(options.seconds))
                else:
                    time.sleep(options.seconds)
                phases[-1][name] = (began + SETTLE_SECONDS, began + options.seconds)
            say(f"turn {number + 1}: {floods[-1]['accepted'] / floods[-1]['seconds']:,.0f} events a second beside it")
        said = steady.end()
        stored = stored_events(belfry.data)
        refusals = belfry.metric('belfry_publisher_refusals_total{publisher="flood",cause="rate"}', or_else=0)
    return summary(row, said, phases, floods[1:], options.quota if row.has_quota else None) | {
        "stored": stored, "refusalsCounted": int(refusals)}


class Key:
    """A publisher's key, and what the settings know of it."""

    def __init__(self, program: Path, name: str):
        done = subprocess.run([str(program), "publisher", "key", name], capture_output=True, text=True)
        said = dict(line.strip().split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
        if "key" not in said or "keyHash" not in said:
            raise Failed(f"`belfry publisher key` makes no key: {done.stdout}{done.stderr}")
        self.key, self.hash = said["key"], said["keyHash"]


def configuration(row: Row, keys: dict[str, Key], quota: int, folder: Path) -> Path:
    lines = []
    if row.has_apps:
        lines += ["auth:", "  apps:"]
        for app in APPS.values():
            # Nobody has a token for it: the inboxes are never opened.
            lines.append(f"    {app}: {{secret: {app}-{'0' * 32}}}")
    lines.append("publishers:")
    for name, key in keys.items():
        lines += [f"  {name}:", f"    keyHash: {key.hash}"]
        if row.has_apps:
            lines.append(f"    app: {APPS[name]}")
        if row.has_quota and name == "flood":
            lines += [f"    eventsPerSecond: {quota}", f"    burst: {quota}"]
    file = folder / "belfry.yaml"
    file.touch(mode=0o600)
    file.write_text("\n".join(lines) + "\n")
    return file


def catalogs(row: Row, folder: Path) -> tuple[Path, ...]:
    """The second app's: the same one by another name."""
    if not row.has_apps:
        return ()
    copy, text = folder / f"{APPS['flood']}.yaml", CATALOG.read_text()
    for key in ("catalog", "app"):
        line = f"\n{key}: {APPS['steady']} "
        if line not in text:
            raise Failed(f"{CATALOG.name} has no line `{line.strip()}`")
        text = text.replace(line, f"\n{key}: {APPS['flood']} ")
    copy.write_text(text)
    return (copy,)


class Steady(Child):
    """`steady.py`."""

    def __init__(self, data: Path, key: Key, options, cores: set[int] | None):
        super().__init__(
            "the steady publisher",
            [sys.executable, "-m", "measure.publishing.steady", "--socket", str(data / "belfry.sock"), "--key", key.key,
             "--people", str(options.people), "--rate", str(options.rate)], cores, cwd=BENCHMARKS)

    def end(self) -> dict:
        self.write("end")
        return self.expect("published", 1, within=60)


class Flood(Child):
    """`flood.py`."""

    def __init__(self, data: Path, key: Key, row: Row, options, cores: set[int] | None):
        # The clients in C never sleep while they wait. On the same core the steady publisher would wait for them.
        super().__init__(
            "the flood",
            [sys.executable, "-m", "measure.publishing.flood", "--socket", str(data / "belfry.sock"), "--key", key.key,
             "--people", str(options.flooded), "--connections", str(row.connections or options.connections),
             *([] if row.is_stream else ["--rate", str(EXCESS * options.quota)])], cores, cwd=BENCHMARKS)
        self._floods = 0

    def during(self, seconds: float) -> dict:
        """Returns once all of it is answered, which takes longer where a quota slows a stream down."""
        began = time.monotonic()
        self.write("begin")
        self.expect("flooding", 1, within=30)
        time.sleep(max(began + seconds - time.monotonic(), 0))
        self.write("end")
        self._floods += 1
        return self.expect("ended", self._floods, within=120)


def stored_events(data: Path) -> int:
    """How many notifications the people of the steady publisher have."""
    with closing(sqlite3.connect(f"file:{data / 'belfry.sqlite'}?mode=ro", uri=True)) as database:
        # A named app stands before the person's name.
        return database.execute("SELECT sum(total) FROM inbox_state WHERE user LIKE '%steady-%'").fetchone()[0] or 0


def summary(row: Row, said: dict, phases: list[dict], floods: list[dict], quota: int | None) -> dict:
    times = [(due / 1e6, sent / 1e6, answered / 1e6) for due, sent, answered in said["times"]]
    # By when each was due: what had to wait longest is not left out.
    waits = [
        {name: [answered - due for due, _, answered in times if start <= due < end]
         for name, (start, end) in turn.items()}
        for turn in phases]
    if not all(each for turn in waits for each in turn.values()):
        raise Failed("a phase had no event: give a greater --rate or more --seconds")
    # What an event waits for those before it on its connection is left out here.
    spans = [turn["flooded"] for turn in phases]
    answering = [answered - sent for _, sent, answered in times if any(start <= sent < end for start, end in spans)]
    pooled = {name: [wait for turn in waits for wait in turn[name]] for name in ("alone", "control", "flooded")}
    alone = spread(pooled["alone"] + pooled["control"])
    beside = spread(pooled["flooded"])
    # Once it might have published: how late it was by its own fault.
    answers = [0, *(answered for _, _, answered in times)]
    late = [sent - max(due, before) for (due, sent, _), before in zip(times, answers)]
    excess = [flood["inAll"] - allowed(quota, flood["inAllSeconds"]) for flood in floods] if quota else []
    return {
        "name": row.name, "quota": quota, "alone": alone, "flooded": beside, "floodedAnswering": spread(answering),
        "ratio": round(beside["p99"] / alone["p99"], 3),
        "ratios": [
            round(spread(turn["flooded"])["p99"] / spread(turn["alone"] + turn["control"])["p99"], 3)
            for turn in waits],
        "control": round(spread(pooled["control"])["p99"] / spread(pooled["alone"])["p99"], 3),
        "floodPerSecond": round(statistics.median(flood["accepted"] / flood["seconds"] for flood in floods), 1),
        "refusedPerSecond": round(statistics.median(flood["refused"] / flood["seconds"] for flood in floods), 1),
        "beyondQuota": round(max(0, *excess, 0)), "floods": floods,
        "published": said["published"], "refused": said["refused"], "refusal": said["refusal"], "late": spread(late),
    }


def allowed(quota: int, seconds: float) -> float:
    """How many events a publisher may have got through in so long; its burst is one second's."""
    return quota * (seconds * SLACK + 1) + SLACK_EVENTS


def problems(result: dict) -> list[str]:
    """How long anything took is another matter."""
    found = []
    for row in result["rows"].values():
        if row["refused"]:
            found.append(f"{row['name']}: {row['refused']} events of the other were refused: {row['refusal']}")
        if row["stored"] != row["published"] - row["refused"]:
            found.append(f"{row['name']}: {row['stored']} notifications for {row['published'] - row['refused']} events")
        if row["beyondQuota"]:
            found.append(f"{row['name']}: the flood got {row['beyondQuota']} events more than its quota")
        if row is result["rows"].get("single") and not row["refusalsCounted"]:
            found.append(f"{row['name']}: no event of the flood was refused")
    return found


def describe(result: dict) -> str:
    rows = [(
        "the flood", "p50 alone, ms", "beside it", "p99 alone, ms", "beside it", "ratio", "of turns, lowest–highest",
        "alone to alone", "from sending, p50 / p99", "its events a second", "refused")]
    for row in result["rows"].values():
        alone, beside, sent, ratios = row["alone"], row["flooded"], row["floodedAnswering"], row["ratios"]
        rows.append((
            row["name"], f"{alone['p50']:.2f}", f"{beside['p50']:.2f}", f"{alone['p99']:.2f}", f"{beside['p99']:.2f}",
            f"{row['ratio']:.2f}", f"{statistics.median(ratios):.2f}, {min(ratios):.2f}–{max(ratios):.2f}",
            f"{row['control']:.2f}",
            f"{sent['p50']:.2f} / {sent['p99']:.2f}", f"{row['floodPerSecond']:,.0f}",
            f"{row['refusedPerSecond']:,.0f}"))
    late = max(row["late"]["p99"] for row in result["rows"].values())
    return (
        f"{table(rows)}\n\nThe other publishes {result['rate']:g} events a second, one at a time; "
        f"{result['turns']} turns, {result['seconds']} s a phase. Quota: {result['quota']} a second.\nIts own lateness, "
        f"which is in all of this: at most {late:.2f} ms (p99). Poller: {result['poller']}.")
