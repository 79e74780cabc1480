"""Web Push from end to end: a click on a button, a push that is encrypted for the browser, and a click on it."""

from browser.service_worker import ServiceWorker
from browser.tab import PATIENCE
from cases.attention import expect_attention
from cases.live import publish
from harness.suite import case, expect_equal, expect_subset
from harness.stand_ins.web_push_receiver import WebPushReceiver


def with_push(world):
    receiver = world.keep(WebPushReceiver(world.folder))
    server = world.serve(**receiver.settings, PUSH_GRACE="1s")
    profile = world.profile()
    return server, profile, receiver, ServiceWorker(profile, receiver)


def devices(server) -> list[dict]:
    return server.get("sarah", "/api/devices")["data"]


def enable(tab):
    tab.look()
    tab.page.click("#bell")
    tab.evaluate("window.enabled")


@case("a click registers the browser; a push to it is decrypted, shown and clicked, and the page hears which one it was")
def from_end_to_end(world):
    server, profile, receiver, worker = with_push(world)
    worker.allow_notifications()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    expect_equal(tab.evaluate("window.inbox.push.state()"), "off", "the state before")
    enable(tab)
    expect_equal((tab.evaluate("window.inbox.push.state()"), len(devices(server))), ("on", 1), "the state and devices")
    enable(tab)
    expect_equal(len(devices(server)), 1, "how many devices there are after another start")

    profile.look_elsewhere()
    expect_attention(server, False)
    publish(server, [1], "sarah")
    push = receiver.wait_for(1, PATIENCE)[0]
    row = tab.until_synced(unread=1).snapshot["items"][0]
    worker.deliver(tab, push)
    shown = worker.wait_for_shown(tab, ["Room 1"])[0]
    expect_subset(shown, {"body": "Pete liked your room", "tag": row["id"]}, "the notification")
    # One that Safari would show by itself: the worker shows it once, with its number.
    expect_subset(push.payload, {"web_push": 8030, "app_badge": 1}, "the push")
    expect_equal(push.payload["notification"]["navigate"], f"{world.site.origin}/", "the page that it opens in Safari")
    expect_equal(worker.badge, 1, "the number on the icon")

    expect_equal(worker.click(row["id"]), {"focused": [tab.page.url], "opened": []}, "what the click did")
    click = tab.until_told("activate", 1)[0]
    expect_equal((click["id"], click["data"]["roomId"]), (row["id"], "room-1"), "what the page was told")
    expect_equal(worker.shown(tab), [], "what is on the screen after the click")

    # Of two tabs the one that can be seen; and where none is open, a new one.
    other = profile.open(server, "sarah").until_synced()
    worker.deliver(other, push)
    worker.wait_for_shown(other, ["Room 1"])
    expect_equal(worker.click(row["id"])["focused"], [other.page.url], "the tab that was focused")
    other.until_told("activate", 1)
    worker.deliver(other, push)
    worker.wait_for_shown(other, ["Room 1"])
    for one in (tab, other):
        one.close()
    expect_equal(worker.click(row["id"]), {"focused": [], "opened": [f"{world.site.origin}/"]}, "what the click did")


@case("once push is switched off none is sent, and once it is on again what comes then is")
def switched_off(world):
    server, profile, receiver, worker = with_push(world)
    worker.allow_notifications()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    enable(tab)
    profile.look_elsewhere()
    expect_attention(server, False)
    publish(server, [1], "sarah")
    worker.deliver(tab, receiver.wait_for(1, PATIENCE)[-1])
    worker.wait_for_shown(tab, ["Room 1"])

    tab.evaluate("window.inbox.push.disable()")
    expect_equal((tab.evaluate("window.inbox.push.state()"), devices(server)), ("off", []), "the state and devices")
    publish(server, [2], "sarah")
    tab.until_synced(unread=2)
    enable(tab)
    profile.look_elsewhere()
    expect_attention(server, False)
    # The second one's push would have come before this one's.
    publish(server, [3], "sarah")
    expect_equal(receiver.wait_for(2, PATIENCE)[-1].shown["title"], "Room 3", "the push that came next")


@case("a subscription that the browser replaces while nobody looks is the device's next one, and disabling takes it back")
def replaced(world):
    server, profile, receiver, worker = with_push(world)
    worker.allow_notifications()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    enable(tab)
    before = devices(server)
    worker.replace_subscription(receiver.subscription(f"{receiver.origin}/push/two"))
    expect_equal([one["id"] for one in devices(server)], [one["id"] for one in before], "the devices")
    profile.look_elsewhere()
    expect_attention(server, False)
    publish(server, [1], "sarah")
    expect_equal(receiver.wait_for(1, PATIENCE)[0].path, "/push/two", "where the push went")
    tab.evaluate("window.inbox.push.disable()")
    expect_equal(devices(server), [], "the devices after the person has logged out")


@case("a person who says no is not asked to register anything, and the page says so")
def refused(world):
    server, profile, _, _ = with_push(world)
    tab = profile.open(server, "sarah").until_synced(unread=0)
    code = tab.evaluate("window.inbox.push.enable().catch(error => error.code)")
    expect_equal((code, devices(server)), ("permission_denied", []), "the answer and the devices")
    tab.until_synced(unread=0)
