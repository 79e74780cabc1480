"""One provider stops answering: what that does to another's pushes, to memory, and what follows when it returns."""

import json
import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared.options import positive
from ..shared.phones import Backend, Phones
from ..shared.programs import Belfry, Publisher
from ..shared.report import table
from .push_sink import PushSink

HELP = "one service falls silent beside another"
# The sink writes its record down a moment after it has answered.
RECORD_SECONDS = 10


def arguments(parser) -> None:
    parser.add_argument("--devices", type=positive, default=500, help="of each service (default: 500)")
    parser.add_argument("--rate", type=float, default=100, help="events a second (default: 100)")
    parser.add_argument("--seconds", type=positive, default=30, help="of each part (default: 30)")
    parser.add_argument("--status", type=positive, help="it answers so, instead of falling silent")


def measure(options, folder: Path, say) -> dict:
    healthy = Phones(options.devices, "apns")
    failing = Phones(options.devices, "fcm", first_user=options.devices)
    with ExitStack() as stack:
        apple, google = (PushSink(options.belfry, folder, [], name) for name in ("apple", "google"))
        stack.callback(apple.stop)
        stack.callback(google.stop)
        settings = {key: value for key, value in apple.settings.items() if key.startswith("APNS_")}
        settings |= {key: value for key, value in google.settings.items() if key.startswith("FCM_")}
        belfry = Belfry(options.belfry, folder, settings, None)
        stack.callback(belfry.stop)
        healthy.register(belfry, say)
        failing.register(belfry, say)
        stream = Stream(belfry.data, healthy, failing, options.rate)
        say(f"both answer for {options.seconds} s")
        before = stream.run(options.seconds)
        memory_before = belfry.memory()
        google.show([{"fault": "answer", "status": options.status} if options.status else {"fault": "noAnswer"}])
        say(f"one is {f'at {options.status}' if options.status else 'silent'} for {options.seconds} s")
        during = stream.run(options.seconds)
        memory_during = belfry.memory()
        waiting = belfry.metric("belfry_push_jobs")
        google.show([])
        returned = time.time() * 1_000
        say(f"it returns; {waiting:,.0f} jobs wait")
        deadline = time.monotonic() + 300
        while belfry.metric("belfry_push_jobs") > 0:
            if time.monotonic() > deadline:
                raise Failed(f"{belfry.metric('belfry_push_jobs'):.0f} jobs are left after five minutes")
            time.sleep(0.2)
        sent = stream.published
        apple_times, google_times = _arrivals(apple.record, sent), _arrivals(google.record, sent)
    lost = {
        name: sent - len(times) for name, times in [("healthy", apple_times), ("failing", google_times)]}
    return {
        "rate": options.rate, "seconds": options.seconds, "published": sent, "lost": lost,
        "healthyBefore": _latency(before, apple_times), "healthyDuring": _latency(during, apple_times),
        "memoryBefore": memory_before.json, "memoryDuring": memory_during.json, "waiting": waiting,
        "afterReturn": _per_second(google_times.values(), returned),
    }


def problems(result: dict) -> list[str]:
    told = [f"pushes to the {name} service: {count} lost" for name, count in result["lost"].items() if count]
    return told if result["waiting"] else [*told, "no job has waited while a service was silent"]


class Stream:
    """Events at a steady pace, one for a person of each kind."""

    def __init__(self, data: Path, healthy: Phones, failing: Phones, rate: float):
        self._backends = [Backend(data, healthy), Backend(data, failing)]
        self._phones = [healthy, failing]
        self._publisher = Publisher(data)
        self._rate = rate
        self.published = 0

    def run(self, seconds: float) -> dict[int, float]:
        """When each was published (ms), by its number."""
        published, began = {}, time.monotonic()
        for step in range(round(seconds * self._rate)):
            time.sleep(max(began + step / self._rate - time.monotonic(), 0))
            published[self.published] = time.time() * 1_000
            # One event for both, so that both have the same number.
            users = [phones.users[self.published % len(phones.users)] for phones in self._phones]
            self._backends[0].publish_to(users, self._publisher)
            self.published += 1
        return published


def _arrivals(record: Path, expected: int) -> dict[tuple[str, str], float]:
    """When each push was accepted first, by device and collapse id; waits for a while where some are missing."""
    deadline = time.monotonic() + RECORD_SECONDS
    while True:
        # Its last line may be half written.
        entries = [json.loads(line) for line in record.read_bytes().split(b"\n")[:-1]]
        first: dict[tuple[str, str], float] = {}
        for entry in entries:
            if entry.get("shown"):
                first.setdefault((entry["device"], entry["collapse"]), entry["at"])
        if len(first) >= expected or time.monotonic() > deadline:
            return first
        time.sleep(0.1)


def _latency(published: dict[int, float], arrivals: dict) -> dict:
    """From the publish to the service, in ms. A device's pushes come in order, so the n-th one is its n-th event."""
    turns: dict[int, list[float]] = {}
    for (device, _), at in arrivals.items():
        turns.setdefault(int(device, 16), []).append(at)
    for times in turns.values():
        times.sort()
    devices = len(turns)
    waits = []
    for number, sent in published.items():
        times = turns.get(number % devices, [])
        turn = number // devices
        if turn < len(times):
            waits.append(times[turn] - sent)
    waits.sort()
    if not waits:
        raise Failed("none of these pushes arrived")
    return {
        "count": len(waits), "p50": statistics.median(waits), "p99": waits[int(len(waits) * 0.99)], "max": waits[-1]}


def _per_second(times, since: float) -> list[int]:
    """How many came in each second from then on."""
    seconds = [int((at - since) / 1_000) for at in times if at >= since]
    return [seconds.count(second) for second in range(max(seconds, default=-1) + 1)]


def describe(result: dict) -> str:
    def milliseconds(waits: dict) -> tuple[str, ...]:
        return tuple(f"{waits[key]:,.1f}" for key in ("p50", "p99", "max"))

    rows = [
        ("publish → the healthy service, ms", "p50", "p99", "longest"),
        ("both answer", *milliseconds(result["healthyBefore"])),
        ("the other is silent", *milliseconds(result["healthyDuring"])),
    ]
    after = result["afterReturn"]
    return (
        f"{table(rows)}\n\n{result['published']:,} events at {result['rate']:.0f} a second; lost: {result['lost']}. "
        f"{result['waiting']:,.0f} jobs waited; memory {result['memoryBefore']['anonymousKiB']:,} → "
        f"{result['memoryDuring']['anonymousKiB']:,} KiB. After the return, pushes in each second: {after[:40]}; at most "
        f"{max(after, default=0):,}.\nVerdict: {'NOT WELL' if problems(result) else 'well'}.")
