#!/usr/bin/env python3
"""Runs the Autobahn test suite against `belfry echo`: `python3 Tests/Conformance/run.py [options] [CASE…]`.

A CASE is an id (6.4.2), a group (6, 6.4) or a pattern ('1?.*'); without any, all 517 run. Ends with 0 only if no case
failed, was unimplemented or was merely non-strict. docs/conformance.md tells more.
"""

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from harness import suite  # noqa: E402
from harness.environment import InstallFailed, case_ids, install  # noqa: E402
from harness.runs import Outcome, Plan, Setting, perform  # noqa: E402

WORDS = ["ok", "non-strict", "informational", "unimplemented", "failed"]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--belfry", default=str(ROOT / ".build/release/belfry"), help="the program to test")
    parser.add_argument("--profile", choices=["short", "full"], default="short",
                        help="short: as a server, over epoll, unencrypted, 25 messages in the long cases; full: both "
                             "roles and pollers, also encrypted, all messages")
    parser.add_argument("--role", choices=["server", "client"], help="only belfry in this role")
    parser.add_argument("--poller", choices=["epoll", "dispatch"], help="only over this poller")
    parser.add_argument("--transport", choices=["plain", "tls"], help="only unencrypted, or only encrypted")
    parser.add_argument("--messages", type=int, help="messages in each long case, 1000 at most")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1),
                        help="processes of the suite side by side")
    parser.add_argument("--time-scale", type=float, default=1,
                        help="stretches the suite's waits, for a busy machine or a program built with a sanitizer")
    parser.add_argument("--timeout", type=float, help="ends a run after so many seconds")
    parser.add_argument("--folder", default=str(ROOT / ".build/conformance"),
                        help="where the suite is installed and what it finds is kept")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    parser.add_argument("--verbose", action="store_true", help="a line for each case")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    if options.jobs < 1 or options.time_scale <= 0 or (options.messages or 1) < 1:
        parser.error("--jobs, --messages and --time-scale must be positive")
    return options


def settings(options) -> list[Setting]:
    """What the profile runs, with what the options name in its place."""
    full = options.profile == "full"
    roles = [options.role] if options.role else ["server", "client"] if full else ["server"]
    pollers = [options.poller] if options.poller else ["epoll", "dispatch"] if full else ["epoll"]
    transports = [options.transport] if options.transport else ["plain", "tls"] if full else ["plain"]
    return [Setting(role, poller, transport) for role in roles for poller in pollers for transport in transports
            if role == "server" or transport == "plain"]


def show(verdict: suite.Verdict, duration: int):
    print(f"{verdict.word:13}  {verdict.id:8}  {duration:6} ms  {verdict.reason}", flush=True)


def run(plan: Plan, setting: Setting, is_verbose: bool) -> Outcome:
    print(f"{len(plan.cases)} cases, belfry as a {setting.role} over {setting.poller}, {setting.transport}", flush=True)
    left = Counter(suite.group(id) for id in plan.cases)
    began = time.monotonic()

    def told(verdict: suite.Verdict, result: dict):
        if is_verbose or not verdict.is_good:
            show(verdict, result["duration"])
        group = suite.group(verdict.id)
        left[group] -= 1
        if left[group] == 0:
            print(f"  group {group:2} done after {time.monotonic() - began:.0f} s", flush=True)

    outcome = perform(plan, setting, told)
    for verdict in outcome.bad:
        if verdict.reason == "did not run":
            show(verdict, 0)
    for problem in outcome.problems:
        print(f"problem: {problem}", flush=True)
    return outcome


def summarize(outcomes: list[Outcome]):
    print(f"\n{'role':8}{'poller':10}{'transport':11}{'cases':>6}" + "".join(f"{word:>15}" for word in WORDS)
          + f"{'seconds':>9}")
    for outcome in outcomes:
        setting = outcome.setting
        print(f"{setting.role:8}{setting.poller:10}{setting.transport:11}{len(outcome.verdicts):6}"
              + "".join(f"{outcome.count(word):15}" for word in WORDS) + f"{outcome.seconds:9.0f}")
    expected = suite.in_order(
        {verdict.id for outcome in outcomes for verdict in outcome.verdicts.values()
         if verdict.word == "informational" and verdict.is_good})
    if expected:
        print(f"informational: {' '.join(expected)}: the suite gives no verdict on these, as each behaviour is allowed")
    for outcome in outcomes:
        for word in WORDS:
            bad = suite.in_order(verdict.id for verdict in outcome.bad if verdict.word == word)
            if bad:
                print(f"{word} ({outcome.setting}): {' '.join(bad)}")


def main() -> int:
    options = arguments()
    folder = Path(options.folder)
    if not options.list and not os.access(options.belfry, os.X_OK):
        print(f"{options.belfry} is not there: build it first, or name another program with --belfry")
        return 1
    try:
        python = install(folder / "python")
        cases = suite.choose(case_ids(python), options.cases)
    except InstallFailed as failure:
        print(failure)
        return 1
    except suite.UnknownCase as unknown:
        print(f"no case is called {unknown}")
        return 64
    if options.list:
        print("\n".join(cases))
        return 0
    full = options.profile == "full"
    plan = Plan(
        python=python, belfry=str(Path(options.belfry).resolve()), folder=folder / "results", cases=cases,
        messages=options.messages or (1000 if full else 25), jobs=options.jobs, scale=options.time_scale,
        case_timeout=300 if full else 30, timeout=options.timeout or (4800 if full else 600))
    plan.folder.mkdir(parents=True, exist_ok=True)
    outcomes = [run(plan, setting, options.verbose) for setting in settings(options)]
    summarize(outcomes)
    passed = sum(len(outcome.verdicts) - len(outcome.bad) for outcome in outcomes)
    failed = sum(len(outcome.bad) for outcome in outcomes)
    problems = sum(len(outcome.problems) for outcome in outcomes)
    if failed or problems:
        print(f"what the suite has recorded of them is in {os.path.relpath(plan.folder)}")
    # A problem beside the cases counts like a case.
    print(f"{passed} passed, {failed + problems} failed")
    return 1 if failed or problems or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
