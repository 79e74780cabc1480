"""Tokens that a backend revokes before they expire."""

import time
from datetime import datetime

from harness import tokens
from harness.event_stream import EventStream
from harness.events import room_liked
from harness.http import expect_problem, once
from harness.live import Live, Refused
from harness.long_poll import LongPoll
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, expect_subset, wait_until

COUNT = "/api/notifications/unread-count"
WAYS = (Live, EventStream, LongPoll)


def revoke(server, user: str = "sarah") -> dict:
    answer = once(server.socket, "POST", f"/v1/users/{user}/revoke")
    expect_equal(answer.status, 200, "the status of a revocation")
    return answer.json()


def moment(revoked: dict) -> int:
    """The first second whose tokens count."""
    return int(datetime.fromisoformat(revoked["issuedBefore"].replace("Z", "+00:00")).timestamp())


def later(revoked: dict, user: str = "sarah") -> str:
    """The earliest token that counts. Only `iat` is compared, so the test need not wait for that second."""
    return tokens.token(user, iat=moment(revoked))


def status(server, token: str) -> int:
    return once(server.listen, "GET", COUNT, token=token).status


def expect_revoked(server, token: str):
    """At once on one node. Of several, one that is held up may hear of it a moment later."""
    if hasattr(server, "nodes"):
        wait_until(lambda: all(status(node, token) == 401 for node in server.nodes), PATIENCE, "each node to refuse the token")
    expect_problem(once(server.listen, "GET", COUNT, token=token), dict(status=401, code="token_revoked"), "REST")


@case("a backend revokes the tokens that a person has: no way in takes them, their sessions end with 4202, and later tokens "
      "are good", pollers=True)
def each_way(world):
    server = world.serve()
    now = int(time.time())
    old = [tokens.token("sarah", iat=now - 600), tokens.token("sarah", iat=now), tokens.token("sarah")]
    sessions = [world.keep(way(server.listen, tls=server.tls)) for way in WAYS]
    for live, token in zip(sessions, old):
        live.hello(token)
        # Believed, and remembered.
        for _ in range(2):
            expect_equal(status(server, token), 200, "the status before")
    other = server.session("tom")

    began = time.time()
    revoked = revoke(server)
    expect_equal(revoked["sessions"], 3, "the sessions that were ended")
    expect(int(began) < moment(revoked) <= time.time() + 1, f"tokens count from {revoked} on, called at {began}")
    for live in sessions:
        live.expect_close(4202)
    for token in old:
        expect_revoked(server, token)
        for way in (EventStream, LongPoll):
            try:
                world.keep(way(server.listen, tls=server.tls)).hello(token)
                raise Failed(f"{way.__name__} let a revoked token in")
            except Refused as refused:
                expect_subset(refused.problem, {"status": 401, "code": "token_revoked"}, way.__name__)
        try:
            Live(server.listen, header=token, tls=server.tls)
            raise Failed("a header with a revoked token was let in")
        except Refused as refused:
            expect_equal(refused.problem["code"], "token_revoked", "the handshake's answer")
        browser = world.keep(Live(server.listen, subprotocols=["belfry.v1", tokens.subprotocol(token)], tls=server.tls))
        browser.expect_close(4202)
        first = world.keep(Live(server.listen, tls=server.tls))
        first.send({"type": "hello", "token": token, "active": True})
        first.expect_close(4202)

    new = later(revoked)
    expect_equal(status(server, new), 200, "the status of a later token")
    sessions = [world.keep(way(server.listen, tls=server.tls)) for way in WAYS]
    for live in sessions:
        live.hello(new)
    server.publish([room_liked("sarah"), room_liked("tom")])
    for live in [*sessions, other]:
        live.expect("new")


@case("a session that has a later token outlives a revocation, and one whose hello comes after it does not begin")
def renewed(world):
    server = world.serve()
    old = tokens.token("sarah", iat=int(time.time()))
    staying = world.keep(Live(server.listen, tls=server.tls))
    staying.hello(old)
    expect_equal(staying.call("token", token=tokens.token("sarah", iat=int(time.time()) + 60))["type"], "ok", "a renewal")
    # Verified by its handshake.
    late = world.keep(Live(server.listen, header=old, tls=server.tls))
    expect_equal(revoke(server)["sessions"], 0, "the sessions that were ended")
    late.send({"type": "hello", "active": True})
    late.expect_close(4202)
    answer = staying.call("token", token=old)
    expect_subset(answer, {"type": "error", "code": "token_revoked", "temporary": False}, "the answer to the old token")
    server.publish(room_liked("sarah"))
    staying.expect("new")


@case("a revocation outlives kill -9 once it was answered, and goes with the person's erasure")
def lasting(world):
    server = world.serve()
    old = tokens.token("sarah", iat=int(time.time()))
    expect_equal(status(server, old), 200, "the status before")
    revoked = revoke(server)
    server.kill()
    server.start()
    expect_revoked(server, old)
    expect_equal(status(server, later(revoked)), 200, "the status of a later token")
    export = once(server.socket, "GET", "/v1/users/sarah/export").json()
    expect_equal(export["tokensIssuedBefore"], revoked["issuedBefore"], "what the export has")
    expect_equal(once(server.socket, "DELETE", "/v1/users/sarah").status, 200, "the status of an erasure")
    expect_equal(status(server, old), 200, "the old token's status, of which nothing is known any more")
    expect("tokensIssuedBefore" not in once(server.socket, "GET", "/v1/users/sarah/export").json(), "the export has it still")


@case("somebody without an inbox can have their tokens revoked, which makes none; a name that is none is refused")
def unknown(world):
    server = world.serve()
    expect_equal(revoke(server, "nobody")["sessions"], 0, "the sessions that were ended")
    expect_equal(once(server.socket, "DELETE", "/v1/users/nobody").json()["erased"], False, "whether there was an inbox")
    answer = once(server.socket, "POST", f"/v1/users/{'x' * 201}/revoke")
    expect_problem(answer, dict(status=400, code="invalid_parameter"), "a name that is too long")
