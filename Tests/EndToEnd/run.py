#!/usr/bin/env python3
"""Runs the end-to-end tests: `python3 Tests/EndToEnd/run.py [--belfry PATH] [--slow] [NAME…]`.

They drive the real program as its users do. Needs what `requirements.txt` names, and `openssl` and `curl`.
"""

import argparse
import importlib
import pkgutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

sys.dont_write_bytecode = True

import cases  # noqa: E402
from harness.suite import CASES, Case, Failed  # noqa: E402
from harness.world import World  # noqa: E402

_printing = threading.Lock()


def arguments():
    parser = argparse.ArgumentParser(description="Belfry's end-to-end tests")
    parser.add_argument("--belfry", default=str(HERE.parents[1] / ".build/debug/belfry"), help="the program to test")
    parser.add_argument("--slow", action="store_true", help="also the cases that wait for default delays")
    parser.add_argument("--jobs", type=int, default=4, help="how many cases run side by side")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("names", nargs="*", help="only cases whose names, or files, contain one of these words")
    return parser.parse_args()


def chosen(options) -> list[Case]:
    for module in pkgutil.iter_modules(cases.__path__):
        importlib.import_module(f"cases.{module.name}")
    return [
        case for case in CASES
        if (options.slow or not case.is_slow)
        and (not options.names
             or any(name in case.name or name == case.body.__module__.split(".")[-1] for name in options.names))
    ]


def make_apns_key(folder: Path):
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder / "apns.p8"],
        check=True, capture_output=True)


def run(case: Case, belfry: str, shared: Path) -> bool:
    world = World(belfry, shared, case.poller)
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
    logs = [line for server in world.servers for line in server.log][-12:] if problem else []
    world.end()
    with _printing:
        print(f"{'FAIL' if problem else 'ok  '} {time.monotonic() - began:5.1f} s  {case.name}", flush=True)
        if problem:
            print("  " + problem.replace("\n", "\n  "))
            for line in logs:
                print(f"  | {line}")
    return problem is None


def main() -> int:
    options = arguments()
    selection = chosen(options)
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
        together = [case for case in selection if not case.runs_alone]
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda case: run(case, belfry, shared), together))
        results += [run(case, belfry, shared) for case in selection if case.runs_alone]
    failed = results.count(False)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
