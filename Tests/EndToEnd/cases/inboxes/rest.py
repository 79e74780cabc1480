"""The apps' endpoints, in the shapes that the apps already read."""

import re

from harness import tokens
from harness.events import ITALY, PETE, RENEE, elements_added, room_liked, room_renamed, user_followed
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_subset

LIST = "/api/notifications"
META = ["totalCount", "page", "limit", "totalPages", "hasNextPage", "hasPrevPage"]

#: Events, and the rows that the app's guide shows for them, up to the members that are additions of ours.
SAMPLES = [
    (elements_added("sarah", photos=1, videos=1, occurredAt="2025-07-04T16:06:19.544Z"),
     '"type":"ELEMENT_ADDED","displayText":"renee added a photo and a video to Awesome Fun","isRead":false,'
     '"createdAt":"2025-07-04T16:06:19.544Z","actor":{"id":"user-456","username":"renee","firstName":"Renee",'
     '"avatarUrl":null},"deepLink":{"type":"room","roomId":"room-42","actorId":"user-456"},'
     '"roomName":"Awesome Fun","thumbnails":[{"url":"https://img.example/1.jpg","type":"PHOTO"},'
     '{"url":"https://img.example/2.jpg","type":"VIDEO"}],"batchCount":2'),
    (room_renamed("sarah", old="Summer Vacation", new="Italy Trip 2025", occurredAt="2025-07-04T15:03:31.950Z"),
     '"type":"ROOM_RENAMED","displayText":"pete renamed the room \\"Summer Vacation\\" to \\"Italy Trip 2025\\"",'
     '"isRead":false,"createdAt":"2025-07-04T15:03:31.950Z","actor":{"id":"user-123","username":"pete",'
     '"firstName":"Pete","avatarUrl":"https://img.example/pete.jpg"},"deepLink":{"type":"room",'
     '"roomId":"room-789","actorId":"user-123"},"roomName":"Italy Trip 2025","thumbnails":[],"batchCount":1'),
    (user_followed("sarah", occurredAt="2025-07-04T10:00:00Z"),
     '"type":"USER_FOLLOWED","displayText":"pete started following you","isRead":false,'
     '"createdAt":"2025-07-04T10:00:00.000Z","actor":{"id":"user-123","username":"pete","firstName":"Pete",'
     '"avatarUrl":"https://img.example/pete.jpg"},"deepLink":{"type":"profile","roomId":null,"actorId":"user-123"},'
     '"isFollowingBack":false,"thumbnails":[],"batchCount":1'),
    ({"type": "removed_from_room", "actor": PETE, "to": {"removed": ["sarah"]}, "data": {"room": ITALY},
      "occurredAt": "2025-07-04T17:00:00.000Z"},
     '"type":"REMOVED_FROM_ROOM","displayText":"pete removed you from the room: Italy Trip","isRead":false,'
     '"createdAt":"2025-07-04T17:00:00.000Z","actor":{"id":"user-123","username":"pete","firstName":"Pete",'
     '"avatarUrl":"https://img.example/pete.jpg"},"deepLink":{"type":"none","roomId":null,"actorId":"user-123"},'
     '"roomName":"Italy Trip","thumbnails":[],"batchCount":1'),
]


@case("the list has the app's shape byte for byte: members, order, spelling; additions come behind")
def list_shape(world):
    server = world.serve()
    for event, _ in SAMPLES:
        server.publish(event)
    answer = server.rest("sarah", "GET", LIST)
    expect_equal((answer.status, answer.headers["content-type"]), (200, "application/json"), "status and type")
    text = answer.body.decode()
    rows = re.findall(r'\{"id":"[^"]+",("type":"[A-Z_]+".*?"batchCount":\d+),[^{}]*"rev":\d+,"seq":\d+\}', text)
    expect_equal(rows, [row for _, row in reversed(SAMPLES)], "the rows, newest first")
    meta = text[text.index('"meta":'):]
    expect(meta.startswith('"meta":{"totalCount":4,"page":1,"limit":20,"totalPages":1,"hasNextPage":false,'
                           '"hasPrevPage":false'), f"meta: {meta}")
    body = answer.json()
    expect_equal(list(body), ["data", "meta"], "the members")
    expect_equal(list(body["meta"])[:6], META, "the members of meta")
    expect_subset(body["meta"], {"seq": 4, "unread": 4, "unseen": 4}, "meta")
    expect_equal(answer.etag, f'"{body["meta"]["epoch"]}.4"', "the ETag")
    empty = server.rest("nobody", "GET", LIST).body.decode()
    expect(empty.startswith('{"data":[],"meta":{"totalCount":0,"page":1,"limit":20,"totalPages":0,'
                            '"hasNextPage":false,"hasPrevPage":false'), f"an empty list: {empty}")


@case("unread count, read and read-all answer as the app reads them, with counts behind; repeated they change nothing")
def commands(world):
    server = world.serve()
    server.publish([room_liked("sarah") for _ in range(5)])
    ids = [row["id"] for row in server.get("sarah")["data"]]
    expect_equal(server.rest("sarah", "GET", f"{LIST}/unread-count").body, b'{"data":{"unreadCount":5}}', "the count")
    answer = server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": ids[:2]})
    expect_equal((answer.status, answer.body),
                 (200, b'{"data":{"message":"Notifications marked as read","count":2,"unreadCount":3}}'), "read")
    again = server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": ids[1:3] + ["notif-123"]})
    expect_subset(again.json()["data"], {"count": 1, "unreadCount": 2}, "read with known and unknown ids")
    before = server.get("sarah")["meta"]["seq"]
    answer = server.rest("sarah", "PUT", f"{LIST}/read-all")
    expect(answer.body.startswith(b'{"data":{"message":"All notifications marked as read"'), f"{answer.body!r}")
    expect_subset(answer.json()["data"], {"count": 2, "unreadCount": 0}, "read-all")
    server.rest("sarah", "PUT", f"{LIST}/read-all")
    expect_equal(server.get("sarah")["meta"]["seq"], before + 1, "seq after a read-all with nothing to read")


@case("read-all up to a seq leaves later rows unread")
def read_all_up_to(world):
    server = world.serve()
    server.publish([room_liked("sarah") for _ in range(3)])
    answer = server.rest("sarah", "PUT", f"{LIST}/read-all", {"upTo": 2})
    expect_subset(answer.json()["data"], {"count": 2, "unreadCount": 1}, "the answer")


@case("pages fit together while rows come and go between them: nothing skipped, nothing twice", pollers=True)
def pages(world):
    server = world.serve()
    server.publish([room_liked("sarah", room={"id": "r", "name": str(number)}) for number in range(50)])
    seen = []
    for number in (1, 2, 3):
        page = server.get("sarah", f"{LIST}?page={number}&limit=20")
        seen += [int(row["roomName"]) for row in page["data"]]
        expect_subset(page["meta"], {"page": number, "limit": 20, "totalPages": 3, "hasNextPage": number < 3,
                                     "hasPrevPage": number > 1}, f"meta of page {number}")
        server.publish([room_liked("sarah", room={"id": "r", "name": str(100 * number + more)}) for more in range(7)])
        if number == 1:
            gone = page["data"][3]["id"]
            expect_equal(server.rest("sarah", "DELETE", f"{LIST}/{gone}").status, 200, "the status of a removal")
    expect_equal(seen, list(range(49, -1, -1)), "all rows of the three pages")
    fresh = server.get("sarah", f"{LIST}?page=1&limit=20")
    expect_subset(fresh["meta"], {"totalCount": 50 - 1 + 21}, "the total of a new first page")
    expect_equal(fresh["data"][0]["roomName"], "306", "the newest row of a new first page")


@case("cursors: before and after a row, while new ones arrive; both at once is a mistake")
def cursors(world):
    server = world.serve()
    server.publish([room_liked("sarah", room={"id": "r", "name": str(number)}) for number in range(10)])
    rows = server.get("sarah", f"{LIST}?limit=4")["data"]
    seen = [row["roomName"] for row in rows]
    while True:
        server.publish(room_liked("sarah", room={"id": "r", "name": "later"}))
        page = server.get("sarah", f"{LIST}?limit=4&before={rows[-1]['id']}")
        rows = page["data"]
        seen += [row["roomName"] for row in rows]
        if not page["meta"]["hasNextPage"]:
            break
    expect_equal(seen, [str(number) for number in range(9, -1, -1)], "all rows by before")
    newer = server.get("sarah", f"{LIST}?after={server.list_all('sarah')[4]['id']}")
    expect_equal([row["roomName"] for row in newer["data"]], ["later", "later", "9", "8"], "the rows after")
    expect_equal(newer["meta"]["hasNextPage"], False, "more after them")


@case("a cursor that the inbox has never given, such as another person's id, is unknown: the newest page, and meta says so")
def unknown_cursors(world):
    server = world.serve()
    server.publish([room_liked("sarah", room={"id": "r", "name": str(number)}) for number in range(5)])
    server.publish(room_liked("tom"))
    foreign = server.get("tom")["data"][0]["id"]
    own = server.get("sarah")["data"][0]["id"]
    newest = server.get("sarah", f"{LIST}?limit=2")
    for unknown in (foreign, "n99-1", own.split("-")[0] + "-99"):
        for name in ("before", "after"):
            page = server.get("sarah", f"{LIST}?limit=2&{name}={unknown}")
            expect_equal(page["data"], newest["data"], f"the rows of {name}={unknown}")
            expect_equal(page["meta"], {**newest["meta"], "recovered": False}, f"the meta of {name}={unknown}")
    for name, count in (("before", 4), ("after", 0)):
        page = server.get("sarah", f"{LIST}?{name}={own}")
        expect_equal((len(page["data"]), page["meta"].get("recovered")), (count, None), f"a known place in {name}")


@case("wrong parameters and bodies are 400 with a problem; the methods and paths of others are not taken for ours")
def errors(world):
    server = world.serve()
    for query in ("page=0", "page=x", "limit=0", "limit=-1", "before=x", "after=x",
                  "before=n1-1&after=n1-2", "before=n1-1&page=2"):
        answer = server.rest("sarah", "GET", f"{LIST}?{query}")
        expect_equal((answer.status, answer.json()["code"]), (400, "invalid_parameter"), query)
    for body, code, pointer in (
        (b"{", "invalid_json", None), ([], "wrong_type", None), ({}, "missing_field", "/notificationIds"),
        ({"notificationIds": "n1-1"}, "wrong_type", "/notificationIds"),
        ({"notificationIds": [1]}, "wrong_type", "/notificationIds"),
        ({"notificationIds": ["x"] * 1001}, "wrong_type", "/notificationIds"),
    ):
        answer = server.rest("sarah", "PUT", f"{LIST}/read", body)
        expect_equal((answer.status, answer.json()["code"], answer.json().get("pointer")), (400, code, pointer),
                     f"reading {body!r:.40}")
        expect_equal(answer.headers["content-type"], "application/problem+json", "the type of a problem")
    # What is misspelt must not mean everything.
    server.publish(room_liked("sarah"))
    for method, path in (("PUT", f"{LIST}/read-all"), ("PUT", f"{LIST}/seen"), ("DELETE", LIST)):
        for body, code in (({"upTo": "x"}, "wrong_type"), ({"upTo": None}, "wrong_type"), ({"upto": 0}, "unknown_field"),
                           (b'{"upTo":0,"upTo":1}', "invalid_value"), ([], "wrong_type")):
            answer = server.rest("sarah", method, path, body)
            expect_equal((answer.status, answer.json()["code"]), (400, code), f"{method} {path} {body!r}")
    expect_subset(server.get("sarah")["meta"], {"totalCount": 1, "unread": 1, "unseen": 1}, "the inbox after all that")
    expect_equal(server.rest("sarah", "POST", LIST).status, 405, "POST to the list")
    server.publish(room_liked("tom"))
    foreign = server.get("tom")["data"][0]["id"]
    expect_subset(server.rest("sarah", "DELETE", f"{LIST}/{foreign}").json()["data"], {"count": 0}, "foreign removal")
    expect_equal(len(server.get("tom")["data"]), 1, "tom's rows")


@case("a device is registered with a token, and with the setting without one if its user registered it before")
def devices(world):
    path = f"{LIST}/register-device"
    body = {"device_id": "phone-1", "apns_token": "a1b2"}
    server = world.serve()
    answer = server.rest("sarah", "POST", path, body)
    expect_equal((answer.status, answer.body), (200, b'{"status":"ok"}'), "with a token")
    expect_equal(once(server.listen, "POST", path, body).status, 401, "the status without a token")
    for wrong, pointer in (({"device_id": "x"}, "/apns_token"), ({"apns_token": "ab"}, "/device_id"),
                           ({"device_id": "x", "apns_token": "xyz"}, "/apns_token"),
                           ({"device_id": "", "apns_token": "ab"}, "/device_id")):
        answer = server.rest("sarah", "POST", path, wrong)
        expect_equal((answer.status, answer.json().get("pointer")), (400, pointer), f"registering {wrong}")

    open_server = world.serve(data="open", AUTH_REGISTER_DEVICE_WITHOUT_TOKEN="true")
    answer = once(open_server.listen, "POST", path, body)
    expect_equal((answer.status, answer.body), (200, b'{"status":"ok"}'), "unknown")
    open_server.rest("sarah", "POST", path, body)
    answer = once(open_server.listen, "POST", path, {**body, "apns_token": "c3d4"})
    expect_equal((answer.status, answer.body), (200, b'{"status":"ok"}'), "a known device without a token")
    wrong = once(open_server.listen, "POST", path, body, token=tokens.token("sarah", expires_in=-999))
    expect_equal(wrong.status, 401, "the status with an expired token")


@case("texts of any language come through whole")
def texts(world):
    server = world.serve()
    name = 'Größe "1" \\ \u2028 日本 👩‍👩‍👧 \u0001 end'
    server.publish(room_liked("sarah", room={"id": "r", "name": name}, actor=RENEE))
    expect_equal(server.get("sarah")["data"][0]["roomName"], name, "the name")
    live = server.session("sarah")
    server.publish(room_liked("sarah", room={"id": "r", "name": name}, actor=RENEE))
    expect_equal(live.expect("new")["notification"]["displayText"], f"renee liked your room: {name}", "the text")


@case("who polls with the ETag that they got is answered by 304 without a body, until something of the inbox changes")
def polling(world):
    server = world.serve()
    server.publish([room_liked("sarah"), room_liked("tom")])
    paths = (LIST, f"{LIST}?unread=true", f"{LIST}/groups", f"{LIST}/unread-count")
    tags = {path: server.rest("sarah", "GET", path).etag for path in paths}
    expect(all(tags.values()), f"no ETag for all: {tags}")

    def poll() -> list[tuple[int, bytes]]:
        answers = [server.rest("sarah", "GET", path, If_None_Match=tag) for path, tag in tags.items()]
        return [(answer.status, answer.body if answer.status == 304 else b"") for answer in answers]

    expect_equal(poll(), [(304, b"")] * 4, "polls of what they have")
    server.publish(room_liked("tom"))
    expect_equal(poll(), [(304, b"")] * 4, "polls after a change of somebody else's inbox")
    for change in (lambda: server.publish(room_liked("sarah")),
                   lambda: server.rest("sarah", "PUT", f"{LIST}/read-all"),
                   lambda: server.rest("sarah", "DELETE", LIST)):
        change()
        expect_equal(poll(), [(200, b"")] * 4, "polls after a change")
        tags = {path: server.rest("sarah", "GET", path).etag for path in paths}
    server.kill()
    server.start()
    expect_equal(poll(), [(304, b"")] * 4, "polls of a process that has started anew")
