#!/usr/bin/env python3
"""Asks five times as much of a server as it can do, and sees what becomes of it: `Tests/Trials/overload.py`.

For publishes, new live sessions, requests of the inbox, and events for phones: first as many as the server answers, then
five times that, from connections that do not wait for each other. Beside it a probe publishes for somebody who is there. Each
request is answered or refused with `Retry-After`, what was accepted is there in its order, memory stays within bounds, and ten
seconds after the load has ended the probe is as fast as before.
"""

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]

sys.dont_write_bytecode = True

from harness import memory  # noqa: E402
from harness.events import room_liked  # noqa: E402
from harness.runner import make_apns_key  # noqa: E402
from harness.suite import Failed, wait_until  # noqa: E402
from harness.world import ROOT, World  # noqa: E402

import load  # noqa: E402

#: How many times as much as can be done.
FACTOR = 5
#: What may be waiting in memory, by `docs/operations.md`, "What can grow": publishes, bodies and answers of both listeners,
#: changes, tokens and connections, in MiB. Of 200,000 events that wait, 180 MiB more were in use at most (`belfry_heap_bytes`);
#: the allocator keeps for ten seconds what was freed, which comes to 440.
MEMORY = 512
#: Back to normal within so many seconds.
RECOVERY = 10
#: As fast as before: what a busy machine does to a millisecond is no overload.
NORMAL = 0.25


class Probe(threading.Thread):
    """Publishes again and again for a person who has a session, and notes how long each took to be shown."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self._server = server
        self._ending = threading.Event()
        self._session = server.session("probe")
        #: When each was published, and how long it took; None if it was refused.
        self.times: list[tuple[float, float | None]] = []
        self.problem = ""

    def run(self):
        while not self._ending.wait(0.1):
            began = time.monotonic()
            answer = self._server.post("/v1/events", room_liked("probe"))
            if answer.status != 202:
                if "retry-after" not in answer.headers:
                    self.problem = f"the probe was answered by {answer.status} without Retry-After"
                self.times.append((began, None))
                continue
            self._session.expect("new")
            self.times.append((began, time.monotonic() - began))

    def end(self):
        self._ending.set()
        self.join(60)

    def between(self, begin: float, end: float) -> list[float]:
        return [took for at, took in self.times if begin <= at < end and took is not None]


def arguments():
    parser = argparse.ArgumentParser(description="Five times as much as a server can do")
    parser.add_argument("--belfry", default=str(ROOT / ".build/debug/belfry"), help="the program to try")
    parser.add_argument("--seconds", type=float, default=20, help="how long each load goes on")
    parser.add_argument("kinds", nargs="*", choices=[*load.REQUESTS, []], help="all by default")
    return parser.parse_args()


def offer(kind: str, address: str, tokens: list[str], rate: float | None, seconds: float):
    """In a process of its own, or the probe would wait for the load and not for the server."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=load.run, args=(there, kind, address, tokens, rate, seconds), daemon=True)
    process.start()
    if not here.poll(seconds + 120):
        process.kill()
        raise Failed(f"the load {kind} does not end")
    answer = here.recv()
    process.join()
    return answer


def overload(world: World, kind: str, seconds: float) -> list[str]:
    sink = world.sink()
    server = world.serve(data=kind, **sink.settings, PUSH_GRACE="0s", LIMITS_SESSIONS_PER_USER="64")
    tokens = [world.token(f"reader-{number}") for number in range(500)]
    if kind == "push":
        for number in range(200):
            server.register_device(f"phone-{number}", f"d-{number}", f"{number:04d}")
    for number in range(0, 500, 25):
        server.publish(room_liked(*(f"reader-{each}" for each in range(number, number + 25))))
    address = server.socket if kind in ("publish", "push") else server.listen
    sustainable = offer(kind, address, tokens, None, 5)
    probe = Probe(server)
    probe.start()
    time.sleep(3)
    before = memory.resident(server.process)
    began = time.monotonic()
    calm = probe.between(0, began)
    outcome = offer(kind, address, tokens, sustainable * FACTOR, seconds)
    ended = time.monotonic()
    time.sleep(RECOVERY + 3)
    probe.end()
    after = probe.between(ended + RECOVERY, time.monotonic())
    grown = memory.peak(server.process) - before
    during = probe.between(began, ended)
    broken = [probe.problem] if probe.problem else []
    if outcome.unanswered:
        broken.append(f"{outcome.unanswered} requests without an answer")
    if outcome.unhelpful:
        broken.append(f"{outcome.unhelpful} refusals without Retry-After")
    if grown > MEMORY:
        broken.append(f"memory grew by {grown} MiB")
    if not after or statistics.median(after) > max(NORMAL, 3 * statistics.median(calm)):
        broken.append(f"{RECOVERY} s later the probe takes {statistics.median(after) if after else None} s")
    if kind == "publish":
        broken += out_of_order(server, outcome)
    if kind == "push":
        wait_until(lambda: server.metrics()["belfry_push_jobs"] == 0, 120, "all pushes to leave")
    if server.drift() != 0:
        broken.append("the count of unread notifications has drifted")
    server.terminate()

    def shown(times: list[float]) -> str:
        return f"{statistics.median(times) * 1e3:.0f}" if times else "–"

    # A publish has several events.
    each = load.BATCH if kind == "publish" else 1
    statuses = ", ".join(f"{count * each:,} × {status or 'no answer'}" for status, count in sorted(outcome.statuses.items()))
    print(f"| {kind} | {sustainable * each:,.0f} | {outcome.offered * each / outcome.seconds:,.0f} | "
          f"{statuses}; {outcome.unsent * each:,} found no connection | "
          f"{shown(calm)}, {shown(during)}, {shown(after)} | {grown} |", flush=True)
    return [f"{kind}: {problem}" for problem in broken]


def out_of_order(server, outcome: load.Outcome) -> list[str]:
    """What was accepted is there once, in the order in which it was published; looks at some of the inboxes."""
    broken = []
    for connection, numbers in list(outcome.accepted.items())[:50]:
        rows = [int(row["roomName"]) for row in reversed(server.list_all(f"wild-{connection}"))]
        expected = [number for number in numbers for _ in range(load.BATCH)]
        if rows != expected:
            broken.append(f"connection {connection} has {rows[:5]}… in the place of {expected[:5]}…")
    return broken


def main() -> int:
    options = arguments()
    broken = []
    print("| load | answered a second | offered a second | answers | a probe's ms before, during, after | memory, MiB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="belfry-overload-") as folder:
        make_apns_key(Path(folder))
        for kind in options.kinds or load.REQUESTS:
            world = World(str(Path(options.belfry).resolve()), Path(folder), None)
            try:
                broken += overload(world, kind, options.seconds)
            except Failed as failure:
                broken.append(f"{kind}: {failure}")
            finally:
                world.end()
    for line in broken:
        print(f"BROKEN  {line}")
    print(f"{0 if broken else 1} passed, {1 if broken else 0} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
