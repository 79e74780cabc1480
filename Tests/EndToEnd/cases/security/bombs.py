"""Small requests that want much work or memory: deep, wide, long, compressed, and full of names."""

import gzip
import json
import re
import socket
from functools import cache

from harness.events import PETE, room_liked
from harness.http import bare, once
from harness.memory import expect_memory, peak
from harness.suite import PATIENCE, Failed, case, expect, expect_equal

#: The longest body that is taken.
ROOM = 1 << 20


def deep(opening: str, closing: str, depth: int) -> bytes:
    return (opening * depth + "1" + closing * depth).encode()


@cache
def documents() -> dict[str, bytes]:
    """JSON that costs a simple reader its stack, its memory or its time; some of it is none."""
    names = [f"m{number:x}" for number in range(60_000)]
    return {
        "many arrays in arrays": deep("[", "]", ROOM // 3), "arrays that never end": b"[" * (ROOM - 9),
        "many objects in objects": deep('{"a":', "}", ROOM // 8), "arrays and objects": deep('[{"a":', "}]", ROOM // 10),
        "a thousand arrays": deep("[", "]", 1_000), "a number of a million digits": b"1" * (ROOM - 9),
        "a fraction of a million digits": b"0." + b"1" * (ROOM - 9), "a large exponent": b"1e999999999", "a small exponent": b"1e-999999999",
        "an exponent of a million digits": b"1e" + b"9" * (ROOM - 9), "many members": json.dumps(dict.fromkeys(names, 1)).encode(),
        "the same member again and again": b"{" + b",".join([b'"a":1'] * 150_000) + b"}",
        "long names": json.dumps({"x" * 60_000 + str(number): 1 for number in range(16)}).encode(),
        "many empty arrays": b"[" + b",".join([b"[]"] * 300_000) + b"]", "many strings": json.dumps(names).encode(),
        "a string of escapes": b'"' + rb"\u0000" * 170_000 + b'"', "half of a surrogate": b'"' + rb"\ud800" * 170_000 + b'"',
        "a string without an end": b'"' + b"a" * (ROOM - 9), "white space": b" " * (ROOM - 9), "commas": b"," * (ROOM - 9),
        "marks in a row": b"\xef\xbb\xbf" * 300_000, "continuation bytes": b'"' + b"\x80" * (ROOM - 9) + b'"', "NUL": bytes(ROOM - 9),
    }


#: Every place where JSON of somebody else is read: who sends it, the method, the path, and what goes around it.
PLACES = {
    "an event": ("backend", "POST", "/v1/events", b"%s"),
    "an event's data": ("backend", "POST", "/v1/events", json.dumps(
        {"type": "room_liked", "actor": PETE, "to": {"owner": ["sarah"]}, "data": "DATA"}).replace('"DATA"', "%s").encode()),
    "an item": ("backend", "POST", "/v1/feeds/news/items", b"%s"), "a profile": ("backend", "PUT", "/v1/users/sarah", b'{"email":%s}'),
    "members": ("backend", "PUT", "/v1/topics/t/members", b'{"add":%s}'), "preferences": ("app", "PUT", "/api/notifications/preferences", b'{"types":%s}'),
    "a device": ("app", "PUT", "/api/devices/d", b"%s"), "ids": ("app", "PUT", "/api/notifications/read", b'{"notificationIds":%s}'),
    "quiet hours": ("app", "PUT", "/api/notifications/quiet-hours", b'{"windows":%s}'), "a poll": ("app", "POST", "/api/notifications/poll", b"%s"),
    "a login": ("operator", "POST", "/console/login", b'{"password":%s}'),
}


@case("JSON that is deep, wide, long or endless is answered in time and in bounded memory, wherever it is read")
def json_bombs(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="0", CONSOLE_PASSWORD="a password for the console", LIMITS_BODY_BYTES=str(ROOM + 200))
    addresses = {"backend": server.socket, "app": server.listen, "operator": server.ops}
    for place, (who, method, path, around) in PLACES.items():
        fields = {"app": {"Authorization": f"Bearer {world.token('sarah')}"}, "operator": {"Belfry-Console": "ops"}}.get(who, {})
        for name, document in documents().items():
            answer = bare(addresses[who], method, path, around.replace(b"%s", document), {"Content-Type": "application/json", **fields})
            expect(answer.status in (200, 202, 204, 400, 401, 413, 415, 422) or who == "operator" and answer.status == 429, f"{name} as {place}: {answer.status} {answer.body[:200]!r}")
    for name, document in documents().items():
        # As long as a frame may be.
        live = server.session("sarah")
        live.send((b'{"type":"ack","seq":' + document[:60_000] + b"}").decode("utf-8", "replace"))
        try:
            expect_equal(live.next()["type"], "error", f"the answer to a frame with {name}")
        except Failed as failure:
            expect("closed with 4000" in str(failure), f"a frame with {name}: {failure}")
        live.close()
    server.check_health()
    expect_memory(peak(server.process), 600)


@case("a small body that inflates to a gigabyte is refused before it does, wherever bodies may be compressed")
def compressed(world):
    server = world.serve()
    megabyte = gzip.compress(bytes(ROOM), 9)
    bombs = {"a gigabyte": megabyte * 1_000, "one in one": gzip.compress(megabyte * 1_000, 9), "just beyond the limit": gzip.compress(bytes(ROOM + 1)),
             "no end": megabyte[:-8], "nonsense behind it": megabyte + b"nonsense", "a lie about its length": megabyte[:-4] + b"\1\0\0\0"}
    for name, data in bombs.items():
        for address, path, token in ((server.socket, "/v1/events", None), (server.listen, "/api/notifications/poll", world.token("sarah"))):
            for coding in ("gzip", "deflate", "gzip, gzip", "br", "x-gzip"):
                answer = once(address, "POST", path, data, token=token, Content_Type="application/json", Content_Encoding=coding)
                expect(answer.status in (400, 413, 415), f"{name} at {path} as {coding}: {answer.status} {answer.body[:200]!r}")
    server.check_health()
    expect_memory(peak(server.process), 300)


def heads(token: str) -> dict[str, bytes]:
    """Heads full of names, within the longest that may come."""
    names = [f"a{number:x}: \r\n" for number in range(1_400)]
    line, tag, extension = "a: \r\n", '"a"', 'permessage-deflate; a="b"'
    return {
        "fields": f"GET /api/notifications HTTP/1.1\r\n{''.join(names)}", "the same field": f"GET /api/notifications HTTP/1.1\r\n{line * 2_500}",
        "cookies": f"GET /api/notifications HTTP/1.1\r\nCookie: {'a=b; ' * 3_000}\r\n",
        "parameters": f"GET /api/notifications?{'&'.join(f'a{number:x}' for number in range(2_200))} HTTP/1.1\r\n",
        "the same parameter": f"GET /api/notifications?{'limit=1&' * 1_500} HTTP/1.1\r\n", "segments": f"GET {'/a' * 7_000} HTTP/1.1\r\n",
        "escapes": f"GET /{'%41' * 4_500} HTTP/1.1\r\n", "slashes": f"GET {'/' * 14_000} HTTP/1.1\r\n",
        "languages": f"GET /api/notifications HTTP/1.1\r\nAccept-Language: {','.join(['en;q=0.1'] * 1_500)}\r\n",
        "tags": f"GET /api/notifications HTTP/1.1\r\nIf-None-Match: {','.join([tag] * 3_000)}\r\n",
        "codings": f"GET /belfry.js HTTP/1.1\r\nAccept-Encoding: {','.join(['gzip;q=0'] * 1_500)}\r\n",
        "forwarding": f"GET /api/notifications HTTP/1.1\r\nX-Forwarded-For: {','.join(['127.0.0.1'] * 1_400)}\r\n",
        "options": f"GET /api/notifications HTTP/1.1\r\nConnection: {','.join(['a'] * 7_000)}\r\n",
        "extensions": "GET /v1/live HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                      f"AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: {','.join([extension] * 500)}\r\n",
        "subprotocols": "GET /v1/live HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                        f"AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: {','.join(f'p{number}' for number in range(2_000))}\r\n",
    }


@case("heads full of names, lists and escapes are answered in time, and the next request is, too")
def full_heads(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="0", PROXY_TRUSTED="127.0.0.0/8")
    token = world.token("sarah")
    host, port = server.listen.rsplit(":", 1)
    for name, head in heads(token).items():
        for _ in range(20):
            with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
                connection.sendall(f"{head}Host: a\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
                got = connection.recv(1 << 16)
                expect(re.match(rb"HTTP/1\.1 (200|101|304|400|404|414|431) ", got), f"a head full of {name}: {got[:100]!r}")
    server.check_health()
    expect_memory(peak(server.process), 300)


@case("names that differ in little, in every place where names are kept, are kept and found like all others")
def many_names(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="0")
    # As an attacker would choose them where a hash were the same in every process: the same sum, the same ends.
    names = [f"{'ab' * (number % 7)}{number:06}{'ba' * (6 - number % 7)}" for number in range(5_000)]
    answer = once(server.socket, "PUT", "/v1/topics/t/members", {"users": names})
    expect_equal(answer.status, 200, f"the members' status {answer.body[:200]!r}")
    lines = [json.dumps(room_liked(name, room={"id": name, "name": name}, key=name)) for name in names[:2_000]]
    expect_equal(sum("event" in answer for answer in server.stream(lines)), 2_000, "answers")
    expect_equal(server.unread(names[1_999]), 1, "the last one's unread")
    live = server.session("sarah", compression=None)
    for name in names[:90]:
        live.call("subscribe", feed=name)
    server.check_health()
