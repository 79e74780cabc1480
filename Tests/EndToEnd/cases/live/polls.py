"""Sessions whose clients have neither a WebSocket nor an event stream, and poll."""

import json
import threading
import time

from harness.events import room_liked
from harness.http import Http, bare, expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until


class Polling:
    """The polls of one session, one after the other and by hand."""

    def __init__(self, world, server, user: str, query: str = ""):
        self.server, self.token = server, world.token(user)
        self.http = Http(server.listen)
        self.answer = self._get(f"/v1/live/poll{query}")
        self.session = self.answer["session"]
        #: The frames before the first answer of `again`.
        self.first = self.answer["frames"]
        while not any(frame["type"] == "ready" for frame in self.first):
            self.first += self.again()
        self.ready = next(frame for frame in self.first if frame["type"] == "ready")
        expect_equal(self.ready["session"], self.session, "the session's name")

    def _get(self, path: str) -> dict:
        answer = self.http.request("GET", path, token=self.token)
        expect_equal(answer.status, 200, f"the status of {path}: {answer.body[:200]!r}")
        expect_equal(answer.headers["cache-control"], "no-store", "whether a cache may keep it")
        return answer.json()

    def again(self, after: int | None = None) -> list[dict]:
        """The next answer's frames, or those behind an earlier place."""
        after = self.answer["next"] if after is None else after
        self.answer = self._get(f"/v1/live/poll/{self.session}?after={after}")
        return self.answer["frames"]

    def refused(self, after: int, *, token: str | None = None, session: str | None = None):
        return Http(self.server.listen).request(
            "GET", f"/v1/live/poll/{session or self.session}?after={after}", token=token or self.token)

    def post(self, *frames: dict) -> int:
        body = "\n".join(map(json.dumps, frames)).encode()
        return Http(self.server.listen).request(
            "POST", f"/v1/live/frames/{self.session}", body, token=self.token,
            Content_Type="application/x-ndjson").status


@case("a client that polls gets each change once, acknowledges by POST, and an answer that was lost comes again",
      pollers=True)
def polls(world):
    server = world.serve()
    client = Polling(world, server, "sarah", "?active=true&feed=posts")
    while len(client.first) < 2:
        client.first += client.again()
    expect_equal({frame["type"] for frame in client.first}, {"ready", "feed"}, "the first frames")
    server.publish(room_liked("sarah"))
    place = client.answer["next"]
    expect_subset(client.again()[0], {"type": "new", "seq": 1}, "the change")
    server.publish(room_liked("sarah"))

    # The answer was lost: the same frame again, with what came meanwhile.
    wait_until(lambda: server.get("sarah")["meta"]["seq"] == 2, PATIENCE, "the second change")
    lost = client.again(place)
    expect_equal(lost[0]["seq"], 1, "the frame that was lost")
    rest = lost[1:] or client.again()
    expect_equal([frame["seq"] for frame in rest], [2], "the frames behind it")

    expect_equal(client.post({"type": "ack", "seq": 2, "id": 1}, {"type": "read", "upTo": 2, "id": 2}), 204, "a POST")
    answers = []
    while len([frame for frame in answers if frame["type"] == "ok"]) < 2:
        answers += client.again()
    expect_equal({frame["id"] for frame in answers if frame["type"] == "ok"}, {1, 2}, "what is carried out")

    # A later session goes on from there.
    back = Polling(world, server, "sarah", f"?resume={client.ready['epoch']}.1")
    expect_subset(back.ready, {"recovered": True}, "the place")
    missed = back.first[1:]
    while len(missed) < 2:
        missed += back.again()
    expect_equal([frame["seq"] for frame in missed], [2, 3], "what it missed")


@case("polls that cannot be answered are told why: by another one, by the end, or since there is no such session")
def refusals(world):
    server = world.serve()
    client = Polling(world, server, "sarah")
    place = client.answer["next"]
    expect_problem(client.refused(place + 1), {"status": 409, "code": "poll_superseded"}, "a place to come")
    for after in ("", "-1", "x"):
        expect_problem(client.refused(after), {"status": 400, "code": "invalid_parameter"}, f"the place {after!r}")
    expect_problem(client.refused(0, session="ses_none"), {"status": 404, "code": "unknown_session"}, "another name")
    expect_problem(client.refused(0, token=world.token("tom")), {"status": 404, "code": "unknown_session"},
                   "another person")
    expect_equal(client.refused(0, token="x.y.z").status, 401, "the status of a token that is none")

    # The older one of two polls is told so, and the younger one gets the frame.
    answers = []

    def ask():
        answers.append(client.refused(place))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(answers) == 1, PATIENCE, "the answer to the older one")
    expect_problem(answers[0], {"status": 409, "code": "poll_superseded"}, "the older one")
    server.publish(room_liked("sarah"))
    for thread in threads:
        thread.join(PATIENCE)
    expect_subset(answers[1].json()["frames"][0], {"type": "new", "seq": 1}, "the younger one's frame")

    path = f"/v1/live/poll/{client.session}"
    expect_equal(client.http.request("DELETE", path, token=client.token).status, 204, "the status of the end")
    wait_until(lambda: server.metrics()["belfry_websockets"] == 0, PATIENCE, "the end of the session")
    expect_problem(client.http.request("DELETE", path, token=client.token), {"status": 404, "code": "unknown_session"},
                   "a second end")
    expect_equal(client.http.request("POST", path, token=client.token).status, 405, "the status of a wrong method")


@case("a client that polls no more is gone after the stall timeout, and one that is closed hears why")
def silence(world):
    server = world.serve(LIMITS_STALL_TIMEOUT="1s", LIMITS_SESSIONS_PER_USER="1")
    client = Polling(world, server, "sarah")
    expect_problem(Http(server.listen).request("GET", "/v1/live/poll", token=client.token),
                   {"status": 503, "code": "too_many_sessions"}, "one more session")
    wait_until(lambda: server.metrics()["belfry_websockets"] == 0, PATIENCE, "the end of the session")
    expect_problem(client.refused(client.answer["next"]), {"status": 404, "code": "unknown_session"}, "a late poll")

    client = Polling(world, server, "sarah")
    expect_equal(client.post(*[{"type": "state", "active": True}] * 101), 204, "the status of too many frames")
    client.again()
    expect_equal(client.answer["close"]["code"], 4101, "the close code")


@case("a client that polls finds its place again after kill -9", alone=True)
def killed(world):
    server = world.serve()
    client = Polling(world, server, "sarah")
    server.publish(room_liked("sarah"))
    expect_subset(client.again()[0], {"type": "new", "seq": 1}, "the change")
    server.kill()
    server.start()
    server.publish(room_liked("sarah"))
    expect_problem(client.refused(0), {"status": 404, "code": "unknown_session"}, "the old session")
    back = Polling(world, server, "sarah", f"?resume={client.ready['epoch']}.1")
    frames = back.first[1:] or back.again()
    expect_equal([frame["seq"] for frame in frames], [2], "what it missed")


@case("a heartbeat answers a poll that waits, and a server that leaves says when to come back")
def waits(world):
    server = world.serve(LIVE_HEARTBEAT="1s")
    client = Polling(world, server, "sarah")
    began = time.monotonic()
    expect_subset(client.again()[0], {"type": "beat"}, "the answer without news")
    expect(time.monotonic() - began < PATIENCE, "the beat came late")
    server.publish(room_liked("sarah"))
    frames = []
    while not any(frame["type"] == "new" for frame in frames):
        frames += client.again()
    polled = threading.Thread(target=client.again)
    polled.start()
    expect_equal(server.terminate(), 0, "the exit code")
    polled.join(PATIENCE)
    expect_equal(client.answer["close"]["code"], 4200, "the close code")


@case("a HEAD of a live call begins no session")
def heads(world):
    server = world.serve()
    expect_equal(bare(server.listen, "HEAD", "/v1/live").status, 426, "the answer to HEAD of a WebSocket's path")
    for path in ("/v1/live/events", "/v1/live/poll"):
        answer = bare(server.listen, "HEAD", path, fields={"Authorization": f"Bearer {world.token('sarah')}"})
        expect_equal((answer.status, answer.headers["allow"]), (405, "GET"), f"the answer to HEAD {path}")
    sessions = once(server.socket, "GET", "/v1/users/sarah/sessions").json()["sessions"]
    expect_equal(sessions, [], "sarah's sessions")
