"""Mistakes of live clients: each gets its documented answer or close code, and the server goes on."""

import json
import time

from harness.events import room_liked
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, expect_subset


@case("frames that break RFC 6455 or the protocol close with their codes, and other sessions do not notice",
      pollers=True)
def bad_frames(world):
    server = world.serve()
    witness = server.session("tom")
    hello = json.dumps({"type": "hello", "token": world.token("sarah"), "active": True}).encode()
    for name, code, send in (
        ("an unmasked frame", 1002, lambda raw: raw.send_frame(hello, is_masked=False)),
        ("a reserved opcode", 1002, lambda raw: raw.send_frame(b"", opcode=3)),
        ("a lone continuation", 1002, lambda raw: raw.send_frame(b"x", opcode=0)),
        ("a fragmented ping", 1002, lambda raw: raw.send_frame(b"x", opcode=9, is_final=False)),
        ("invalid UTF-8", 1007, lambda raw: raw.send_frame(b'{"type":"\xff"}')),
        ("a binary frame", 1003, lambda raw: raw.send_frame(hello, opcode=2)),
        ("a frame of 300 KiB", 1009, lambda raw: raw.send_frame(b'{"type":"' + b"x" * 307_200 + b'"}')),
        ("fragments of 300 KiB in all", 1009, lambda raw: (
            raw.send_frame(b" " * 153_600, is_final=False), raw.send_frame(b" " * 153_600, opcode=0))),
        ("broken JSON", 4000, lambda raw: raw.send_frame(b"{nonsense")),
        ("no object", 4000, lambda raw: raw.send_frame(b"[1]")),
    ):
        for has_greeted in (False, True):
            raw = server.raw()
            if has_greeted:
                raw.send_frame(hello)
                expect_equal(raw.read()["type"], "ready", f"the answer to hello before {name}")
            send(raw)
            try:
                if code == 4000:
                    expect_subset(raw.read(), {"type": "error", "temporary": False}, f"the answer to {name}")
                raw.expect_close(code)
            except Failed as failure:
                raise Failed(f"{name}: {failure}") from None
            raw.close()
    early = server.raw()
    early.send({"type": "ack", "seq": 1})
    expect_subset(early.read(), {"type": "error", "code": "hello_expected"}, "a frame before hello")
    early.expect_close(4000)

    server.publish(room_liked("tom"))
    witness.expect("new", unread=1)
    server.check_health()


@case("a frame with a missing or a wrong field is answered by an error, and the session goes on", pollers=True)
def bad_fields(world):
    server = world.serve()
    live = server.session("sarah")
    for frame, code in (
        ({"type": "ack"}, "missing_field"), ({"type": "ack", "seq": "3"}, "wrong_type"),
        ({"type": "ack", "seq": -1}, "invalid_value"), ({"type": "ack", "seq": 1.5}, "wrong_type"),
        ({"type": "read"}, "missing_field"), ({"type": "read", "ids": [1]}, "wrong_type"),
        ({"type": "read", "ids": [], "upTo": 3}, "invalid_value"), ({"type": "remove"}, "missing_field"),
        ({"type": "state", "active": "yes"}, "wrong_type"), ({"type": "subscribe"}, "missing_field"),
        ({"type": "token"}, "missing_field"), ({"seq": 1}, "missing_field"), ({"type": 7}, "wrong_type"),
    ):
        live.send({"id": "mine", **frame})
        answer = live.expect("error", code=code)
        expect_subset(answer, {"id": "mine", "temporary": False}, f"the answer to {frame}")
        expect(answer["message"], "an error without words")
    expect_equal(live.call("hello", active=True)["code"], "hello_repeated", "the answer to a second hello")
    live.send({"type": "from-the-future", "anything": 1})
    expect_subset(live.call("from-the-future", anything=1), {"type": "error", "code": "unknown_type", "temporary": False},
                  "the answer to an unknown type")
    live.send({"type": "ack", "seq": 1, "unknown": True})
    server.publish(room_liked("sarah"))
    live.expect("new", unread=1)


@case("frames that follow hello at once, before the answer, are heard")
def eager_client(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    live = server.open()
    live.send({"type": "hello", "token": world.token("sarah"), "active": True})
    for frame in ({"type": "read", "upTo": 1, "id": 1}, {"type": "subscribe", "feed": "posts", "id": 2},
                  {"type": "ack", "seq": 1, "id": 3}):
        live.send(frame)
    missing = {"ready", "feed", "ok 1", "ok 2", "ok 3"}
    while missing:
        frame = live.next(what=f"one of {missing}")
        missing.discard(f"ok {frame['id']}" if "id" in frame else frame["type"])
    expect_equal(server.unread("sarah"), 0, "unread")


@case("a hello that is no good closes with 4000; one that never comes closes with 4104", pollers=True)
def bad_hello(world):
    server = world.serve(LIVE_HELLO_TIMEOUT="700ms")
    silent = server.open()
    began = time.monotonic()
    wrong = server.open()
    wrong.send({"type": "hello", "token": world.token("sarah"), "active": "yes"})
    frames = wrong.expect_close(4000)
    expect_subset(frames[0], {"type": "error", "code": "wrong_type"}, "the answer to a wrong hello")
    silent.expect_close(4104)
    expect(time.monotonic() - began < 9, "the close came as late as by default")
    server.check_health()


@case("the 101st frame within ten seconds closes with 4101, and the 17th session with 4102", pollers=True)
def too_many(world):
    server = world.serve()
    eager = server.session("tom")
    for _ in range(99):
        eager.send({"type": "state", "active": True})
    eager.expect_silence(0.2)
    eager.send({"type": "state", "active": True})
    eager.expect_close(4101)

    sessions = [server.session("sarah") for _ in range(16)]
    last = server.open()
    last.send({"type": "hello", "token": world.token("sarah"), "active": True})
    last.expect_close(4102)
    sessions.pop().close()
    again = None
    deadline = time.monotonic() + PATIENCE
    while again is None:
        try:
            again = server.session("sarah")
        except Failed:
            expect(time.monotonic() < deadline, "the place of a session that left stays taken")
    server.publish(room_liked("sarah"))
    for live in [*sessions, again]:
        live.expect("new")
    server.check_health()
