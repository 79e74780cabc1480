"""A database's file that is damaged."""

import sqlite3
import time
from pathlib import Path

from harness.events import comment_added, room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_told


def damage(data: str, table: str):
    """Overwrites the first page of a table, of a store whose server has stopped."""
    path = Path(data) / "belfry.sqlite"
    database = sqlite3.connect(path)
    page = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    size = database.execute("PRAGMA page_size").fetchone()[0]
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xee" * size)


def flip(data: str, text: str):
    """Turns each place where a stopped server's database has the text into what is no UTF-8."""
    path = Path(data) / "belfry.sqlite"
    content = path.read_bytes()
    expect(text.encode() in content, f"the file does not hold {text}")
    damaged = bytearray(text.encode())
    damaged[len(damaged) // 2] ^= 0x80
    path.write_bytes(content.replace(text.encode(), bytes(damaged)))


@case("bits flipped in rows harm these rows alone: lists, frames and feeds go on without them, and operators are told")
def damaged_rows(world):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="3s")
    for place, user in enumerate(("sarah", "tom")):
        server.register_device(user, push_token=f"a1b2c{place}")
    epoch = server.get("sarah")["meta"]["epoch"]
    for user in ("sarah", "tom"):
        for word in ("first", "second", "third"):
            server.publish(comment_added(user, text=f"{word}-of-{user}"))
    server.publish_item("posts", {"id": "1", "text": "item-of-pete"})
    server.publish_item("posts", {"id": "2", "text": "item-of-ulf"})
    expect_equal(server.terminate(), 0, "the exit code")
    for text in ("second-of-sarah", "item-of-pete", "a1b2c0"):
        flip(server.data, text)
    # As if the bits had been flipped in memory, before the pages were written.
    world.rewrite_checksums(server.data)
    world.damaged.add(server.data)
    server.start()

    def texts(user: str) -> list[str]:
        answer = server.rest(user, "GET", "/api/notifications")
        expect_equal(answer.status, 200, f"the status of {user}'s list")
        content = answer.body.decode()
        return [word for word in ("third", "second", "first") if f"{word}-of-{user}" in content]

    for _ in range(2):
        expect_equal(texts("sarah"), ["third", "first"], "whose rows are damaged")
        expect_equal(texts("tom"), ["third", "second", "first"], "whose rows are not")
    live = server.open()
    ready = live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": 0})
    expect_equal((ready["recovered"], ready["unread"]), (False, 3), "what ready says")
    expect_equal(len(live.expect("reset")["notifications"]), 2, "the notifications of a reset")
    live.call("subscribe", feed="posts")
    live.expect("feed", feed="posts")
    page = server.get("tom", "/v1/feeds/posts/items")
    expect("item-of-ulf" in str(page) and "item-of-pete" not in str(page), f"the feed's page: {page}")
    for path in ("/v1/users/sarah/devices", "/v1/users/tom/devices", "/v1/users/sarah/trail", "/v1/users/tom/trail"):
        answer = once(server.socket, "GET", path)
        expect_equal(answer.status, 200, f"the status of {path}")
        answer.json()
    # What is written goes on, to the same people and in one event.
    server.publish(comment_added("sarah", "tom", text="fourth"))
    expect_equal(live.expect("new")["unread"], 4, "what a session is told")
    pushed = sink.wait_for_shown(1)
    expect(any("tom" in str(push) or "a1b2c1" in str(push) for push in pushed), f"what was pushed: {pushed}")
    answer = once(server.ops, "GET", "/readyz")
    expect(answer.status == 200 and answer.body.startswith(b"ready, but degraded: damaged rows"), f"/readyz: {answer}")
    rows = server.metrics()["belfry_store_damaged_rows"]
    told = expect_told(server, "a row of the store is damaged", count=int(rows))
    expect(rows >= 3 and len(told) == rows, f"{rows} rows are counted, and told are {told}")
    expect(all("docs/operations.md" in line and "table" in line for line in told), f"what the log tells: {told}")
    expect(not any("-of-" in line for line in server.log), "the log tells texts")
    expect_equal(server.rest("sarah", "PUT", "/api/notifications/read-all").status, 200, "the status of read-all")
    expect_equal(server.unread("sarah"), 0, "how many are unread then")


@case("an event whose row in the trail is damaged cannot be taken back, which the log says by its row; all others can")
def damaged_decisions(world):
    server = world.serve()
    hurt = server.publish(comment_added("sarah", text="hurt", key="hurt"))["event"]
    server.publish(comment_added("sarah", text="sound", key="sound"))
    expect_equal(server.terminate(), 0, "the exit code")
    database = sqlite3.connect(Path(server.data) / "belfry.sqlite")
    database.execute("UPDATE trail_event SET verdicts = x'FF' WHERE key = 'hurt'")
    database.commit()
    database.close()
    world.rewrite_checksums(server.data)
    world.damaged.add(server.data)
    server.start()
    for _ in range(2):
        answer = once(server.socket, "DELETE", "/v1/events/hurt")
        expect_equal((answer.status, answer.json()["removed"]), (200, 0), "the damaged event")
    answer = once(server.socket, "PATCH", "/v1/notifications?type=USER_FOLLOWED&user=sarah&key=hurt", {"isFollowingBack": True})
    expect_equal((answer.status, answer.json()), (200, {"updated": 0}), "a change of it")
    expect_equal(once(server.socket, "GET", f"/v1/trail/{hurt}").status, 404, "the status of its trail")
    expect_equal(once(server.socket, "DELETE", "/v1/events/sound").json()["removed"], 1, "the sound one")
    expect_equal(len(server.get("sarah")["data"]), 1, "the notifications that are left")
    told = expect_told(server, "a row of the store is damaged")
    expect(len(told) == 1 and "trail_event" in told[0] and hurt in told[0], f"what the log tells: {told}")
    expect_equal(server.metrics()["belfry_store_damaged_rows"], 1, "the metric")
    expect(once(server.ops, "GET", "/readyz").body.startswith(b"ready, but degraded: damaged rows"), "/readyz")
    expect_equal(server.publish(comment_added("sarah", text="anew", key="hurt")).get("replayed"), None, "the key")


@case("a store that is too damaged to be opened is told in one line that says what to do, with the exit code 1")
def unopenable(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    server.terminate()
    path = Path(server.data) / "belfry.sqlite"
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with path.open("r+b") as file:
        file.write(bytes(4096))
    whole = path.read_bytes()
    world.damaged.add(server.data)
    refused = world.run("serve", "--data", str(server.data), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--dev")
    expect_equal(refused.returncode, 1, "the exit code")
    told = [line for line in refused.stderr.splitlines() if " warning belfry: " not in line]
    expect(len(told) == 1 and all(word in told[0] for word in ("belfry.sqlite is damaged", "belfry restore", "docs/operations.md")),
           f"what is told: {refused.stderr}")
    expect_equal(path.read_bytes(), whole, "the file")


@case("a damaged store is told once and clearly: not ready, nothing is taken in, what can be read is")
def damaged(world):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="3s")
    server.register_device("tom")
    server.publish(room_liked("sarah", "tom"))
    expect_equal(once(server.ops, "GET", "/readyz").status, 200, "the status of /readyz")
    server.terminate()
    damage(server.data, "change")
    world.damaged.add(server.data)
    server.start()
    row = server.get("sarah")["data"][0]["id"]
    answer = server.rest("sarah", "PUT", "/api/notifications/read", {"notificationIds": [row]})
    expect_equal((answer.status, answer.json()["code"]), (503, "store_damaged"), "the answer to the first write")
    answer = server.post("/v1/events", room_liked("ulf"))
    expect_equal((answer.status, answer.json()["code"]), (503, "store_damaged"), "the answer to a publish")
    expect("retry-after" in answer.headers, "a publish is not told when to come again")
    answer = once(server.ops, "GET", "/readyz")
    expect_equal((answer.status, answer.body), (503, b"the store is damaged\n"), "the answer of /readyz")
    expect_equal(once(server.ops, "GET", "/healthz").status, 200, "the status of /healthz")
    expect_equal(server.unread("sarah"), 1, "what can be read")
    # Tom's push was never acknowledged, and lanes ask for jobs again a second after a failure.
    time.sleep(4.5)
    told = expect_told(server, "the store is damaged")
    expect_equal(len(told), 1, "how often the log tells of it")
    expect("docs/operations.md" in told[0] and "belfry.sqlite" in told[0], f"the log does not say what to do: {told[0]}")
    failures = [line for line in server.log if "store_damaged" in line or "damaged" in line.lower()]
    expect(len(failures) == 1, f"the log goes on telling: {failures}")
    expect_equal(server.terminate(), 0, "the exit code")
