"""Every call and frame of the specifications with ids of another person: nothing is shown, changed, or told apart."""

import http.client
import json
import re
from urllib.parse import quote

from harness.events import ITALY, moment, room_liked
from harness.http import Answer, once
from harness.live import Live
from harness.operations import Operation, client_frames, filled, operations
from harness.stand_ins.web_push_receiver import WebPushReceiver
from harness.suite import PATIENCE, Failed, case, expect, expect_equal
from harness.tokens import base64url
from harness.world import ROOT

#: What everything of the other person's has in it, where it has a name that a client or a backend chose.
MARK = "zvictim"
MORROW = moment(86_400)
#: Parameters and members that name something that is somebody's, by the call and the name, or by the name alone; and what.
IDS = {
    "PUT /api/devices/{id} id": "device", "DELETE /api/devices/{id} id": "device",
    "PUT /api/devices/{id}/activities id": "device", "PUT /api/devices/{id}/activities/{key} id": "device",
    "DELETE /api/devices/{id}/activities/{key} id": "device", "key": "activity",
    "PUT /api/devices/{id}/subscription id": "device", "id": "notification", "notificationIds": "notification",
    "notification": "notification", "ids": "notification",
    "GET /api/notifications before": "notification", "GET /api/notifications after": "notification",
    "feed": "feed", "group": "group", "subject": "subject", "session": "session", "device": "device", "device_id": "device",
    "app": "app", "POST /api/push/subscription endpoint": "endpoint",
    "POST /api/push/answer endpoint": "endpoint", "user_email": "address", "query_ids": "query", "tags": "tag",
}
#: What names nothing of anybody's: choices, times, places in one's own inbox, and one's own push addresses. Whoever has
#: the address of a phone has the phone, so an address goes with whoever tells it.
HARMLESS = {
    "action": "approve", "active": "true", "after": "0", "before": "9", "epoch": "e", "categories{}": "likes", "types{}": "ROOM_LIKE",
    "category": "likes", "type": "ROOM_LIKE", "page": 1, "limit": 5, "unread": "true", "upTo": 0, "until": MORROW, "hours": 1, "asOf": 2,
    "from": "22:00", "to": "07:00", "zone": "Europe/Berlin", "locale": "de", "platform": "ios", "permission": "granted",
    "expirationTime": None, "scope": "https://app.example/", "playerId": "player-of-mallory", "apns_token": "a1", "token": "a1",
    "last_viewed_posts": MORROW, "last_viewed_users": MORROW, "offset": 0, "time": MORROW, "resume": "e.1", "seq": 0, "caps": "x",
    "endpoint": "https://127.0.0.1:1/push/mallorys", "p256dh": base64url(b"\4" + bytes.fromhex(
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")),
    "auth": None, "startTokens": "80a1", "startTokens{}": "OrderAttributes",
}
#: What a token tells, whatever a call says beside it; so nobody is told anything by it.
TOLD_BY_TOKEN = {"app", "address", "query"}
#: A call that goes on for ever once it is open.
STREAM = "GET /v1/live/events"
#: A session of its own, whose first answer need not have everything.
POLL = "GET /v1/live/poll"
#: An upgrade; the frames are what it is about.
UPGRADE = "GET /v1/live"


#: Reads first, and what takes away last.
METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE"]


class Scene:
    """Two people of one app. One has something of everything, the other is after it."""

    def __init__(self, world):
        self.world = world
        browser = world.keep(WebPushReceiver(world.folder))
        catalog = world.folder / "rooms.yaml"
        catalog.write_text((ROOT / "Config/catalogs/rooms.yaml").read_text().replace(
            "feeds:\n", 'feeds:\n  "diary:*": {access: {topic: "room:*"}}\n', 1).replace(
            "  ROOM_LIKE:\n", '  ROOM_LIKE:\n    group: "room:{{room.id}}"\n    groupText: {one: "A like", other: "Likes"}\n', 1))
        self.server = server = world.serve(
            catalogs=(str(catalog),), LIVE_HEARTBEAT="100ms", LIMITS_SESSIONS_PER_USER="200", LIMITS_REQUESTS_PER10S="0", FEEDS_UNDECLARED="refused",
            **browser.settings)
        victim = self.victim = f"{MARK}-user"
        self.subscription = browser.subscription()
        #: The secret of a subscription, as somebody guesses it.
        self.auth = base64url(bytes(16))
        backend = self.backend
        backend("PUT", f"/v1/users/{victim}", {"email": f"{MARK}@example.com"})
        backend("PUT", "/v1/users/mallory", {"email": "mallory@example.com"})
        backend("PUT", f"/v1/topics/room:{MARK}/members", {"users": [victim]})
        backend("POST", f"/v1/feeds/diary:{MARK}/items", {"text": MARK})
        question = {"actions": [{"id": "approve", "label": "Yes"}, {"id": "reject", "label": "No"}]}
        room = {"id": MARK, "name": MARK}
        server.publish([room_liked(victim, room=room, question=question), room_liked(victim, room=room)])
        server.publish([room_liked("mallory", room=ITALY), room_liked("mallory", room=ITALY)])
        self.as_victim("PUT", f"/api/devices/{MARK}-phone", {"provider": "fcm", "token": f"{MARK}-address"})
        self.as_victim("PUT", f"/api/devices/{MARK}-phone/activities/{MARK}-key", {"token": "90b2"})
        self.as_victim("PUT", f"/api/devices/{MARK}-web/subscription", self.subscription)
        self.as_victim("PUT", f"/api/notifications/mutes/room:{MARK}-2", {"until": MORROW})
        self.as_victim("PUT", "/api/notifications/quiet-hours", {"windows": [{"days": ["mon"], "from": "22:00", "to": "07:00"}], "zone": "UTC"})
        self.poll = self.as_victim("GET", "/v1/live/poll").json()["session"]
        rows = server.list_all(victim)
        #: Of each kind what is the victim's, and what nobody has.
        self.values = {
            "notification": (rows[0]["id"], "n777-1"), "device": (f"{MARK}-phone", "nobodys-phone"),
            "feed": (f"diary:{MARK}", "diary:nobody"), "group": (f"room:{MARK}", "room:nobody"),
            "subject": (f"room:{MARK}-2", "room:nobody-2"), "session": (self.poll, "s" * len(self.poll)),
            "app": ("", "nobodys"), "endpoint": (self.subscription["endpoint"], self.subscription["endpoint"] + "-nobodys"),
            "address": (f"{MARK}@example.com", "nobody@example.com"), "query": (MARK, "nobody"), "tag": (MARK, "nobody"),
            "activity": (f"{MARK}-key", "nobodys-key"),
        }

    def backend(self, method: str, path: str, body=None) -> Answer:
        answer = once(self.server.socket, method, path, body)
        expect(answer.status < 300, f"{method} {path}: {answer.body!r}")
        return answer

    def as_victim(self, method: str, path: str, body=None) -> Answer:
        answer = self.server.rest(self.victim, method, path, body)
        expect(answer.status < 300, f"{method} {path}: {answer.body!r}")
        return answer

    def kind(self, call: str, name: str) -> str | None:
        """What a name of a call is an id of; None if it is harmless."""
        exact = f"{call} {name}"
        if exact in IDS or name in IDS and exact not in HARMLESS:
            return IDS.get(exact) or IDS[name]
        if exact not in HARMLESS and name not in HARMLESS:
            raise Failed(f"{call} has {name!r}, which nobody has sorted: is it an id of something that is somebody's?")
        return None

    def value(self, call: str, is_theirs: bool):
        def given(name: str):
            if name == "auth":
                return self.auth
            if kind := self.kind(call, name):
                return self.values[kind][0 if is_theirs else 1]
            return HARMLESS.get(f"{call} {name}", HARMLESS.get(name))

        return given

    def requests(self):
        """Each call of the public listener, as it is filled with what is the victim's, and with what nobody has."""
        for operation in operations():
            if "public" not in operation.listeners or str(operation) == UPGRADE:
                continue
            for query, body in operation.templates:
                kinds = {kind for name in operation.places(query, body) if (kind := self.kind(str(operation), name))}
                yield operation, kinds, *(operation.fill(query, body, self.value(str(operation), is_theirs))
                                          for is_theirs in (True, False))

    def ask(self, user: str, operation: Operation, target: str, body) -> Answer:
        if str(operation) == STREAM:
            return beginning_of_stream(self.server, self.world.token(user), target)
        answer = self.server.rest(user, operation.method, target, body)
        expect(answer.status not in (429, 503), f"{operation} is answered by {answer.body!r}")
        return self.with_second(user, answer) if str(operation) == POLL and answer.status == 200 else answer

    def with_second(self, user: str, first: Answer) -> Answer:
        """The frames of a poll and of the next one: what its store has to be asked for may come with either."""
        said = first.json()
        next = self.server.get(user, f"/v1/live/poll/{said['session']}?after={said['next']}")
        frames = [frame for frame in said["frames"] + next["frames"] if frame["type"] != "beat"]
        return Answer(first.status, first.headers, json.dumps(frames).encode())

    def plain(self, text: str) -> str:
        """Without what differs from one call to the next by itself, or is what was asked for."""
        for theirs, nobodys in self.values.values():
            for value in (theirs, nobodys):
                if value and isinstance(value, str):
                    for form in {value, json.dumps(value)[1:-1], quote(value, safe="")}:
                        text = text.replace(form, "ID")
        return re.sub(r"\d+", "0", re.sub(r'"session": ?"[^"]*"', "S", text))

    def snapshot(self) -> dict:
        """All that can be read of the victim's, by the victim and by the backend."""
        read = {}
        for operation, _, (target, body), _ in self.requests():
            if operation.method == "GET" and "live" not in operation.path:
                read[f"GET {target}"] = self.ask(self.victim, operation, target, body).body
        for path in ("", "/topics", "/devices", "/settings", "/preferences", "/notifications", f"/feeds/diary:{MARK}/viewed"):
            read[path] = once(self.server.socket, "GET", f"/v1/users/{self.victim}{path}").body
        return read


def beginning_of_stream(server, token: str, target: str) -> Answer:
    """The answer with the events up to the first heartbeat."""
    connection = http.client.HTTPConnection(server.listen, timeout=PATIENCE)
    try:
        connection.request("GET", target, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        text = answer.read() if answer.status != 200 else b""
        while answer.status == 200 and b'"beat"' not in text:
            text += answer.readline()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)
    finally:
        connection.close()


@case("whatever another person's id stands in, of every call, the answer is as for one that nobody has, and nothing of theirs changes")
def calls(world):
    scene = Scene(world)
    live = scene.server.session(scene.victim)
    before = scene.snapshot()
    differing, number = [], 0
    for operation, kinds, theirs, nobodys in scene.requests():
        # Both twice, since the first call may make something of one's own.
        answers = [scene.ask("mallory", operation, *request) for request in (nobodys, theirs) * 2][:1:-1]
        number += 1
        shown = scene.plain(answers[0].body.decode())
        expect(MARK not in shown, f"{operation} shows {shown}, asked for {theirs}")
        if kinds and (answers[0].status, shown) != (answers[1].status, scene.plain(answers[1].body.decode())):
            differing.append(f"{operation} {theirs}: {answers[0].status} {answers[0].body!r}, but {answers[1].status} "
                             f"{answers[1].body!r} for {nobodys}")
    expect(not differing, "\n".join(differing))
    expect(number > 60, f"only {number} requests")
    after = scene.snapshot()
    for what, value in before.items():
        expect_equal(after[what], value, f"the victim's {what}")
    live.expect_silence(0.5)
    expect_equal(live.call("ack", seq=live.ready["seq"])["type"], "ok", "the victim's session goes on")
    # The ids are such that they are told apart, or change something, for their owner: otherwise nothing was shown here.
    scene.auth = scene.subscription["keys"]["auth"]
    told = set(TOLD_BY_TOKEN)
    for operation, kinds, theirs, nobodys in sorted(scene.requests(), key=lambda request: METHODS.index(request[0].method)):
        if kinds - told:
            before = scene.snapshot()
            found, missing = (scene.ask(scene.victim, operation, *request) for request in (theirs, nobodys))
            if ((found.status, scene.plain(found.body.decode())) != (missing.status, scene.plain(missing.body.decode()))
                    or operation.method == "DELETE" and scene.snapshot() != before):
                told |= kinds
    expect_equal(sorted(set(scene.values) - told), [], "kinds of ids that are nothing to their owner either")


@case("whatever another person's id stands in, of every frame, the answer is as for one that nobody has, and nothing of theirs changes")
def frames(world):
    scene = Scene(world)
    victims = scene.server.session(scene.victim)
    before = scene.snapshot()
    token = world.token("mallory")

    def said(kind: str, template, is_theirs: bool) -> str:
        """What comes of a frame until its heartbeat, on a session of its own."""
        value = scene.value(f"frame {kind}", is_theirs)

        def given(name: str):
            return {"token": token, "id": 7}.get(name) or value(name)

        live: Live = scene.server.open(compression=None)
        frame = filled(template, given)
        try:
            if kind != "hello":
                live.hello(token)
            live.send({"token": token, **frame} if kind == "hello" else {"id": 7, **frame})
            got = [live.next(what=f"an answer to {frame}")]
        except Failed as failure:
            got = [str(failure)]
        finally:
            live.close()
        return json.dumps(got)

    for kind, templates in client_frames().items():
        for template in templates:
            answers = [said(kind, template, is_theirs) for is_theirs in (False, True) * 2][:1:-1]
            shown = scene.plain(answers[0])
            expect(MARK not in shown, f"{kind} {template} is answered by {shown}")
            expect_equal(shown, scene.plain(answers[1]), f"the answer to {kind} {template} with another's ids")
    for what, value in scene.snapshot().items():
        expect_equal(value, before[what], f"the victim's {what}")
    victims.expect_silence(0.5)
