"""Live Activities: events begin, change and end them, through the sink as APNs and as FCM."""

import json
import time
import urllib.parse

from harness.apps import catalog, register
from harness.http import expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, expect_told, wait_until

ORDER = {"id": "o-17", "number": 17}
KEY = "order-o-17"


def order(step: str, user: str = "sarah", minutes: int = 25, order: dict = ORDER, **more) -> dict:
    data = {"order": order} if step == "delivered" else {"order": order, "minutes": minutes}
    return {"type": f"order_{step}", "to": {"buyer": [user]}, "data": data, **more}


def with_shop(world, *script, **settings):
    """A server with the shop's catalog, and sarah's iPhone, whose app has sent its start token."""
    sink = world.sink(*script)
    server = world.serve(catalogs=(catalog("orders"),), **{**sink.settings, **settings})
    register(server, "sarah", "phone-1", "apns", "a1b2c3", platform="ios")
    begin_with(server, {"OrderAttributes": "aa01"})
    return server, sink


def begin_with(server, tokens: dict, user: str = "sarah", device: str = "phone-1"):
    answer = server.rest(user, "PUT", f"/api/devices/{device}/activities", {"startTokens": tokens})
    expect_equal(answer.status, 200, "what the app says of its types")


def runs(server, token: str, key: str = KEY, user: str = "sarah", device: str = "phone-1"):
    """The app sends the token of a running activity."""
    path = f"/api/devices/{device}/activities/{urllib.parse.quote(key, safe='')}"
    expect_equal(server.rest(user, "PUT", path, {"token": token}).status, 200, "the activity's token")


def told(sink, token: str | None = None) -> list[dict]:
    return [push for push in sink.pushes if "activity" in push and token in (None, push["device"])]


def wait_for(sink, count: int, token: str | None = None) -> list[dict]:
    wait_until(lambda: len(told(sink, token)) >= count, PATIENCE, f"{count} pushes to activities")
    return told(sink, token)


def steps(server, event: str, user: str = "sarah") -> list[str]:
    """What the trail says of an event's activity."""
    trail = once(server.socket, "GET", f"/v1/trail/{event}").json()
    person = next(one for one in trail["recipients"] if one["user"] == user)
    found = [step for step in person["steps"] if step["step"] == "activity"]
    return [" ".join([step["became"], *(str(step[name]) for name in ("event", "because", "lowered") if name in step)])
            for step in found]


def expect_steps(server, event: str, expected: list[str], what: str):
    wait_until(lambda: steps(server, event) == expected, PATIENCE, f"{what}: {expected}")


def states(server, user: str = "sarah") -> dict:
    """The state of each activity, as a backend is told."""
    known = once(server.socket, "GET", f"/v1/users/{user}/activities").json()["activities"]
    return {(one["device"], one["key"]): one["state"] for one in known}


@case("an order begins, moves and ends a Live Activity by APNs, each push with Apple's topic, token and times")
def life(world):
    server, sink = with_shop(world)
    began = server.publish(order("sent"))["event"]
    start = wait_for(sink, 1)[0]
    expect_subset(start, {"device": "aa01", "status": 200, "apns-push-type": "liveactivity", "apns-priority": "10",
                          "apns-topic": sink.settings["APNS_BUNDLE_ID"] + ".push-type.liveactivity"}, "the start")
    expect_subset(start["activity"], {
        "event": "start", "attributes-type": "OrderAttributes", "attributes": {"orderId": "o-17", "number": 17},
        "content-state": {"step": "sent", "minutes": 25},
        "alert": {"title": "Order 17", "body": "It is on its way", "sound": "default"}}, "what it tells")
    expect(abs(start["activity"]["timestamp"] - time.time()) < 10, "its time is that of the push")
    expect_equal(start["activity"]["stale-date"] - start["activity"]["timestamp"], 900, "how long it is current")
    moved = server.publish(order("moved", minutes=12))["event"]
    expect_steps(server, moved, ["waits"], "an update before the app has sent its token")
    runs(server, "bb02")
    update = wait_for(sink, 1, "bb02")[0]
    expect_subset(update, {"apns-priority": "5"}, "a step of low priority")
    expect_subset(update["activity"], {"event": "update", "content-state": {"step": "moving", "minutes": 12}}, "the update")
    expect("attributes" not in update["activity"], "an update has no attributes")
    delivered = server.publish(order("delivered"))["event"]
    end = wait_for(sink, 2, "bb02")[1]["activity"]
    expect_subset(end, {"event": "end", "content-state": {"step": "delivered", "minutes": 0}}, "the end")
    expect_equal(end["dismissal-date"] - end["timestamp"], 600, "how long it stays")
    expect(end["timestamp"] > update["activity"]["timestamp"], "each push has a later time")
    expect_steps(server, began, ["sent start"], "the start")
    expect_steps(server, moved, ["waits", "sent update"], "the update")
    expect_steps(server, delivered, ["sent end"], "the end")
    expect_equal(states(server), {("phone-1", KEY): "over"}, "what is known")
    expect_subset(server.get("sarah", "/api/activities")["data"][0], {"key": KEY, "state": "over", "waiting": False}, "what the app is told")
    expect_equal([row["type"] for row in server.get("sarah")["data"]], ["ORDER_DELIVERED", "ORDER_SENT"], "the inbox")
    late = server.publish(order("moved", minutes=1))["event"]
    expect_steps(server, late, ["dropped over"], "an update behind the end")


@case("of many updates before the token only the newest leaves, and an end is never lost behind its start")
def newest(world):
    server, sink = with_shop(world)
    # Behind a start whose answer is still to come, an update that is replaced does not count as having waited.
    expect_steps(server, server.publish(order("sent"))["event"], ["sent start"], "the start")
    waiting = [server.publish(order("moved", minutes=minutes))["event"] for minutes in (20, 15, 10)]
    runs(server, "bb02")
    update = wait_for(sink, 1, "bb02")[0]["activity"]
    expect_equal(update["content-state"]["minutes"], 10, "the newest state")
    expect_steps(server, waiting[0], ["waits", "replaced"], "the oldest")
    second = {"id": "o-18", "number": 18}
    server.publish(order("sent", order=second))
    wait_for(sink, 2, "aa01")
    server.publish(order("delivered", order=second))
    time.sleep(0.5)
    expect_equal(len(told(sink)), 3, "pushes before the second token")
    runs(server, "cc03", key="order-o-18")
    expect_equal(wait_for(sink, 1, "cc03")[0]["activity"]["event"], "end", "what the second activity gets")


@case("beyond the hour's starts none is sent, and beyond the budget updates leave at low priority")
def budgets(world):
    server, sink = with_shop(world, PUSH_ACTIVITIES_STARTS_PER_HOUR="2", PUSH_ACTIVITIES_URGENT_PER_HOUR="1")
    events = [server.publish(order("sent", order={"id": f"o-{number}", "number": number}))["event"] for number in range(3)]
    wait_for(sink, 2, "aa01")
    wait_until(lambda: sorted(step for event in events for step in steps(server, event))
               == ["dropped startBudget", "sent start", "sent start"], PATIENCE, "one start beyond the budget")
    begun = [event for event in events if steps(server, event) == ["sent start"]]
    key = f"order-o-{events.index(begun[0])}"
    runs(server, "bb02", key=key)
    near = {"id": key.removeprefix("order-"), "number": 1}
    server.publish(order("near", order=near, minutes=3))
    wait_for(sink, 1, "bb02")
    lowered = server.publish(order("near", order=near, minutes=2))["event"]
    pushes = wait_for(sink, 2, "bb02")
    expect_equal([push["apns-priority"] for push in pushes], ["10", "5"], "the priorities")
    expect_equal(pushes[0]["title"], "Order 1", "the alert of an update")
    expect_steps(server, lowered, ["sent update True"], "the second one")
    words = world.run("explain", "--socket", server.socket, lowered)
    expect("the hour's budget is spent" in words.stdout, f"explain says why: {words.stdout!r} {words.stderr!r}")


@case("a token that APNs no longer knows goes alone: the device keeps its notifications")
def dead_tokens(world):
    gone = {"fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": int((time.time() + 3600) * 1000)}
    server, sink = with_shop(
        world, {"device": "bb02", **gone}, {"device": "dd04", "fault": "answer", "status": 400, "reason": "BadDeviceToken"})
    server.publish(order("sent"))
    wait_for(sink, 1)
    runs(server, "bb02")
    lost = server.publish(order("moved"))["event"]
    expect_steps(server, lost, ["dropped tokenGone"], "the update")
    expect_equal(states(server), {("phone-1", KEY): "over"}, "the activity")
    begin_with(server, {"OrderAttributes": "dd04"})
    second = {"id": "o-18", "number": 18}
    dead = server.publish(order("sent", order=second))["event"]
    expect_steps(server, dead, ["dropped tokenGone"], "a start by a dead token")
    none = server.publish(order("sent", order={"id": "o-19", "number": 19}))["event"]
    expect_steps(server, none, ["dropped noStartToken"], "a start without a token")
    expect_equal([device["id"] for device in server.get("sarah", "/api/devices")["data"]], ["phone-1"], "the devices")


@case("a busy service gets the push again, and an activity that the app calls over gets nothing more")
def busy(world):
    server, sink = with_shop(world, {"device": "bb02", "times": 1, "fault": "answer", "status": 503, "retryAfter": 1})
    server.publish(order("sent"))
    wait_for(sink, 1)
    runs(server, "bb02")
    server.publish(order("moved", minutes=9))
    expect_equal(wait_for(sink, 1, "bb02")[0]["activity"]["content-state"]["minutes"], 9, "the second try")
    expect_told(server, "pushes to Live Activities do not get through")
    answer = server.rest("sarah", "DELETE", f"/api/devices/phone-1/activities/{KEY}")
    expect_equal((answer.status, answer.json()), (200, {"data": {"count": 1}}), "the app's word")
    event = server.publish(order("near"))["event"]
    expect_steps(server, event, ["dropped over"], "an update after it")


@case("FCM reaches an iPhone's activity by its own token, and an Android app by a data message")
def firebase(world):
    sink = world.sink()
    server = world.serve(catalogs=(catalog("orders"),), **sink.settings)
    register(server, "sarah", "iphone", "fcm", "fcm:sarahs-iphone", platform="ios")
    register(server, "sarah", "android", "fcm", "fcm:sarahs-android", platform="android")
    begin_with(server, {"OrderAttributes": "aa01"}, device="iphone")
    begin_with(server, {"OrderAttributes": None}, device="android")
    server.publish(order("sent"))
    wait_for(sink, 2)
    apple, android = (wait_for(sink, 1, device)[0]["activity"] for device in ("fcm:sarahs-iphone", "fcm:sarahs-android"))
    expect_subset(apple, {"event": "start", "attributes-type": "OrderAttributes"}, "what the iPhone gets")
    expect_subset(android, {"event": "start", "key": KEY, "type": "OrderAttributes",
                            "state": {"step": "sent", "minutes": 25}}, "what the Android app gets")
    runs(server, "bb02", device="iphone")
    server.publish(order("moved", minutes=5))
    for device in ("fcm:sarahs-iphone", "fcm:sarahs-android"):
        expect_equal(wait_for(sink, 2, device)[1]["activity"]["event"], "update", f"the update of {device}")
    server.publish(order("delivered"))
    expect_subset(wait_for(sink, 3, "fcm:sarahs-android")[2]["activity"], {"event": "end"}, "the end on Android")
    wait_until(lambda: set(states(server).values()) == {"over"}, PATIENCE, "both are over")


@case("killed between start and update, the server goes on with the activity, and begins no second one")
def killed(world):
    server, sink = with_shop(world)
    server.publish(order("sent"))
    wait_for(sink, 1)
    # The service has the push before the server has noted its answer.
    wait_until(lambda: states(server) == {("phone-1", KEY): "begun"}, PATIENCE, "the start to be known")
    server.publish(order("moved", minutes=12))
    server.kill()
    server.start()
    expect_equal(states(server), {("phone-1", KEY): "begun"}, "what is known after the restart")
    runs(server, "bb02")
    expect_equal(wait_for(sink, 1, "bb02")[0]["activity"]["content-state"]["minutes"], 12, "the update that waited")
    server.publish(order("delivered"))
    expect_equal(wait_for(sink, 2, "bb02")[1]["activity"]["event"], "end", "the end")
    expect_equal(len(told(sink, "aa01")), 1, "starts")


@case("killed while an update is under way, the server sends it again soon after its restart")
def killed_under_way(world):
    server, sink = with_shop(world, {"device": "bb02", "times": 1, "fault": "noAnswer", "fate": "lost"})
    server.publish(order("sent"))
    wait_for(sink, 1)
    runs(server, "bb02")
    server.publish(order("moved", minutes=7))
    wait_until(lambda: any(push.get("fault") for push in sink.pushes), PATIENCE, "the push that is never answered")
    server.kill()
    began = time.monotonic()
    server.start()
    expect_equal(wait_for(sink, 1, "bb02")[0]["activity"]["content-state"]["minutes"], 7, "the update")
    if not world.databases:
        expect(time.monotonic() - began < 15, "without the lease's half minute")


@case("what apps send of activities is checked, and is about their own devices alone")
def refused(world):
    server, _ = with_shop(world)
    def put(path: str, body, user: str = "sarah"):
        return server.rest(user, "PUT", f"/api/devices/{path}", body)
    expect_problem(put("phone-1/activities", {}), {"status": 400, "code": "missing_field"}, "no tokens")
    expect_problem(put("phone-1/activities", {"startTokens": {"T": "xyz"}}), {"status": 400, "code": "invalid_value"}, "no hex")
    expect_problem(put("phone-1/activities", {"startTokens": {"T": None}}), {"status": 422, "code": "missing_token"}, "APNs without a token")
    expect_problem(put("other/activities", {"startTokens": {"T": "aa"}}), {"status": 404, "code": "unknown_device"}, "an unknown device")
    expect_problem(put("phone-1/activities/k", {"token": "aa"}, "tom"), {"status": 404, "code": "unknown_device"}, "another's device")
    expect_problem(put("phone-1/activities/k", {}), {"status": 400, "code": "missing_field"}, "no token")
    register(server, "sarah", "page", "onesignal", "0b0b0b0b-0b0b-4b0b-8b0b-0b0b0b0b0b0b")
    expect_problem(put("page/activities/k", {"token": "aa"}), {"status": 422, "code": "no_activities"}, "a service without activities")
    for number in range(100):
        runs(server, "aa", key=f"k{number}")
    expect_problem(put("phone-1/activities/one-more", {"token": "aa"}), {"status": 422, "code": "too_many_activities"}, "too many")
    export = once(server.socket, "GET", "/v1/users/sarah/export").json()
    expect_equal(len(export["activities"]), 100, "the export's activities")
    expect("aa01" not in json.dumps(export), "an export has no tokens")
    once(server.socket, "DELETE", "/v1/users/sarah")
    expect_equal(states(server), {}, "what is known of an erased person")
