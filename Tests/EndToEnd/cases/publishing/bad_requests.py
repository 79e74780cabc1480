"""Mistakes of publishers and operators: each gets its documented answer, and the server goes on."""

import json
import subprocess

from harness.events import room_liked
from harness.http import expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal

BIG = 2 << 20


def without(event: dict, *path: str) -> dict:
    copy = json.loads(json.dumps(event))
    place = copy
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return copy


LIKED = room_liked("sarah")

#: What is posted to /v1/events, and the members of the problem that answers it.
BAD_EVENTS = [
    ("broken JSON", b'{"type": "room_liked", ', dict(status=400, code="invalid_json")),
    ("two documents", b"{} {}", dict(status=400, code="invalid_json")),
    ("invalid UTF-8", b'{"type": "room_\xff"}', dict(status=400, code="invalid_json")),
    ("an empty body", b"", dict(status=400, code="invalid_json")),
    ("a number", 7, dict(status=422, code="wrong_type", pointer="")),
    ("an empty array", [], dict(status=422, code="invalid_value")),
    ("an unknown type", {**LIKED, "type": "room_likd"},
     dict(status=422, code="unknown_event_type", pointer="/type", hint="room_liked")),
    ("a type that is far from all", {**LIKED, "type": "zzzzzzzzzz"}, dict(status=422, code="unknown_event_type")),
    ("no type", without(LIKED, "type"), dict(status=422, code="missing_field", pointer="/type")),
    ("no recipients", without(LIKED, "to"), dict(status=422, code="missing_field", pointer="/to")),
    ("no room name", without(LIKED, "data", "room", "name"),
     dict(status=422, code="missing_field", pointer="/data/room/name")),
    ("a missing field in an array", [LIKED, without(LIKED, "data", "room")],
     dict(status=422, code="missing_field", pointer="/1/data/room/name")),
    ("a misspelt member", {**LIKED, "occuredAt": "2025-07-04T15:02:44Z"},
     dict(status=422, code="unknown_field", pointer="/occuredAt", hint="occurredAt")),
    ("a time that is none", {**LIKED, "occurredAt": "yesterday"},
     dict(status=422, code="invalid_value", pointer="/occurredAt")),
    ("a time far ahead", {**LIKED, "occurredAt": "2999-01-01T00:00:00Z"},
     dict(status=422, code="invalid_value", pointer="/occurredAt")),
    ("a recipient that is no text", {**LIKED, "to": {"owner": ["tom", 7]}},
     dict(status=422, code="wrong_type", pointer="/to/owner/1")),
    ("a topic without a name", {**LIKED, "to": {"owner": {"topic": ""}}},
     dict(status=422, code="invalid_value", pointer="/to/owner/topic")),
    ("JSON that is too deep", b"[" * 5000 + b"]" * 5000, dict(status=400, code="invalid_json")),
]


@case("a publisher's mistake is answered by a problem that names code and place, and nothing of it is kept",
      pollers=True)
def bad_events(world):
    server = world.serve()
    for name, body, expected in BAD_EVENTS:
        answer = server.post("/v1/events", body)
        expect_problem(answer, expected, name)
        expect_equal(once(server.socket, "GET", "/healthz").status, 200, f"health after {name}")
    expect_equal(server.get("sarah")["meta"]["seq"], 0, "what was kept of all that")
    server.check_health()


@case("a body of two mebibytes is 413, with and without Expect, in one piece or in chunks, for publishers and apps")
def big_bodies(world):
    server = world.serve()
    path = world.folder / "big.json"
    path.write_bytes(json.dumps(room_liked("sarah", room={"id": "r", "name": "x" * BIG})).encode())
    token = world.token("sarah")
    calls = {
        "with Expect": ["--unix-socket", server.socket, "http://belfry/v1/events"],
        "without Expect": ["-H", "Expect:", "--unix-socket", server.socket, "http://belfry/v1/events"],
        "in chunks": ["-H", "Transfer-Encoding: chunked", "--unix-socket", server.socket, "http://belfry/v1/events"],
        "over TCP": ["-H", "Expect:", "-H", f"Authorization: Bearer {token}", "-X", "PUT",
                     f"http://{server.listen}/api/notifications/read"],
    }
    wrong = []
    for name, arguments in calls.items():
        result = subprocess.run(["curl", "-sS", "--data-binary", f"@{path}", "-w", "\n%{http_code}", *arguments],
                                capture_output=True, text=True, timeout=30)
        status = result.stdout.splitlines()[-1] if result.stdout else None
        if status != "413":
            wrong.append(f"{name}: status {status}, curl says {result.stderr.strip()!r}")
        expect_equal(once(server.socket, "GET", "/healthz").status, 200, f"health after {name}")
    expect(not wrong, "; ".join(wrong))
    server.check_health()


@case("unknown paths are 404, other methods 405 with Allow, broken HTTP 400, and a head that is too long 431")
def bad_requests(world):
    server = world.serve()
    for address in (server.listen, server.socket, server.ops):
        expect_problem(once(address, "GET", "/nothing"), dict(status=404, code="not_found"), f"GET /nothing {address}")
    for address, path in ((server.listen, "/api/notifications/read"), (server.socket, "/v1/events")):
        answer = once(address, "PATCH", path)
        expect_problem(answer, dict(status=405, code="method_not_allowed"), f"PATCH {path}")
        expect(answer.headers.get("allow"), "405 without Allow")
    for address, method, path in ((server.socket, "POST", "/v1/events/"), (server.listen, "GET", "/api/notifications/"),
                                  (server.ops, "GET", "/metrics/")):
        expect_problem(once(address, method, path), dict(status=404, code="not_found", hint="without the slash"), path)
    for method, path in (("POST", "/v1/feeds/posts/items?dryRun=true"), ("DELETE", "/v1/users/sarah?app=x"),
                         ("GET", "/v1/trail?kye=a"), ("GET", "/v1/topics/t/members?limt=1")):
        expect_problem(once(server.socket, method, path, {}), dict(status=400, code="invalid_parameter"), path)
    for method, path in (("DELETE", "/api/notifications?upto=7"), ("PUT", "/api/devices/phone-1?ap=x"),
                         ("GET", "/v1/feeds/posts/items?limt=1")):
        expect_problem(server.rest("sarah", method, path, {}), dict(status=400, code="invalid_parameter"), path)
    for method, path, body in (("GET", "/api/notifications", None),
                               ("PUT", "/api/notifications/read", {"notificationIds": []}),
                               ("PUT", "/api/notifications/player-id", {"playerId": "b4f7f966-d8cc-11e4-bed1-df8f05be55ba"}),
                               ("POST", "/api/notifications/register-device", {"device_id": "d", "apns_token": "ee05"})):
        expect_equal(server.rest("sarah", method, f"{path}?_=17", body).status, 200, f"{path} with a parameter against caches")
    expect_equal(once(server.listen, "HEAD", "/v1/live").status, 426, "HEAD of the live protocol's path")
    expect_equal(once(server.listen, "POST", "/v1/live").headers.get("allow"), "GET, HEAD", "what that path takes")
    for name, text, status in (
        ("a head of 20 KiB", f"GET /healthz HTTP/1.1\r\nHost: x\r\nX: {'x' * 20_000}\r\n\r\n", 431),
        ("no HTTP", "hello there\r\n\r\n", 400),
        ("two lengths", "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        ("length and chunks", "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
                              "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ):
        result = subprocess.run(
            ["python3", "-c",
             "import socket,sys; s=socket.socket(socket.AF_UNIX); s.settimeout(60); s.connect(sys.argv[1]);"
             "s.sendall(sys.argv[2].encode()); print(s.recv(4096).split()[1].decode())", server.socket, text],
            capture_output=True, text=True, timeout=PATIENCE)
        expect_equal(result.stdout.strip(), str(status), f"the status for {name}")
    server.check_health()


@case("a mistake in a catalog or a setting is refused by check and by serve, with file, line and key")
def bad_files(world):
    rooms = (world.folder / "rooms.yaml")
    rooms.write_text("""\
catalog: rooms
events:
  room_liked:
    routes:
      - {to: owner, type: ROOM_LIKE}
types:
  ROOM_LIKE:
    text: "{{actor}} liked {{room.name}}"
    pusch: {when: never}
""")
    settings = world.folder / "belfry.yaml"
    settings.write_text("limits:\n  sessionsPerUser: 4\n  sesionsPerUser: 5\npush:\n  grace: soon\n")
    broken = world.folder / "broken.yaml"
    broken.write_text("catalog: x\nevents: [\n")

    checked = world.run("check", str(rooms), str(settings), str(broken))
    expect_equal(checked.returncode, 1, "the exit code of check")
    for part in (f"{rooms}:9: types.ROOM_LIKE.pusch", f"{settings}:3: limits.sesionsPerUser", "sessionsPerUser",
                 f"{settings}:5: push.grace", f"{broken}:"):
        expect(part in checked.stdout, f"check does not say {part!r}:\n{checked.stdout}")

    ports = ["--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", str(world.folder / "data"), "--dev"]
    for arguments, part in (
        (["--catalog", str(rooms)], f"{rooms}:9: types.ROOM_LIKE.pusch"),
        (["--config", str(settings)], f"{settings}:3: limits.sesionsPerUser"),
        (["--catalog", str(broken)], f"{broken}:"),
        (["--catalog", str(world.folder / "missing.yaml")], "missing.yaml"),
    ):
        served = world.run("serve", *ports, *arguments)
        expect_equal(served.returncode, 1, f"the exit code of serve {arguments}")
        expect(part in served.stderr, f"serve does not say {part!r}:\n{served.stderr}")
    served = world.run("serve", *ports, BELFRY_PUSH_GRACE="soon")
    expect_equal(served.returncode, 1, "the exit code with a wrong variable")
    expect("BELFRY_PUSH_GRACE" in served.stderr, f"the variable is not named:\n{served.stderr}")
    served = world.run("serve", *ports, "--no-such-option")
    expect_equal(served.returncode, 64, "the exit code for wrong usage")


@case("clients cannot publish: the public listener knows neither events nor administration, with a token or without")
def public_listener(world):
    server = world.serve()
    event = room_liked("sarah")
    for method, path in [("POST", "/v1/events"), ("DELETE", "/v1/events/key"), ("PATCH", "/v1/notifications"),
                         ("POST", "/v1/feeds/posts/items"), ("PUT", "/v1/topics/room/members"), ("PUT", "/v1/users/tom"),
                         ("DELETE", "/v1/users/tom"), ("GET", "/v1/users/tom/trail"), ("POST", "/v1/reload")]:
        expect(server.rest("sarah", method, path, event).status in (404, 405), f"{method} {path} with a token")
        expect(once(server.listen, method, path, event).status in (404, 405), f"{method} {path} without one")
    expect_equal(server.unread("sarah"), 0, "unread")
