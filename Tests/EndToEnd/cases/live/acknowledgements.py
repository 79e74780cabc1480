"""What an `ok` to an acknowledgement promises."""

import sqlite3
import threading
import time
from pathlib import Path

from harness.events import room_liked
from harness.suite import case, expect, expect_equal, expect_subset


def waiting(world, **settings):
    """A server with a phone of sarah's, and her session, which was told of a notification whose push waits."""
    sink = world.sink()
    server = world.serve(**sink.settings, **settings)
    server.register_device("sarah")
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    return sink, server, live, live.expect("new")["seq"]


@case("an acknowledgement that was answered by `ok` outlives kill -9: no push of it leaves afterwards")
def killed_after_ok(world):
    sink, server, live, seq = waiting(world, PUSH_GRACE="2s")
    expect_subset(live.call("ack", seq=seq), {"type": "ok"}, "the answer")
    server.kill()
    server.start()
    expect_equal(server.metrics()["belfry_push_jobs"], 0, "the pushes that wait")
    time.sleep(2.5)
    expect_equal(sink.pushes, [], "the pushes")


@case("while the database cannot be written an acknowledgement is refused as temporary, kept, and written before its push")
def refused_and_kept(world):
    sink, server, live, seq = waiting(world, PUSH_GRACE="4s")
    other = sqlite3.connect(Path(server.data) / "belfry.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        # Longer than the store waits for somebody else who holds the database.
        live.send({"type": "ack", "seq": seq, "id": 7})
        answer = live.next(what="the answer to ack")
    finally:
        other.execute("ROLLBACK")
        other.close()
    expect_subset(answer, {"type": "error", "id": 7, "temporary": True}, "the answer")
    # Nothing else is said: what was refused is tried again before the push may leave, which is due by now.
    time.sleep(3)
    expect_equal(sink.pushes, [], "the pushes")
    expect_equal(server.metrics()["belfry_push_jobs"], 0, "the pushes that wait")
    expect_subset(live.call("ack", seq=seq), {"type": "ok"}, "the answer to the same once more")


@case("an acknowledgement right behind `hello` counts, and is confirmed after `ready`", pollers=True)
def with_hello(world):
    users = [f"user-{number}" for number in range(20)]
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="20s")
    known = {}
    for number, user in enumerate(users):
        server.register_device(user, f"phone-{user}", f"a{number:02}")
        live = server.session(user)
        server.publish(room_liked(user))
        known[user] = {"epoch": live.ready["epoch"], "seq": live.expect("new")["seq"]}
    # The next process remembers no inbox: it has to read each.
    server.kill()
    server.start()

    def come_back(user: str):
        live = server.open()
        live.send({"type": "hello", "token": world.token(user), "active": True, "resume": known[user]})
        live.send({"type": "ack", "seq": known[user]["seq"], "id": 1})
        frames = live.take(2)
        answers[user] = [(frame["type"], frame.get("id")) for frame in frames]

    answers = {}
    threads = [threading.Thread(target=come_back, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    expect_equal(answers, {user: [("ready", None), ("ok", 1)] for user in users}, "what each was told")
    expect_equal(server.metrics()["belfry_push_jobs"], 0, "the pushes that wait")


@case("an acknowledgement of another epoch, or beyond what the session was told, is never answered by `ok`")
def not_taken(world):
    sink, server, live, seq = waiting(world, PUSH_GRACE="20s")
    expect_subset(live.call("ack", seq=seq + 1), {"type": "error", "code": "not_told", "temporary": True}, "beyond")
    server.publish(room_liked("sarah"))
    live.expect("new")
    other = server.open()
    other.send({"type": "hello", "token": world.token("sarah"), "active": True, "resume": {"epoch": "other", "seq": 9}})
    other.send({"type": "ack", "seq": 9, "id": 1})
    other.expect("ready", recovered=False)
    frames = {frame["type"]: frame for frame in other.take(2)}
    error = frames.get("error", {})
    expect_subset(error, {"temporary": True, "id": 1}, "the answer")
    # Where `ready` has left before it came, nothing tells of which epoch it is: it counts for what `ready` has told.
    expect(error["code"] in ("other_epoch", "not_told"), f"the answer's code is {error['code']}")
    expected = 1 if error["code"] == "other_epoch" else 0
    expect_equal(server.metrics()["belfry_push_jobs"], expected, "the pushes of what nobody has acknowledged")
