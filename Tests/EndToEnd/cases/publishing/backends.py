"""What backends do beside publishing: trying out, timing pushes, sending people away, erasing them."""

import time

from harness.events import moment, room_liked
from harness.http import expect_problem, once
from harness.suite import case, expect, expect_equal, expect_subset


@case("a dry run tells who would get what and changes nothing; one that is misspelt is refused and not published")
def dry_run(world):
    server = world.serve()
    server.publish(room_liked("tom"))
    event = room_liked("sarah", "user-123", key="like-1")
    tried = server.post("/v1/events?dryRun=true", event)
    expect_equal(tried.status, 200, "the status of a dry run")
    expect_subset(tried.json(), {"dryRun": True, "people": 2, "created": 1, "suppressed": 1}, "the dry run")
    expect_equal([(one["user"], one["decision"]) for one in tried.json()["recipients"]],
                 [("sarah", "created"), ("user-123", "actor")], "who would get it")
    for query in ("dry_run=true", "dryrun=true", "dryRun=1", "dryRun=true&verbose=1"):
        expect_problem(server.post(f"/v1/events?{query}", event), dict(status=400, code="invalid_parameter"), query)
    for query in ("dryRun=true", "dry_run=true"):
        answer = server.post(f"/v1/events?{query}", b"{}\n", Content_Type="application/x-ndjson")
        expect(answer.status in (400, 422), f"a stream with {query} was answered by {answer.status}")
    expect_equal(server.get("sarah")["meta"]["seq"], 0, "what was kept of all that")
    expect_equal(server.publish(event).get("replayed"), None, "the key was used up")


@case("a dry run of an array says of each event what its publish then answers, whatever the events before it change")
def dry_run_of_array(world):
    server = world.serve()

    def added(*people: str, **more) -> dict:
        return {"type": "element_added", "actor": {"id": "renee", "username": "renee"},
                "to": {"participants": list(people)},
                "data": {"room": {"id": "r", "name": "Fun"}, "elements": [{"kind": "photo"}]}, **more}

    # More people than share a commit, so that pages come behind the short events.
    many = [f"user-{number}" for number in range(1_500)]
    keyed = added("sarah", key="added-1")
    events = [keyed, added(*many, "sarah", key="many"), added("sarah", "user-1400"), keyed, added(*many, key="again"),
              added(*many, "sarah", key="many")]
    tried = server.post("/v1/events?dryRun=true", events)
    expect_equal(tried.status, 200, "the status of the dry run")
    published = server.post("/v1/events", events)
    expect_equal(published.status, 202, "the status of the publish")

    def counts(answer: dict) -> list:
        return [answer[name] for name in ("created", "updated", "suppressed")] + [answer.get("replayed", False)]

    expect_equal([counts(one) for one in tried.json()], [counts(one) for one in published.json()], "the counts")
    expect_equal(counts(tried.json()[4])[:2], [0, 1_500], "an event for many that meets the batches of another one")
    expect("event" not in tried.json()[3], "an event is named that is not there")
    texts = [one["recipients"][0]["displayText"] for one in tried.json() if one["recipients"]]
    expect("2" in texts[2], f"the third one joins the first one's batch: {texts}")


@case("a push waits for notBefore, and is not sent after expiresAt; the list has the notification at once")
def push_times(world):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="2s")
    for user in ("sarah", "tom"):
        server.register_device(user, f"phone-{user}", "ab" if user == "sarah" else "cd")
    # A session that does not acknowledge: his push would wait for the grace, and be too late then.
    session = server.session("tom")
    published = time.monotonic()
    server.publish(room_liked("sarah", notBefore=moment(2)))
    server.publish(room_liked("tom", expiresAt=moment(1)))
    session.expect("new")
    expect_equal((server.unread("sarah"), server.unread("tom")), (1, 1), "unread at once")
    sink.wait_for_shown(1)
    expect(time.monotonic() - published > 1.9, "the push left before its time")
    time.sleep(1)
    expect_equal([push["device"] for push in sink.shown], ["ab"], "the devices that got a push")
    early = server.post("/v1/events", room_liked("sarah", notBefore=moment(4), expiresAt=moment(3)))
    expect_problem(early, dict(status=422, code="invalid_value", pointer="/expiresAt"), "an expiry before its time")


@case("a backend ends a person's sessions, who come back; an erased person's are over, and nothing of theirs is left")
def sent_away(world):
    server = world.serve()
    server.publish([room_liked("sarah"), room_liked("tom")])
    server.register_device("sarah")
    once(server.socket, "PUT", "/v1/topics/room:1/members", {"users": ["sarah", "tom"]})
    once(server.socket, "PUT", "/v1/users/sarah", {"email": "sarah@example.com"})
    session = server.session("sarah")
    path = "/v1/users/sarah"
    told = once(server.socket, "GET", f"{path}/sessions").json()["sessions"]
    # With several nodes the session may be on another one than the backend's, which knows less of it.
    whole = {"active": True, "address": "127.0.0.1", "seq": 1, "waitingBytes": 0, "behind": False}
    told = [{key: value for key, value in one.items() if key != "minutes"} for one in told]
    expect(told in ([whole], [{"active": True}]), f"sessions: {told}")
    expect_equal(once(server.socket, "POST", f"{path}/disconnect").json(), {"sessions": 1}, "disconnect")
    session.expect_close(4200)
    session = server.session("sarah")
    epoch = session.ready["epoch"]

    erased = once(server.socket, "DELETE", path)
    expect_equal(erased.status, 200, "the status of an erasure")
    expect_subset(erased.json(), {"erased": True, "notifications": 1, "devices": 1, "topics": 1, "profile": True},
                  "what was erased")
    session.expect_close(4002)
    expect_equal(once(server.socket, "GET", path).status, 404, "the status of the profile")
    expect_equal(once(server.socket, "GET", f"{path}/devices").json(), {"devices": []}, "devices")
    expect_equal(once(server.socket, "GET", "/v1/topics/room:1/members").json()["members"], ["tom"], "the topic")
    meta = server.get("sarah")["meta"]
    expect_equal((meta["totalCount"], meta["unread"]), (0, 0), "the inbox")
    expect(meta["epoch"] != epoch, "a new inbox goes on with the epoch of the old one")
    expect_equal(server.unread("tom"), 1, "somebody else's unread")
    expect_equal(server.drift(), 0, "the drift")


@case("a backend that reads for somebody who is not known makes nothing of them; an id that is refused registers nothing")
def reads_for_nobody(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    calls = {"seen": None, "read-all": None, "read": {"notificationIds": ["n1-1"]}}
    for call, body in calls.items():
        answer = once(server.socket, "PUT", f"/v1/users/nobody/notifications/{call}", body)
        expect_equal(answer.status, 200, call)
        expect_subset(answer.json()["data"], {"count": 0, "unreadCount": 0}, call)
        # A name from when such names were taken may be known still.
        answer = once(server.socket, "PUT", f"/v1/users/no%07body/notifications/{call}", body)
        expect_equal(answer.json()["data"]["count"], 0, f"{call} of a name that is refused")
        expect_problem(once(server.socket, "PUT", f"/v1/users/{'x' * 201}/notifications/{call}", body),
                       dict(status=400, code="invalid_parameter"), f"{call} of a name that is too long")
    device = {"provider": "fcm", "token": "t"}
    expect_problem(once(server.socket, "PUT", "/v1/users/no%07body/devices/d", device),
                   dict(status=400, code="invalid_parameter"), "a device of a name that is refused")
    expect_equal(server.metrics()["belfry_inboxes"], 1, "people who have an inbox")
    expect_equal(once(server.socket, "PUT", "/v1/users/sarah/notifications/seen").json()["data"]["count"], 1, "sarah's")
