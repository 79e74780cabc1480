"""Every call of backends, by a publisher of one app, with ids of another app: nothing is shown, changed, or told apart."""

import json
import re

from harness import tokens
from harness.events import moment
from harness.http import Answer, expect_problem, once
from harness.operations import Operation, operations
from harness.publishers import publisher_key
from harness.suite import Failed, case, expect, expect_equal

from ..access import namespaces

MARK = "zvictim"
ALL = "[publish, retract, patch, trail, others, topics, users, feeds, erase, reload]"
MORROW = moment(86_400)
#: What is some app's, by the call and the name, or the name alone; and the value in the other app. Nobody has `nobody`.
IDS = {
    "user": f"{MARK}-user", "users": f"{MARK}-user", "add": f"{MARK}-user", "remove": f"{MARK}-user", "actor": "john",
    "topic": f"room:{MARK}", "topics": f"room:{MARK}", "feed": f"{MARK}-feed", "key": f"{MARK}-key", "event": None, "id": None,
    "notificationIds": None, "subject": f"room:{MARK}", "group": f"room:{MARK}",
    "PUT /v1/users/{user}/devices/{id} id": f"{MARK}-phone", "DELETE /v1/users/{user}/devices/{id} id": f"{MARK}-phone",
    "device": f"{MARK}-phone", "publisher": "rooms-backend", "email": f"{MARK}@example.com",
    "PUT /v1/feeds/{feed}/items/{id} id": "1", "DELETE /v1/feeds/{feed}/items/{id} id": "1",
}
#: Of the program or the caller alone: choices, texts, times, places in lists, and one's own push addresses.
HARMLESS = {
    "": 1, "action": "approve", "after": "0", "all": True, "answerBy": MORROW, "auth": tokens.base64url(bytes(16)), "before": "9",
    "body": "b", "categories{}": "likes", "default": "approve", "dryRun": "true", "expirationTime": None, "expiresAt": MORROW,
    "from": "22:00", "label": "l", "limit": 5, "locale": "de", "name": "n", "notBefore": MORROW, "occurredAt": moment(-5), "p256dh": "p",
    "permission": "granted", "platform": "ios", "rev": 1, "scope": None, "state": "pending", "title": "t", "to": "07:00",
    "PUT /v1/users/{user}/devices/{id} app": "ios", "to{}": "followed", "token": "a1", "type": "new_follower", "types{}": "NEW_FOLLOWER", "until": MORROW, "upTo": 0, "wait": "any",
    "zone": "UTC", "hours": 1, "offset": 0, "time": MORROW, "epoch": "e", "endpoint": "hook", "externalId": False,
    "PATCH /v1/notifications type": "ROOM_LIKE",
}


class Scene:
    def __init__(self, world):
        (self.key, hash), (_, other) = publisher_key(world), publisher_key(world)
        self.server = namespaces.serve(
            world, "feeds: {undeclared: public}\npublishers:\n"
            f"  rounds-backend: {{keyHash: {hash}, app: rounds, calls: {ALL}}}\n"
            f"  rooms-backend: {{keyHash: {other}, app: rooms, calls: {ALL}}}\n  everybody: {{uid: {namespaces.os.getuid()}, calls: {ALL}}}\n")
        user = IDS["user"]
        event = namespaces.EVENTS["rooms"](user)
        question = {"actions": [{"id": "approve", "label": "Yes"}]}
        self.event = self.of_rooms("POST", "/v1/events", {**event, "key": IDS["key"], "question": question})["event"]
        self.of_rooms("PUT", f"/v1/users/{user}", {"email": IDS["email"]})
        self.of_rooms("PUT", f"/v1/topics/{IDS['topic']}/members", {"users": [user]})
        self.of_rooms("POST", f"/v1/feeds/{IDS['feed']}/items", {"text": MARK})
        self.of_rooms("PUT", f"/v1/users/{user}/devices/{MARK}-phone", {"provider": "fcm", "token": f"{MARK}-address"})
        self.row = self.of_rooms("GET", f"/v1/users/{user}/notifications")["data"][0]["id"]

    def of_rooms(self, method: str, path: str, body=None) -> dict:
        answer = namespaces.admin(self.server, "rooms", method, path, body)
        expect(answer.status < 300, f"{method} {path}: {answer.body!r}")
        return answer.json() if answer.body else {}

    def value(self, call: str, is_theirs: bool):
        made = {"event": (self.event, "evt_" + "0" * (len(self.event) - 4)), "id": (self.row, "n777-1"), "notificationIds": (self.row, "n777-1")}

        def given(name: str):
            exact = f"{call} {name}"
            if exact in HARMLESS or name in HARMLESS and exact not in IDS:
                return HARMLESS.get(exact, HARMLESS.get(name))
            if exact not in IDS and name not in IDS:
                raise Failed(f"{call} has {name!r}, which nobody has sorted: is it an id of something of one app?")
            theirs, nobodys = made[name] if name in made and exact not in IDS else (IDS.get(exact, IDS.get(name)), None)
            return theirs if is_theirs else nobodys or theirs.replace(MARK, "nobody")

        return given

    def plain(self, text: str) -> str:
        for value in (MARK, "nobody", self.event, "evt_" + "0" * (len(self.event) - 4), self.row, "n777-1"):
            text = text.replace(value, "ID")
        return re.sub(r"\d+", "0", re.sub(r"evt_\w+", "EVENT", re.sub(r'"epoch":"[^"]*"', "EPOCH", text)))

    def requests(self):
        for operation in operations():
            if "publishing" not in operation.listeners or operation.path == "/healthz":
                continue
            for query, body in operation.templates:
                if "app" not in query:
                    yield operation, *(operation.fill(query, body, self.value(str(operation), is_theirs)) for is_theirs in (True, False))

    def ask(self, operation: Operation, target: str, body, **more) -> Answer:
        return once(self.server.socket, operation.method, target, body, token=self.key, **more)

    def snapshot(self) -> dict:
        user = IDS["user"]
        paths = [f"/v1/users/{user}{path}" for path in ("", "/topics", "/devices", "/settings", "/preferences", "/notifications", "/trail")]
        paths += [f"/v1/topics/{IDS['topic']}/members", f"/v1/trail/{self.event}", f"/v1/events/{self.event}/answers"]
        read = {path: self.of_rooms("GET", path) for path in paths}
        token = namespaces.token("rooms", user)
        for path in ("/api/notifications", "/api/devices", f"/v1/feeds/{IDS['feed']}/items", f"/v1/feeds/{IDS['feed']}/viewed"):
            read[path] = once(self.server.listen, "GET", path, token=token).json()
        return read


@case("whatever another app's id stands in, of every call of a publisher, the answer is as for one that nobody has")
def calls(world):
    scene = Scene(world)
    before, differing, number = scene.snapshot(), [], 0
    for operation, theirs, nobodys in scene.requests():
        answers = [scene.ask(operation, *request) for request in (nobodys, theirs) * 2][:1:-1]
        number += 1
        shown = scene.plain(answers[0].body.decode())
        expect(MARK not in shown, f"{operation} shows {shown}")
        if (answers[0].status, shown) != (answers[1].status, scene.plain(answers[1].body.decode())):
            differing.append(f"{operation} {theirs}: {answers[0].status} {answers[0].body!r}, but {answers[1].status} {answers[1].body!r}")
        # Whoever names the other app is refused, whatever the call is, and whether there is such an app or not.
        separator = "&" if "?" in theirs[0] else "?"
        named = [scene.ask(operation, theirs[0] + f"{separator}app={app}", theirs[1]) for app in ("rooms", "nosuchapp")]
        if any(name == "app" for _, name, _ in operation.parameters):
            expect_problem(named[0], {"status": 403, "code": "app_not_allowed"}, f"{operation} in the other app")
            expect_equal(named[1].body, named[0].body, f"{operation} in an app that there is not")
    expect(not differing, "\n".join(differing))
    expect(number > 80, f"only {number} requests")
    after = scene.snapshot()
    for what, value in before.items():
        expect_equal(after[what], value, f"the other app's {what}")
    expect(json.dumps(after).count(MARK) > 10, "there was nothing to be seen")


@case("a publisher of one app is told nothing of other apps' files at a reload, but that some were refused")
def reload(world):
    scene = Scene(world)

    def asked() -> Answer:
        return once(scene.server.socket, "POST", "/v1/reload", token=scene.key)

    expect_equal(asked().json(), {"catalogs": ["rounds"], "changed": [], "removed": []}, "its own catalog, and no warning of another")
    clinic = world.folder / "clinic.yaml"
    clinic.write_text(clinic.read_text() + f"\n{MARK}: nonsense\n")
    refused = asked()
    expect_problem(refused, {"status": 422, "code": "files_refused", "hint": "some were refused"}, "a broken catalog of another app")
    for word in (MARK, "clinic", "rooms", "issues"):
        expect(word not in refused.body.decode(), f"the refusal tells {word}: {refused.body!r}")
    # Whoever is of no app is told all of it.
    told = once(scene.server.socket, "POST", "/v1/reload")
    expect(MARK in told.body.decode() and "clinic.yaml" in told.body.decode(), f"the refusal for an operator: {told.body!r}")
