"""The listener for publishers on other machines: over TLS, by key."""

import json
import os
import signal
import socket
import ssl

from harness.certificates import Certificate
from harness.events import room_liked
from harness.http import Answer, Http, expect_problem, once
from harness.publishers import publisher_key, serve_publishers
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, wait_until


class Elsewhere:
    """A server with such a listener, and two publishers of it: `cloud`, and `admin` with every right."""

    def __init__(self, world, records: str = "", **settings):
        self.certificate = Certificate(world.folder, "publishing")
        (self.key, cloud), (self.admin_key, admin) = publisher_key(world), publisher_key(world)
        self.server = serve_publishers(
            world,
            f"cloud: {{keyHash: {cloud}{records}}}\nadmin:\n  keyHash: {admin}\n"
            "  calls: [publish, retract, patch, trail, others, topics, users, feeds, erase, reload]\n"
            f"local: {{uid: {os.getuid()}}}\n",
            PUBLISHING_LISTEN="127.0.0.1:0", PUBLISHING_CERTIFICATE_FILE=self.certificate.file,
            PUBLISHING_KEY_FILE=self.certificate.key_file, **settings)

    def call(self, method: str, path: str, body=None, **more) -> Answer:
        return once(self.server.publishing, method, path, body, tls=self.certificate.context, **{"token": self.key, **more})


@case("a publisher elsewhere has the same calls, keys and rights as on the Unix socket")
def same_calls(world):
    elsewhere = Elsewhere(world)
    server = elsewhere.server
    live = server.session("sarah")
    event = room_liked("sarah", key="k")
    for replayed in (False, True):
        answer = elsewhere.call("POST", "/v1/events", event)
        expect_equal((answer.status, answer.json().get("replayed", False)), (202, replayed), "an event")
    live.expect("new", unread=1)
    expect_equal(elsewhere.call("POST", "/v1/events", event, token=elsewhere.admin_key).json().get("replayed"), None, "another's key")
    lines = "\n".join(json.dumps(room_liked("sarah")) for _ in range(300)).encode()
    streamed = elsewhere.call("POST", "/v1/events", lines, Content_Type="application/x-ndjson")
    expect_equal(streamed.body.count(b"evt_"), 300, "answers to a stream")
    expect_problem(elsewhere.call("DELETE", "/v1/users/sarah"), {"status": 403, "code": "call_not_allowed"}, "without the right")
    expect_equal(elsewhere.call("GET", "/v1/trail?key=k").json()["event"]["publisher"], "cloud", "the trail's publisher")
    expect_equal(elsewhere.call("DELETE", "/v1/events/k").status, 200, "taking back")
    expect_equal(elsewhere.call("DELETE", "/v1/users/sarah", token=elsewhere.admin_key).status, 200, "erasing, with the right")
    expect_equal(elsewhere.call("GET", "/healthz", token=None).status, 200, "health needs no key")


@case("without a key, or with a wrong one, nobody may call, whatever their user is")
def strangers(world):
    elsewhere = Elsewhere(world)
    server = elsewhere.server
    for token, code in ((None, "key_required"), ("belfry_wrong", "unknown_key"), (world.token("sarah"), "unknown_key")):
        # The body is not waited for: a stranger takes no room.
        for method, path in (("POST", "/v1/events"), ("GET", "/v1/catalogs"), ("DELETE", "/v1/users/sarah")):
            answer = elsewhere.call(method, path, room_liked("sarah") if method == "POST" else None, token=token)
            expect_problem(answer, {"status": 401, "code": code}, f"{method} {path} with {code}")
            expect_equal(answer.headers.get("www-authenticate"), "Bearer", "WWW-Authenticate")
    expect_equal(server.metrics()["belfry_publishers_unknown_total"], 9, "counted strangers")
    # Nobody waits for the end of a stream, or is told that a body is too long: with a right key it would not be.
    for head in ("Transfer-Encoding: chunked\r\nContent-Type: application/x-ndjson\r\n\r\n",
                 "Content-Length: 50000000\r\nContent-Type: application/x-ndjson\r\n\r\n"):
        host, port = server.publishing.rsplit(":", 1)
        with elsewhere.certificate.context.wrap_socket(
                socket.create_connection((host, int(port)), timeout=PATIENCE), server_hostname=host) as connection:
            connection.sendall(f"POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer no\r\n{head}".encode())
            expect(connection.recv(4096).startswith(b"HTTP/1.1 401"), f"the answer to {head!r}")
    expect_equal(server.unread("sarah"), 0, "unread")
    try:
        once(server.publishing, "GET", "/v1/catalogs", token=elsewhere.key)
        raise Failed("a key was taken without encryption")
    except OSError:
        pass
    # Clients' calls are not served there, nor publishers' calls to clients.
    expect_problem(elsewhere.call("GET", "/api/notifications", token=world.token("sarah")), {"status": 404}, "an inbox there")
    expect_problem(once(server.listen, "POST", "/v1/events", room_liked("sarah"), token=elsewhere.key), {"status": 404}, "publishing at the public listener")
    for line in server.log:
        expect(elsewhere.key not in line, f"a key in the log: {line}")


@case("quotas, sizes and the number of connections are bounded there, and the Unix socket goes on")
def bounds(world):
    elsewhere = Elsewhere(world, ", eventsPerSecond: 5, burst: 10", PUBLISHING_CONNECTIONS="4", LIMITS_BODY_BYTES="4096")
    server = elsewhere.server
    statuses = [elsewhere.call("POST", "/v1/events", room_liked("sarah")).status for _ in range(20)]
    expect(statuses[:10] == [202] * 10 and 429 in statuses, f"the statuses: {statuses}")
    expect_problem(elsewhere.call("POST", "/v1/events", b" " * 5_000, Content_Type="application/json"), {"status": 413}, "a large body")
    open_ones = [Http(server.publishing, tls=elsewhere.certificate.context) for _ in range(4)]
    for one in open_ones:
        expect_equal(one.request("GET", "/v1/catalogs", token=elsewhere.key).status, 200, "a connection within the limit")
    expect_equal(server.metrics()["belfry_publishing_connections"], 4, "the connections")
    try:
        refused = elsewhere.call("GET", "/v1/catalogs")
        expect_equal(refused.status, 503, "a connection too many")
    except (ssl.SSLError, OSError):
        pass
    expect_equal(server.post("/v1/events", room_liked("tom")).status, 202, "the Unix socket")
    for one in open_ones:
        one.close()
    wait_until(lambda: server.metrics()["belfry_publishing_connections"] == 0, PATIENCE, "closed connections")
    expect_equal(elsewhere.call("GET", "/v1/catalogs").status, 200, "room again")


@case("its certificate is read again at SIGHUP, and the next process takes over its port")
def certificates(world):
    elsewhere = Elsewhere(world)
    server = elsewhere.server
    expect_equal(elsewhere.call("GET", "/v1/catalogs").status, 200, "with the first certificate")
    elsewhere.certificate.make()

    def is_new():
        try:
            return elsewhere.call("GET", "/v1/catalogs").status == 200
        except ssl.SSLError:
            return False

    expect(not is_new(), "the new certificate holds before anybody asked")
    server.process.signal(signal.SIGHUP)
    wait_until(is_new, PATIENCE, "the new certificate")
    follower = server.follow()
    server.terminate()
    follower.await_serving()
    expect_equal(follower.publishing, server.publishing, "the port")
    expect_equal(elsewhere.call("POST", "/v1/events", room_liked("sarah")).status, 202, "an event for the follower")


@case("without encryption it listens on this machine alone, and nobody without a key has a use for it")
def unencrypted(world):
    key, hash = publisher_key(world)
    server = serve_publishers(world, f"cloud: {{keyHash: {hash}}}", PUBLISHING_LISTEN="127.0.0.1:0")
    expect_equal(once(server.publishing, "POST", "/v1/events", room_liked("sarah"), token=key).status, 202, "from a proxy here")
    for text, told in ((f"publishing: {{listen: '0.0.0.0:0'}}\npublishers: {{a: {{keyHash: {hash}}}}}", "certificateFile"),
                       ("publishing: {listen: '127.0.0.1:0'}", "keyHash"),
                       (f"publishing: {{listen: '127.0.0.1:8080'}}\npublishers: {{a: {{keyHash: {hash}}}}}", "address of listen"),
                       ("tls: {certificateFile: missing.pem, keyFile: missing.pem}", "missing.pem")):
        config = world.folder / "wrong.yaml"
        config.write_text(text)
        checked = world.run("check", str(config))
        expect(checked.returncode == 1 and told in checked.stdout, f"belfry check: {checked.stdout}")
