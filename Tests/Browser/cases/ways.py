"""Pages whose network breaks WebSockets: they go another way, and come back to WebSockets when those work."""

import statistics
import time

from browser.hostile_proxy import HostileProxy
from browser.tab import PATIENCE
from cases.demo import Demo
from cases.live import publish
from harness import tokens
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import CATALOGS

#: What a person waits for a page without WebSockets.
PROMISED = 5

#: Timers of more than 40 s wait until `passBreaks` is called, and delays that chance decides are short.
HASTE = """
  const { setTimeout, clearTimeout } = window
  const { random } = Math
  const long = new Map()
  let last = 0
  Math.random = () => random() / 10
  window.setTimeout = (action, delay) => {
    if (!(delay > 40_000)) return setTimeout(action, delay)
    long.set(--last, action)
    return last
  }
  window.clearTimeout = (id) => long.delete(id) || clearTimeout(id)
  window.passBreaks = () => {
    const actions = [...long.values()]
    long.clear()
    actions.forEach((action) => action())
  }
"""


def behind(world, mode: str, *, keeps: bool = False, **settings):
    server = world.serve(data=f"data-{mode}-{keeps}", LIVE_HEARTBEAT="5s", **settings)
    proxy = world.keep(HostileProxy(server.listen, mode, keeps=keeps))
    world.site.servers.append(proxy.listen)
    return server, proxy


def until_way(tab, way: str):
    tab.until(f"the page to be live by {way}", f"snapshot.status === 'live' && snapshot.way === '{way}'")


def expect_in_time(mode: str, times: list[float]):
    median = statistics.median(times)
    expect(median < PROMISED, f"{mode}: a page is usually live after {median:.2f} s: {times}")


@case("a proxy that answers 101 and drops, one that never answers, and both with answers in blocks of 64 KiB: the page is "
      "live within 5 s, and works as always", alone=True)
def live_in_time(world):
    for mode, keeps, way in (("drop", False, "events"), ("swallow", False, "events"),
                             ("drop", True, "poll"), ("swallow", True, "poll")):
        server, proxy = behind(world, mode, keeps=keeps)
        profile, times = world.profile(), []
        for _ in range(3):
            begun = time.monotonic()
            tab = profile.open(proxy, "sarah").until_synced(unread=0)
            times.append(time.monotonic() - begun)
            expect_equal(tab.snapshot["way"], way, "the way")
            if len(times) < 3:
                tab.close()
        expect_in_time(f"{mode}, {way}", times)
        publish(server, range(1, 6), "sarah")
        tab.until_synced(unread=5)
        expect_equal(tab.new, [1, 2, 3, 4, 5], "what was told as new")
        tab.evaluate("window.inbox.read([window.inbox.snapshot.items[0].id])")
        wait_until(lambda: server.unread("sarah") == 4, PATIENCE, "the read on the server")
        tab.until_synced(unread=4)
        tab.expect_list(server, "sarah")
        expect_equal(proxy.upgrades["open"], 0, "WebSockets that were let through")


@case("the demo behind a proxy that breaks WebSockets: both phones are live within 5 s, and show what comes", alone=True)
def demo(world):
    for mode, keeps, way in (("drop", False, "events"), ("swallow", False, "events"), ("drop", True, "poll")):
        server, proxy = behind(world, mode, keeps=keeps, arguments=["--dev"], catalogs=CATALOGS, PUSH_GRACE="1s")
        profile, times = world.profile(), []
        ways = lambda: [demo.app(name).locator("body > belfry-inbox").evaluate("one => one.inbox?.snapshot.way")
                        for name in ("Maya", "Tom")]
        for _ in range(3):
            begun = time.monotonic()
            demo = Demo(profile, proxy)
            wait_until(lambda: ways() == [way, way], PATIENCE, "both phones to be live")
            times.append(time.monotonic() - begun)
            if len(times) < 3:
                demo.close()
        expect_in_time(mode, times)
        demo.publish("Room renamed", "Both")
        for name in ("Maya", "Tom"):
            wait_until(lambda: [row for row in demo.rows(name) if "renamed" in row], PATIENCE, f"the row of {name}")
        expect_equal(demo.errors, [], "errors that nobody has caught")


@case("fifty changes of the way while events come all along: each arrives once, in order, and pages return to WebSockets")
def there_and_back(world):
    server, proxy = behind(world, "open")
    tab = world.profile().open(proxy, "sarah").until_synced(unread=0)
    until_way(tab, "websocket")
    tab.evaluate(HASTE)
    published = 0
    for change in range(50):
        way = ("events", "websocket")[change % 2]
        publish(server, [published + 1, published + 2], "sarah")
        if way == "events":
            # A session that has lasted, so that the client comes back at once.
            tab.pass_time(31)
            proxy.become("swallow" if change == 24 else "drop")
        else:
            proxy.become("open")
            tab.evaluate("passBreaks()")
        publish(server, [published + 3, published + 4], "sarah")
        published += 4
        until_way(tab, way)
    tab.until_synced(unread=published)
    expect_equal(tab.new, list(range(1, published + 1)), "what was told as new")
    tab.expect_list(server, "sarah")


@case("fifty changes among all three ways, with four events each: each arrives once, in order")
def all_ways(world):
    server, proxy = behind(world, "open")
    tab = world.profile().open(proxy, "sarah").until_synced(unread=0)
    until_way(tab, "websocket")
    tab.evaluate(HASTE)
    published = 0
    for change in range(50):
        way = ("poll", "events", "websocket")[change % 3]
        publish(server, [published + 1, published + 2], "sarah")
        if way == "poll":
            # A session that has lasted, so that the client comes back at once.
            tab.pass_time(31)
            proxy.become("drop", keeps=True)
        else:
            proxy.become("drop" if way == "events" else "open")
            tab.evaluate("passBreaks()")
        publish(server, [published + 3, published + 4], "sarah")
        published += 4
        until_way(tab, way)
    tab.until_synced(unread=published)
    expect_equal(tab.new, list(range(1, published + 1)), "what was told as new")
    tab.expect_list(server, "sarah")


@case("a page without WebSockets renews its token, and follows a feed and the server over a restart, as with them")
def all_of_it(world):
    server, proxy = behind(world, "drop")
    lifetimes = [6]
    world.site.make_token = lambda user: tokens.token(user, expires_in=lifetimes.pop() if lifetimes else 3600)
    tab = world.profile().open(proxy, "sarah").until_synced(unread=0)
    tab.evaluate("""() => {
        window.entries = []
        window.inbox.feed('posts', { after: 0 }).subscribe((entry) => entry.reset || window.entries.push(entry.offset))
    }""")
    for number in range(1, 4):
        server.publish_item("posts", {"number": number})
    tab.until("three items", "window.entries.length === 3")
    wait_until(lambda: "renew" in world.site.reasons("sarah"), PATIENCE, "the server's question")
    publish(server, [1], "sarah")
    tab.until_synced(unread=1)
    server.terminate()
    tab.until("the page to notice", "snapshot.status !== 'live'")
    server.start()
    server.publish_item("posts", {"number": 4})
    publish(server, [2], "sarah")
    tab.until_synced(unread=2)
    tab.until("the fourth item", "window.entries.length === 4")
    expect_equal((tab.new, tab.evaluate("window.entries")), ([1, 2], [1, 2, 3, 4]), "what was told")
    expect_equal(tab.snapshot["way"], "events", "the way")
    tab.evaluate("window.inbox.close()")
    wait_until(lambda: server.metrics()["belfry_sessions"] == 0, PATIENCE, "the end of the session")
