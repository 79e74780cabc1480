"""Many tabs of one browser: one connection, the next tab when one goes, and what a frozen one does."""

import statistics
import time

from browser.tab import PATIENCE
from cases.live import publish
from harness.http import once
from harness.suite import case, expect, expect_equal, wait_until


def sessions(server, user: str = "sarah") -> list[dict]:
    return once(server.socket, "GET", f"/v1/users/{user}/sessions").json()["sessions"]


def leader(tabs):
    """The tab that has the connection."""
    return wait_until(lambda: next((tab for tab in tabs if tab.is_leading), None), PATIENCE, "a tab that leads")


@case("thirty tabs have one connection; when its tab is closed or crashes the next is live within a second, "
      "and no tab misses anything or is told it twice", alone=True)
def thirty(world):
    server = world.serve()
    profile = world.profile()
    tabs = [profile.open(server, "sarah") for _ in range(30)]
    for tab in tabs:
        tab.until_synced(unread=0)
    expect_equal(len(sessions(server)), 1, "sessions at the server")
    expect_equal(sum(len(tab.sockets) for tab in tabs), 1, "sockets that the tabs have opened")

    delays, published = [], 0
    for end in ("close", "crash", "close", "crash", "close"):
        publish(server, [published + 1], "sarah")
        gone = leader(tabs)
        tabs.remove(gone)
        began = time.time()
        gone.close() if end == "close" else gone.crash()
        publish(server, [published + 2, published + 3], "sarah")
        published += 3
        for tab in tabs:
            tab.until_synced(unread=published)
            expect_equal(tab.new, list(range(1, published + 1)), f"what a tab was told as new after a {end}")
        delays.append(max(tab.told("status")[-1]["at"] for tab in tabs) / 1000 - began)
        expect_equal(sum(tab.is_leading for tab in tabs), 1, "open sockets")
    expect(0 < statistics.median(delays) < 1, f"it usually took {statistics.median(delays):.3f} s: {delays}")
    expect_equal(len(sessions(server)), 1, "sessions at the server in the end")
    for tab in tabs[::6]:
        tab.expect_list(server, "sarah")


@case("what is read, removed or looked at in one tab is so in the others, and in the person's other browser")
def together(world):
    server = world.serve()
    profile, other = world.profile(), world.profile()
    tabs = [profile.open(server, "sarah"), profile.open(server, "sarah"), other.open(server, "sarah")]
    first, second, elsewhere = tabs
    for tab in tabs:
        tab.until_synced()
    publish(server, range(1, 5), "sarah")
    for tab in tabs:
        tab.until_synced(unread=4)
    ids = [row["id"] for row in first.snapshot["items"]]
    for tab, command, argument, unread in ((first, "read", ids[:1], 3), (second, "read", ids[1:2], 2),
                                           (second, "remove", ids[2:3], 1), (elsewhere, "read", ids[3:], 0)):
        tab.evaluate(f"argument => window.inbox.{command}(argument)", argument)
        for one in tabs:
            one.until_synced(unread=unread)
            one.expect_list(server, "sarah")
    second.evaluate("window.inbox.seen()")
    for one in tabs:
        one.until("everything to be seen", "snapshot.unseen === 0")
        one.expect_list(server, "sarah")


@case("feeds and commands of a tab go on in the next one's connection when the leading tab crashes, each item once")
def handed_over(world):
    server = world.serve()
    profile = world.profile()
    tabs = [profile.open(server, "sarah") for _ in range(3)]
    for tab in tabs:
        tab.until_synced(unread=0)
        tab.evaluate("""() => {
            window.items = []
            window.inbox.feed('posts', { after: 0 }).subscribe(
                ({ offset, item }) => item && window.items.push([offset, item.number]))
        }""")
    publish(server, range(1, 6), "sarah")
    numbers, rest = [], [*tabs]
    while True:
        for _ in range(5):
            numbers.append([server.publish_item("posts", {"number": len(numbers)})["offset"], len(numbers)])
        for tab in rest:
            tab.until("the items", f"window.items.length >= {len(numbers)}")
            expect_equal(tab.evaluate("window.items"), numbers, "what came of the feed")
        if len(rest) == 1:
            break
        gone = leader(rest)
        rest.remove(gone)
        ids = [row["id"] for row in rest[0].snapshot["items"] if not row["isRead"]][:2]
        gone.crash()
        numbers.append([server.publish_item("posts", {"number": len(numbers)})["offset"], len(numbers)])
        rest[0].evaluate("ids => window.inbox.read(ids)", ids)
    expect_equal(server.unread("sarah"), 1, "what is unread at the server")
    rest[0].until_synced(unread=1).expect_list(server, "sarah")


@case("people who sign in in the same browser share no connection, and hear nothing of each other")
def people(world):
    server = world.serve()
    profile = world.profile()
    tabs = {user: [profile.open(server, user) for _ in range(2)] for user in ("sarah", "tom")}
    publish(server, [1], "sarah")
    publish(server, [2], "tom")
    for user in tabs:
        expect_equal(len(sessions(server, user)), 1, f"sessions of {user}")
        for tab in tabs[user]:
            tab.until_synced(unread=1)
            tab.expect_list(server, user)
    tabs["tom"][0].evaluate("window.inbox.close()")
    tabs["tom"][1].until_synced(unread=1)
    publish(server, [3], "sarah", "tom")
    for tab in (*tabs["sarah"], tabs["tom"][1]):
        tab.until_synced(unread=2)
    expect_equal(tabs["tom"][0].snapshot["reason"], "closed", "the tab that has signed out")


@case("a page that was left and comes back as it was, by the back button, has what it missed")
def back(world):
    server = world.serve()
    profile = world.profile()
    tabs = [profile.open(server, "sarah"), profile.open(server, "sarah"), profile.open(server, "sarah", alone="yes")]
    for other in tabs:
        other.until_synced(unread=0)
    published = 0
    for tab in (*tabs, *tabs):
        tab.look()
        tab.page.goto(f"{world.site.origin}/belfry.js")
        publish(server, range(published + 1, published + 3), "sarah")
        published += 2
        # Such a page has been loaded already, and waits for nothing.
        tab.page.go_back(wait_until="commit")
        for other in tabs:
            other.until_synced(unread=published)
            expect_equal(other.new, list(range(1, published + 1)), "what was told as new")
            other.expect_list(server, "sarah")
    wait_until(lambda: len(sessions(server)) == 2, PATIENCE, "one session for two, and one for the tab that does not share")


@case("tabs that may not share stay within the sessions of a person: the seventeenth waits, and takes a free place")
def alone(world):
    server = world.serve()
    profile = world.profile()
    tabs = [profile.open(server, "sarah", alone="yes").until_synced() for _ in range(16)]
    late = profile.open(server, "sarah", alone="yes")
    late.until("the page to wait", "snapshot.status === 'waiting'")
    expect_equal(len(sessions(server)), 16, "sessions")
    tabs[3].close()
    late.until_synced(unread=0)
    publish(server, [1], "sarah")
    late.until_synced(unread=1)


@case("a page that was frozen for ten minutes is live within a second of being looked at, with what it missed",
      alone=True)
def frozen(world):
    server = world.serve()
    profile = world.profile()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    delays, published = [], 0
    for _ in range(3):
        profile.look_elsewhere()
        tab.freeze()
        publish(server, range(published + 1, published + 4), "sarah")
        published += 3
        # The server finds out that nobody is there, and gives the session up.
        once(server.socket, "POST", "/v1/users/sarah/disconnect")
        wait_until(lambda: not sessions(server), PATIENCE, "the server to give the session up")
        tab.pass_time(600)
        began = time.time()
        tab.thaw()
        tab.look()
        tab.until_synced(unread=published)
        delays.append(tab.told("status")[-1]["at"] / 1000 - began)
        expect_equal(tab.new, list(range(1, published + 1)), "what was told as new")
        tab.expect_list(server, "sarah")
    expect(0 < statistics.median(delays) < 1, f"it usually took {statistics.median(delays):.3f} s: {delays}")


@case("a tab that freezes hands the connection on at once, answers no other tab, and joins them when it thaws")
def handed_on(world):
    server = world.serve()
    profile = world.profile()
    tabs = [profile.open(server, "sarah") for _ in range(3)]
    for tab in tabs:
        tab.until_synced(unread=0)
    leader(tabs).freeze()
    publish(server, range(1, 4), "sarah")
    awake = [tab for tab in tabs if not tab.is_frozen]
    for tab in awake:
        tab.until_synced(unread=3)
    # The next one follows it, so that only the one in front is left.
    leader(awake).freeze()
    front = tabs[-1]
    profile.look_elsewhere()
    front.look()
    publish(server, range(4, 6), "sarah")
    front.until_synced(unread=5)
    for tab in tabs:
        tab.thaw()
    for tab in tabs:
        tab.until_synced(unread=5)
        expect_equal(tab.new, [1, 2, 3, 4, 5], "what was told as new")
        tab.expect_list(server, "sarah")
    wait_until(lambda: len(sessions(server)) == 1, PATIENCE, "one session")


@case("a tab that hangs with the connection loses it to the one that somebody looks at, and joins it afterwards")
def stolen(world):
    server = world.serve()
    profile = world.profile()
    tabs = [profile.open(server, "sarah") for _ in range(3)]
    for tab in tabs:
        tab.until_synced(unread=0)
    held = leader(tabs)
    others = [tab for tab in tabs if tab is not held]
    front = others[-1]
    go_on = held.hang()
    publish(server, range(1, 4), "sarah")
    profile.look_elsewhere()
    front.until_hidden()
    front.look()
    for tab in others:
        tab.until_synced(unread=3)
    expect_equal(leader(others), front, "the tab that leads")
    publish(server, range(4, 6), "sarah")
    go_on()
    for tab in tabs:
        tab.until_synced(unread=5)
        expect_equal(tab.new, [1, 2, 3, 4, 5], "what was told as new")
        tab.expect_list(server, "sarah")
    wait_until(lambda: len(sessions(server)) == 1, PATIENCE, "one session")
