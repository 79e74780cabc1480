"""Stores that cannot be opened as they were left, and disks that cannot be written."""

import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from cases.storage.random_damage import PAGE, valid_frames
from harness.events import room_liked
from harness.broken_machines.failing_disk import FailingDisk
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_told, wait_until

#: Runs a command for which a folder can only be read; needs no rights.
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


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
    told = expect_told(server, "the last commits are lost")
    expect_equal(len(told), 1, "how often the log tells of it")
    expect('"commits"' in told[0] and '"since"' in told[0] and '"critical"' in told[0], f"it says {told[0]}")
    server.check_health()


@case("a log whose last commit is not whole is told as what a power failure leaves, and not as damage")
def last_commit(world):
    server, path = killed(world)
    log = path.with_name(path.name + "-wal")
    with log.open("r+b") as file:
        file.seek(32 + (24 + PAGE) * (valid_frames(log.read_bytes()) - 1) + 24 + 100)
        file.write(b"\xee\xee")
    server.start()
    told = expect_told(server, "a commit that is not whole")
    expect('"commits":"1"' in told[0] and '"since"' in told[0] and '"warning"' in told[0], f"it says {told[0]}")
    expect_equal(server.unread("sarah"), 4, "what is left")


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
    wait_until(lambda: once(server.ops, "GET", "/readyz").status == 200, PATIENCE, "readiness")
    server.publish(room_liked("sarah"))


@case("on a file system that becomes read-only stored data is served, /readyz and the log say what to look at, no acknowledged "
      "push leaves, and nothing is lost")
def fails_while_serving(world):
    disk = FailingDisk(world)
    if not disk.is_possible:
        return
    sink = world.sink()
    server = world.serve(launcher=disk.launcher, BELFRY_SOCKET=str(world.folder / "belfry.sock"), PUSH_GRACE="3s",
                         **sink.settings)
    server.register_device("sarah")
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    seq = live.expect("new")["seq"]
    disk.fail()
    refused = server.post("/v1/events", room_liked("sarah"))
    expect_equal((refused.status, refused.json()["code"]), (500, "store_failed"), "the answer to a publish")
    expect("retry-after" in refused.headers, "nobody is told when to come again")
    expect_equal(live.call("ack", seq=seq)["code"], "store_failed", "the answer to an acknowledgement")
    ready = once(server.ops, "GET", "/readyz")
    expect_equal(ready.status, 503, "the status of /readyz")
    expect(b"file system became read-only" in ready.body, f"it says {ready.body!r}")
    expect_equal(once(server.ops, "GET", "/healthz").status, 200, "the status of /healthz")
    expect_equal(server.unread("sarah"), 1, "what can be read")
    newcomer = server.open()
    newcomer.send({"type": "hello", "token": world.token("newcomer"), "active": True})
    newcomer.expect_close(4103)
    # Twice the grace, and what the lane tries again each second.
    time.sleep(7)
    expect_equal(sink.pushes, [], "the pushes of what is acknowledged")
    told = expect_told(server, '"level":"error"')
    expect_equal(len(told), 1, "the errors that the log tells")
    expect("file system became read-only" in told[0] and "findmnt" in told[0], f"it says {told[0]}")
    expect_equal(server.terminate(), 0, "the exit code")


@case("a start on a disk that can only be read is refused in words to act on, and so is a backup of what lies there")
def read_only_start(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    expect_equal(server.terminate(), 0, "the exit code")
    launcher = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", READ_ONLY, server.data]
    if subprocess.run([*launcher, "true"], capture_output=True).returncode:
        print("no read-only disk: unshare is not allowed here")
        return
    commands = (
        ("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0"),
        ("serve", "--data", f"{server.data}/new", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0"),
        ("restore", "--data", server.data, str(world.folder / "backup.sqlite")),
        ("backup", "--data", server.data, str(world.folder / "backup.sqlite")),
    )
    for command in commands:
        refused = subprocess.run([*launcher, world.belfry, *command], capture_output=True, text=True, timeout=60,
                                 env={**os.environ, "BELFRY_AUTH_SECRET": "x" * 40}, cwd=world.folder)
        expect_equal(refused.returncode, 1, f"the exit code of {command[0]}")
        expect("mounted read-only" in refused.stderr and "findmnt" in refused.stderr,
               f"{command[0]} says {refused.stderr!r}")
    server.start()
    expect_equal(server.unread("sarah"), 1, "what is there once the disk can be written")


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
