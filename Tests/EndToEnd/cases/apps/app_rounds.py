"""The golf app, as its flow describes it: thirteen types, a list with icons, pushes on both kinds of phone."""

from harness.apps import badges, expect_push, expect_quiet, register, shown_to, start, wait_for_push
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

LIST = "/api/notifications"
HOST = "sarah"
JOHN = {"id": "user-1", "username": "john", "firstName": "John", "avatarUrl": None}
ROUND = {"id": "r7", "name": "Saturday Nine", "course": "Pebble Beach", "startsAt": "2025-07-04T15:30:00Z",
         "filled": 3, "spots": 4}
POST, COMMENT = {"id": "p9", "text": "My first hole in one!"}, {"id": "c5", "text": "Congratulations!"}
REPLY = {"id": "c6", "text": "Seven iron?"}
GREEN, BLUE, ORANGE, GRAY = "green", "blue", "orange", "gray"

#: Row, event, list, data; then type, title, preview, icon and colour, deep link, button; then the push's own texts.
TYPES = [
    ("T1.1", "round_requested", "host", {"round": ROUND}, "ROUND_REQUEST", "John requested to join your round",
     "Saturday Nine at Pebble Beach", ("person", GREEN), {"type": "round", "roundId": "r7", "show": "requests"},
     {"label": "View", "action": "openRequests"}),
    ("T1.2", "request_accepted", "requester", {"round": ROUND}, "REQUEST_ACCEPTED", "John accepted your request",
     "Saturday Nine at Pebble Beach on Jul 4, 2025", ("checkmark", GREEN),
     {"type": "round", "roundId": "r7", "show": None}, None),
    ("T1.3", "request_declined", "requester", {"round": ROUND}, "REQUEST_DECLINED", "John declined your request",
     "Saturday Nine at Pebble Beach", ("info", GRAY), {"type": "round", "roundId": "r7", "show": "readOnly"}, None),
    ("T1.4", "round_invited", "invited", {"round": ROUND}, "ROUND_INVITATION", "John invited you to a round",
     "Saturday Nine at Pebble Beach on Jul 4, 2025", ("envelope", BLUE),
     {"type": "round", "roundId": "r7", "show": "invitation"}, {"label": "Respond", "action": "respond"}),
    ("T1.5", "invite_accepted", "host", {"round": ROUND}, "INVITE_ACCEPTED", "John accepted your invitation",
     "Saturday Nine", ("checkmark", GREEN), {"type": "round", "roundId": "r7", "show": None}, None),
    ("T1.6", "member_joined", "host", {"round": ROUND}, "MEMBER_JOINED", "John joined your round",
     "Saturday Nine - 3 of 4 spots filled", ("checkmark", GREEN),
     {"type": "round", "roundId": "r7", "show": None}, None),
    ("T1.7", "member_left", "host", {"round": ROUND}, "MEMBER_LEFT", "John left your round", "Saturday Nine",
     ("info", GRAY), {"type": "round", "roundId": "r7", "show": None}, None),
    ("T1.8", "round_canceled", "members", {"round": ROUND, "reason": "Thunderstorms"}, "ROUND_CANCELED",
     "Round canceled: Saturday Nine", "Thunderstorms", ("info", GRAY),
     {"type": "round", "roundId": "r7", "show": "canceled"}, None),
    ("T1.9", "round_time_changed", "members", {"round": ROUND}, "ROUND_TIME_CHANGED", "Time changed for Saturday Nine",
     "New time: Jul 4, 2025 at 3:30\u202fPM", ("info", GRAY), {"type": "round", "roundId": "r7", "show": None}, None),
    ("T1.10", "new_follower", "followed", {"bio": "Weekend golfer"}, "NEW_FOLLOWER", "John started following you",
     "Weekend golfer", ("heart-comment", ORANGE), {"type": "profile", "userId": "user-1"}, None),
    ("T1.11", "post_upvoted", "author", {"post": POST}, "POST_UPVOTED", "John upvoted your post",
     "My first hole in one!", ("heart-comment", ORANGE), {"type": "post", "postId": "p9", "show": None}, None),
    ("T1.12", "post_commented", "author", {"post": POST, "comment": COMMENT}, "POST_COMMENT",
     "John commented on your post", "Congratulations!", ("heart-comment", ORANGE),
     {"type": "post", "postId": "p9", "show": "comments", "commentId": "c5"}, None),
    ("T1.13", "comment_replied", "author", {"post": POST, "comment": COMMENT, "reply": REPLY}, "COMMENT_REPLY",
     "John replied to your comment", "Seven iron?", ("heart-comment", ORANGE),
     {"type": "post", "postId": "p9", "show": "thread", "commentId": "c5", "replyId": "c6"}, None),
]
#: Types whose push says something shorter than the item.
PUSH_TEXTS = {"NEW_FOLLOWER": ("New follower", "John started following you"),
              "POST_UPVOTED": ("New upvote", "John upvoted your post")}


def event(type: str, list: str, data: dict, user: str = HOST, actor: dict = JOHN, **more) -> dict:
    return {"type": type, "actor": actor, "to": {list: [user]}, "data": data, **more}


def requested(user: str = HOST, actor: dict = JOHN, **more) -> dict:
    return event("round_requested", "host", {"round": ROUND}, user, actor, **more)


def phones(server, user: str = HOST, **more):
    """An iPhone and an Android phone of one person."""
    register(server, user, "iphone", "apns", "a1b2", app="rounds", platform="ios", **more)
    register(server, user, "android", "fcm", "droid", app="rounds", platform="android", **more)


# T1.1 – T1.13, B1.1, B1.7, B1.8, C15, C16
@case("golf: each of the thirteen types has icon, title, preview, button and link, and comes to both phones")
def thirteen_types(world):
    server, sink = start(world, "rounds")
    phones(server)
    for number, (row, name, to, data, type, title, preview, icon, link, button) in enumerate(TYPES, 1):
        server.publish(event(name, to, data))
        item = server.get(HOST)["data"][0]
        expect_subset(item, {
            "type": type, "displayText": title, "title": title, "preview": preview, "cta": button, "isRead": False,
            "style": {"icon": icon[0], "color": icon[1]}, "deepLink": {**link, "actorId": "user-1"},
        }, f"{row} in the list")
        push_title, body = PUSH_TEXTS.get(type, (title, preview))
        opened = {key: value for key, value in link.items() if key != "type" and value is not None}
        for device in ("a1b2", "droid"):
            expect_push(wait_for_push(sink, device, number), push_title, body, {"type": type, **opened}, badge=number)
    iphone = {push["data"]["type"]: push for push in shown_to(sink, "a1b2")}
    expect_equal(iphone["ROUND_REQUEST"]["apns-priority"], "10", "the priority of a request")
    expect_equal(iphone["NEW_FOLLOWER"]["apns-priority"], "5", "the priority of a follower")


# B1.3, B1.4, B1.5, C13
@case("golf: the badge goes when the list is looked at; items stay unread until they are opened or all are marked read")
def badge_by_view(world):
    server, sink = start(world, "rounds", PUSH_BADGE_DELAY="200ms")
    phones(server)
    for number in (1, 2, 3):
        server.publish(requested())
        wait_for_push(sink, "a1b2", number)
    expect_equal(badges(sink, "a1b2"), [1, 2, 3], "the numbers on the icon")
    server.rest(HOST, "PUT", f"{LIST}/seen")
    wait_until(lambda: badges(sink, "a1b2")[-1] == 0, PATIENCE, "the icon is cleared")
    page = server.get(HOST)
    expect_subset(page["meta"], {"unread": 3, "unseen": 0}, "the counts after viewing")
    server.rest(HOST, "PUT", f"{LIST}/read", {"notificationIds": [page["data"][0]["id"]]})
    expect_equal([row["isRead"] for row in server.get(HOST)["data"]], [True, False, False], "who is bold")
    server.publish(requested())
    expect_equal(wait_for_push(sink, "a1b2", 4)["badge"], 1, "the number after one more")
    server.rest(HOST, "PUT", f"{LIST}/read-all")
    expect_equal([row["isRead"] for row in server.get(HOST)["data"]], [True] * 4, "after Mark all read")


# B1.6, B1.2
@case("golf: an empty list is empty and not an error; rows carry the moment that the list is grouped by")
def states(world):
    server, _ = start(world, "rounds")
    expect_equal(server.get(HOST)["data"], [], "a new list")
    expect_equal(once(server.listen, "GET", LIST).status, 401, "without a token")
    server.publish(requested(occurredAt="2025-07-04T23:30:00.000Z"))
    expect_equal(server.get(HOST)["data"][0]["createdAt"], "2025-07-04T23:30:00.000Z", "the moment")


# B1.11, C16, T1.10, T1.11
@case("golf: of twelve upvotes one push comes at once and the rest wait for the hour's end; the list has all twelve")
def upvotes_are_paced(world):
    server, sink = start(world, "rounds")
    phones(server)
    people = [{"id": f"user-{number}", "firstName": f"Fan{number}"} for number in range(12)]
    for person in people:
        server.publish(event("post_upvoted", "author", {"post": POST}, actor=person))
    expect_push(wait_for_push(sink, "a1b2"), "New upvote", "Fan0 upvoted your post",
                {"type": "POST_UPVOTED", "postId": "p9"})
    expect_quiet(sink, "a1b2", 1)
    expect_equal(len(server.list_all(HOST)), 12, "upvotes in the list")
    # Followers have an hour of their own, and real-time types have none.
    server.publish([event("new_follower", "followed", {}), requested(), requested()])
    expect_equal([wait_for_push(sink, "a1b2", number)["data"]["type"] for number in (2, 3, 4)],
                 ["NEW_FOLLOWER", "ROUND_REQUEST", "ROUND_REQUEST"], "what comes beside upvotes")


# B1.10
@case("golf: requests for one round are one line, and stand together on the lock screen; the line opens to its items")
def grouped_requests(world):
    server, sink = start(world, "rounds")
    phones(server)
    for number, name in enumerate(("John", "Ann", "Bob"), 1):
        server.publish(requested(actor={"id": f"user-{number}", "firstName": name}))
        for device in ("a1b2", "droid"):
            wait_for_push(sink, device, number)
    server.publish(event("member_left", "host", {"round": ROUND}))
    expect_equal([push["thread"] for push in shown_to(sink, "a1b2")[:3]], ["requests:r7"] * 3, "the threads")
    # Android's own part of a push has no place for a group: the app finds it among the data, and so does one on iOS.
    for device, counts in (("a1b2", [1, 2, 3]), ("droid", ["1", "2", "3"])):
        data = [push["data"] for push in shown_to(sink, device)[:3]]
        expect_equal([(told["groupKey"], told["groupText"]) for told in data],
                     [("requests:r7", text) for text in ("A new round request", "2 new round requests",
                                                         "3 new round requests")], f"the group's line on {device}")
        expect_equal([told["groupCount"] for told in data], counts, f"how many {device} shows")
    groups = server.get(HOST, f"{LIST}/groups")["data"]
    line = next(group for group in groups if group["group"] == "requests:r7")
    expect_subset(line, {"text": "3 new round requests", "count": 3, "unreadCount": 3}, "the line")
    items = server.get(HOST, f"{LIST}?group=requests:r7")["data"]
    expect_equal([item["title"] for item in items],
                 [f"{name} requested to join your round" for name in ("Bob", "Ann", "John")], "its items")


# B1.12, C17, T1.8
@case("golf: during quiet hours requests wait, a cancellation comes at once; when they end, one push tells of the rest")
def quiet_hours(world):
    server, sink = start(world, "rounds")
    phones(server)
    always = {"windows": [{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "00:00", "to": "24:00"}]}
    expect_equal(server.rest(HOST, "PUT", f"{LIST}/quiet-hours", always).status, 200, "quiet hours")
    server.publish([requested(), event("member_left", "host", {"round": ROUND}),
                    event("round_canceled", "members", {"round": ROUND})])
    for device in ("a1b2", "droid"):
        expect_equal(wait_for_push(sink, device)["title"], "Round canceled: Saturday Nine", f"what passes to {device}")
    expect_quiet(sink, "a1b2", 1)
    expect_quiet(sink, "droid", 1, seconds=0)
    expect_equal(len(server.get(HOST)["data"]), 3, "the list, which is not quiet")
    server.rest(HOST, "DELETE", f"{LIST}/quiet-hours")
    for device in ("a1b2", "droid"):
        folded = wait_for_push(sink, device, 2)
        expect_subset(folded, {"title": "Golf", "body": "2 new notifications", "badge": 3}, f"at their end, on {device}")
    expect_quiet(sink, "a1b2", 2)
    expect_quiet(sink, "droid", 2, seconds=0)


# B1.9, E12, T1.10, T1.11
@case("golf: who wants no pushes of a type switches them off; a phone without permission gets none")
def preferences(world):
    server, sink = start(world, "rounds")
    phones(server)
    register(server, "tom", "tom-phone", "apns", "c3d4", app="rounds", permission="denied")
    listed = server.get(HOST, f"{LIST}/preferences")
    text = str(listed)
    expect(all(type[4] in text for type in TYPES), "a type is missing among the preferences")
    off = server.rest(HOST, "PUT", f"{LIST}/preferences", {"types": {"NEW_FOLLOWER": {"push": False}}})
    expect_equal(off.status, 200, "switching off")
    server.publish([event("new_follower", "followed", {}), requested("tom"), requested()])
    expect_equal(wait_for_push(sink, "a1b2")["data"]["type"], "ROUND_REQUEST", "the first push")
    expect_equal({row["type"] for row in server.get(HOST)["data"]}, {"NEW_FOLLOWER", "ROUND_REQUEST"}, "the list")
    expect_quiet(sink, "c3d4", 0)
    register(server, "tom", "tom-phone", "apns", "c3d4", app="rounds", permission="granted")
    server.publish(requested("tom"))
    wait_for_push(sink, "c3d4")
    server.rest(HOST, "PUT", f"{LIST}/preferences", {"categories": {"requests": {"inApp": False}}})
    before = len(server.get(HOST)["data"])
    expect_equal(server.publish(requested())["created"], 0, "rows of a category that is off")
    expect_equal(len(server.get(HOST)["data"]), before, "the list's length")


# C27
@case("golf: a request that is withdrawn, or an invitation taken back, is gone from list, count and lock screen")
def withdrawn(world):
    server, sink = start(world, "rounds", PUSH_BADGE_DELAY="200ms")
    phones(server)
    server.publish(requested(key="request-1"))
    push = wait_for_push(sink, "a1b2")
    expect_equal(once(server.socket, "DELETE", "/v1/events/request-1").status, 200, "the status of retracting")
    expect_equal((server.get(HOST)["data"], server.unread(HOST)), ([], 0), "list and count")
    wait_until(lambda: any(push["collapseID"] in other.get("withdrawn", []) for other in sink.pushes), 10,
               "the push is taken from the screen")
    expect_equal(server.publish(requested(key="request-1"))["created"], 1, "asking again")


# T1.2, T1.4, T1.9, C28
@case("golf: dates, times and words are those of the reader's zone and language")
def readers(world):
    server, sink = start(world, "rounds")
    for user, locale, zone in ((HOST, "de", "Europe/Berlin"), ("tom", "en", "America/Los_Angeles")):
        expect(once(server.socket, "PUT", f"/v1/users/{user}", {"locale": locale, "zone": zone}).status in (200, 204),
               "the profile")
    register(server, HOST, "phone", "apns", "a1b2", app="rounds")
    changed = {"type": "round_time_changed", "actor": JOHN, "to": {"members": [HOST, "tom"]}, "data": {"round": ROUND}}
    server.publish(changed)
    expect_subset(server.get(HOST)["data"][0], {
        "title": "Neue Zeit für Saturday Nine", "preview": "4. Juli 2025 um 17:30 Uhr"}, "in Berlin")
    expect_subset(server.get("tom")["data"][0], {
        "title": "Time changed for Saturday Nine", "preview": "New time: Jul 4, 2025 at 8:30\u202fAM"}, "in California")
    expect_equal(wait_for_push(sink, "a1b2")["body"], "4. Juli 2025 um 17:30 Uhr", "the push")
