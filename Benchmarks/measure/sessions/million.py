"""Very many sessions in one process, without sockets: what is the server's own in a session, and in a delivery."""

import json
import mmap
import random
import socket
import struct
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared.build import BUILT
from ..shared.options import beyond_heartbeat, heartbeat, heartbeat_setting, positive
from ..shared.programs import Belfry, Publisher, item
from ..shared.report import table
from .idle import settled

HELP = "very many sessions without sockets: the server's own part"
FEED = "bench"
FIELDS = ("wanted", "come", "greeted", "items", "news", "beats", "bytes", "unexpected")
#: Before the sessions come, and after: caches fill, memory settles.
SETTLE_SECONDS = 3
#: So many clients come at the same time.
AT_ONCE = 1_000


class Counts:
    """What the simulated clients and this process share: see `simulation/clients.h`."""

    def __init__(self, file: Path):
        file.write_bytes(bytes(8 * len(FIELDS)))
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), 0)

    def __getitem__(self, field: str) -> int:
        return struct.unpack_from("=Q", self._memory, 8 * FIELDS.index(field))[0]

    def want(self, sessions: int) -> None:
        struct.pack_into("=Q", self._memory, 8 * FIELDS.index("wanted"), sessions)

    def await_exactly(self, field: str, count: int, within: float) -> None:
        deadline = time.monotonic() + within
        while (come := self[field]) != count:
            if come > count:
                raise Failed(f"{field}: {come} instead of {count}")
            self._refuse_unexpected()
            if time.monotonic() > deadline:
                raise Failed(f"{field}: {come} instead of {count} after {within:.0f} s")
            time.sleep(0.001)
        self._refuse_unexpected()

    def _refuse_unexpected(self) -> None:
        if self["unexpected"]:
            raise Failed(f"{self['unexpected']} clients were told something unexpected")


def arguments(parser) -> None:
    heartbeat(parser)
    parser.add_argument("--sessions", type=positive, default=1_000_000, help="at most 2,000,000 (default: 1,000,000)")
    parser.add_argument("--items", type=positive, default=10, help="to all of them (default: 10)")
    parser.add_argument("--events", type=positive, default=2_000, help="for one of them each (default: 2,000)")
    parser.add_argument("--item-bytes", type=positive, default=200)


def measure(options, folder: Path, say) -> dict:
    counts_file = folder / "counts"
    counts = Counts(counts_file)
    with ExitStack() as stack:
        belfry = Belfry(
            options.belfry, folder,
            {
                "BELFRY_SHARDS": "1",
                "LD_PRELOAD": str(BUILT / "simulation.so"),
                "SIMULATION_COUNTS": str(counts_file),
                "SIMULATION_SECRET": str(folder / "data" / "dev-secret"),
                "SIMULATION_FEED": FEED,
                **heartbeat_setting(options),
            },
            None)
        stack.callback(belfry.stop)
        publisher = Publisher(belfry.data)
        stack.callback(publisher.close)
        base = settled(belfry, min(SETTLE_SECONDS, beyond_heartbeat(options)))
        stages, before = [], (0, base)
        for sessions in sorted({min(10_000, options.sessions), options.sessions}):
            stages.append(stage(options, belfry, publisher, counts, sessions, base, before, say))
            before = (sessions, stages[-1].pop("memory"))
    return {"sessions": options.sessions, "base": base.json, "stages": stages}


def stage(options, belfry: Belfry, publisher: Publisher, counts: Counts, sessions: int, base, before, say) -> dict:
    come, memory_before = before
    say(f"{sessions:,} sessions: they come")
    cpu, began = belfry.cpu_seconds(), time.monotonic()
    open_sessions(belfry, counts, sessions, say)
    opening = (belfry.cpu_seconds() - cpu) / (sessions - come)
    seconds = time.monotonic() - began
    beats, cpu, began = counts["beats"], belfry.cpu_seconds(), time.monotonic()
    memory = settled(belfry, beyond_heartbeat(options))
    idle = (belfry.cpu_seconds() - cpu) / (time.monotonic() - began)
    beats = counts["beats"] - beats
    say(f"{sessions:,} sessions: {memory.anonymous:,} KiB anonymous")
    fanout = delivered(options, belfry, publisher, counts, sessions)
    unicast = notified(options, belfry, publisher, counts, sessions)
    return {
        "sessions": sessions,
        "memory": memory,
        "anonymousKiB": memory.anonymous,
        "bytesPerSession": round((memory.anonymous - base.anonymous) * 1024 / sessions),
        "bytesPerFurtherSession": round((memory.anonymous - memory_before.anonymous) * 1024 / (sessions - come)),
        "openedPerSecond": round((sessions - come) / seconds),
        "openingMicroseconds": round(opening * 1e6, 1),
        "beats": beats,
        "idleCores": round(idle, 3),
        "idleMicrosecondsPerSessionAndSecond": round(idle / sessions * 1e6, 2),
        "fanout": fanout,
        "unicast": unicast,
    }


def problems(result: dict) -> list[str]:
    return [
        f"{stage['beats']} pings were answered, of {stage['sessions']} sessions"
        for stage in result["stages"] if stage["beats"] < stage["sessions"]]


def open_sessions(belfry: Belfry, counts: Counts, sessions: int, say) -> None:
    """Some at a time: without a network that slows them down, all would come at once and the store would refuse some."""
    told = time.monotonic()
    while (come := counts["come"]) < sessions:
        counts.want(min(come + AT_ONCE, sessions))
        # As long as a real connection waits in the listener's queue, the server goes on accepting.
        with socket.create_connection(("127.0.0.1", belfry.port)):
            counts.await_exactly("greeted", min(come + AT_ONCE, sessions), 60)
        if time.monotonic() - told > 10:
            told = time.monotonic()
            say(f"{come:,} of {sessions:,}")


def delivered(options, belfry: Belfry, publisher: Publisher, counts: Counts, sessions: int) -> dict:
    """One item to everybody, again and again."""
    body = item(options.item_bytes)
    first = counts["items"] + sessions
    publisher.publish(FEED, body)
    counts.await_exactly("items", first, 60)
    cpu, times = belfry.cpu_seconds(), []
    for number in range(options.items):
        began = time.monotonic()
        publisher.publish(FEED, body)
        counts.await_exactly("items", first + (number + 1) * sessions, 60)
        times.append(time.monotonic() - began)
    cpu = belfry.cpu_seconds() - cpu
    return {
        "items": options.items,
        "milliseconds": [round(seconds * 1e3, 2) for seconds in times],
        "nanosecondsPerFrame": round(cpu / options.items / sessions * 1e9, 1),
    }


def notified(options, belfry: Belfry, publisher: Publisher, counts: Counts, sessions: int) -> dict:
    """A notification each for somebody of them."""
    drawn, first = random.Random(1), counts["news"]
    cpu = belfry.cpu_seconds()
    for number in range(options.events):
        user = f"user-{drawn.randrange(sessions)}"
        status, body = publisher.post("/v1/events", json.dumps({
            "type": "room_liked", "actor": {"id": "pete", "username": "pete"}, "to": {"owner": [user]},
            "data": {"room": {"id": f"room-{number}", "name": "Italy"}}}).encode())
        if status != 202:
            raise Failed(f"publishing was answered with {status}: {body[:200].decode(errors='replace')}")
        counts.await_exactly("news", first + number + 1, 10)
    cpu = belfry.cpu_seconds() - cpu
    return {"events": options.events, "microsecondsPerEvent": round(cpu / options.events * 1e6, 1)}


def describe(result: dict) -> str:
    rows = [(
        "without sockets", "anonymous KiB", "bytes a session", "opened/s", "µs to open one", "idle µs a session and s",
        "item to all, ms", "ns a frame", "µs an event for one")]
    for stage in result["stages"]:
        times = sorted(stage["fanout"]["milliseconds"])
        rows.append((
            f"{stage['sessions']:,} sessions", f"{stage['anonymousKiB']:,}", f"{stage['bytesPerSession']:,}",
            f"{stage['openedPerSecond']:,}", f"{stage['openingMicroseconds']:.0f}",
            f"{stage['idleMicrosecondsPerSessionAndSecond']:.2f}", f"{times[len(times) // 2]:.1f}",
            f"{stage['fanout']['nanosecondsPerFrame']:.0f}", f"{stage['unicast']['microsecondsPerEvent']:.0f}"))
    return f"{table(rows)}\n\nThe base is {result['base']['anonymousKiB']:,} KiB."
