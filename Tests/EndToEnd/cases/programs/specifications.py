"""The specifications: made of the route table, served, and held against every call and frame of all cases."""

import json
import subprocess
import sys

from harness import specification
from harness.http import Answer, once
from harness.suite import Failed, case, expect, expect_equal
from harness.world import ROOT


@case("the specifications are those that the program's own tables make")
def made(world):
    told = subprocess.run([sys.executable, str(ROOT / "scripts/specifications"), "--belfry", world.belfry, "--check"],
                          capture_output=True, text=True)
    expect_equal((told.returncode, told.stderr), (0, ""), "what scripts/specifications --check says")


@case("each listener serves the specifications of its own calls")
def served(world):
    server = world.serve()
    schemas = [f"schemas/{path.name}" for path in sorted((ROOT / "docs/schemas").glob("*.json"))]
    for address, files in (
        (server.ops, {name: name for name in ("openapi.yaml", "asyncapi.yaml", *schemas)}),
        (server.listen, {"openapi.yaml": "openapi-public.yaml", "asyncapi.yaml": "asyncapi.yaml",
                         "schemas/frames.json": "schemas/frames.json"}),
    ):
        for path, name in files.items():
            answer = once(address, "GET", f"/{path}")
            expect_equal(answer.status, 200, path)
            expect(answer.body == (ROOT / "docs" / name).read_bytes(), f"{path} is another file than docs/{name}")
            again = once(address, "GET", f"/{path}", If_None_Match=answer.etag)
            expect_equal((again.status, again.body), (304, b""), f"{path} once more")
    expect_equal(once(server.listen, "GET", "/schemas/event.json").status, 404, "the public listener's answer for events")


@case("what is not specified is noticed: statuses, types, members, methods, requests and frames")
def noticed(world):
    del world  # Without a server: the answers are made up.

    def answer(status: int, body, media_type: str = "application/json") -> Answer:
        return Answer(status, {"content-type": media_type}, json.dumps(body).encode())

    def refused(*call) -> bool:
        try:
            specification.check_answer(*call)
        except Failed:
            return True
        return False

    count, read = "/api/notifications/unread-count", "/api/notifications/read"
    good, changed = {"data": {"unreadCount": 1}}, {"data": {"message": "", "count": 1, "unreadCount": 0}}
    problem = {"type": "about:blank", "title": "", "status": 400, "code": "c", "detail": ""}
    for is_wrong, *call in (
        (False, "GET", f"{count}?_=1", None, answer(200, good)),
        (False, "GET", count, None, answer(400, problem, "application/problem+json")),
        (False, "PUT", read, {"notificationIds": []}, answer(200, changed)),
        (False, "PUT", read, {"notificationIds": 1}, answer(400, problem, "application/problem+json")),
        (False, "GET", "/nowhere", None, answer(200, good)),
        (True, "GET", count, None, answer(202, good)),
        (True, "GET", count, None, answer(200, good, "text/plain")),
        (True, "GET", count, None, answer(400, problem)),
        (True, "GET", count, None, answer(200, {"data": {"unreadCount": -1}})),
        (True, "GET", count, None, answer(200, {"data": {"unreadCount": 1, "more": 2}})),
        (True, "GET", count, None, answer(304, good)),
        (True, "POST", count, None, answer(200, good)),
        (True, "PUT", read, {"notificationIds": 1}, answer(200, changed)),
    ):
        expect_equal(refused(*call), is_wrong, f"whether {call} is refused")
    frames = specification.frames()
    for sender, frame, is_right in (
        ("server", {"type": "beat", "seq": 1, "unread": 0}, True),
        ("server", {"type": "beat", "seq": 1, "unread": 0, "more": 1}, False),
        ("server", {"type": "beat", "seq": 1}, False), ("server", {"type": "ack", "seq": 1}, False),
        ("client", {"type": "ack", "seq": 1, "more": 1}, True), ("client", {"type": "ack", "seq": "1"}, False),
    ):
        expect_equal(frames.problem(sender, frame) is None, is_right, f"whether {frame} is one of the {sender}")
    talk = specification.Conversation()
    talk.sent({"type": "ack", "id": 1, "seq": "1"})
    talk.sent({"type": "ack", "id": 2, "seq": 2})
    for frame in ({"type": "ok", "id": 1},
                  {"type": "error", "id": 2, "code": "wrong_type", "message": "no", "temporary": False}):
        try:
            talk.received(frame)
        except Failed:
            continue
        expect(False, f"{frame} contradicts the schemas")
