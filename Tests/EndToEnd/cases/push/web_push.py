"""Pushes to browsers, read by implementations of the RFCs that are not ours."""

from harness.events import elements_added, room_liked
from harness.http import expect_problem
from harness.suite import case, expect, expect_equal, expect_subset
from harness.stand_ins.web_push_receiver import SUBJECT, WebPushReceiver

GRACE = {"PUSH_GRACE": "1s"}


def with_browser(world, **settings):
    """A browser, and a server with a VAPID key that may use its push service."""
    browser = world.keep(WebPushReceiver(world.folder))
    return world.serve(**{**GRACE, **browser.settings, **settings}), browser


def subscribe(server, subscription: dict, user: str = "sarah"):
    return server.rest(user, "PUT", "/api/devices/browser-1/subscription", subscription)


def application_server_key(server) -> str:
    return server.get("sarah", "/api/push/key")["data"]["applicationServerKey"]


@case("a browser's subscription gets a push that independent implementations decrypt and verify")
def decrypted_elsewhere(world):
    server, browser = with_browser(world)
    expect_equal(subscribe(server, browser.subscription()).status, 200, "the status of the subscription")
    server.publish(room_liked("sarah"))
    push = browser.wait_for(1)[0]
    row = server.get("sarah")["data"][0]
    expect_subset(push.shown, {"title": "Italy Trip", "body": "Pete liked your room", "badge": 1, "tag": row["id"],
                               "navigate": "https://app.example/", "group": "room:room-789"}, "what is shown")
    expect_subset(push.shown["data"], {"type": "room_like", "roomId": "room-789"}, "the app's data")
    expect_subset(push.shown["data"]["belfry"], {"id": row["id"], "rev": 1}, "whose push it is")
    expect_subset(push.headers, {"urgency": "normal", "topic": row["id"]}, "the headers")
    expect(0 < int(push.headers["ttl"]) <= 28 * 86400, f"a TTL of {push.headers['ttl']}")
    expect_equal(push.path, "/push/one", "the path")
    expect_subset(push.claims, {"sub": SUBJECT, "aud": browser.origin}, "the VAPID claims")
    expect_equal(push.sender, application_server_key(server), "the key that pages subscribe with")


@case("what grows after a digest is shown beside it: the digest stays, and so does what else it stands for")
def beside_a_digest(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    snooze = "/api/notifications/snooze"
    server.rest("sarah", "PUT", snooze, {"hours": 1})
    server.publish([elements_added("sarah", photos=1), room_liked("sarah")])
    server.rest("sarah", "DELETE", snooze)
    digest = browser.wait_for(1)[0].shown
    expect_equal(digest["body"], "2 new notifications", "the digest")
    server.publish(elements_added("sarah", photos=1, first=7))
    grown = browser.wait_for(2)[1].shown
    expect_equal(grown["body"], "Renee added 2 photos in Awesome Fun", "what has grown")
    expect(grown["tag"] != digest["tag"], "it takes the digest's place")
    server.publish(elements_added("sarah", photos=1, first=8))
    again = browser.wait_for(3)[2].shown
    expect_equal((again["tag"], "renotify" in again), (grown["tag"], False), "the place of what has grown once more")


@case("texts of every length reach a browser whole or cut, and their length says little about them")
def long_texts(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    names = ["Ö", "Ö" * 400, "Ö" * 5_000]
    for number, name in enumerate(names, 1):
        server.publish(room_liked("sarah", room={"id": f"room-{number}", "name": name}))
        browser.wait_for(number)
    titles = [push.shown["title"] for push in browser.pushes]
    expect_equal(titles[:2], names[:2], "short titles")
    expect(titles[2].endswith("…") and names[2].startswith(titles[2][:-1]), f"a cut title: {titles[2][-20:]}")


@case("a chosen endpoint takes the place of a browser's own push service")
def other_endpoint(world):
    browser = world.keep(WebPushReceiver(world.folder))
    server = world.serve(**{**GRACE, **browser.settings, "PUSH_WEB_PUSH_HOSTS": "fcm.googleapis.com",
                            "PUSH_WEB_PUSH_ENDPOINT": browser.origin})
    subscription = browser.subscription("https://fcm.googleapis.com/fcm/send/abc:def")
    expect_equal(subscribe(server, subscription).status, 200, "the status of the subscription")
    server.publish(room_liked("sarah"))
    expect_equal(browser.wait_for(1)[0].path, "/fcm/send/abc:def", "the path")


@case("a subscription that leads anywhere but to a push service is refused, and so are wrong keys")
def refused_subscriptions(world):
    server, browser = with_browser(world)
    good = browser.subscription()
    for endpoint in ("https://127.0.0.1:1/x", "http://" + browser.authority + "/x", "https://169.254.169.254/latest",
                     f"https://{browser.authority}@127.0.0.1/x", "https://localhost/x", "file:///etc/passwd"):
        expect_problem(subscribe(server, {**good, "endpoint": endpoint}),
                       {"status": 400, "pointer": "/endpoint"}, endpoint)
    keys = good["keys"]
    expect_problem(subscribe(server, {**good, "keys": {**keys, "auth": "AAAA"}}),
                   {"status": 400, "pointer": "/keys/auth", "hint": "16 bytes"}, "a short secret")
    expect_problem(subscribe(server, {**good, "keys": {**keys, "p256dh": keys["auth"]}}),
                   {"status": 400, "pointer": "/keys/p256dh", "hint": "P-256"}, "a key that is no point")


@case("every topic is one that Apple's service can decode: of forty notifications, and of a test push")
def topics(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    # One at a time, so that none is folded into another: the 36th has an id of five characters.
    for number in range(1, 41):
        server.publish(room_liked("sarah", room={"id": f"room-{number}", "name": "Italy Trip"}))
        browser.wait_for(number)
    tested = world.run("push", "test", "--user", "sarah", "--socket", server.socket)
    expect_equal(tested.returncode, 0, f"the exit code of push test: {tested.stdout}")
    pushes = browser.wait_for(41)
    topics = [push.headers["topic"] for push in pushes]
    expect(all(len(topic) % 4 == 0 and len(topic) <= 32 for topic in topics), f"topics: {topics}")
    expect_equal(len(set(topics)), 41, "how many topics there are")
    expect(any(len(push.shown["tag"]) % 4 == 1 for push in pushes), "no id has the length that was refused")


@case("a browser whose service takes less gets a text cut to that, in the second request")
def constrained(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    for number, limit in enumerate((3_070, 2_048), 1):
        browser.maximum_bytes, browser.too_large = limit, []
        server.publish(room_liked("sarah", room={"id": f"room-{number}", "name": "Ö" * 5_000}))
        push = browser.wait_for(number)[number - 1]
        expect(push.shown["title"].endswith("…"), f"a title that is not cut: {push.shown['title'][-20:]}")
        expect_equal(len(browser.too_large), 1, f"how many requests were above {limit} bytes")


@case("what a service says about a refusal is told: Microsoft's in its headers, Apple's in its word")
def told_reasons(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    for answer, word in (
        ((400, {"X-WNS-ERROR-DESCRIPTION": "Ttl value conflicts with X-WNS-Cache-Policy.", "X-WNS-STATUS": "dropped"}, b""),
         "HTTP 400, WNS: Ttl value conflicts with X-WNS-Cache-Policy"),
        ((406, {"X-WNS-STATUS": "channelthrottled", "Retry-After": "17"}, b""), "come back in 17 s"),
        ((403, {}, b'{"reason":"BadJwtToken"}'), "BadJwtToken. A push from the queue is tried again"),
        ((403, {}, b'{"reason":"VapidPkHashMismatch"}'), "made with another VAPID key"),
    ):
        browser.scripted = [answer]
        tested = world.run("push", "test", "--user", "sarah", "--socket", server.socket)
        expect(word in " ".join(tested.stdout.split()), f"push test does not say {word!r}:\n{tested.stdout}")
    expect_equal(len(server.get("sarah", "/api/devices")["data"]), 1, "how many devices are left")
