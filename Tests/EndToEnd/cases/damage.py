"""A database's file that is damaged."""

import sqlite3
import time
from pathlib import Path

from harness.events import room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal


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
    told = [line for line in server.log if "the store is damaged" in line]
    expect_equal(len(told), 1, "how often the log tells of it")
    expect("docs/operations.md" in told[0] and "belfry.sqlite" in told[0], f"the log does not say what to do: {told[0]}")
    failures = [line for line in server.log if "store_damaged" in line or "damaged" in line.lower()]
    expect(len(failures) == 1, f"the log goes on telling: {failures}")
    expect_equal(server.terminate(), 0, "the exit code")
