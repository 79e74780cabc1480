"""Sessions that come back."""

import threading

from harness.events import elements_added, room_liked
from harness.http import Http
from harness.suite import case, expect, expect_equal, expect_subset


def without_replay(frame: dict) -> dict:
    return {name: value for name, value in frame.items() if name != "replay"}


@case("a client that missed fifty changes of all kinds gets exactly those, in order, then live frames", pollers=True)
def fifty_missed(world):
    server = world.serve()
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    known = live.expect("new")
    epoch, seq = live.ready["epoch"], known["seq"]
    live.cut()

    witness = server.session("sarah")
    put, delete = "PUT", "DELETE"
    for _ in range(10):  # five changes each time
        server.publish(room_liked("sarah"))
        server.publish(elements_added("sarah", photos=1))
        server.publish(elements_added("sarah", photos=2))
        newest = server.get("sarah")["data"]
        server.rest("sarah", put, "/api/notifications/read", {"notificationIds": [newest[0]["id"]]})
        server.rest("sarah", delete, f"/api/notifications/{newest[1]['id']}")
    seen_live = witness.take(50)
    expect_equal([frame["type"] for frame in seen_live], ["new", "new", "update", "read", "removed"] * 10, "changes")

    live = server.open()
    ready = live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": seq})
    expect_subset(ready, {"recovered": True, "epoch": epoch, "seq": seq + 50}, "ready")
    missed = live.take(50)
    expect_equal([frame["seq"] for frame in missed], list(range(seq + 1, seq + 51)), "the missed seqs")
    expect(all(frame.get("replay") is True for frame in missed), "a missed frame is not marked")
    still_there = {row["id"] for row in server.get("sarah", "/api/notifications?limit=100")["data"]}
    for frame, original in zip(missed, seen_live):
        names = ("seq", "unread", "unseen", "delta")
        expect_equal([frame[name] for name in names], [original[name] for name in names], "a missed frame's numbers")
        row = original.get("notification")
        if row and row["id"] not in still_there:
            # Nothing can be shown of what is gone, and its seq must not be missing.
            expect_subset(frame, {"type": "removed", "ids": [row["id"]]}, "a notification that is gone")
        else:
            found = (frame["type"], frame.get("ids"), frame["notification"]["id"] if row else None)
            expect_equal(found, (original["type"], original.get("ids"), row and row["id"]), "a missed frame")
    expect_equal((missed[-1]["unread"], missed[-1]["unseen"]), (ready["unread"], ready["unseen"]), "the counts")
    live.expect_silence(0.2)

    server.publish(room_liked("sarah"))
    frame = live.expect("new", seq=seq + 51)
    expect("replay" not in frame, "a live frame is marked as replay")
    expect_equal(without_replay(frame), witness.expect("new"), "the live frame")


@case("under a stream of events a client comes back twelve times and nothing is lost or doubled", pollers=True)
def resume_under_fire(world):
    server = world.serve()
    stop = threading.Event()
    published = []

    def publish():
        connection = Http(server.socket)
        # A client that is more than a thousand changes behind begins anew.
        while not stop.is_set() and len(published) < 450:
            answer = connection.request("POST", "/v1/events", [room_liked("sarah"), room_liked("sarah")])
            published.append(answer.status)
        connection.close()

    live = server.session("sarah")
    epoch, seqs = live.ready["epoch"], [live.ready["seq"]]
    first = seqs[0]
    publisher = threading.Thread(target=publish)
    publisher.start()
    try:
        for round in range(12):
            seqs += [frame["seq"] for frame in live.take(7)]
            live.cut() if round % 2 else live.close()
            live = server.open()
            ready = live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": seqs[-1]})
            expect_subset(ready, {"recovered": True, "epoch": epoch}, "ready")
    finally:
        stop.set()
        publisher.join()
    last = server.get("sarah")["meta"]["seq"]
    while seqs[-1] < last:
        seqs.append(live.next()["seq"])
    expect_equal(set(published), {202}, "the publisher's answers")
    expect_equal(seqs, list(range(first, last + 1)), "all seqs")
    expect_equal(last - first, 2 * len(published), "the number of changes")


@case("a client that missed far more than fits in its queue gets all of it, then live frames", pollers=True)
def long_replay(world):
    server = world.serve()
    epoch = server.get("sarah")["meta"]["epoch"]
    server.publish([room_liked("sarah", room={"id": "r", "name": "x" * 1000}) for _ in range(800)])
    live = server.open()
    ready = live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": 0})
    expect_equal(ready["recovered"], True, "recovered")
    expect_equal([frame["seq"] for frame in live.take(800)], list(range(1, 801)), "the missed seqs")
    server.publish(room_liked("sarah"))
    live.expect("new", seq=801)


@case("a foreign epoch, a seq from the future and one from too long ago are answered by reset with the first page",
      pollers=True)
def reset(world):
    server = world.serve()
    server.publish([room_liked("sarah") for _ in range(30)])
    first_page = server.get("sarah")
    epoch = first_page["meta"]["epoch"]
    for resume in ({"epoch": "elsewhere", "seq": 3}, {"epoch": epoch, "seq": 99}):
        live = server.open()
        ready = live.hello(world.token("sarah"), resume=resume)
        expect_subset(ready, {"recovered": False, "epoch": epoch, "seq": 30, "unread": 30}, "ready")
        reset = live.expect("reset", epoch=epoch, seq=30, unread=30, unseen=30)
        expect_equal(reset["notifications"], first_page["data"], "the first page")
        live.expect_silence(0.1)
        live.close()

    for _ in range(11):
        server.publish([room_liked("sarah") for _ in range(100)])
    live = server.open()
    expect_equal(live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": 1})["recovered"], False, "recovered")
    live.expect("reset", seq=1130)
    server.publish(room_liked("sarah"))
    live.expect("new", seq=1131, unread=1131)


@case("epoch and seq hold over a restart: a client resumes at the new process as if nothing had happened")
def resume_after_restart(world):
    server = world.serve()
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    seq = live.expect("new")["seq"]
    server.kill()
    server.start()
    server.publish(room_liked("sarah"))
    again = server.open()
    expect_subset(again.hello(world.token("sarah"), resume={"epoch": live.ready["epoch"], "seq": seq}),
                  {"recovered": True, "seq": seq + 1}, "ready")
    again.expect("new", seq=seq + 1, replay=True, unread=2)
