"""Browsers' subscriptions: pages that need no service worker, subscriptions that end, and those that are replaced."""

import time

from harness.events import room_liked
from harness.http import expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until
from harness.tokens import base64url

from .web_push import subscribe, with_browser


def change(server, endpoint: str, auth: str, subscription: dict):
    """What a service worker sends, without a token."""
    body = {"endpoint": endpoint, "auth": auth, "subscription": subscription}
    return once(server.listen, "POST", "/api/push/subscription", body)


def steps(server, event: str) -> list[str]:
    [recipient] = once(server.socket, "GET", f"/v1/trail/{event}").json()["recipients"]
    return [step["step"] for step in recipient["steps"]]


@case("a push with a count and a link is one that Safari shows by itself, and one without a scope is the worker's")
def both_forms(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    for number in range(1, 4):
        server.publish(room_liked("sarah", room={"id": f"room-{number}", "name": f"Room {number}"}))
        browser.wait_for(number)
    pushes = browser.wait_for(3)
    expect_equal([push.payload["app_badge"] for push in pushes], [1, 2, 3], "the exact counts")
    expect_subset(pushes[0].payload["notification"], {"navigate": "https://app.example/", "title": "Room 1"}, "the first")
    browser.scope = None
    subscribe(server, browser.subscription())
    server.publish(room_liked("sarah", room={"id": "room-4", "name": "Room 4"}))
    push = browser.wait_for(4)[3]
    expect_subset(push.payload, {"title": "Room 4", "badge": 4}, "the push of a worker's own form")


@case("what is read elsewhere sends no push to a browser, which would have to show it")
def nothing_unseen(world):
    server, browser = with_browser(world, PUSH_BADGE_DELAY="100ms")
    subscribe(server, browser.subscription())
    server.publish(room_liked("sarah"))
    browser.wait_for(1)
    server.rest("sarah", "PUT", "/api/notifications/read-all")
    # The number's push would leave before this one.
    server.publish(room_liked("sarah", room={"id": "room-2", "name": "Room 2"}))
    expect_equal([push.shown["title"] for push in browser.wait_for(2)], ["Italy Trip", "Room 2"], "what was sent")


@case("a subscription whose time is over gets no push any more: its device is gone, and the trail says so")
def expired(world):
    server, browser = with_browser(world)
    end = time.time() + 1.5
    subscription = {**browser.subscription(), "expirationTime": end * 1_000}
    expect_equal(subscribe(server, subscription).status, 200, "the status of the subscription")
    [device] = server.get("sarah", "/api/devices")["data"]
    expect("expiresAt" in device, f"the device has no end: {device}")
    expect_problem(subscribe(server, {**subscription, "expirationTime": 1}), {"status": 400, "pointer": "/expirationTime"},
                   "a subscription that has ended already")
    wait_until(lambda: time.time() > end, PATIENCE, "the end")
    event = server.publish(room_liked("sarah"))["event"]
    wait_until(lambda: "deviceGone" in steps(server, event), PATIENCE, "the trail to tell of it")
    expect_equal((server.get("sarah", "/api/devices")["data"], browser.pushes), ([], []), "devices and pushes")
    subscribe(server, browser.subscription())
    server.publish(room_liked("sarah", room={"id": "room-2", "name": "Room 2"}))
    browser.wait_for(1)


@case("a browser that replaces its subscription keeps its device and its waiting pushes, by the secret of the one before")
def replaced(world):
    server, browser = with_browser(world)
    first = browser.subscription()
    subscribe(server, first)
    second = browser.subscription(f"{browser.origin}/push/two")
    wrong = base64url(bytes(16))
    for endpoint, auth in ((first["endpoint"], wrong), (f"{browser.origin}/push/none", first["keys"]["auth"])):
        expect_problem(change(server, endpoint, auth, second), {"status": 404, "code": "unknown_subscription"}, endpoint)
    elsewhere = browser.subscription("https://127.0.0.1:1/x")
    expect_problem(change(server, first["endpoint"], first["keys"]["auth"], elsewhere),
                   {"status": 400, "pointer": "/subscription/endpoint"}, "a place that is no push service")
    snooze = "/api/notifications/snooze"
    server.rest("sarah", "PUT", snooze, {"hours": 1})
    server.publish(room_liked("sarah"))
    expect_equal(change(server, first["endpoint"], first["keys"]["auth"], second).status, 200, "the status of the change")
    server.rest("sarah", "DELETE", snooze)
    expect_equal(browser.wait_for(1)[0].path, "/push/two", "where the push went that waited meanwhile")
    expect_equal([one["id"] for one in server.get("sarah", "/api/devices")["data"]], ["browser-1"], "the devices")
    expect_problem(change(server, first["endpoint"], first["keys"]["auth"], second),
                   {"status": 404, "code": "unknown_subscription"}, "the same once more")
