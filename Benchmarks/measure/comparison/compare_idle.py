"""What a subscriber that is told nothing costs each of the compared servers: user memory, of all its processes."""

import statistics
import time
from contextlib import ExitStack

from ..shared.family import FamilyMemory
from .compare_peers import STARTERS, LeftOut
from .compare_servers import CHANNEL, Contender, Work

BASE_SECONDS = 3
ITEMS = 20
READINGS = 5
# What counts as unchanged over the readings.
STEADY_SHARE = 0.005
LONGEST_SECONDS = 60


def measure(names: list[str], work: Work, settle_seconds: float, left_out: LeftOut, say) -> dict:
    """One server after the other, each alone and new; its memory is read so long after what it was told."""
    servers = {}
    for name in names:
        with left_out.if_failed(name, f"with {work.sessions:,} idle subscribers"), ExitStack() as stack:
            contender = STARTERS[name](work, stack)
            base = settled(contender, min(BASE_SECONDS, settle_seconds))
            contender.open(work.sessions)
            subscribed = settled(contender, settle_seconds)
            contender.begin()
            for number in range(ITEMS):
                contender.publish(CHANNEL, 1)
                contender.clients.await_frames((number + 1) * work.sessions)
            told = settled(contender, settle_seconds)
            servers[name] = {
                "base": base.json,
                "subscribed": subscribed.json | {"bytesPerConnection": per_connection(subscribed, base, work.sessions)},
                "afterMessages": told.json | {"bytesPerConnection": per_connection(told, base, work.sessions)},
            }
            bytes_each = servers[name]["subscribed"]["bytesPerConnection"]["anonymous"]
            say(f"{work.sessions:,} idle subscribers of {name}: {bytes_each:,} bytes each")
    return {"connections": work.sessions, "messages": ITEMS, "servers": servers}


def per_connection(memory: FamilyMemory, base: FamilyMemory, connections: int) -> dict:
    return {
        "anonymous": round((memory.anonymous - base.anonymous) * 1024 / connections),
        "proportional": round((memory.proportional - base.proportional) * 1024 / connections),
    }


def settled(contender: Contender, seconds: float) -> FamilyMemory:
    """The memory once it is steady, `seconds` from now at the earliest; the middle one of the last readings if it never
    is, as a garbage collector's may be."""
    time.sleep(seconds)
    deadline = time.monotonic() + LONGEST_SECONDS
    readings = [contender.family.memory()]
    while time.monotonic() < deadline:
        time.sleep(min(seconds, 1))
        readings = [*readings, contender.family.memory()][-READINGS:]
        sizes = [reading.anonymous for reading in readings]
        if len(sizes) == READINGS and max(sizes) - min(sizes) <= STEADY_SHARE * max(sizes):
            return readings[-1]
    return FamilyMemory(
        round(statistics.median(reading.anonymous for reading in readings)),
        round(statistics.median(reading.proportional for reading in readings)))
