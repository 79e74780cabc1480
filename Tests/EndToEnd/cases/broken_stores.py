"""Stores that cannot be opened as they were left, and disks that cannot be written."""

import signal
import sqlite3
import time
from pathlib import Path

from harness.events import room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal, wait_until


def killed(world):
    """A server that was killed with something in its log."""
    server = world.serve()
    for _ in range(5):
        server.publish(room_liked("sarah"))
    server.kill()
    return server, Path(server.data) / "belfry.sqlite"


@case("a database that is missing or empty beside its log is not taken for a new one: the start says what to do")
def lost_database(world):
    server, path = killed(world)
    whole = path.read_bytes()
    for change in (path.unlink, lambda: path.write_bytes(b"")):
        change()
        refused = world.run("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--dev")
        expect_equal(refused.returncode, 1, "the exit code")
        expect(all(words in refused.stderr for words in ("missing or empty", "belfry restore", "docs/operations.md")),
               f"what is told: {refused.stderr}")
    path.write_bytes(whole)
    server.start()
    expect_equal(server.unread("sarah"), 5, "what is there once the file is back")


@case("a damaged frame in the log is told at the start, with what was left out and from when")
def damaged_log(world):
    server, path = killed(world)
    log = path.with_name(path.name + "-wal")
    with log.open("r+b") as file:
        file.seek(32 + 24 + 100)
        file.write(b"\xee\xee")
    server.start()
    told = [line for line in server.log if "the last commits are lost" in line]
    expect_equal(len(told), 1, "how often the log tells of it")
    expect('"commits"' in told[0] and '"since"' in told[0] and '"critical"' in told[0], f"it says {told[0]}")
    server.check_health()


@case("a store that cannot be written is not ready, in words to act on, and is ready again by itself")
def not_writable(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    other = sqlite3.connect(Path(server.data) / "belfry.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        expect(server.post("/v1/events", room_liked("sarah")).status >= 500, "a publish was taken in")
        answer = once(server.ops, "GET", "/readyz")
        expect_equal(answer.status, 503, "the status of /readyz")
        expect(b"another program holds the database" in answer.body, f"it says {answer.body!r}")
        expect_equal(once(server.ops, "GET", "/healthz").status, 200, "the status of /healthz")
        expect_equal(server.unread("sarah"), 1, "what can be read")
    finally:
        other.execute("ROLLBACK")
        other.close()
    # Nobody publishes: the question itself finds out.
    wait_until(lambda: once(server.ops, "GET", "/readyz").status == 200, 15, "readiness")
    server.publish(room_liked("sarah"))


@case("a server whose log nobody reads any more goes on, and counts the lines that it drops")
def log_without_reader(world):
    for format in ("json", "text"):
        server = world.serve(data=f"data-{format}", LOG_FORMAT=format, launcher=[
            "bash", "-c", 'exec "$@" 2> >(sed -u /serving/q >&2) > >(true)', "bash"])
        for _ in range(3):
            server.process.signal(signal.SIGHUP)
            time.sleep(0.2)
        server.check_health()
        expect(server.metrics()["belfry_log_lines_dropped_total"] > 0, "no dropped line was counted")
        expect_equal(server.terminate(), 0, "the exit code")


@case("a socket's path that is too long is refused with the limit and the setting, by every command")
def long_socket(world):
    folder = str(world.folder / ("x" * 120))
    commands = (
        ("serve", "--data", folder, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--dev"),
        ("serve", "--socket", folder, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--dev"),
        ("publish", "--socket", folder), ("reload", "--socket", folder), ("push", "status", "--socket", folder),
        ("push", "devices", "--user", "sarah", "--socket", folder), ("explain", "event", "--socket", folder),
    )
    for command in commands:
        refused = world.run(*command)
        told = refused.stderr
        expect_equal(refused.returncode, 1, f"the exit code of {command[0]}")
        expect("at most 107 bytes" in told and "BELFRY_SOCKET" in told, f"{command[0]} says {told!r}")
    file = world.folder / "belfry.yaml"
    file.write_text(f"data: {folder}\n")
    checked = world.run("check", str(file))
    expect_equal(checked.returncode, 1, "the exit code of check")
    expect("at most 107 bytes" in checked.stdout and "belfry.yaml" in checked.stdout, f"check says {checked.stdout!r}")
