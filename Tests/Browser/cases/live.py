"""A person's inbox in a page: what arrives, and what is still there after the page, the server or the network was away."""

import statistics
import time

from harness.events import room_liked
from harness.suite import case, expect, expect_equal


def room(number: int) -> dict:
    return {"id": f"room-{number}", "name": f"Room {number}"}


def publish(server, numbers, *users: str):
    """Each makes a notification of its own."""
    for number in numbers:
        server.publish(room_liked(*users, room=room(number)))


@case("an event for two people is on both pages within a second, and a reload keeps the list", alone=True)
def arrival(world):
    server = world.serve()
    tabs = {user: world.profile().open(server, user).until_synced(unread=0) for user in ("sarah", "tom")}
    delays = []
    for number in range(1, 12):
        published = time.time()
        publish(server, [number], *tabs)
        for tab in tabs.values():
            told = tab.until_told("new", number)
            delays.append(told[-1]["at"] / 1000 - published)
    expect(statistics.median(delays) < 1, f"it usually took {statistics.median(delays):.3f} s: {delays}")
    for user, tab in tabs.items():
        expect_equal(tab.new, list(range(1, 12)), "what was told as new")
        tab.expect_list(server, user)
        tab.page.reload()
        tab.until_synced(unread=11)
        expect_equal(tab.new, [], "what is new after a reload")
        tab.expect_list(server, user)
    publish(server, [12], *tabs)
    for user, tab in tabs.items():
        tab.until_synced(unread=12)
        expect_equal(tab.new, [12], "what was told as new")
        tab.expect_list(server, user)
