"""Lists: filters over whole inboxes, pages and cursors while things change, and what comes up again."""

import re

from harness import tokens
from harness.events import room_liked, user_followed
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_subset
from harness.world import ROOT

LIST = "/api/notifications"
DOCS = ROOT / "docs"
CHAT = """\
catalog: chat
actor: [id]
badge: unseen
events:
  said: {routes: [{to: people, type: MESSAGE}]}
  noted: {routes: [{to: people, type: NOTE}]}
types:
  NOTE: {text: "{{text}}"}
  MESSAGE:
    text: "{{messages}} from {{actor.id}}"
    batch:
      window: 1h
      by: [actor.id]
      count: messages
      nouns: {one: one message, other: "{{count}} messages"}
      samples: {last: 3}
      bump: true
"""


def chat(world):
    file = world.folder / "chat.yaml"
    file.write_text(CHAT)
    return world.serve(catalogs=(str(file),))


def said(actor: str, text: str, user: str = "sarah", **more) -> dict:
    return {"type": "said", "actor": {"id": actor}, "to": {"people": [user]}, "data": {"messages": [text]}, **more}


def liked(number: int, user: str = "sarah") -> dict:
    return room_liked(user, room={"id": "r", "name": str(number)})


@case("a filter finds the oldest row of an inbox of 10,000, by whatever it chooses")
def whole_inbox(world):
    server = world.serve()
    server.publish({"type": "user_followed", "actor": {"id": "pete", "username": "pete"}, "to": {"followed": ["sarah"]},
                    "data": {"isFollowingBack": False}})
    for first in range(0, 9_500, 500):
        server.publish([liked(first + number) for number in range(500)])
    ids = [row["id"] for row in server.list_all("sarah")]
    for first in range(0, len(ids) - 1, 1_000):
        server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": ids[first:min(first + 1_000, len(ids) - 1)]})
    for query in ("unread=true", "type=USER_FOLLOWED", "unread=true&type=USER_FOLLOWED&category=&group=",
                  "unread=true&limit=500", f"unread=true&before={ids[0]}"):
        page = server.get("sarah", f"{LIST}?{query}")
        expect_equal([row["id"] for row in page["data"]], ids[-1:], f"the rows with {query}")
        expect_subset(page["meta"], {"totalCount": 1, "totalPages": 1, "hasNextPage": False, "unread": 1}, query)
    expect_equal(server.get("sarah", f"{LIST}?unread=true&after={ids[-1]}")["data"], [], "newer unread rows")


@case("unread rows come page by page though each page is read before the next, and though the token is renewed")
def read_while_paging(world):
    server = world.serve()
    server.publish([liked(number) for number in range(70)])
    seen = []
    for number in range(1, 5):
        fresh = tokens.token("sarah", expires_in=3600 + number)
        page = once(server.listen, "GET", f"{LIST}?unread=true&limit=20&page={number}", token=fresh).json()
        meta = page["meta"]
        expect_subset(meta, {"totalCount": 70, "page": number, "totalPages": 4, "hasNextPage": number < 4}, "meta")
        seen += [int(row["roomName"]) for row in page["data"]]
        server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": [row["id"] for row in page["data"]]})
        server.publish(liked(100 + number))
    expect_equal(seen, list(range(69, -1, -1)), "the rows of all pages")

    seen, place = [], ""
    while True:
        page = server.get("sarah", f"{LIST}?unread=true&limit=1{place}")
        meta = page["meta"]
        expect_equal(meta["hasNextPage"], meta["page"] < meta["totalPages"], "hasNextPage")
        expect_equal(meta["hasNextPage"], meta["next"] is not None, "next")
        seen += [int(row["roomName"]) for row in page["data"]]
        server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": [row["id"] for row in page["data"]]})
        if not meta["next"]:
            break
        place = f"&before={meta['next']}"
    expect_equal(seen, [104, 103, 102, 101], "the rest, by cursors")


@case("two readers with one token: by cursors, and by numbers with asOf, neither sees a row twice or misses one")
def two_readers(world):
    server = world.serve()
    server.publish([liked(number) for number in range(30)])
    for way in ("cursor", "number"):
        readers = [{"seen": [], "more": "", "first": None, "page": 0} for _ in range(2)]
        while any(reader["more"] is not None for reader in readers):
            for reader in readers:
                if reader["more"] is None:
                    continue
                page = server.get("sarah", f"{LIST}?limit=7{reader['more']}")
                meta = page["meta"]
                if reader["first"] is None:
                    reader["first"] = [int(row["roomName"]) for row in server.list_all("sarah")]
                reader["seen"] += [int(row["roomName"]) for row in page["data"]]
                reader["page"] += 1
                if not meta["hasNextPage"]:
                    reader["more"] = None
                elif way == "cursor":
                    reader["more"] = f"&before={meta['next']}"
                else:
                    reader["more"] = f"&page={reader['page'] + 1}&asOf={meta['asOf']}"
                server.publish(liked(1_000 + len(readers[0]["seen"] + readers[1]["seen"])))
        for reader in readers:
            expect_equal(reader["seen"], reader["first"], f"the rows of a reader by {way}")


@case("upTo bounds all calls that change a whole inbox, in the query; what is misspelt changes nothing")
def bounds(world):
    server = world.serve()
    server.publish([liked(number) for number in range(6)])
    for method, path, query, body, code in (
            ("PUT", f"{LIST}/read-all", "?upto=1", None, "invalid_parameter"),
            ("PUT", f"{LIST}/seen", "?upTo=", None, "invalid_parameter"),
            ("DELETE", LIST, "", {"upTo": 1}, "invalid_value"), ("DELETE", LIST, "?limit=1", None, "invalid_parameter"),
            ("PUT", f"{LIST}/read", "?upTo=1", {"group": "g"}, "invalid_parameter")):
        answer = server.rest("sarah", method, path + query, body)
        expect_equal(answer.status, 400, f"{method} {path}{query} {body}")
        expect_equal(answer.json()["code"], code, f"{method} {path}{query} {body}")
    expect_subset(server.get("sarah")["meta"], {"unread": 6, "unseen": 6, "totalCount": 6}, "what is left as it was")
    expect_subset(server.rest("sarah", "PUT", f"{LIST}/seen?upTo=1").json()["data"], {"count": 1}, "seen")
    expect_subset(server.rest("sarah", "PUT", f"{LIST}/read-all?upTo=2").json()["data"], {"count": 2}, "read-all")
    expect_subset(server.rest("sarah", "DELETE", f"{LIST}?upTo=3").json()["data"], {"count": 3}, "removed")
    members = "/v1/topics/room:1/members"
    once(server.socket, "PUT", members, {"users": ["ann", "bob"]})
    expect_equal(once(server.socket, "DELETE", members, {"remove": ["ann"]}).status, 400, "DELETE with a body")
    expect_equal(once(server.socket, "GET", members).json()["count"], 2, "the members after that")
    expect_equal(once(server.socket, "DELETE", members).status, 200, "DELETE")


@case("an empty parameter is one that was left out, but where a call would do more than was meant")
def empty_parameters(world):
    server = world.serve()
    event = server.publish(room_liked("sarah", key="like-1"))["event"]
    server.publish_item("posts", {"number": 1})
    server.register_device("sarah", "phone-1")

    def asked(method: str, path: str, body=None):
        if path.startswith(("/api", "/v1/feeds", "/v1/devices")):
            return server.rest("sarah", method, path, body)
        return once(server.socket, method, path, body)

    for path, names in (
            (LIST, "page limit before after epoch asOf category type unread group"), (f"{LIST}/groups", "limit"),
            ("/v1/feeds/posts/items", "after before epoch tags limit"), ("/api/posts/recent-tagged", "after tags limit"),
            ("/v1/topics/room:1/members", "after limit"), (f"/v1/trail/{event}", "user after limit"),
            ("/v1/users/sarah/trail", "before limit"), ("/v1/trail?key=like-1", "publisher user after limit")):
        plain = asked("GET", path)
        for name in [*names.split(), "=&".join(names.split())]:
            answer = asked("GET", f"{path}{'&' if '?' in path else '?'}{name}=")
            expect_equal((answer.status, answer.body), (200, plain.body), f"GET {path} with {name}=")
    for path in ("/v1/trail?key=", "/v1/trail?key=&publisher="):
        expect_equal(asked("GET", path).json()["code"], "invalid_parameter", path)

    patch = "/v1/notifications?type=USER_FOLLOWED&user=sarah"
    for query in ("type=&user=sarah&actor=pete", "type=USER_FOLLOWED&user=&actor=pete",
                  "type=USER_FOLLOWED&user=sarah&actor=&key="):
        answer = asked("PATCH", f"/v1/notifications?{query}", {"isFollowingBack": True})
        expect_equal(answer.status, 400, f"PATCH with {query}: {answer.body!r}")
        expect("expected" in answer.json()["detail"], f"what is told of {query}: {answer.body!r}")
    server.publish(user_followed("sarah", key="follow-1"))
    for query, value in (("actor=&key=follow-1", True), ("actor=user-123&key=", False)):
        answer = asked("PATCH", f"{patch}&{query}", {"isFollowingBack": value})
        expect_equal((answer.status, answer.json().get("updated")), (200, 1), f"PATCH with {query}")

    # What would change more than was meant is refused.
    for method, path in (("DELETE", f"{LIST}?upTo="), ("PUT", f"{LIST}/read-all?upTo="), ("PUT", f"{LIST}/seen?upTo=")):
        expect_equal(asked(method, path).status, 400, f"{method} {path}")
    expect_equal(asked("POST", "/v1/events?dryRun=", room_liked("sarah")).status, 400, "an event with an empty dryRun")
    expect_equal(server.unread("sarah"), 2, "what is unread after that")
    expect_equal(asked("DELETE", "/v1/users/sarah/devices/phone-1?app=").status, 204, "removing a device of no app")


@case("limit means the same in all lists, and the documentation's own queries are answered")
def documented_queries(world):
    server = world.serve()
    server.publish(liked(1))
    server.publish_item("posts", {"number": 1})
    some = server.get("sarah")["data"][0]["id"]
    text = (DOCS / "http-api.md").read_text() + (DOCS / "topics-and-users.md").read_text() + (DOCS / "trail.md").read_text()
    queries = set(re.findall(r"`GET (/[^`\s]*\?[^`\s]*)", text)) | set(re.findall(r"'(?:localhost:8080|http://belfry)(/[^']*\?[^']*)'", text))
    queries = sorted(query for query in queries if "dryRun" not in query and "?app=" not in query and not query.startswith(("/v1/notifications?", "/console/")))
    expect(len(queries) >= 12, f"few examples: {queries}")
    event = server.publish(room_liked("sarah", key="like-1"))["event"]
    for query in queries:
        path = query.replace("{feed}", "posts").replace("{topic}", "room:789").replace("{user}", "sarah")
        path = path.replace("{event}", event).replace("<id>", some).replace("<next>", some).replace("…", "e").replace("?key=&", "?key=like-1&")
        path = path.replace("category=social", "category=like")
        is_local = path.startswith(("/v1/trail", "/v1/topics", "/v1/users"))
        answer = once(server.socket, "GET", path) if is_local else server.rest("sarah", "GET", path)
        expect_equal(answer.status, 200, f"GET {path}: {answer.body[:200]!r}")
    for path in (LIST, f"{LIST}/groups", "/v1/feeds/posts/items", "/api/posts/recent-tagged"):
        for limit, status in (("500", 200), ("100000", 200), ("9" * 30, 200), ("", 200), ("0", 400), ("x", 400), ("-1", 400)):
            answer = server.rest("sarah", "GET", f"{path}?limit={limit}")
            expect_equal(answer.status, status, f"{path}?limit={limit}")
    for path in ("/v1/topics/room:789/members", f"/v1/trail/{event}", "/v1/users/sarah/trail"):
        for limit, status in (("1000000", 200), ("", 200), ("0", 400), ("x", 400)):
            expect_equal(once(server.socket, "GET", f"{path}?limit={limit}").status, status, f"{path}?limit={limit}")
    expect_equal(server.get("sarah", f"{LIST}?limit=500")["meta"]["limit"], 100, "the limit that holds")


@case("what comes to a chat after the look is unseen again, in frames, lists and replay, until it is taken back")
def seen_again(world):
    server = chat(world)
    live = server.session("sarah")
    server.publish(said("ann", "one"))
    live.expect("new", unread=1, unseen=1)
    position = {"epoch": live.ready["epoch"], "seq": 1}
    server.rest("sarah", "PUT", f"{LIST}/seen")
    live.expect("seen", unread=1, unseen=0)
    server.publish(said("ann", "two", key="second"))
    frame = live.expect("update", unread=1, unseen=1, delta=0)
    expect_equal(frame["notification"]["isSeen"], False, "isSeen in the frame")
    page = server.get("sarah")
    expect_equal((page["data"][0]["isSeen"], page["meta"]["unseen"]), (False, 1), "the list")
    other = server.open()
    other.hello(world.token("sarah"), resume=position)
    expect_equal([other.next()["type"] for _ in range(2)], ["seen", "update"], "what is replayed")
    expect_equal(once(server.socket, "DELETE", "/v1/events/second").status, 200, "taking it back")
    live.expect("update", unread=1, unseen=0)
    expect_equal(server.get("sarah")["data"][0]["isSeen"], True, "isSeen of what was seen before")
    server.publish(said("ann", "three"))
    live.expect("update", unread=1, unseen=1)
    server.rest("sarah", "PUT", f"{LIST}/read-all")
    live.expect("read", unread=0, unseen=0)
    server.publish(said("ann", "four"))
    live.expect("new", unread=1, unseen=1)
    expect_equal(server.drift(), 0, "the drift")


@case("a chat that grows comes up again with its last messages, and pages that are under way show each row once")
def comes_up(world):
    server = chat(world)
    for number in range(1, 6):
        server.publish(said("ann", f"message {number}"))
    for number in range(12):
        server.publish({"type": "noted", "actor": {"id": "bob"}, "to": {"people": ["sarah"]}, "data": {"text": str(number)}})
    server.publish(said("cleo", "hi"))
    first = server.get("sarah", f"{LIST}?limit=5")
    expect_equal(first["data"][-1]["displayText"], "8", "the last row of the first page")
    live = server.session("sarah")
    server.publish(said("ann", "message 6"))
    told = live.expect("update")["notification"]
    expect_equal((told["samples"], told["place"]), ([f"message {number}" for number in (4, 5, 6)], told["seq"]), "the frame")
    rows, place = first["data"], first["meta"]["next"]
    while place:
        page = server.get("sarah", f"{LIST}?limit=5&before={place}")
        rows, place = rows + page["data"], page["meta"]["next"]
    texts = [row["displayText"] for row in rows]
    expect_equal(texts, ["one message from cleo", *map(str, range(11, -1, -1)), "6 messages from ann"], "all pages")
    again = server.get("sarah", f"{LIST}?limit=2")["data"]
    expect_equal([row["displayText"] for row in again], ["6 messages from ann", "one message from cleo"], "a new first page")
