"""Backups of a store that is in use, and the way back."""

import threading
import time
from pathlib import Path

from harness.events import room_liked
from harness.suite import case, expect, expect_equal


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
