"""Backups of a store that is in use, and the way back."""

import json
import threading
import time
from pathlib import Path

from harness.events import room_liked
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal


@case("belfry backup copies the store under load; a restored one serves it whole, and clients start anew")
def backup_and_restore(world):
    server = world.serve()
    server.publish_item("posts", {"id": "p1"})
    live = server.session("sarah")
    epoch, feed = live.ready["epoch"], server.get("sarah", "/v1/feeds/posts/items")["meta"]["epoch"]
    stopping, counts = threading.Event(), [0]

    def publish():
        while not stopping.is_set():
            server.publish(room_liked("sarah", key=f"like-{counts[0]}"))
            counts[0] += 1

    publisher = threading.Thread(target=publish, daemon=True)
    publisher.start()
    file = world.folder / "backup.sqlite"
    before = counts[0]
    made = world.run("backup", str(file), "--data", server.data)
    after = counts[0] + 1
    expect_equal((made.returncode, made.stderr), (0, ""), "belfry backup")
    expect(made.stdout.startswith(f"OK {file}: ") and "inboxes: 1" in made.stdout, f"its line: {made.stdout!r}")
    expect_equal(file.stat().st_mode & 0o777, 0o600, "who may read a backup")
    again = world.run("backup", str(file), "--data", server.data)
    expect_equal((again.returncode, again.stdout), (1, ""), "a second backup of the same name")
    expect("is there already" in again.stderr, f"what it says: {again.stderr!r}")
    while counts[0] < after + 20:
        expect(publisher.is_alive(), "the publisher has failed")
        time.sleep(0.01)
    stopping.set()
    publisher.join()
    running = world.run("restore", str(file), "--data", server.data)
    expect_equal(running.returncode, 1, "the exit code of a restore into a running server's folder")
    expect("in use" in running.stderr, f"what it says: {running.stderr!r}")
    seen = server.get("sarah")["meta"]["seq"]
    server.kill()

    for name in ("belfry.sqlite", "belfry.sqlite-wal", "belfry.sqlite-shm"):
        Path(server.data, name).rename(Path(world.folder, name))
    restored = world.run("restore", str(file), "--data", server.data)
    expect_equal((restored.returncode, restored.stderr), (0, ""), "belfry restore")
    server.start()
    meta = server.get("sarah")["meta"]
    expect(before <= meta["totalCount"] <= after, f"{meta['totalCount']} notifications, not {before} to {after}")
    expect_equal(meta["unread"], meta["totalCount"], "the unread count")
    expect_equal(server.drift(), 0, "the drift")
    expect(meta["epoch"] != epoch, "the inbox goes on with its old epoch")
    expect(server.get("sarah", "/v1/feeds/posts/items")["meta"]["epoch"] != feed, "the feed goes on with its old epoch")
    live = server.open()
    live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": seen})
    expect_equal(live.expect("reset")["unread"], meta["unread"], "what a client that has seen more starts from")
    # What the backup knows of a key holds.
    expect(server.publish(room_liked("sarah", key="like-0"))["replayed"], "the first key is not known")
    server.check_health()


@case("a backup needs a store, and restore a folder without one and a file that is a backup; nothing is left behind")
def refused(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    empty, target = world.folder / "empty", world.folder / "target"
    empty.mkdir()
    none = world.run("backup", str(world.folder / "b.sqlite"), "--data", str(empty))
    expect_equal(none.returncode, 1, "the exit code without a store")
    expect("no store" in none.stderr, f"what it says: {none.stderr!r}")
    nowhere = world.run("backup", str(world.folder / "missing" / "b.sqlite"), "--data", server.data)
    expect_equal(nowhere.returncode, 1, "the exit code without a folder to write to")
    text = world.folder / "text.sqlite"
    text.write_text("no database\n" * 1000)
    for file, word in ((text, "not a database"), (Path(server.data, "belfry.sqlite"), "write-ahead log"),
                       (world.folder / "missing.sqlite", "No such file")):
        wrong = world.run("restore", str(file), "--data", str(target))
        expect_equal(wrong.returncode, 1, f"the exit code of restoring {file.name}")
        expect(word in wrong.stderr, f"what it says of {file.name}: {wrong.stderr!r}")
    left = sorted(path.name for path in [*target.iterdir(), *empty.iterdir(), *world.folder.glob("*.partial*")])
    expect_equal([name for name in left if name != "belfry.lock"], [], "what is left behind")
    server.check_health()


@case("a place in a feed without items holds until the first ones, and after a restore it is none; tail misses nothing")
def places(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    file = world.folder / "early.sqlite"
    expect_equal(world.run("backup", str(file), "--data", server.data).returncode, 0, "belfry backup")
    watching = world.start("tail", "--url", f"ws://{server.listen}", "--token", world.token("sarah"), "--feed", "posts")
    begun = json.loads(watching.output.wait_for(lambda line: '"feed"' in line, PATIENCE, "the feed's frame"))
    expect(begun["epoch"], "a feed without items has no epoch")
    viewed = server.get("sarah", "/v1/feeds/posts/viewed")["data"]
    expect_equal((viewed["epoch"], viewed["offset"]), (begun["epoch"], 0), "the mark's place")
    for number in range(3):
        position = server.publish_item("posts", {"number": number})
    expect_equal(position["epoch"], begun["epoch"], "the epoch of the first items")
    watching.output.wait_for(lambda line: '"number":2' in line, PATIENCE, "the third item")
    inbox = server.get("sarah")
    place = server.get("sarah", "/api/notifications?limit=1")["meta"]
    server.publish([room_liked("sarah"), room_liked("sarah")])
    cursor = server.get("sarah", "/api/notifications?limit=1")["meta"]["next"]
    newest = server.get("sarah")["data"][0]["id"]
    server.kill()
    for name in ("belfry.sqlite", "belfry.sqlite-wal", "belfry.sqlite-shm"):
        Path(server.data, name).rename(Path(world.folder, name))
    expect_equal(world.run("restore", str(file), "--data", server.data).returncode, 0, "belfry restore")
    server.start()
    expect(server.get("sarah")["meta"]["epoch"] != inbox["meta"]["epoch"], "the inbox's epoch")
    server.publish([room_liked("sarah") for _ in range(3)])
    page = server.get("sarah", f"/api/notifications?before={cursor}")
    expect_equal((len(page["data"]), page["meta"]["recovered"]), (4, False), "a cursor from before")
    expect_equal(len(server.get("sarah", f"/api/notifications?after={newest}")["data"]), 3, "what is newer than an old id")
    old = f"&epoch={place['epoch']}"
    expect_equal(server.get("sarah", f"/api/notifications?after={newest}{old}")["meta"]["recovered"], False, "its epoch")
    items = [server.publish_item("posts", {"number": 10 + number}) for number in range(5)]
    for number in range(5):
        watching.output.wait_for(lambda line: f'"number":{10 + number}' in line, PATIENCE, f"item {number} after the restore")
    for after in (position, begun, {"epoch": begun["epoch"], "offset": 0}, {"epoch": "", "offset": 3}):
        live = server.session("sarah")
        live.call("subscribe", feed="posts", after={"epoch": after["epoch"], "offset": after["offset"]})
        live.expect("feed", epoch=items[0]["epoch"], recovered=False)
        expect_equal([live.expect("item")["item"]["number"] for _ in range(5)], list(range(10, 15)), "the items")
        live.close()
    marked = server.rest("sarah", "PUT", "/v1/feeds/posts/viewed", {"offset": 3, "epoch": position["epoch"]})
    expect_equal((marked.status, marked.json()["code"]), (409, "other_epoch"), "a mark from before")
    expect_equal(server.get("sarah", "/v1/feeds/posts/viewed")["data"]["newer"], 5, "what is newer than no mark")
    watching.signal(15)


@case("a store that was used in every way is backed up and restored: read, seen, removed, chosen, followed, erased")
def used(world):
    server = world.serve()
    server.register_device("sarah")
    for _ in range(6):
        server.publish(room_liked("sarah", "tom", "ulf"))
    ids = [row["id"] for row in server.get("sarah")["data"]]
    for user, method, path, body in (
        ("sarah", "PUT", "/api/notifications/read", {"notificationIds": [ids[1], ids[3]]}),
        ("sarah", "PUT", "/api/notifications/seen", None),
        ("sarah", "DELETE", f"/api/notifications/{ids[5]}", None),
        ("tom", "PUT", "/api/notifications/read-all", None),
        ("sarah", "PUT", "/api/notifications/preferences", {"types": {"ROOM_LIKE": {"push": False}}}),
        ("sarah", "PUT", "/api/notifications/mutes/actor:user-9", {}),
        ("sarah", "PUT", "/api/notifications/snooze", {"hours": 1}),
    ):
        answer = server.rest(user, method, path, body)
        expect_equal(answer.status, 200, f"the status of {method} {path}")
    once(server.socket, "PUT", "/v1/topics/room:1/members", {"users": ["sarah", "tom"]})
    server.publish_item("posts", {"id": "p1", "tags": ["a"]})
    server.publish_item("posts", {"id": "p1", "text": "again"})
    once(server.socket, "DELETE", "/v1/users/ulf")
    file, target = world.folder / "used.sqlite", world.folder / "target"
    copied = world.run("backup", str(file), "--data", server.data)
    expect_equal(copied.returncode, 0, f"belfry backup, which says {copied.stderr!r}")
    restored = world.run("restore", str(file), "--data", str(target))
    expect_equal(restored.returncode, 0, f"belfry restore, which says {restored.stderr!r}")
    unread = server.unread("sarah")
    expect_equal(unread, 3, "what is unread of six, two of them read and one removed")
    server.terminate()
    again = world.serve(data="target")
    expect_equal(again.unread("sarah"), unread, "what is unread in the restored store")
    again.terminate()
    expect_equal(world.run("backup", str(world.folder / "twice.sqlite"), "--data", str(target)).returncode, 0, "a backup of it")
