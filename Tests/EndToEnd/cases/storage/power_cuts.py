"""The power fails: the disk has lost what was not synced."""

import os
import random
import time

from cases.storage.durability import USERS, Publisher, read_some
from harness.broken_machines.lossy_disk import LossyDisk
from harness.events import room_liked
from harness.suite import Failed, case, expect, expect_equal, wait_until

#: How often the power fails; `make power-long` has many more.
CUTS = int(os.environ.get("POWER_CUTS", "8"))
SEED = int(os.environ.get("POWER_SEED", "1"))
#: So many events at least are answered between two cuts.
EVENTS_A_ROUND = 20


def run_until_cut(server, disk: LossyDisk, publishers: list[Publisher], chance: random.Random, **how):
    goal = sum(len(publisher.answered) for publisher in publishers) + chance.randrange(EVENTS_A_ROUND, 3 * EVENTS_A_ROUND)
    read_some(server, "reader")
    wait_until(lambda: sum(len(publisher.answered) for publisher in publishers) >= goal, 30, "more answers")
    server.kill()
    disk.cut(server.data, chance, **how)


@case("when the power fails, no event is lost that was answered, each is there once, and the counts are right")
def power_cuts(world):
    disk = LossyDisk(world.folder)
    if not disk.is_possible:
        return
    chance = random.Random(SEED)
    server = world.serve(launcher=disk.launcher)
    publishers = [Publisher(name, server.socket) for name in "abcd"]
    for publisher in publishers:
        publisher.start()
    for _ in range(CUTS):
        run_until_cut(server, disk, publishers, chance)
        # A start copies the log to the database, and may be cut off, too.
        while chance.random() < 0.4:
            server.begin()
            time.sleep(chance.random() / 5)
            server.kill()
            disk.cut(server.data, chance)
        server.start()
    for publisher in publishers:
        publisher.stop()
    expect_equal([publisher.surprises[:1] for publisher in publishers], [[]] * 4, "unexpected answers")
    expect(disk.lost > 0, "no cut lost anything")
    names = sorted(name for publisher in publishers for name in publisher.answered)
    for user in USERS:
        rows = server.list_all(user)
        expect_equal(sorted(row["roomName"] for row in rows), names, f"{user}'s events")
        expect_equal(server.unread(user), len(rows), f"{user}'s unread")
    rows = server.list_all("reader")
    expect_equal(server.unread("reader"), sum(not row["isRead"] for row in rows), "the reader's unread")
    expect_equal([line for line in server.log if '"critical"' in line], [], "what is told of damage")
    print(f"  {CUTS} power cuts lost {disk.lost} sectors; {len(names)} answered events are there")


@case("a disk that says it has synced what it then loses is noticed by this test")
def lying_disk(world):
    disk = LossyDisk(world.folder)
    if not disk.is_possible:
        return
    server = world.serve(launcher=disk.launcher)
    names = {f"room-{number}" for number in range(30)}
    for name in names:
        server.publish(room_liked(USERS[0], room={"id": name, "name": name}))
    server.kill()
    disk.cut(server.data, random.Random(SEED), is_lying=True)
    world.damaged.add(server.data)
    try:
        server.start()
    except Failed:
        return server.kill()
    expect(names > {row["roomName"] for row in server.list_all(USERS[0])}, "nothing was lost with what was never written")
