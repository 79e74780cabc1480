"""Clients that do not read."""

import time

from harness.events import room_liked
from harness.memory import expect_memory, resident
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

#: As small as the kernel allows, so that little is on its way.
SMALL = 4096


def stuck_session(world, server, user: str):
    raw = server.raw(receive_buffer=SMALL)
    raw.send({"type": "hello", "token": world.token(user), "active": True})
    expect_equal(raw.read()["type"], "ready", "the answer to hello")
    return raw


def gaps_up_to(last: int, raw, kind: str, number: str) -> list[dict]:
    """Reads up to number `last`, one by one or in gaps, with nothing left out and nothing twice.

    Mostly one gap holds the rest. Where the connection's shard has yet to hear of the last ones, they come behind it.
    """
    gaps, following = [], 1
    while following <= last:
        frame = raw.read()
        if frame["type"] == "gap":
            gaps.append(frame)
        else:
            expect_equal(frame["type"], kind, "a frame that is no gap")
        expect_equal(frame.get("from", frame.get(number)), following, "where the next frame begins")
        following = frame.get("to", following) + 1
    expect(gaps, "everything came one by one")
    return gaps


@case("20,000 notifications to somebody who does not read: others get theirs, and the reader gets a gap in the end",
      alone=True)
def folded(world):
    server = world.serve(LIMITS_STALL_TIMEOUT="5m", INBOX_MAXIMUM="0")
    stuck = stuck_session(world, server, "sarah")
    quick, other = server.session("sarah"), server.session("tom")
    for number in range(200):
        server.publish([room_liked("sarah") for _ in range(100)])
        began = time.monotonic()
        server.publish(room_liked("tom"))
        other.expect("new", unread=number + 1)
        waited = time.monotonic() - began
        expect(waited < 1, f"another person's notification took {waited:.2f} s")
        expect_equal([frame["seq"] for frame in quick.take(100)], list(range(number * 100 + 1, number * 100 + 101)),
                     "the seqs of a session that reads")
    expect(server.metrics()["belfry_frames_folded_total"] > 0, "no frame was folded")

    for gap in gaps_up_to(20_000, stuck, "new", "seq"):
        expect_equal(gap["unread"], gap["to"], "the unread count of a gap")
    server.publish(room_liked("sarah"))
    expect_subset(stuck.read(), {"type": "new", "seq": 20_001, "unread": 20_001}, "the frame behind the gap")


@case("a burst larger than the queue of a session that reads: frames or gaps without a hole, and then live ones",
      pollers=True)
def burst(world):
    server = world.serve()
    live = server.session("sarah")
    seq = 0
    for round in (1, 2, 3):
        server.publish([room_liked("sarah") for _ in range(1000)])
        while seq < 1000 * round:
            frame = live.next(3, what=f"the change {seq + 1}")
            expect_equal(frame.get("from", frame.get("seq")), seq + 1, "where the next frame begins")
            seq = frame.get("to", frame.get("seq"))
    server.publish(room_liked("sarah"))
    live.expect("new", seq=3001, unread=3001)


@case("a feed's items fold into a gap of the feed as well", alone=True)
def folded_items(world):
    server = world.serve(LIMITS_STALL_TIMEOUT="5m")
    stuck = stuck_session(world, server, "sarah")
    stuck.send({"type": "subscribe", "feed": "posts"})
    expect_equal(stuck.read()["type"], "feed", "the answer to subscribe")
    quick = server.session("tom")
    quick.call("subscribe", feed="posts")
    quick.expect("feed")
    item = {"text": "x" * 60_000}
    for number in range(1, 161):
        server.publish_item("posts", item)
        quick.expect("item", offset=number)
    for gap in gaps_up_to(160, stuck, "item", "offset"):
        expect_equal(gap["feed"], "posts", "the feed of a gap")
    server.publish_item("posts", item)
    expect_subset(stuck.read(), {"type": "item", "offset": 161}, "the item behind the gap")


@case("who takes nothing for as long as is allowed is closed with 4203, and who reads slowly is not", alone=True)
def closed(world):
    server = world.serve(LIMITS_STALL_TIMEOUT="3s", LIVE_HEARTBEAT="5m")
    stuck, slow = stuck_session(world, server, "sarah"), stuck_session(world, server, "sarah")
    big = [room_liked("sarah", room={"id": "r", "name": "x" * 10_000}) for _ in range(100)]
    for _ in range(8):
        server.publish(big)
    expect_equal(server.metrics()["belfry_sessions"], 2, "sessions")
    while (frame := slow.read())["type"] == "new":
        time.sleep(0.02)  # about a megabyte a second: the kernel tells of room only by large pieces
    expect_subset(frame, {"type": "gap", "to": 800, "unread": 800}, "what the slow reader gets in the end")
    server.publish(room_liked("sarah"))
    expect_subset(slow.read(), {"type": "new", "seq": 801}, "the frame behind the gap")

    # Only then: whoever reads again before that is no longer stuck.
    wait_until(lambda: server.metrics()['belfry_closes_total{code="4203"}'] == 1, PATIENCE, "the stuck session is told")
    while "close" not in (frame := stuck.read()):
        pass
    expect_equal(frame["close"], 4203, "the close code of the one that took nothing")
    stuck.close()
    wait_until(lambda: server.metrics()["belfry_sessions"] == 1, PATIENCE, "the stuck session is gone")
    server.publish(room_liked("sarah"))
    expect_subset(slow.read(), {"type": "new", "seq": 802}, "the slow reader's next frame")


@case("who asks on and on and reads no answers is closed with 4203, and takes a bounded memory", alone=True)
def asks_on(world):
    server = world.serve(LIMITS_STALL_TIMEOUT="5m", LIMITS_CLIENT_FRAMES_PER10S="60000")
    stuck = stuck_session(world, server, "sarah")
    before = resident(server.process)
    try:
        # The kernel's buffers take some of the answers.
        for number in range(600):
            stuck.send({"type": "state", "active": True, "id": f"{number} " + "x" * 60_000})
    except ConnectionError:
        pass
    wait_until(lambda: server.metrics()['belfry_closes_total{code="4203"}'] == 1, PATIENCE, "the session is closed")
    expect_memory(resident(server.process) - before, 20)


@case("of a feed's missed items the newest megabyte is sent, and none while as much waits: gaps tell of the others", alone=True)
def catches_up_too_much(world):
    server = world.serve(LIMITS_STALL_TIMEOUT="5m", LIMITS_CLIENT_FRAMES_PER10S="60000")
    head = server.session("tom")
    head.call("subscribe", feed="posts")
    epoch = head.expect("feed")["epoch"]
    for _ in range(30):
        server.publish_item("posts", {"text": "x" * 60_000})

    reader = server.session("sarah")
    reader.call("subscribe", feed="posts", after={"epoch": epoch, "offset": 2})
    reader.expect("feed", offset=30, recovered=True)
    gap = reader.expect("gap", feed="posts")
    expect_equal(gap["from"], 3, "where the gap begins")
    expect(12 < gap["to"] < 16, f"a megabyte has seventeen items, and the gap ends at {gap['to']}")
    for offset in range(gap["to"] + 1, 31):
        reader.expect("item", offset=offset)

    feeds = [f"feed-{number}" for number in range(20)]
    for feed in feeds:
        for _ in range(17):
            server.publish_item(feed, {"text": "x" * 60_000})
    stuck = stuck_session(world, server, "sarah")

    def sent():
        return server.metrics()["belfry_frames_sent_total"]

    def all_are_answered():
        told = sent()
        time.sleep(0.5)
        return told >= before + 2 * len(feeds) and told == sent()

    before = sent()
    for feed in feeds:
        # Of an unknown epoch come the newest items, too.
        stuck.send({"type": "subscribe", "feed": feed, "after": {"epoch": "another", "offset": 1}, "id": feed})
    wait_until(all_are_answered, PATIENCE, "all subscriptions are answered")
    items, gaps = 0, {}
    while len(gaps) + items // 17 < len(feeds):
        frame = stuck.read()
        items += frame["type"] == "item"
        if frame["type"] == "gap":
            gaps[frame["feed"]] = frame
    # Beside a megabyte or two those that the kernel's buffers took, mostly four megabytes.
    expect(len(gaps) > 10, f"{items} of 340 items were waiting")
    expect_equal({(gap["from"], gap["to"]) for gap in gaps.values()}, {(1, 17)}, "what is told of the others")
