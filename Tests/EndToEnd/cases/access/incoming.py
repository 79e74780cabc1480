"""What comes in over HTTP, JSON and frames: read as it was meant, or refused where it stands."""

import gzip
import json
import os
import socket
import stat

from harness import tokens
from harness.events import room_liked
from harness.http import Http, expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset

LIST = "/api/notifications"


def request(method: str, path: str, body: bytes = b"", *fields: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: belfry", f"Content-Length: {len(body)}", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


def pipelined(address: str, requests: list[bytes]) -> list[tuple[int, bytes]]:
    """Sends all of them at once; the status and the body of each answer, in their order."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE)
    connection.connect(address)
    connection.sendall(b"".join(requests))
    reader, answers = connection.makefile("rb"), []
    for _ in requests:
        status = int(reader.readline().split()[1])
        length = 0
        while (line := reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        answers.append((status, reader.read(length)))
    connection.close()
    return answers


@case("requests that wait for no answers take effect in their order, whatever stands between publishes")
def order_of_effects(world):
    server = world.serve()
    live = server.session("sarah")

    def liked(key: str, **to) -> bytes:
        event = {**room_liked("sarah", key=key), **({"to": {"owner": to}} if to else {})}
        return request("POST", "/v1/events", json.dumps(event).encode())

    requests = [liked(f"before-{number}") for number in range(20)]
    requests += [
        request("GET", "/v1/trail?key=before-19"),
        request("PUT", "/v1/topics/fans/members", b'{"users":["tom","uma"]}'),
        liked("to-fans", topic="fans"),
        request("PUT", "/v1/topics/fans/members", b'{"users":["tom"]}'),
        liked("to-tom", topic="fans"),
        request("DELETE", "/v1/events/before-0"),
        request("POST", "/v1/events", b'{"type": broken'),
        request("POST", "/v1/events?dryRun=true", json.dumps(room_liked("sarah")).encode()),
        liked("before-1"),
    ]
    requests += [liked(f"after-{number}") for number in range(20)]
    answers = pipelined(server.socket, requests)
    expect_equal([status for status, _ in answers],
                 [202] * 20 + [200, 200, 202, 200, 202, 200, 400, 200, 202] + [202] * 20, "the statuses")
    bodies = [json.loads(body) for _, body in answers]
    expect(bodies[0]["event"] < bodies[19]["event"], "events are named in another order")
    expect_equal((bodies[22]["recipients"], bodies[24]["recipients"]), (2, 1), "how many each event for the topic reached")
    expect_subset(bodies[28], {"replayed": True, "event": bodies[1]["event"]}, "an event that was there already")
    seqs = [live.expect("new")["seq"] for _ in range(20)]
    expect_equal(seqs, sorted(seqs), "the order in which they came")
    expect_equal(server.unread("sarah"), 39, "unread")


@case("a number that no double can hold is kept as it is, in events, items, profiles and tokens")
def exact_numbers(world):
    server = world.serve()
    ids = ("18446744073709551001", "18446744073709551002", "123456789012345678901234567890")
    for number in ids:
        event = json.dumps(room_liked("sarah", room={"id": 0, "name": "R"}, key="once")).replace('"id": 0', f'"id": {number}')
        answer = once(server.socket, "POST", "/v1/events", event.encode())
        if number == ids[0]:
            expect_equal(answer.status, 202, "the status of a large id")
        else:
            expect_problem(answer, dict(status=409, code="key_reused"), f"another event under the same key: {number}")
    expect(ids[0].encode() in server.rest("sarah", "GET", LIST).body, "the id is another one")
    item = b'{"n":18446744073709551001,"price":0.12345678901234567890,"far":1e400}'
    expect_equal(once(server.socket, "POST", "/v1/feeds/posts/items", item).status, 202, "the status of an item")
    expect(item[1:-1] in server.rest("sarah", "GET", "/v1/feeds/posts/items").body, "the item was changed")
    profile = b'{"locale":"de","id":18446744073709551001}'
    expect_equal(once(server.socket, "PUT", "/v1/users/sarah", profile).status, 204, "the status of a profile")
    expect_equal(once(server.socket, "GET", "/v1/users/sarah").body, profile, "the profile")
    server.publish(room_liked(ids[1]))
    token = tokens.token("0").split(".")
    claims = b'{"sub":%s,"exp":9900000000}' % ids[1].encode()
    signed = f"{token[0]}.{tokens.base64url(claims)}"
    import hashlib
    import hmac
    signature = hmac.new(tokens.SECRET.encode(), signed.encode(), hashlib.sha256).digest()
    answer = once(server.listen, "GET", f"{LIST}/unread-count", token=f"{signed}.{tokens.base64url(signature)}")
    expect_equal(answer.json()["data"]["unreadCount"], 1, "unread of a user whose id is a large number")


@case("Idempotency-Key is the key of the event, and is refused where it says another one or several events come")
def idempotency_key(world):
    server = world.serve()
    event = room_liked("sarah")
    for key in ('"k 1"', "k 1"):
        answer = server.post("/v1/events", event, Idempotency_Key=key)
        expect_equal(answer.status, 202, "the status")
    expect(answer.json()["replayed"], "the second one was taken in anew")
    expect_equal(server.post("/v1/events", [event], Idempotency_Key="k 1").json()[0]["replayed"], True, "an array of one")
    expect_equal(server.post("/v1/events", {**event, "key": "k2"}, Idempotency_Key="k2").status, 202, "the same key twice")
    for body, key in (({**event, "key": "other"}, "k 1"), ([event, event], "k 1"), (event, '"k'), (event, ""),
                      (event, "x" * 201)):
        expect_equal(server.post("/v1/events", body, Idempotency_Key=key).status, 422, f"{key:.10} with {body!r:.30}")
    expect_equal(server.post("/v1/feeds/posts/items", {"a": 1}, Idempotency_Key="k").status, 422, "with a feed's item")
    lines = once(server.socket, "POST", "/v1/events", b"{}\n", Content_Type="application/x-ndjson", Idempotency_Key="k")
    expect_equal(lines.status, 422, "with a stream")
    expect_equal(server.unread("sarah"), 2, "unread")


@case("what is no JSON is told with its place; a byte order mark, gzip and every name of JSON lines are taken")
def bodies(world):
    server = world.serve()
    event = json.dumps(room_liked("sarah")).encode()
    broken = b'[\n ' + event + b',\n {"type":"x","data":{"text":"cut \\ud83d"}}]'
    answer = once(server.socket, "POST", "/v1/events", broken)
    expect_problem(answer, dict(status=400, code="invalid_json", pointer="/1/data/text", hint="line 3, column 34"), "a cut emoji")
    expect_equal(once(server.socket, "POST", "/v1/events", b"\xef\xbb\xbf" + event).status, 202, "with a byte order mark")
    for name in ("application/x-ndjson", "application/ndjson", "application/jsonl", "Application/NDJSON; charset=utf-8"):
        answer = once(server.socket, "POST", "/v1/events", event + b"\n" + event, Content_Type=name)
        expect_equal((answer.status, answer.body.count(b"\n")), (200, 2), f"the lines of {name}")
    squeezed = gzip.compress(event)
    expect_equal(once(server.socket, "POST", "/v1/events", squeezed, Content_Encoding="gzip").status, 202, "gzip")
    bomb = gzip.compress(b" " * (2 << 20))
    expect_problem(once(server.socket, "POST", "/v1/events", bomb, Content_Encoding="gzip"),
                   dict(status=413, code="body_too_large"), "a bomb")
    for coding in ("br", "deflate", "gzip, gzip"):
        answer = once(server.socket, "POST", "/v1/events", event, Content_Encoding=coding)
        expect_problem(answer, dict(status=415, code="unsupported_media_type"), coding)
    twice = event.replace(b'"name"', b'"id": "x", "name"')
    expect_problem(once(server.socket, "POST", "/v1/events", twice),
                   dict(status=422, code="invalid_value", pointer="/data/room/id"), "a member that stands twice")
    server.check_health()


@case("a line of a stream may be as long as a body, to the byte, however it comes")
def line_limit(world):
    server = world.serve(LIMITS_BODY_BYTES="4096")
    event = json.dumps(room_liked("sarah"))
    for length, count in ((4096, 2), (4097, 1)):
        line = event + " " * (length - len(event))
        answer = once(server.socket, "POST", "/v1/events", (event + "\n" + line + "\n" + event + "\n").encode(),
                      Content_Type="application/x-ndjson")
        lines = [json.loads(text) for text in answer.body.splitlines()]
        expect_equal(lines[1].get("code"), "line_too_long" if count == 1 else None, f"a line of {length} bytes")


@case("lines of a list header join, and a second Authorization is refused")
def header_lines(world):
    server = world.serve()
    etag = server.rest("sarah", "GET", f"{LIST}/unread-count").etag
    token = world.token("sarah")
    for lines, status in (([f'If-None-Match: "x"', f"If-None-Match: {etag}"], 304), (['If-None-Match: "x"'], 200),
                          ([f"Authorization: Bearer {token}"], 400)):
        connection = socket.create_connection(server.listen.rsplit(":", 1), timeout=PATIENCE)
        connection.sendall(request("GET", f"{LIST}/unread-count", b"", f"Authorization: Bearer {token}",
                                   *lines, "Connection: close"))
        expect_equal(int(connection.makefile("rb").readline().split()[1]), status, f"the status with {lines[-1]:.20}")
        connection.close()


@case("frames that a correct client may well send never end its session")
def correct_frames(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    live = server.open()
    first = live.hello(world.token("sarah"), resume={"epoch": None, "seq": None})
    ids = [f"00000000-0000-0000-0000-{number:012}" for number in range(400)]
    expect_equal(live.call("read", ids=ids)["type"], "ok", "the answer to 400 ids")
    expect_equal(live.call("remove", ids=ids)["type"], "ok", "the answer to 400 ids to remove")
    live.send({"type": "read", "ids": ids * 5})
    live.expect("error", code="frame_too_large")
    back = server.open()
    back.send({"type": "hello", "token": world.token("sarah")})
    back.expect("ready")
    raw = server.raw()
    raw.send_frame(b'{"type":"hello","token":"%s","resume":{"epoch":"%s","seq":%d.0}}'
                   % (world.token("sarah").encode(), first["epoch"].encode(), first["seq"]))
    expect_subset(raw.read(), {"type": "ready", "recovered": True}, "the answer to a seq with a fraction of nothing")
    server.publish(room_liked("sarah"))
    live.expect("new")


@case("a token in hello wins over one of the handshake that is not accepted")
def better_token(world):
    server = world.serve()
    for old in (tokens.token("sarah", expires_in=-3600), "nonsense", tokens.token("tom", secret="x" * 40)):
        live = server.open(subprotocols=["belfry.v1", tokens.subprotocol(old)])
        live.hello(world.token("sarah"))
    late = server.open(subprotocols=["belfry.v1", tokens.subprotocol(tokens.token("sarah", expires_in=-3600))])
    late.send({"type": "hello"})
    late.expect_close(4202)


@case("hints about a device that are not understood are dropped, and the phone gets its pushes")
def device_hints(world):
    server = world.serve()
    for number, (hint, kept) in enumerate((
        ({"locale": "en_US@calendar=buddhist"}, {"locale": "en-US"}), ({"zone": "CET"}, {"zone": "CET"}),
        ({"zone": "GMT+05:30"}, {"zone": None}), ({"locale": "C.UTF-8"}, {"locale": None}),
        ({"permission": "perhaps"}, {"permission": None}), ({"zone": 7}, {"zone": None}),
    )):
        answer = server.rest("sarah", "PUT", f"/api/devices/ph{number}", {"provider": "apns", "token": f"a1b{number}", **hint})
        expect_equal(answer.status, 200, f"the status with {hint}")
        expect_subset(answer.json()["data"], kept, f"the device with {hint}")
        expect_equal("warnings" in answer.json(), None in kept.values(), f"whether {hint} was dropped with a word")


@case("nobody is called by spaces or by signs of direction")
def hidden_names(world):
    server = world.serve()
    for name in ("   ", "\u202e", "al\u202eice", "\u200b", "\u2066a\u2069"):
        answer = once(server.listen, "GET", LIST, token=tokens.token(name))
        expect_problem(answer, dict(status=401, code="invalid_user"), f"the subject {name!r}")
        expect_equal(server.post("/v1/events", room_liked(name)).status, 422, f"an event for {name!r}")


@case("a page of an allowed origin may send every header that it asks for")
def any_header(world):
    page = "https://app.example.com"
    server = world.serve(ADMISSION_ORIGINS=page)
    asked = "authorization, sentry-trace, baggage, x-requested-with, traceparent"
    answer = once(server.listen, "OPTIONS", LIST, Origin=page, Access_Control_Request_Method="GET",
                  Access_Control_Request_Headers=asked)
    allowed = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}
    expect(allowed >= set(asked.split(", ")), f"of {asked} only {allowed} are allowed")
    other = once(server.listen, "OPTIONS", LIST, Origin="https://evil.example", Access_Control_Request_Method="GET",
                 Access_Control_Request_Headers=asked)
    expect("access-control-allow-headers" not in other.headers, "a foreign page is allowed headers")


@case("the publishers' socket has the group of the setting")
def socket_group(world):
    group = 4321 if os.geteuid() == 0 else os.getgroups()[0]
    server = world.serve(SOCKET_GROUP=str(group), SOCKET_MODE="0620")
    status = os.stat(server.socket)
    expect_equal((status.st_gid, stat.S_IMODE(status.st_mode)), (group, 0o620), "the socket's group and mode")
    failed = world.run("serve", "--data", str(world.folder / "other"), 
                       BELFRY_SOCKET_GROUP="no-such-group-here", BELFRY_AUTH_SECRET=tokens.SECRET, BELFRY_OPS="127.0.0.1:0",
                       BELFRY_LISTEN="127.0.0.1:0")
    expect(failed.returncode != 0 and "socketGroup" in failed.stderr, f"an unknown group: {failed.stderr[-200:]}")
