"""A person's inbox in a page: what arrives, and what is still there after the page, the server or the network was away."""

import statistics
import time

from browser.relay import Relay
from browser.tab import PATIENCE
from harness import tokens
from harness.events import room_liked
from harness.suite import case, expect, expect_equal, wait_until


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


@case("a server that leaves and one that is killed: the page is live again, and nothing is lost or told twice")
def restarts(world):
    server = world.serve()
    tab = world.profile().open(server, "sarah").until_synced(unread=0)
    published = 0
    for stop in (server.terminate, server.kill):
        publish(server, range(published + 1, published + 4), "sarah")
        stop()
        tab.until("the page to notice", "snapshot.status !== 'live'")
        server.start()
        publish(server, range(published + 4, published + 7), "sarah")
        published += 6
        tab.until_synced(unread=published)
        expect_equal(tab.new, list(range(1, published + 1)), "what was told as new")
        tab.expect_list(server, "sarah")
    expect_equal(len(tab.told("reset")), 1, "how often the list began anew")


@case("a page that is offline tries in vain, and once the network is back gets what it missed, each once")
def offline(world):
    server = world.serve(LIVE_HEARTBEAT="1s")
    relay = world.keep(Relay(server.listen))
    world.site.servers.append(relay.listen)
    profile = world.profile()
    tab = profile.open(relay, "sarah").until_synced(unread=0)
    publish(server, [1], "sarah")
    tab.until_synced(unread=1)
    # Chromium keeps open sockets when it is told to be offline; a network that goes takes them along.
    profile.context.set_offline(True)
    relay.lose()
    tab.until("two failed attempts", "window.told.filter(({ status }) => status === 'waiting').length > 2")
    publish(server, range(2, 5), "sarah")
    expect_equal((tab.new, tab.snapshot["status"] == "live"), ([1], False), "what an offline page has")
    profile.context.set_offline(False)
    tab.until_synced(unread=4)
    expect_equal(tab.new, [1, 2, 3, 4], "what was told as new")
    tab.expect_list(server, "sarah")


@case("a path that dies without a word is replaced, and what was published meanwhile arrives once")
def dead_path(world):
    server = world.serve(LIVE_HEARTBEAT="1s")
    relay = world.keep(Relay(server.listen))
    world.site.servers.append(relay.listen)
    profile = world.profile()
    tab = profile.open(relay, "sarah").until_synced(unread=0)
    publish(server, [1], "sarah")
    tab.until_synced(unread=1)
    relay.lose()
    publish(server, range(2, 5), "sarah")
    tab.until_synced(unread=4)
    expect_equal((tab.new, len(tab.sockets)), ([1, 2, 3, 4], 2), "what was told as new, and over how many sockets")
    tab.expect_list(server, "sarah")


@case("a page that missed more than the server keeps begins anew with the newest, and loads the older ones on request")
def too_much(world):
    server = world.serve()
    tab = world.profile().open(server, "sarah").until_synced(unread=0)
    publish(server, [1], "sarah")
    tab.until_synced(unread=1)
    server.kill()
    tab.until("the page to notice", "snapshot.status !== 'live'")
    # A page that is offline for long; here so that the server has all of it before the page is back.
    tab.page.context.set_offline(True)
    server.start()
    server.publish([room_liked("sarah", room=room(number)) for number in range(2, 1_203)])
    tab.page.context.set_offline(False)
    tab.until_synced(unread=1_202)
    expect_equal(len(tab.told("reset")), 2, "how often the list began anew")
    while tab.snapshot["more"]:
        tab.evaluate("window.inbox.more()")
    tab.expect_list(server, "sarah")
    publish(server, [1_203], "sarah")
    tab.until_synced(unread=1_203)
    tab.expect_list(server, "sarah")


@case("a page whose clock is wrong by hours is in step all the same, and renews its token when the server says so")
def wrong_clock(world):
    for hours in (-30, 30):
        server = world.serve(data=f"data{hours}", AUTH_LEEWAY="0s", LIVE_RENEW_GRACE="5s")
        lifetimes = [12]
        world.site.make_token = lambda user: tokens.token(user, expires_in=lifetimes.pop() if lifetimes else 3600)
        tab = world.profile().open(server, "sarah", ahead=str(hours * 3600))
        tab.until_synced(unread=0)
        publish(server, [1], "sarah")
        tab.until_synced(unread=1)
        wait_until(lambda: "renew" in world.site.reasons("sarah"), PATIENCE, "the server's question")
        publish(server, [2], "sarah")
        tab.until_synced(unread=2)
        expect_equal((tab.new, len(tab.sockets)), ([1, 2], 1), "what was told as new, over how many sockets")
        world.site.asked.clear()
