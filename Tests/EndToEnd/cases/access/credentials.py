"""Tokens: the ways in, wrong ones, and those that expire while a session is open."""

import json
import signal
import subprocess
import time

from harness import tokens
from harness.events import room_liked
from harness.http import Http, expect_problem, once
from harness.live import Refused
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, expect_subset

COUNT = "/api/notifications/unread-count"
NEW_SECRET = "the-secret-that-follows-the-first-one"
SHORT = {"AUTH_LEEWAY": "0s", "LIVE_RENEW_GRACE": "5s"}


@case("a session whose token expires is asked to renew, and goes on with a new one")
def renewed(world):
    server = world.serve(**SHORT)
    live = server.open()
    live.hello(tokens.token("sarah", expires_in=5))
    expect_subset(live.next(), {"type": "renew", "within": 5000}, "the question")
    expect_equal(live.call("token", token=tokens.token("sarah"))["type"], "ok", "the answer to the new token")
    live.expect_silence(6)
    server.publish(room_liked("sarah"))
    live.expect("new")


@case("without a new token the session closes with 4202 when the grace is over; a bad one does not help")
def not_renewed(world):
    server = world.serve(**SHORT)
    idle, trying = server.open(), server.open()
    for live in (idle, trying):
        live.hello(tokens.token("sarah", expires_in=5))
    for live in (idle, trying):
        expect_subset(live.next(), {"type": "renew", "within": 5000}, "the question")
    answer = trying.call("token", token=tokens.token("sarah", secret="x" * 40))
    expect_subset(answer, {"type": "error", "code": "bad_signature"}, "the answer to a wrong token")
    idle.expect_close(4202)
    trying.expect_close(4202)
    server.check_health()


@case("a token that lasts beyond all calendars opens a session like any other")
def lasting(world):
    server = world.serve()
    # The end of the year 9999, and a moment in milliseconds where seconds were meant.
    for expiry in (253_402_300_799, int(time.time() * 1000) + 3_600_000):
        live = server.open()
        live.hello(tokens.token("sarah", exp=expiry))
        server.publish(room_liked("sarah"))
        live.expect("new")
        expect_equal(live.call("token", token=tokens.token("sarah", exp=expiry))["type"], "ok", "the answer to a renewal")
        live.close()
    server.check_health()


@case("another user's token ends the session with 4001")
def other_user(world):
    server = world.serve()
    live = server.session("sarah")
    expect_subset(live.call("token", token=tokens.token("tom")), {"type": "error", "code": "other_user"}, "the answer")
    live.expect_close(4001)
    expect(live.close_reason.endswith(": other_user"), f"the reason: {live.close_reason}")


def foreign(user: str = "sarah") -> str:
    return tokens.token(user, secret="another-secret-that-is-long-enough-too")


def unsigned(user: str = "sarah") -> str:
    return tokens.base64url(b'{"alg":"none"}') + "." + foreign(user).split(".")[1] + "."


@case("a wrong token is refused on each way in: 401 in REST and in a header, 4001 in a subprotocol or a first frame",
      pollers=True)
def wrong_tokens(world):
    server = world.serve()
    expired = tokens.token("sarah", expires_in=-3600)
    for token, code, close in (
        (foreign(), "bad_signature", 4001), (expired, "token_expired", 4202), ("nonsense", "token_malformed", 4001),
        (unsigned(), None, 4001), (tokens.token("sarah", exp=None), "missing_expiry", 4001),
        (tokens.token("sarah", nbf=int(time.time()) + 3600), "token_not_yet_valid", 4001),
    ):
        answer = once(server.listen, "GET", "/api/notifications", token=token)
        expect_problem(answer, dict(status=401, **({"code": code} if code else {})), f"REST with {code}")
        expect_equal(answer.headers.get("www-authenticate"), "Bearer", "WWW-Authenticate")
        try:
            server.open(header=token)
            raise Failed(f"a header with {code} was let in")
        except Refused as refused:
            expect_equal(refused.status, 401, f"the status of a handshake with {code}")
        browser = server.open(subprotocols=["belfry.v1", tokens.subprotocol(token)])
        first = server.open()
        first.send({"type": "hello", "token": token, "active": True})
        for live in (browser, first):
            live.expect_close(close)
            expect(live.close_reason.endswith(f": {code or 'algorithm_not_allowed'}"), f"the reason: {live.close_reason}")
    no_token = server.open()
    no_token.send({"type": "hello", "active": True})
    no_token.expect_close(4001)
    expect(no_token.close_reason.endswith(": missing_token"), f"the reason: {no_token.close_reason}")
    expect_problem(once(server.listen, "GET", "/api/notifications"), dict(status=401, code="missing_token"), "REST")
    answer = once(server.listen, "GET", "/api/notifications", Authorization="Basic c2FyYWg6eA==")
    expect_problem(answer, dict(status=401, code="token_malformed"), "Basic")
    expect("Authorization: Bearer" in answer.json()["detail"], f"what is told of a header without Bearer: {answer.body}")
    expect_equal(once(server.listen, "GET", f"/api/notifications?token={world.token('sarah')}").status, 401,
                 "the status with a token in the URL")
    server.check_health()


@case("all three ways in work: header, subprotocol and first frame", pollers=True)
def ways_in(world):
    server = world.serve()
    token = world.token("sarah")
    header = server.open(header=token)
    header.hello()
    browser = server.open(subprotocols=["belfry.v1", tokens.subprotocol(token)])
    browser.hello()
    expect_equal(browser.subprotocol, "belfry.v1", "the subprotocol, which must not be the token")
    first = server.open()
    first.hello(token)
    server.publish(room_liked("sarah"))
    for live in (header, browser, first):
        live.expect("new", unread=1)


@case("a token in the URL opens a session where the settings allow that, is judged like any other, and opens no REST",
      pollers=True)
def in_url(world):
    token, expired = tokens.token("sarah"), tokens.token("sarah", expires_in=-3600)
    strict = world.serve()
    ignored = strict.open(query=f"?token={token}")
    ignored.send({"type": "hello", "active": True})
    ignored.expect_close(4001)
    server = world.serve(data="open", LIVE_TOKEN_IN_QUERY="true")
    live = server.open(query=f"?token={token}")
    live.hello()
    server.publish(room_liked("sarah"))
    live.expect("new", unread=1)
    for wrong, close in ((foreign(), 4001), (expired, 4202), ("nonsense", 4001)):
        server.open(query=f"?token={wrong}").expect_close(close)
    expect_equal(once(server.listen, "GET", f"{COUNT}?token={token}").status, 401, "the status of REST")


@case("a token that was believed is refused on the same connection once its key was replaced by a reload", pollers=True)
def replaced_key(world):
    file = world.folder / "secret"
    file.write_text(tokens.SECRET)
    server = world.serve(AUTH_SECRET="", AUTH_SECRET_FILE=str(file))
    old, new = ({user: tokens.token(user, secret=secret) for user in ("sarah", "tom")}
                for secret in (tokens.SECRET, NEW_SECRET))
    # As behind a proxy: two users in turn on one connection.
    app = Http(server.listen)
    believed = {user: app.request("GET", COUNT, token=old[user]) for user in old}
    for _ in range(2):
        for user, first in believed.items():
            answer = app.request("GET", COUNT, token=old[user], If_None_Match=first.etag)
            expect_equal(answer.status, 304, f"the status for {user} before")
    expect_equal(app.request("GET", COUNT, token=new["sarah"]).status, 401, "the status of a key to come")

    file.write_text(NEW_SECRET)
    server.process.signal(signal.SIGHUP)
    server.process.errors.wait_for(lambda line: "keys replaced" in line, PATIENCE, "keys replaced")
    for user in old:
        expect_problem(app.request("GET", COUNT, token=old[user]), dict(status=401, code="bad_signature"), user)
        expect_equal(app.request("GET", COUNT, token=new[user]).status, 200, f"the status for {user} afterwards")
        expect_equal(once(server.listen, "GET", COUNT, token=old[user]).status, 401, "the status on a new connection")
    server.open(subprotocols=["belfry.v1", tokens.subprotocol(old["tom"])]).expect_close(4001)
    first = server.open()
    first.send({"type": "hello", "token": old["tom"], "active": True})
    first.expect_close(4001)

    file.write_text("too short")
    for _ in range(2):
        expect_equal(server.post("/v1/reload", b"").status, 422, "the status of each reload with a broken key")
    expect_equal(app.request("GET", COUNT, token=new["tom"]).status, 200, "the status after it")
    expect_equal(app.request("GET", COUNT, token=old["tom"]).status, 401, "the old key's status after it")


@case("a token is refused from the moment on at which it expires, however often it was believed before", pollers=True)
def expired_while_known(world):
    server = world.serve(AUTH_LEEWAY="0s")
    app = Http(server.listen)
    begin = time.time()
    token = tokens.token("sarah", expires_in=3)
    asked = begin
    while (answer := app.request("GET", COUNT, token=token)).status == 200:
        expect(asked - begin < 5, "a token is believed for two seconds after its end")
        time.sleep(0.02)
        asked = time.time()
    expect_problem(answer, dict(status=401, code="token_expired"), "the answer in the end")
    expect(time.time() - begin > 2, "a token was refused before its end")
    expect_equal(app.request("GET", COUNT, token=tokens.token("sarah")).status, 200, "the status of another one")


def rsa_key(world, name: str) -> tuple[str, dict]:
    """The file of a new private key, and the public one as an identity provider publishes it."""
    file = str(world.folder / f"{name}.pem")
    subprocess.run(["openssl", "genrsa", "-out", file, "2048"], check=True, capture_output=True)
    modulus = subprocess.run(["openssl", "rsa", "-in", file, "-noout", "-modulus"], check=True, capture_output=True,
                             text=True).stdout.strip().partition("=")[2]
    return file, {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": name, "e": "AQAB",
                  "n": tokens.base64url(bytes.fromhex(modulus))}


@case("tokens of an identity provider are verified by its JWKS; those of unknown, other and later removed keys are not")
def identity_provider(world):
    (first, first_public), (second, second_public) = rsa_key(world, "first"), rsa_key(world, "second")
    keys = world.folder / "jwks.json"
    keys.write_text(json.dumps({"keys": [first_public]}))
    server = world.serve(AUTH_SECRET="", AUTH_JWKS_FILE=str(keys))

    def status(token: str) -> int:
        return once(server.listen, "GET", COUNT, token=token).status

    good = tokens.signed_by(first, "auth0|sarah", kid="first")
    expect_equal(status(good), 200, "the status with the provider's token")
    live = server.open()
    live.hello(good)
    server.publish(room_liked("auth0|sarah"))
    live.expect("new")
    for name, token in {
        "a key that is not published": tokens.signed_by(second, "auth0|sarah", kid="second"),
        "another key under the name of one that is": tokens.signed_by(second, "auth0|sarah", kid="first"),
        "the public key as a secret": tokens.token("auth0|sarah", secret=first_public["n"]),
        "no signature": good.rpartition(".")[0] + ".",
    }.items():
        expect_equal(status(token), 401, f"the status with {name}")
    keys.write_text(json.dumps({"keys": [second_public]}))
    expect_equal(world.run("reload", "--socket", server.socket).returncode, 0, "the exit code of belfry reload")
    expect_equal(status(tokens.signed_by(second, "auth0|sarah", kid="second")), 200, "the status with the next key")
    expect_equal(status(good), 401, "the status with a key that is published no more")


LASTING = 10 * 365 * 24 * 3600


@case("sessions by tokens of a key that is removed are asked to renew, and close with 4202 without a token of another key; "
      "those of keys that stay hear nothing", pollers=True)
def removed_key(world):
    (first, first_public), (second, second_public) = rsa_key(world, "first"), rsa_key(world, "second")
    keys = world.folder / "jwks.json"
    keys.write_text(json.dumps({"keys": [first_public, second_public]}))
    server = world.serve(AUTH_SECRET="", AUTH_JWKS_FILE=str(keys), LIVE_RENEW_GRACE="2s")

    def token(key: str, user: str = "sarah") -> str:
        file = first if key == "first" else second
        return tokens.signed_by(file, user, kid=key, expires_in=LASTING)

    idle, stubborn, renewing, other = (server.open() for _ in range(4))
    for live, key in ((idle, "first"), (stubborn, "first"), (renewing, "first"), (other, "second")):
        live.hello(token(key))
    # Verified by its handshake, and has not said hello when the key goes.
    late = server.open(header=token("first"))
    keys.write_text(json.dumps({"keys": [second_public]}))
    expect_equal(world.run("reload", "--socket", server.socket).returncode, 0, "the exit code of belfry reload")
    for live in (idle, stubborn, renewing):
        expect_subset(live.next(), {"type": "renew", "within": 2000}, "the question")
    expect_subset(stubborn.call("token", token=token("first")), {"type": "error", "code": "unknown_key"},
                  "the answer to the same token")
    expect_equal(renewing.call("token", token=token("second"))["type"], "ok", "the answer to a token of the other key")
    late.send({"type": "hello", "active": True})
    late.expect_close(4001)
    idle.expect_close(4202)
    stubborn.expect_close(4202)
    server.publish(room_liked("sarah"))
    for live in (renewing, other):
        live.expect("new")


@case("a file of keys that changes by itself is noticed, and sessions by a secret that was rotated are asked to renew",
      slow=True)
def rotated_secret(world):
    file = world.folder / "secret"
    file.write_text(tokens.SECRET)
    server = world.serve(AUTH_SECRET="", AUTH_SECRET_FILE=str(file), LIVE_RENEW_GRACE="1s")
    live = server.open()
    live.hello(tokens.token("sarah", expires_in=LASTING))
    file.write_text(NEW_SECRET)
    live.expect("renew")
    live.expect_close(4202)


@case("many sessions are asked to renew when their key goes, each once, and a publish is answered meanwhile")
def many_sessions(world):
    file = world.folder / "secret"
    file.write_text(tokens.SECRET)
    server = world.serve(AUTH_SECRET="", AUTH_SECRET_FILE=str(file))
    sessions = [server.session(f"user-{number}", compression=None) for number in range(300)]
    file.write_text(NEW_SECRET)
    server.process.signal(signal.SIGHUP)
    server.publish(room_liked("nobody"))
    for number, live in enumerate(sessions):
        live.expect("renew")
        renewed = tokens.token(f"user-{number}", secret=NEW_SECRET)
        expect_equal(live.call("token", token=renewed)["type"], "ok", "the answer to the new token")
    server.publish(room_liked("user-0", "user-299"))
    sessions[0].expect("new")
    sessions[299].expect("new")


@case("a token that lasts for years counts on a session for as long as live.renewAfter allows, and may be given again")
def longest(world):
    server = world.serve(LIVE_RENEW_AFTER="1s", LIVE_RENEW_GRACE="1s")
    giving, silent = server.open(), server.open()
    token = tokens.token("sarah", expires_in=LASTING)
    for live in (giving, silent):
        live.hello(token)
    for _ in range(2):
        giving.expect("renew")
        expect_equal(giving.call("token", token=token)["type"], "ok", "the answer to the same token")
    silent.expect_close(4202)
