"""Every call of the specifications at every listener, with every credential that is not good there."""

import http.client
import json
import os
from urllib.parse import quote

from harness import tokens
from harness.certificates import Certificate
from harness.events import room_liked
from harness.http import Answer, bare, once
from harness.operations import Operation, operations
from harness.publishers import publisher_key, serve_publishers
from harness.suite import PATIENCE, case, expect, expect_equal

PASSWORD, CONSOLE_TOKEN = "a password of the console", "a-token-of-the-console-for-programs"
#: What is open to everybody, and says nothing about anybody.
OPEN = {"GET /healthz", "GET /openapi.yaml", "GET /asyncapi.yaml", "GET /schemas/frames.json"}
#: Metrics, readiness and the other schemas: whoever reaches the operators' listener may read them (docs/security.md).
OPEN_TO_OPERATORS = OPEN | {"GET /metrics", "GET /readyz", "GET /schemas/catalog.json", "GET /schemas/event.json",
                            "GET /schemas/settings.json"}
#: How somebody logs in, and out: needs nobody to be logged in.
LOGIN = {"GET /console/who", "POST /console/login", "POST /console/logout", "GET /console/oidc/login", "GET /console/oidc/callback"}
#: Opens without a token, which its first frame may bring. `access/credentials.py` is about it.
HANDSHAKE = "GET /v1/live"
#: A browser that has no session any more: the secret of its subscription stands for the token. `other_people.py` is about them.
BY_SUBSCRIPTION = {"POST /api/push/subscription", "POST /api/push/answer"}


def asked(operation: Operation, address: str, tls=None, **fields: str) -> Answer:
    """The call with something in each of its places. Its answer is not held against the specification, which is another
    listener's."""
    query, body = operation.templates[0]
    path, body = operation.fill(query, body, lambda name: f"some-{name}")
    sent = {name.replace("_", "-"): value for name, value in fields.items()}
    return bare(address, operation.method, path, None if body is None else json.dumps(body).encode(), sent, tls=tls)


class Doors:
    """A server with all of its listeners, and every kind of credential."""

    def __init__(self, world):
        self.certificate = Certificate(world.folder, "publishing")
        self.key, hash = publisher_key(world)
        self.server = serve_publishers(
            world, f"cloud:\n  keyHash: {hash}\n  calls: [publish, retract, patch, trail, others, topics, users, feeds, erase, reload]\n",
            CONSOLE_PASSWORD=PASSWORD, CONSOLE_TOKEN=CONSOLE_TOKEN, PUBLISHING_LISTEN="127.0.0.1:0",
            PUBLISHING_CERTIFICATE_FILE=self.certificate.file, PUBLISHING_KEY_FILE=self.certificate.key_file,
            LIMITS_REQUESTS_PER10S="0", AUTH_AUDIENCE="this-app")
        good = tokens.token("sarah", aud="this-app")
        head, claims, signature = good.split(".")
        #: All that is wrong, wherever it is brought.
        self.wrong = {
            "nothing": {}, "an expired token": bearer(tokens.token("sarah", aud="this-app", expires_in=-3600)),
            "a token of another app": bearer(tokens.token("sarah", aud="another-app")),
            "a token of another key": bearer(tokens.token("sarah", aud="this-app", secret="x" * 40)),
            "a token without a signature": bearer(".".join([tokens.base64url(b'{"alg":"none"}'), claims, ""])),
            "a token with a changed signature": bearer(f"{head}.{claims}.{signature[:-4]}AAAA"),
            "another scheme": {"Authorization": f"Basic {good}"}, "a cookie": {"Cookie": f"token={good}; belfry_console={good}"},
            "another header": {"X-Authorization": f"Bearer {good}", "Belfry_Token": good},
        }
        self.token, self.publisher, self.console = bearer(good), bearer(self.key), bearer(CONSOLE_TOKEN)


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def expect_refused(answer: Answer, statuses: tuple, what: str):
    expect(answer.status in statuses, f"{what}: {answer.status} {answer.body[:300]!r}, not one of {statuses}")
    if answer.body:
        expect_equal(answer.headers["content-type"], "application/problem+json", f"the type for {what}")


@case("no call of the public listener is carried out without a good token of its app, whatever else is brought")
def public(world):
    doors = Doors(world)
    number = 0
    for operation in operations():
        if "public" not in operation.listeners or str(operation) in OPEN or str(operation) == HANDSHAKE:
            continue
        for name, fields in {**doors.wrong, "a publisher's key": doors.publisher, "the console's token": doors.console}.items():
            statuses = (400, 401, 404) if str(operation) in BY_SUBSCRIPTION else (401,)
            expect_refused(asked(operation, doors.server.listen, **fields), statuses, f"{operation} with {name}")
            number += 1
    expect(number > 300, f"only {number} requests")
    expect_equal(doors.server.rest("nobody", "GET", "/api/notifications", **doors.token).status, 401, "two tokens")
    expect_equal(once(doors.server.listen, "GET", "/api/notifications", **doors.token).status, 200, "the good token's status")


@case("no call of backends is carried out without a publisher's key, on the publishing listener or the Unix socket")
def publishing(world):
    doors = Doors(world)
    for operation in operations():
        if "publishing" not in operation.listeners or str(operation) in OPEN:
            continue
        for name, fields in {**doors.wrong, "a user's token": doors.token, "the console's token": doors.console}.items():
            answer = asked(operation, doors.server.publishing, doors.certificate.context, **fields)
            expect_refused(answer, (401,), f"{operation} with {name}")
            # Here the kernel tells who calls, and no record has this user.
            expect_refused(asked(operation, doors.server.socket, **fields), (401, 403), f"{operation} on the socket with {name}")
    catalogs = next(operation for operation in operations() if str(operation) == "GET /v1/catalogs")
    expect_equal(asked(catalogs, doors.server.publishing, doors.certificate.context, **doors.publisher).status, 200, "the key's status")


@case("no call of the console is carried out without a login, not even from this machine once there is a password")
def console(world):
    doors = Doors(world)
    for operation in operations():
        if operation.listeners != {"operators"} or str(operation) in OPEN_TO_OPERATORS | LOGIN:
            continue
        for name, fields in {**doors.wrong, "a user's token": doors.token, "a publisher's key": doors.publisher}.items():
            for more in ({}, {"Belfry_Console": "ops"}):
                answer = asked(operation, doors.server.ops, **fields, **more)
                expect_refused(answer, (401, 403), f"{operation} with {name} and {more}")
    for password in ("", "wrong", PASSWORD + "x", PASSWORD[:-1], PASSWORD.upper()):
        answer = once(doors.server.ops, "POST", "/console/login", {"password": password}, Belfry_Console="ops")
        expect(answer.status in (400, 401, 403), f"the login with {password!r}: {answer.status}")
    audit = next(operation for operation in operations() if str(operation) == "GET /console/audit")
    expect_equal(asked(audit, doors.server.ops, **doors.console).status, 200, "the console's token's status")


@case("an operator publishes nothing, in whichever way, may try an event out, and may take an item away")
def publishing_by_console(world):
    doors = Doors(world)
    fields = {**doors.console, "Belfry-Console": "ops"}

    def call(method: str, path: str, body=None) -> int:
        return bare(doors.server.ops, method, path, None if body is None else json.dumps(body).encode(), fields).status

    for method, path, body in (("POST", "/v1/events", room_liked("sarah")), ("POST", "/v1/events?dryRun=false", room_liked("sarah")),
                               ("POST", "/v1/events?dryRun=true&dryRun=false", room_liked("sarah")), ("POST", "/v1/events?dryrun=true", room_liked("sarah")),
                               ("POST", "/v1/feeds/news/items", {"id": "1"}), ("PUT", "/v1/feeds/news/items/1", {"id": "1"})):
        expect_equal(call(method, path, body), 403, f"the status of {method} {path}")
    expect_equal(call("POST", "/v1/events?dryRun=true", room_liked("sarah")), 200, "a dry run's status")
    taken = call("DELETE", "/v1/feeds/news/items/1")
    expect(taken not in (401, 403, 405), f"the removal of an item: {taken}")
    expect_equal(once(doors.server.listen, "GET", "/api/notifications", **doors.token).json()["data"], [], "what was published")


@case("no listener has a call of another one, whatever credentials are brought, in whichever form its path is written")
def elsewhere(world):
    doors = Doors(world)
    listeners = {"public": (doors.server.listen, None), "operators": (doors.server.ops, None),
                 "publishing": (doors.server.publishing, doors.certificate.context)}
    everything = {"nothing": {}, "a user's token": doors.token, "a publisher's key": doors.publisher,
                  "the console's token": {**doors.console, "Belfry_Console": "ops"}}
    paths = {(operation.path, listener) for operation in operations() for listener in operation.listeners}
    for operation in operations():
        for listener, (address, tls) in listeners.items():
            if listener in operation.listeners:
                continue
            for name, fields in everything.items():
                is_operators = listener == "operators" and operation.path.startswith("/v1/")
                if is_operators and name == "the console's token" and "publishing" in operation.listeners:
                    # An operator has backends' calls, but for those that publish: `publishing_by_console`.
                    continue
                asks_first = listener == "publishing" and name != "a publisher's key" or is_operators and name != "the console's token"
                # Another method of the path may be there.
                statuses = [405 if (operation.path, listener) in paths else 404] + [401] * asks_first + [403, 405] * is_operators
                answer = asked(operation, address, tls, **fields)
                expect(answer.status in statuses,
                       f"{operation} on the {listener} listener with {name}: {answer.status} {answer.body[:200]!r}")
    # A path is what it is decoded to, once: there are no steps up, and no second decoding.
    for path in ("/v1/events", "/metrics", "/console/audit", "/readyz"):
        for form in (f"/{path}", f"/.{path}", f"/api/..{path}", f"/api/%2e%2e{path}", f"/api/%252e%252e{path}", f"{path}/", f"{path}%2f",
                     f"/api/notifications/..{path}", path.replace("/", "/%2e/", 1), f"/api/..;{path}", f"{path};a=b", f"{path}%00",
                     path.replace("/", "\\"), f"/{quote(path, safe='')}", path.upper()):
            connection = http.client.HTTPConnection(doors.server.listen, timeout=PATIENCE)
            # As it is, whatever a client's library thinks of it.
            connection._validate_path = lambda _: None
            connection.request("GET", form, headers=doors.token)
            answer = connection.getresponse()
            expect(answer.status in (404, 400, 405), f"GET {form}: {answer.status} {answer.read()[:200]!r}")
            connection.close()
    expect_equal(os.path.exists(doors.server.socket), True, "the server's socket is there")


@case("a page of another site can do nothing at the console by its operator's browser: no action, no socket, no login")
def cross_site(world):
    doors = Doors(world)
    address = doors.server.ops
    own = f"http://{address}"
    login = bare(address, "POST", "/console/login", json.dumps({"password": PASSWORD}).encode(), {"Belfry-Console": "ops", "Origin": own, "Content-Type": "application/json"})
    expect_equal(login.status, 204, "the login's status")
    cookie = login.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
        expect(word in cookie, f"the cookie lacks {word}: {cookie}")
    kept = {"Cookie": cookie.split(";")[0]}
    strange = ("https://evil.example", "null", f"http://{address}.evil.example", f"http://evil.example#{address}", own.replace("127.0.0.1", "localhost"), f"{own}@evil.example")
    for operation in operations():
        if not operation.listeners & {"operators", "publishing"} or operation.method in ("GET", "HEAD") or str(operation) in LOGIN:
            continue
        # A form sends no header of ours; a script may send it only where the server allows that, which it never does.
        for origin in strange:
            for header in ({}, {"Belfry_Console": "ops"}):
                answer = asked(operation, address, Origin=origin, **kept, **header)
                expect_refused(answer, (403,), f"{operation} from {origin} with {header}")
        expect_refused(asked(operation, address, **kept), (403,), f"{operation} without an origin and the header")
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    for origin in (*strange, None):
        answer = bare(address, "GET", "/console/live", None, {**upgrade, **kept, **({"Origin": origin} if origin else {})})
        expect_equal(answer.status, 403, f"the status of the socket for {origin}")
    for origin in strange:
        for path in ("/console/who", "/console/audit", "/v1/catalogs", "/console"):
            for method in ("GET", "OPTIONS"):
                answer = bare(address, method, path, None, {**kept, "Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "belfry-console"})
                allowed = [name for name in answer.headers if name.startswith("access-control-allow")]
                expect(not allowed, f"{method} {path} allows {origin}: {answer.headers}")
    expect_equal(bare(address, "GET", "/console/audit", None, kept).status, 200, "the status for the operator's own page")


@case("the console's page says that its own scripts alone run, and that no page may frame it, to somebody who is not logged in, too")
def console_policy(world):
    for folder, settings in (("open", {}), ("locked", {"CONSOLE_PASSWORD": PASSWORD})):
        answer = once(world.serve(data=folder, **settings).ops, "GET", "/console")
        expect_equal((answer.status, answer.headers["content-type"]), (200, "text/html; charset=utf-8"), "the page")
        policy = dict(rule.strip().split(" ", 1) for rule in answer.headers["content-security-policy"].split(";"))
        for rule, value in (("default-src", "'none'"), ("script-src", "'self'"), ("base-uri", "'none'"), ("frame-ancestors", "'none'")):
            expect_equal(policy.get(rule), value, f"{rule} of the {folder} console")


@case("a page that is not on the list opens no session in any way, and of no call its browser lets it read the answer")
def strange_pages(world):
    server = world.serve(ADMISSION_ORIGINS="https://app.example,https://*.pages.example", LIMITS_REQUESTS_PER10S="0")
    good = bearer(world.token("sarah"))
    strange = ("https://evil.example", "null", "http://app.example", "https://app.example:8443", "https://app.example.evil.example", "https://pages.example",
               "https://a.pages.example.evil.example", "https://evilpages.example", "https://app.example https://evil.example", "file://", "")
    for operation in operations():
        if "public" not in operation.listeners:
            continue
        for origin in strange:
            answer = asked(operation, server.listen, Origin=origin, **good)
            allowed = [name for name in answer.headers if name.startswith("access-control-")]
            # Files of the specification are for everybody.
            expect(not allowed or str(operation) in OPEN and answer.headers["access-control-allow-origin"] == "*",
                   f"{operation} tells {origin!r}: {answer.headers}")
            if operation.path in ("/v1/live", "/v1/live/events", "/v1/live/poll"):
                expect_equal(answer.status, 403, f"the status of {operation} for a page of {origin!r}")
            asking = {"Origin": origin, "Access-Control-Request-Method": operation.method, "Access-Control-Request-Headers": "authorization"}
            answer = bare(server.listen, "OPTIONS", operation.fill(*operation.templates[0], lambda name: "a")[0], None, asking)
            expect(str(operation) in OPEN or "access-control-allow-origin" not in answer.headers, f"a preflight of {operation} for {origin!r}: {answer.headers}")
    named = bare(server.listen, "GET", "/api/notifications", None, {**good, "Origin": "https://app.example"})
    expect_equal(named.headers.get("access-control-allow-origin"), "https://app.example", "what a page on the list is told")
