"""The photo rooms app: the testing scenarios of its tab, and its pushes over OneSignal."""

from harness.apps import badges, expect_push, expect_quiet, register, shown_to, start, wait_for_push
from harness.events import (
    FUN, ITALY, PETE, comment_added, elements_added, event, room_liked, room_renamed, user_followed)
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

LIST = "/api/notifications"
PLAYER = "b4f7f966-d8cc-11e4-bed1-df8f05be55ba"
OTHER_PLAYER = "c5f7f966-d8cc-11e4-bed1-df8f05be55bb"
ROOM = {"type": "room", "roomId": "room-789", "actorId": "user-123"}
NOWHERE = {"type": "none", "roomId": None, "actorId": "user-123"}
PROFILE = {"type": "profile", "roomId": None, "actorId": "user-123"}
COMMENT = {"room": ITALY, "comment": {"id": "42", "text": "This looks amazing!"}}

#: Row, event; then type, text and deep link in the list, and title, body and type of the push.
TYPES = [
    ("T0.1", event("added_to_room", {"added": ["sarah"]}, {"room": ITALY}), "ADDED_TO_ROOM",
     "pete added you to the room: Italy Trip", ROOM, "Italy Trip", "Pete added you to the room", "added_to_room"),
    ("T0.2", room_renamed("sarah", old="Summer", new="Italy Trip"), "ROOM_RENAMED",
     'pete renamed the room "Summer" to "Italy Trip"', ROOM, "Room Renamed", "Pete renamed your room to Italy Trip",
     "room_renamed"),
    ("T0.3", elements_added("sarah", photos=1, room=ITALY, actor=PETE), "ELEMENT_ADDED",
     "pete added a photo to Italy Trip", ROOM, "New Content", "Pete added a photo in Italy Trip", "element_added"),
    ("T0.4", event("removed_from_room", {"removed": ["sarah"]}, {"room": ITALY}), "REMOVED_FROM_ROOM",
     "pete removed you from the room: Italy Trip", NOWHERE, "Italy Trip", "Pete removed you from the room",
     "removed_from_room"),
    ("T0.5", event("room_deleted", {"participants": ["sarah"]}, {"room": ITALY}), "ROOM_DELETED",
     "pete deleted the room Italy Trip", NOWHERE, "Italy Trip", "Pete deleted the room", "room_deleted"),
    ("T0.6", event("participant_left", {"owner": ["sarah"]}, {"room": ITALY}), "PARTICIPANT_LEFT",
     "pete left the room Italy Trip", ROOM, "Italy Trip", "Pete left the room", "participant_left"),
    ("T0.7", room_liked("sarah"), "ROOM_LIKE", "pete liked your room: Italy Trip", ROOM, "Italy Trip",
     "Pete liked your room", "room_like"),
    ("T0.8", comment_added("sarah"), "COMMENT_ADDED", "pete added a comment in Italy Trip: This looks amazing!", ROOM,
     "Italy Trip", "Pete: This looks amazing!", "comment_added"),
    ("T0.9", comment_added("sarah", mentioned=["sarah"]), "MENTION", "pete mentioned you: This looks amazing!", ROOM,
     "Italy Trip", "Pete mentioned you: This looks amazing!", "mention"),
    ("T0.10", event("comment_liked", {"author": ["sarah"]}, COMMENT), "COMMENT_LIKE",
     "pete liked your comment: This looks amazing!", ROOM, "Italy Trip", "Pete liked your comment: This looks amazing!",
     "comment_like"),
    ("T0.11", user_followed("sarah"), "USER_FOLLOWED", "pete started following you", PROFILE, "Rooms",
     "Pete started following you", "user_followed"),
]


def log_in(server, user: str = "sarah", player: str = PLAYER):
    """What the app does after Auth0's login."""
    answer = server.rest(user, "PUT", f"{LIST}/player-id", {"playerId": player})
    expect_equal((answer.status, answer.body), (200, b'{"data":{"success":true}}'), "player-id")


# S0 scenarios 1 and 4; T0.1 – T0.11, B0.1, N1 – N11, C1, C2, C7, F0.1
@case("rooms: each type reads in the list as the guide has it, opens its place, and is pushed with what a tap needs")
def each_type(world):
    server, sink = start(world, "rooms")
    log_in(server)
    for number, (row, publication, type, text, link, title, body, push_type) in enumerate(TYPES, 1):
        server.publish(publication)
        item = server.get("sarah")["data"][0]
        expect_subset(item, {"type": type, "displayText": text, "deepLink": link, "isRead": False}, row)
        expect(text.startswith(item["actor"]["username"]), f"{row}: the actor's name is no prefix")
        push = wait_for_push(sink, PLAYER, number)
        expect_subset(push, {"title": title, "body": body, "provider": "onesignal", "badge": number}, f"{row}'s push")
        expect_equal(push["data"]["type"], push_type, f"{row}'s type in the push")
        room = None if push_type == "user_followed" else "room-789"
        expect_equal(push["data"].get("roomId"), room, f"{row}'s room in the push")


# T2.1, T2.2, T2.3, B2.1, B2.2, B2.5, B2.6, E5, C10
@case("rooms: the three pushes of the OneSignal guide have its texts and data; a changed player id is used at once")
def onesignal_guide(world):
    server, sink = start(world, "rooms")
    log_in(server)
    room = {"id": "room-uuid", "name": "Italian Vacation"}
    server.publish(event("room_created", {"participants": ["sarah"]}, {"room": room}))
    expect_push(wait_for_push(sink, PLAYER), "New Room", "Pete created a new room with you",
                {"type": "room_created", "roomId": "room-uuid"}, thread="room:room-uuid", badge=0)
    server.publish(room_renamed("sarah", old="Italy", new="Italian Vacation", room=room))
    expect_push(wait_for_push(sink, PLAYER, 2), "Room Renamed", "Pete renamed your room to Italian Vacation",
                {"type": "room_renamed", "roomId": "room-uuid", "roomName": "Italian Vacation"}, badge=1)
    log_in(server, player=OTHER_PLAYER)
    devices = [device["id"] for device in server.get("sarah", "/api/devices")["data"]]
    expect(f"player:{OTHER_PLAYER}" in devices, f"the devices: {devices}")
    server.publish(elements_added("sarah", photos=1, room=room, actor=PETE))
    expect_push(wait_for_push(sink, OTHER_PLAYER), "New Content", "Pete added a photo in Italian Vacation",
                {"type": "element_added", "roomId": "room-uuid", "elementType": "photo"}, badge=2)


# C6, C31
@case("rooms: a created room is pushed and stands in no list, whoever is there; quiet hours, mutes and taking back hold")
def created_room(world):
    server, sink = start(world, "rooms", PUSH_BADGE_DELAY="200ms")
    log_in(server)
    live = server.session("sarah", active=True)

    def created(number: int) -> dict:
        return event("room_created", {"participants": ["sarah", "nobody"]},
                     {"room": {"id": f"room-{number}", "name": "Italy"}}, key=f"created-{number}")

    answer = server.publish(created(1))
    expect_subset(answer, {"recipients": 1, "created": 1, "suppressed": 1}, "the answer")
    push = wait_for_push(sink, PLAYER)
    expect_push(push, "New Room", "Pete created a new room with you", {"type": "room_created", "roomId": "room-1"},
                badge=0)
    server.publish(room_liked("sarah"))
    expect_subset(live.expect("new"), {"seq": 1, "unread": 1, "delta": 1}, "the first frame")
    expect_equal([row["type"] for row in server.get("sarah")["data"]], ["ROOM_LIKE"], "the list")
    expect_equal(server.unread("sarah"), 1, "unread")
    trail = once(server.socket, "GET", f"/v1/trail/{answer['event']}").json()
    told = {person["user"]: person for person in trail["recipients"]}
    expect_subset(told["sarah"], {"decision": "pushOnly", "live": True}, "the trail")
    expect("state" not in told["sarah"], f"what was never in the inbox has a state: {told['sarah']}")
    expect_equal([step["step"] for step in told["sarah"]["steps"]], ["sent"], "what became of the push")
    expect_equal(told["nobody"]["push"], {"decision": "noDevice"}, "who has no device")
    dry = once(server.socket, "POST", "/v1/events?dryRun=true", created(2)).json()
    expect_subset(dry["recipients"][0], {"decision": "pushOnly", "pushContent": {
        "title": "New Room", "body": "Pete created a new room with you"}}, "the dry run")
    expect("displayText" not in dry["recipients"][0], "a dry run shows a row that will not be")
    types = server.get("sarah", f"{LIST}/preferences")["data"]["types"]
    shown = next(each for each in types if each["name"] == "ROOM_CREATED")
    expect_subset(shown, {"pushOnly": True, "effective": {"inApp": False, "push": True}}, "the preferences")
    gone = once(server.socket, "DELETE", "/v1/events/created-1").json()
    expect_subset(gone, {"removed": 1}, "taking it back")
    wait_for_push(sink, PLAYER, 2)
    server.rest("sarah", "PUT", f"{LIST}/preferences", {"types": {"ROOM_CREATED": {"push": False}}})
    expect_subset(server.publish(created(3)), {"created": 0, "suppressed": 2}, "what is switched off")
    server.rest("sarah", "PUT", f"{LIST}/preferences", {"types": {"ROOM_CREATED": None}})
    server.rest("sarah", "PUT", f"{LIST}/snooze", {"hours": 1})
    server.publish(created(4))
    expect_quiet(sink, PLAYER, 2)
    server.rest("sarah", "DELETE", f"{LIST}/snooze")
    expect_push(wait_for_push(sink, PLAYER, 3), "New Room", "Pete created a new room with you",
                {"type": "room_created", "roomId": "room-4"}, badge=1)
    server.rest("sarah", "PUT", f"{LIST}/seen")
    server.rest("sarah", "PUT", f"{LIST}/preferences", {"types": {"ROOM_LIKE": {"inApp": False, "push": True}}})
    server.publish(room_liked("sarah"))
    expect_subset(wait_for_push(sink, PLAYER, 4), {"body": "Pete liked your room", "badge": 1}, "a push alone")
    expect_equal(server.unread("sarah"), 1, "unread after all of it")
    expect_equal(server.drift(), 0, "the drift")


# S0 scenarios 2 and 3; T0.3, B0.2, B0.6, N9, N10, C3, C8, C9, C10
@case("rooms: uploads within five minutes are one row of photos, videos, notes and audio, and one push that grows")
def mixed_batch(world):
    server, sink = start(world, "rooms")
    log_in(server)
    live = server.session("sarah", active=False)
    server.publish(elements_added("sarah", photos=2, first=1))
    first = live.expect("new", unread=1)["notification"]
    wait_for_push(sink, PLAYER)
    more = [{"kind": "note", "thumbnailUrl": "https://img.example/note.jpg"}, {"kind": "audio"}, {"kind": "audio"}]
    server.publish(event("element_added", {"participants": ["sarah"]}, {"room": FUN, "elements": more},
                         actor={"id": "user-456", "username": "renee", "firstName": "Renee", "avatarUrl": None}))
    wait_for_push(sink, PLAYER, 2)
    server.publish(elements_added("sarah", photos=4, videos=1, first=3))
    row = live.take(2)[-1]["notification"]
    expect_subset(row, {
        "id": first["id"], "batchCount": 10,
        "displayText": "renee added 6 photos, a note, 2 audio recordings and a video to Awesome Fun",
    }, "the row")
    expect_equal([thumbnail["url"] for thumbnail in row["thumbnails"]],
                 [f"https://img.example/{number}.jpg" for number in range(1, 6)], "the first five thumbnails")
    wait_for_push(sink, PLAYER, 3)
    expect_quiet(sink, PLAYER, 3)
    pushes = shown_to(sink, PLAYER)
    expect_equal([push["body"] for push in pushes], [
        "Renee added 2 photos in Awesome Fun", "Renee added 2 photos, a note and 2 audio recordings in Awesome Fun",
        "Renee added 6 photos, a note, 2 audio recordings and a video in Awesome Fun"], "what the pushes say")
    expect_equal([push["collapseID"] for push in pushes], [pushes[0]["collapseID"]] * 3, "their place on the screen")
    expect_equal([push["badge"] for push in pushes], [1, 1, 1], "the icon")
    expect_equal(server.unread("sarah"), 1, "unread")


# S0 scenario 5; B0.3, B0.5, B0.7, E2, E3, E4, C11, C12, C13
@case("rooms: rows are read one by one and all at once; the tab's number and the icon follow on every device")
def read_and_badge(world):
    server, sink = start(world, "rooms", PUSH_BADGE_DELAY="200ms")
    log_in(server)
    for number in (1, 2, 3):
        server.publish(room_liked("sarah"))
        wait_for_push(sink, PLAYER, number)
    expect_equal(badges(sink, PLAYER), [1, 2, 3], "the icon")
    poll = server.rest("sarah", "GET", f"{LIST}/unread-count")
    expect_equal(poll.body, b'{"data":{"unreadCount":3}}', "the count that the app polls")
    again = server.rest("sarah", "GET", f"{LIST}/unread-count", If_None_Match=poll.etag)
    expect_equal((again.status, again.body), (304, b""), "the next poll, when nothing has changed")
    tapped = server.get("sarah")["data"][0]["id"]
    answer = server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": [tapped]})
    expect(answer.body.startswith(b'{"data":{"message":"Notifications marked as read","count":1'), f"{answer.body!r}")
    wait_until(lambda: badges(sink, PLAYER)[-1] == 2, PATIENCE, "the icon says 2")
    server.rest("sarah", "PUT", f"{LIST}/read-all")
    wait_until(lambda: badges(sink, PLAYER)[-1] == 0, PATIENCE, "the icon is cleared")
    expect_equal([row["isRead"] for row in server.get("sarah")["data"]], [True] * 3, "the rows")


# S0 scenario 6; B0.4, E1
@case("rooms: fifty-five rows scroll in three pages while new ones come; pulling down shows the newest")
def scrolling(world):
    server, _ = start(world, "rooms")
    server.publish([room_liked("sarah", room={"id": "r", "name": str(number)}) for number in range(55)])
    seen = []
    for number in (1, 2, 3):
        page = server.get("sarah", f"{LIST}?page={number}&limit=20")
        seen += [int(row["roomName"]) for row in page["data"]]
        server.publish(room_liked("sarah", room={"id": "r", "name": str(100 + number)}))
    expect_equal(seen, list(range(54, -1, -1)), "the rows of three pages")
    expect_equal(server.get("sarah")["data"][0]["roomName"], "103", "the newest row after pulling down")


# T0.8, T0.9
@case("rooms: who is mentioned gets the mention in place of the comment; the commenter gets nothing")
def mention_replaces(world):
    server, _ = start(world, "rooms")
    answer = server.publish(comment_added("sarah", "tom", "user-123", mentioned=["tom"], text="@tom " + "dinner " * 40))
    expect_subset(answer, {"created": 2, "suppressed": 1}, "the answer")
    rows = {user: server.get(user)["data"] for user in ("sarah", "tom", "user-123")}
    expect_equal({user: [row["type"] for row in found] for user, found in rows.items()},
                 {"sarah": ["COMMENT_ADDED"], "tom": ["MENTION"], "user-123": []}, "the types")
    preview = rows["tom"][0]["displayText"].removeprefix("pete mentioned you: ")
    expect(len(preview) <= 100 and preview.endswith(" dinner..."), f"the preview: {preview!r}")


# N11, E9, T0.11
@case("rooms: following back changes the button on every open session, and the row, but not the count")
def following_back(world):
    server, _ = start(world, "rooms")
    live = server.session("sarah")
    server.publish(user_followed("sarah"))
    expect_equal(live.expect("new", unread=1)["notification"]["isFollowingBack"], False, "the button at first")
    answer = once(server.socket, "PATCH", "/v1/notifications?type=USER_FOLLOWED&user=sarah&actor=user-123",
                  {"isFollowingBack": True})
    expect_equal((answer.status, answer.json()["updated"]), (200, 1), "the answer")
    update = live.expect("update", unread=1, delta=0)["notification"]
    expect_subset(update, {"type": "USER_FOLLOWED", "isFollowingBack": True, "rev": 2}, "the update")
    expect_equal(server.get("sarah")["data"][0]["isFollowingBack"], True, "the row")


# E13, E11, F0.2, F0.3
@case("rooms: a row can be swiped away, the list cleared, and a room muted")
def removing_and_muting(world):
    server, _ = start(world, "rooms")
    server.publish([room_liked("sarah"), room_liked("sarah")])
    first = server.get("sarah")["data"][0]["id"]
    expect_equal(server.rest("sarah", "DELETE", f"{LIST}/{first}").status, 200, "swiping")
    expect_equal(server.unread("sarah"), 1, "unread")
    server.rest("sarah", "DELETE", LIST)
    expect_equal(server.get("sarah")["data"], [], "the cleared list")
    expect_equal(server.rest("sarah", "PUT", f"{LIST}/mutes/room:room-789", {}).status, 200, "muting")
    expect_equal(server.publish(room_liked("sarah"))["created"], 0, "rows of the muted room")
    expect_equal(server.publish(room_liked("sarah", room=FUN))["created"], 1, "rows of another room")


# C1, C28
@case("rooms: a German reader's row and push are German, elements and all")
def german(world):
    server, sink = start(world, "rooms")
    register(server, "sarah", "phone", "apns", "a1b2", app="rooms", locale="de-DE", zone="Europe/Berlin")
    once(server.socket, "PUT", "/v1/users/sarah", {"locale": "de", "zone": "Europe/Berlin"})
    server.publish(elements_added("sarah", "tom", photos=2, videos=1))
    expect_equal(server.get("sarah")["data"][0]["displayText"],
                 "renee hat 2 Fotos und ein Video zu Awesome Fun hinzugefügt", "sarah's row")
    expect_equal(server.get("tom")["data"][0]["displayText"], "renee added 2 photos and a video to Awesome Fun",
                 "tom's row")
    expect_equal(wait_for_push(sink, "a1b2")["body"], "Renee hat 2 Fotos und ein Video zu Awesome Fun hinzugefügt",
                 "the push")
    expect_equal(len(shown_to(sink, "a1b2")), 1, "pushes")
