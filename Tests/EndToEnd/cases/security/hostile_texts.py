"""Texts that would be something else where they are written: lines of the log, fields of a head, steps of a path."""

import json
import re
import socket
from pathlib import Path
from urllib.parse import quote

from harness import tokens
from harness.events import room_liked
from harness.http import bare, once
from harness.live import Refused
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until

#: Ends a line and begins one, moves a terminal's cursor, sets its title, turns the reading direction around.
HOSTILE = 'x\r\n{"level":"error","message":"forged"}\nforged level=error\x1b[2J\x1b]0;title\x07\u2028\u202e\x85\x9b31m\x00'
#: The same without what a field of HTTP cannot have.
FIELD = HOSTILE.translate({0: None, 10: None, 13: None}).encode("latin-1", "ignore").decode("latin-1")
#: What no line of a log may have: controls beside the space, and signs that turn a text around or end a line.
RAW = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def raw(address: str, data: bytes) -> bytes:
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        got = b""
        while piece := connection.recv(1 << 16):
            got += piece
        return got


def say_everywhere(world, server, sink):
    """The text in every place of every kind of call, from every side."""
    token = world.token("sarah")
    fields = ("User-Agent", "Referer", "Origin", "X-Forwarded-For", "Forwarded", "Cookie", "Accept-Language", "If-None-Match", "Idempotency-Key",
              "traceparent", "tracestate", "Content-Type", "Content-Encoding", "Belfry-Console", "Authorization", "Sec-WebSocket-Protocol", "ce-type")
    for address in (server.listen, server.ops, server.socket):
        for name in fields:
            for path in ("/api/notifications", "/v1/events", "/console/audit", "/v1/live", "/nothing"):
                bare(address, "GET", path, None, {"Authorization": f"Bearer {token}", name: FIELD})
        for path in (quote(HOSTILE, safe=""), f"api/notifications/{quote(HOSTILE[:-1], safe='')}", f"api/notifications?type={quote(HOSTILE, safe='')}"):
            bare(address, "GET", f"/{path}", None, {"Authorization": f"Bearer {token}"})
    for claims in ({"sub": HOSTILE}, {"iss": HOSTILE}, {"aud": HOSTILE}, {"kid": HOSTILE}):
        once(server.listen, "GET", "/api/notifications", token=tokens.token("sarah", **claims))
    for body in ({"type": HOSTILE}, room_liked(HOSTILE), room_liked("sarah", key=HOSTILE), {**room_liked("sarah"), HOSTILE: 1},
                 room_liked("sarah", room={"id": HOSTILE, "name": HOSTILE}), {**room_liked("sarah"), "actor": {"id": HOSTILE}},
                 {**room_liked("sarah"), "to": {HOSTILE: ["sarah"]}}, HOSTILE, [HOSTILE]):
        server.post("/v1/events", body)
    for path in ("users/{}", "topics/{}/members", "feeds/{}/items", "trail/{}", "users/{}/devices", "webhooks/{}"):
        for text in (HOSTILE, HOSTILE[:-1]):
            once(server.socket, "GET", "/v1/" + path.format(quote(text, safe="")))
    for device in ({"provider": HOSTILE}, {"provider": "apns", "token": HOSTILE}, {"provider": "fcm", "token": "t", "app": HOSTILE, "locale": HOSTILE}):
        server.rest("sarah", "PUT", f"/api/devices/{quote(HOSTILE[:5], safe='')}", device)
    for frame in ({"type": HOSTILE}, {"type": "subscribe", "id": HOSTILE, "feed": HOSTILE}, {"type": "read", "id": 1, "ids": [HOSTILE]},
                  {"type": "token", "id": 2, "token": HOSTILE}, HOSTILE):
        live = server.session("sarah", device=HOSTILE[:1])
        live.send(json.dumps(frame))
        live.close()
    for more in ({"headers": {"Origin": "https://evil.example/"}}, {"subprotocols": ["belfry.v1", "bearer.AAAA"]}, {"header": "e30.e30.x"}):
        try:
            server.open(**more).close()
        except Refused:
            pass
    # What a push service says of a push, and a phone of itself.
    server.register_device("sarah", push_token="a1b2c3")
    server.publish(room_liked("sarah"))
    wait_until(lambda: sink.pushes, PATIENCE, "a push")
    # The end of what is logged by then: it has no line before.
    world.run("publish", "--socket", server.socket, input=HOSTILE)


@case("whatever anybody says, wherever, begins no line of the log, and nothing in a line moves a terminal or turns the text around")
def log_lines(world):
    for format in ("json", "text"):
        sink = world.sink({"times": 3, "fault": "answer", "status": 400, "reason": HOSTILE})
        server = world.serve(data=format, LOG_LEVEL="trace", LOG_FORMAT=format, ADMISSION_ORIGINS="https://app.example", PUSH_GRACE="0s",
                             LIMITS_SESSIONS_PER_USER="200", LIMITS_REQUESTS_PER10S="0", PROXY_TRUSTED="127.0.0.0/8", **sink.settings)
        say_everywhere(world, server, sink)
        wait_until(lambda: any("refused" in line for line in server.log), PATIENCE, "what was refused")
        server.terminate()
        for line in server.log:
            expect(not RAW.search(line), f"the {format} log has {line!r}")
            if format == "json":
                expect(isinstance(json.loads(line), dict), f"not a line of JSON: {line!r}")
            else:
                expect(re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", line), f"a line that is not the log's own: {line!r}")


@case("no field of a head and no line of the metrics comes from a text of somebody else, whatever is in it")
def heads(world):
    server = world.serve(ADMISSION_ORIGINS="https://app.example", LIMITS_REQUESTS_PER10S="0")
    token = world.token("sarah")
    for name in ("Origin", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Access-Control-Request-Headers", "Access-Control-Request-Method",
                 "X-Request-Id", "traceparent", "Host", "Accept", "Upgrade", "If-None-Match"):
        for value in ("a\r\nSet-Cookie: forged=1", "a\nSet-Cookie: forged=1", "a\rSet-Cookie: forged=1", "a%0d%0aSet-Cookie: forged=1",
                      "a\u560d\u560aSet-Cookie: forged=1", "a\x0b\x0cSet-Cookie: forged=1", "https://app.example\x00.evil"):
            for line in ("GET /api/notifications", "OPTIONS /api/notifications", "GET /v1/live", "GET /nothing"):
                got = raw(server.listen, f"{line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n{name}: {value}\r\n\r\n".encode())
                for head in re.findall(rb"HTTP/1\.1 .*?\r\n\r\n", got, re.S):
                    fields = re.split(rb"[\r\n\v\f\x85]+", head.lower())
                    expect(not any(field.startswith(b"set-cookie") for field in fields), f"{line} with {name}: {value!r} is answered by {head!r}")
    for path in ("/a%0d%0aSet-Cookie:%20forged=1", "/console%0d%0aSet-Cookie:%20forged=1", "/%0d%0aSet-Cookie:%20forged=1/..", "/console?a=%0d%0aSet-Cookie:%20forged=1"):
        for address in (server.listen, server.ops):
            for method in ("GET", "HEAD", "POST"):
                answer = bare(address, method, path)
                expect("set-cookie" not in answer.headers and "location" not in answer.headers, f"{method} {path}: {answer.headers}")
    for name in ("a\nforged_total 1", 'a"} 1\nforged_total{a="', "forged_total"):
        once(server.socket, "POST", f"/v1/feeds/{quote(name, safe='')}/items", {"a": 1})
        server.post("/v1/events", {"type": name})
        bare(server.socket, "GET", "/v1/catalogs", None, {"Authorization": f"Bearer {quote(name)}"})
    metrics = once(server.ops, "GET", "/metrics").body.decode()
    expect("forged" not in metrics, "the metrics have a name that somebody chose")


#: How somebody would write "a folder up", for servers that decode once, twice, or in another way.
STEPS = ("..", "%2e%2e", "%2e.", ".%2e", "%252e%252e", "..%00", "..;", "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "..%5c", "..\\", "%uff0e%uff0e", "....", "..%c0%af",
         "%2e%2e%2f", ". .", "..%09", "..%20")


@case("no path leads out of what is served, however the steps are written, on any listener")
def paths(world):
    server = world.serve()
    (world.folder / "secret.txt").write_text("forbidden fruit")
    token = world.token("sarah")
    bases = {server.listen: ("", "/api", "/v1/feeds", "/schemas"), server.ops: ("", "/console", "/schemas", "/v1/catalogs"), server.socket: ("", "/v1/catalogs", "/v1/trail")}
    for address, places in bases.items():
        for place in places:
            for step in STEPS:
                for file in ("etc/passwd", "secret.txt", "belfry.sqlite", "dev-secret"):
                    for separator in ("/", "%2f"):
                        path = f"{place}/" + separator.join([step] * 6 + file.split("/"))
                        got = raw_get(address, path, token)
                        head, _, body = got.partition(b"\r\n\r\n")
                        expect(b"root:" not in body and b"forbidden" not in body and b"SQLite format" not in body, f"{path} shows {body[:200]!r}")
                        expect(not re.match(rb"HTTP/1\.1 (2|3|5)", head) or b"/v1/feeds/" in path.encode(), f"{path} is answered by {head[:200]!r}")
    for path in ("//etc/passwd", "/file:///etc/passwd", "/console//etc/passwd", "/console/%2fetc%2fpasswd", "/belfry.js/..", "/belfry.js%00.html", "/.env", "/.git/config"):
        for address in (server.listen, server.ops):
            expect_equal(raw_get(address, path, token)[9:10], b"4", f"the answer to {path}")


def raw_get(address: str, path: str, token: str) -> bytes:
    data = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    if not address.startswith("/"):
        return raw(address, data)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(address)
        connection.sendall(data)
        got = b""
        while piece := connection.recv(1 << 16):
            got += piece
        return got


#: What templates of one language or another would fill in, and what a page would take for markup.
TEMPLATES = ("{{actor.id}}", "{{ room.secret }}", "{{#each room}}{{this}}{{/each}}", "{{{actor.id}}}", "{{count}}", "{{room.name}}", "${7*7}", "#{7*7}",
             "<%= 7*7 %>", "{% include '/etc/passwd' %}", "%(name)s %s %n %@", "\\u003cscript\\u003e", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
             "javascript:alert(1)", "]]><!--", "&lt;b&gt;", "'; DROP TABLE notifications; --", "=HYPERLINK(1)")


@case("a text that looks like a template, markup or a command is shown as it is, in lists, frames, pushes and explanations")
def templates(world):
    sink = world.sink()
    server = world.serve(PUSH_GRACE="0s", LIMITS_REQUESTS_PER10S="0", **sink.settings)
    server.register_device("sarah", push_token="a1b2c3")
    live = server.session("sarah", active=False)
    for number, text in enumerate(TEMPLATES):
        actor = {"id": f"id-{number}", "username": text, "firstName": text, "avatarUrl": None}
        event = server.publish({**room_liked("sarah", room={"id": f"r{number}", "name": text}), "actor": actor})["event"]
        shown = live.expect("new")["notification"]
        expect_equal(shown["displayText"], f"{text} liked your room: {text}", "the frame's text")
        expect_equal(server.get("sarah")["data"][0]["displayText"], shown["displayText"], "the list's text")
        wait_until(lambda: len(sink.shown) > number, PATIENCE, "the push")
        expect_equal((sink.shown[number]["title"], sink.shown[number]["body"]), (text, f"{text} liked your room"), "the push")
        expect_equal(once(server.socket, "GET", f"/v1/trail/{event}").status, 200, "the explanation's status")
        expect_equal(server.ask("/v1/users/sarah/notifications").headers["content-type"], "application/json", "the type of a list")
    for answer in (server.rest("sarah", "GET", "/api/notifications"), server.ask("/console/audit"), once(server.listen, "GET", "/nothing")):
        expect_equal(answer.headers.get("x-content-type-options"), "nosniff", "how a browser takes the answer")
        expect_equal(answer.headers.get("cache-control"), "private, no-cache", "who may keep the answer")


@case("whoever an operator says to be, and whatever an action is about, is one line of the audit log, without controls")
def audit(world):
    server = world.serve(CONSOLE_TOKEN="a-token-of-the-console-for-programs")
    fields = {"Authorization": "Bearer a-token-of-the-console-for-programs"}
    hostile = quote(HOSTILE[:-1], safe="")
    for name in (hostile, quote('x","who":"another', safe=""), "%ff%fe", "x" * 5_000, quote("\u202eabc", safe="")):
        for method, path in (("POST", f"/v1/users/{quote('sarah')}/disconnect"), ("DELETE", "/v1/topics/t/members"), ("GET", "/v1/users/sarah/export"),
                             ("DELETE", f"/v1/events/{hostile}?publisher={hostile}"), ("POST", f"/console/failures/{hostile}/retry")):
            answer = bare(server.ops, method, path, None, {**fields, "Belfry-Console": name})
            expect(answer.status != 500, f"{method} {path}: {answer.body!r}")
    [file] = [path for path in Path(server.data).iterdir() if "audit" in path.name]
    lines = file.read_text().splitlines()
    expect(len(lines) >= 15, f"only {len(lines)} lines")
    for line in file.read_bytes().split(b"\n")[:-1]:
        expect(isinstance(json.loads(line), dict), f"not a line of JSON: {line!r}")
        expect(not RAW.search(line.decode()), f"the audit log has {line!r}")
        expect(len(line) < 4_000, f"a line of {len(line)} octets")
    entries = bare(server.ops, "GET", "/console/audit", None, fields)
    expect_equal((entries.status, len(entries.json()["entries"])), (200, len(lines)), "the entries that the console shows")
