"""Several sessions of one person."""

from harness.events import comment_added, room_liked
from harness.suite import case, expect, expect_equal, expect_subset

COUNT = "/api/notifications/unread-count"
LIST = "/api/notifications"


@case("two sessions get one new frame with the right unread; what one reads the other learns, and REST agrees",
      pollers=True)
def both_sessions(world):
    server = world.serve()
    phone, tablet = server.session("sarah"), server.session("sarah")
    expect_subset(phone.ready, {"unread": 0, "unseen": 0, "recovered": False}, "ready")

    before = {path: server.rest("sarah", "GET", path).etag for path in (COUNT, LIST)}
    for path, etag in before.items():
        expect_equal(server.rest("sarah", "GET", path, If_None_Match=etag).status, 304, f"{path} before")

    server.publish(room_liked("sarah"))
    seq = phone.ready["seq"] + 1
    new = phone.expect("new", seq=seq, unread=1, unseen=1, delta=1)
    expect_equal(tablet.expect("new"), new, "the other session's frame")
    row = new["notification"]
    expect_subset(row, {"type": "ROOM_LIKE", "displayText": "pete liked your room: Italy Trip", "isRead": False}, "row")
    expect_equal(server.get("sarah")["data"], [row], "the list")
    expect_equal(server.unread("sarah"), 1, "unread over REST")
    between = changed(server, before)

    expect_equal(tablet.call("seen", upTo=seq)["type"], "ok", "the answer to seen")
    for session in (phone, tablet):
        session.expect("seen", seq=seq + 1, unread=1, unseen=0, delta=0, upTo=seq)
    between, seq = changed(server, between), seq + 1

    phone_answer = phone.call("read", ids=[row["id"]])
    expect_equal(phone_answer["type"], "ok", "the answer to read")
    tablet.expect("read", seq=seq + 1, unread=0, unseen=0, delta=-1, ids=[row["id"]])
    phone.expect("read", seq=seq + 1, unread=0)
    expect_equal(server.unread("sarah"), 0, "unread over REST")
    expect_subset(server.get("sarah")["data"][0], {"id": row["id"], "isRead": True}, "the row that was read")
    changed(server, between)

    phone.expect_silence(0.3)
    tablet.expect_silence(0.05)


def changed(server, before: dict) -> dict:
    """Checks that the entity tags are new ones, which hold until the next change."""
    after = {}
    for path, etag in before.items():
        answer = server.rest("sarah", "GET", path, If_None_Match=etag)
        expect_equal(answer.status, 200, f"{path} after a change")
        expect(answer.etag != etag, f"the ETag of {path} is still {etag}")
        again = server.rest("sarah", "GET", path, If_None_Match=answer.etag)
        expect_equal((again.status, again.body), (304, b""), f"{path} without a change")
        after[path] = answer.etag
    return after


@case("what happens over REST reaches every session: read, read-all, seen, removed and cleared", pollers=True)
def rest_reaches_sessions(world):
    server = world.serve()
    live = server.session("sarah")
    server.publish([room_liked("sarah") for _ in range(4)])
    ids = [frame["notification"]["id"] for frame in live.take(4)]
    seq = live.ready["seq"] + 4

    server.rest("sarah", "PUT", "/api/notifications/seen")
    live.expect("seen", seq=seq + 1, unread=4, unseen=0, delta=0, upTo=seq)
    server.rest("sarah", "PUT", "/api/notifications/read", {"notificationIds": ids[:1]})
    live.expect("read", seq=seq + 2, unread=3, delta=-1, ids=ids[:1])
    server.rest("sarah", "DELETE", f"/api/notifications/{ids[1]}")
    live.expect("removed", seq=seq + 3, unread=2, delta=-1, ids=[ids[1]])
    server.rest("sarah", "PUT", "/api/notifications/read-all")
    live.expect("read", seq=seq + 4, unread=0, delta=-2)
    server.rest("sarah", "DELETE", "/api/notifications")
    live.expect("removed", seq=seq + 5, unread=0, delta=0)
    expect_equal(server.get("sarah")["data"], [], "the list after clearing")


@case("reading up to a seq leaves what arrives meanwhile unread; a foreign or unknown id changes nothing")
def read_up_to(world):
    server = world.serve()
    live = server.session("sarah")
    server.publish([room_liked("sarah") for _ in range(3)])
    frames = live.take(3)
    server.publish(room_liked("tom"))
    foreign = server.get("tom")["data"][0]["id"]

    live.call("read", upTo=frames[1]["seq"])
    live.expect("read", unread=1, delta=-2)
    expect_equal([row["isRead"] for row in server.get("sarah")["data"]], [False, True, True], "read rows")
    for ids in ([foreign], ["nonsense"], []):
        expect_equal(live.call("read", ids=ids)["type"], "ok", f"the answer to reading {ids}")
    live.expect_silence(0.2)
    expect_equal(server.unread("tom"), 1, "the other person's unread")


@case("who did it gets nothing, a mention replaces the comment, and a list without a route is a warning")
def routing(world):
    server = world.serve()
    event = comment_added("sarah", "tom", "user-123", mentioned=["sarah"])
    event["to"]["lurkers"] = ["ulf"]
    answer = server.publish(event)
    expect_subset(answer, {"recipients": 2, "created": 2, "updated": 0, "suppressed": 2}, "the answer")
    expect(any("lurkers" in warning for warning in answer["warnings"]), f"no warning in {answer}")
    types = {user: [row["type"] for row in server.get(user)["data"]] for user in ("sarah", "tom", "user-123", "ulf")}
    expect_equal(types, {"sarah": ["MENTION"], "tom": ["COMMENT_ADDED"], "user-123": [], "ulf": []}, "types")
