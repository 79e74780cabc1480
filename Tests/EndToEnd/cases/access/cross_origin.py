"""Web pages that call the public listener from another origin (Fetch standard, CORS protocol)."""

import json

from harness.events import room_liked
from harness.http import Answer, expect_problem, once
from harness.suite import case, expect, expect_equal, expect_told

LIST = "/api/notifications"
PAGE = "https://app.example.com"
STRANGER = "https://evil.example"


def preflight(server, path: str, method: str, origin: str = PAGE) -> Answer:
    """As browsers send it: without a token, without a body."""
    return once(server.listen, "OPTIONS", path, Origin=origin, Access_Control_Request_Method=method,
                Access_Control_Request_Headers="authorization,content-type")


def cors(answer: Answer) -> dict[str, str]:
    """What the answer says about pages of other origins."""
    return {name: value for name, value in answer.headers.items()
            if name.startswith("access-control-") or name == "vary"}


def expect_shared(answer: Answer, status: int, what: str, origin: str = PAGE):
    expect_equal(answer.status, status, f"the status of {what}")
    expect_equal(cors(answer), {"access-control-allow-origin": origin, "vary": "Origin",
                                "access-control-expose-headers": "ETag, Retry-After, WWW-Authenticate"}, what)


def refusals(server, count: int) -> list[tuple[str, str]]:
    """The origins that the log tells of, at least so many, and how often each was refused since."""
    told = [json.loads(line) for line in expect_told(server, "admission.origins", '"warning"', count=count)]
    return [(line["origin"], line["times"]) for line in told]


@case("a page of an allowed origin may ask, without a token, what it may call: methods of the path, fields, for two hours")
def preflights(world):
    server = world.serve(ADMISSION_ORIGINS=f"{PAGE},https://*.example.org")
    for origin in (PAGE, "https://a.example.org"):
        for path, methods in ((LIST, {"GET", "DELETE"}), (f"{LIST}?page=2&limit=5", {"GET", "DELETE"}),
                              (f"{LIST}/read", {"PUT", "DELETE"}), (f"{LIST}/poll", {"POST", "DELETE"}),
                              ("/api/devices/phone%201", {"PUT", "DELETE"}),
                              ("/api/devices/phone/subscription?app=chat", {"PUT"}),
                              ("/v1/feeds/posts/items", {"GET"})):
            answer = preflight(server, path, "PUT", origin)
            expect_equal((answer.status, answer.body), (204, b""), f"the preflight of {path}")
            said = cors(answer)
            expect_equal(set(said["access-control-allow-methods"].split(", ")), methods, f"the methods of {path}")
            expect_equal((said["access-control-allow-origin"], said["vary"], said["access-control-max-age"]),
                         (origin, "Origin", "7200"), f"the preflight of {path}")
            fields = set(said["access-control-allow-headers"].lower().split(", "))
            expect_equal(fields, {"authorization", "content-type", "if-none-match", "accept-language"}, "the fields")
            expect("access-control-allow-credentials" not in said, "credentials are allowed")
    expect_shared(preflight(server, "/api/nowhere", "GET"), 404, "the preflight of an unknown path")
    expect_shared(once(server.listen, "OPTIONS", LIST, Origin=PAGE), 405, "an OPTIONS that is no preflight")


@case("a page of an allowed origin may read answers, errors and 304 too; requests of apps are answered as ever")
def answers(world):
    server = world.serve(ADMISSION_ORIGINS=PAGE)
    server.publish(room_liked("sarah"))
    page = server.rest("sarah", "GET", LIST, Origin=PAGE)
    expect_shared(page, 200, "the list")
    for path in (LIST, f"{LIST}/unread-count"):
        expect_shared(server.rest("sarah", "GET", path, Origin=PAGE, If_None_Match=page.etag), 304, f"304 of {path}")
    expect_shared(server.rest("sarah", "PUT", f"{LIST}/read-all", Origin=PAGE), 200, "read-all")
    expect_shared(server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": 1}, Origin=PAGE), 400, "a mistake")
    refused = once(server.listen, "GET", LIST, Origin=PAGE)
    expect_shared(refused, 401, "the answer without a token")
    expect_equal(refused.headers["www-authenticate"], "Bearer", "the challenge")
    for _ in range(2):
        expect_equal(cors(server.rest("sarah", "GET", LIST)), {}, "an app's list after a page's")
    expect_equal(cors(once(server.socket, "GET", "/healthz", Origin=PAGE)), {}, "the Unix socket's answer")
    expect_equal(cors(once(server.ops, "GET", "/healthz", Origin=PAGE)), {}, "the operators' answer")


@case("a page of another origin is told nothing that its browser would let it read, and where none is named no page is")
def strangers(world):
    server = world.serve(ADMISSION_ORIGINS=PAGE)
    answer = preflight(server, LIST, "GET", STRANGER)
    expect_problem(answer, {"status": 403, "code": "forbidden_origin"}, "the preflight")
    expect_equal(cors(answer), {"vary": "Origin"}, "the preflight")
    expect_equal(preflight(server, "/api/nowhere", "GET", STRANGER).status, 404, "the preflight of an unknown path")
    listed = server.rest("sarah", "GET", LIST, Origin=STRANGER)
    expect_equal((listed.status, cors(listed)), (200, {"vary": "Origin"}), "the list")
    expect_equal(refusals(server, 1), [(STRANGER, "1")], "what the log tells of a page that asked")
    another = "https://another.example"
    for _ in range(3):
        handshake = once(server.listen, "GET", "/v1/live", token=world.token("sarah"), Origin=another)
        expect_problem(handshake, {"status": 403, "code": "forbidden_origin"}, "the handshake")
    expect_equal(refusals(server, 2), [(STRANGER, "1"), (another, "1")], "what the log tells of pages, once a minute for each")
    server = world.serve(data="open")
    answer = preflight(server, LIST, "GET")
    expect_problem(answer, {"status": 405, "code": "method_not_allowed"}, "the preflight")
    expect_equal((answer.headers["allow"], cors(answer)), ("GET, HEAD, DELETE", {}), "the preflight")
    expect_equal(cors(server.rest("sarah", "GET", LIST, Origin=PAGE)), {}, "the list")
    expect_equal(refusals(server, 1), [(PAGE, "1")], "what the log tells where no origin is named")
