"""Runs cases, some side by side, and tells of each how it went; for all suites that drive the real program."""

import argparse
import importlib
import pkgutil
import subprocess
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import needs, specification
from .cluster import Cluster, PollingCluster
from .databases import Databases, ensure_server
from .event_stream import EventStream
from .long_poll import LongPoll
from .suite import CASES, Case, Failed
from .world import ROOT, World

_printing = threading.Lock()


def main(description: str, cases, make_world=World, *, jobs: int = 7, checks_frames: bool = False) -> int:
    """The exit code. `cases`: the package whose modules declare them. `make_world`: called with what `World` takes.

    `checks_frames`: a run of all cases on SQLite fails unless it had each frame of the live protocol at least once.
    """
    options = arguments(description, jobs)
    if options.cluster:
        options.store = "postgres"
    if options.store == "postgres":
        ensure_server()
    selection, left_out = [], 0
    for case in chosen(cases, options):
        if reason := needs.missing(case, options.store, options.cluster, options.events, options.poll):
            print(f"skip           {case.name}: {reason}")
            left_out += 1
        else:
            selection.append(case)
    if options.list:
        print("\n".join(case.name for case in selection))
        return 0
    belfry = str(Path(options.belfry).resolve())
    if not Path(belfry).exists():
        print(f"{belfry} is not there: build it first, or name another program with --belfry")
        print("0 passed, 1 failed")
        return 1
    with tempfile.TemporaryDirectory(prefix="belfry-e2e-") as folder:
        shared = Path(folder)
        make_apns_key(shared)

        def go(case: Case) -> str | None:
            world = make_world(belfry, shared, options.poller)
            if options.store == "postgres":
                world.databases = Databases(world.folder)
            if options.cluster:
                world.server = PollingCluster if options.polling else Cluster
            if options.events:
                world.live = EventStream
            if options.poll:
                world.live = LongPoll
            return run(case, world)

        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(go, [case for case in selection if not case.runs_alone]))
        results += [go(case) for case in selection if case.runs_alone]
    problems = [problem for problem in results if problem]
    # Only all cases together have every frame.
    is_whole = checks_frames and not options.names and not options.poller and options.store == "sqlite"
    if is_whole and (unseen := specification.unseen()):
        problems.append(f"no case had a frame {', '.join(unseen)}")
    # Once more at the end, where also a reader who has only the last lines sees them.
    for problem in problems:
        print("FAIL  " + problem.replace("\n", "\n  "))
    print(f"{results.count(None)} passed, {len(problems)} failed" + (f", {left_out} left out" if left_out else ""))
    return 1 if problems or not results else 0


def arguments(description: str, jobs: int):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--belfry", default=str(ROOT / ".build/debug/belfry"), help="the program to test")
    parser.add_argument("--slow", action="store_true", help="also the cases that wait for default delays")
    parser.add_argument("--jobs", type=int, default=jobs, help="how many cases run side by side")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite", help="where servers keep their store")
    parser.add_argument("--cluster", action="store_true", help="three nodes on one PostgreSQL in the place of one server")
    parser.add_argument("--polling", action="store_true", help="with --cluster: nodes poll for news and do not listen")
    parser.add_argument("--events", action="store_true", help="clients have event streams in the place of WebSockets")
    parser.add_argument("--poll", action="store_true", help="clients poll in the place of WebSockets")
    parser.add_argument("--poller", choices=["dispatch"], help="only the cases to which the poller matters, with this one")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("names", nargs="*", help="only cases whose names contain one of these words, or whose file or folder is one")
    return parser.parse_args()


def chosen(cases, options) -> list[Case]:
    for module in pkgutil.walk_packages(cases.__path__, f"{cases.__name__}."):
        importlib.import_module(module.name)
    return [
        case for case in CASES
        if (options.slow or not case.is_slow)
        and (case.has_pollers or not options.poller)
        and (not options.names
             or any(name in case.name or name in case.body.__module__.split(".")[1:] for name in options.names))
    ]


def make_apns_key(folder: Path):
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder / "apns.p8"],
        check=True, capture_output=True)


def run(case: Case, world: World) -> str | None:
    """None, or the case's name and what was wrong."""
    began = time.monotonic()
    problem = None
    try:
        case.body(world)
        world.check_afterwards()
    except Exception as error:
        problem = str(error) if isinstance(error, Failed) else traceback.format_exc()
        place = traceback.extract_tb(error.__traceback__)
        line = next((frame for frame in reversed(place) if "/cases/" in frame.filename), None)
        if line:
            problem += f"\n  at {Path(line.filename).name}:{line.lineno}: {line.line}"
    logs = world.last_words if problem else []
    world.end()
    with _printing:
        print(f"{'FAIL' if problem else 'ok  '} {time.monotonic() - began:5.1f} s  {case.name}", flush=True)
        if problem:
            print("  " + problem.replace("\n", "\n  "))
            for line in logs:
                print(f"  | {line}")
    return f"{case.name}\n{problem}" if problem else None
