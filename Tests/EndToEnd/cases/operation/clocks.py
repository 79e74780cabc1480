"""Clocks that are set, and processes that sleep."""

import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from harness.events import moment, room_liked
from harness.http import once
from harness.broken_machines.moved_clock import MovedClock
from harness.suite import Failed, case, expect, expect_equal, expect_told

#: Less than tokens last.
HALF_HOUR = 1_800
DAY = 86_400


def set_while_pushes_wait(world, seconds: int):
    clock = MovedClock(world.folder)
    if not clock.is_possible:
        return
    sink = world.sink()
    server = world.serve(**sink.settings, launcher=clock.launcher, PUSH_GRACE="6s")
    for user in ("sarah", "tom"):
        server.register_device(user, f"phone-{user}", "a1" if user == "sarah" else "b2")
    live = {user: server.session(user) for user in ("sarah", "tom")}
    server.publish(room_liked("sarah"))
    server.publish(room_liked("tom"))
    seq = live["sarah"].expect("new")["seq"]
    live["tom"].expect("new")
    clock.set(seconds)
    expect_told(server, "the machine's clock was set")
    # Neither at once nor half an hour late: sarah acknowledges in time, tom never does.
    time.sleep(2)
    expect_equal(sink.pushes, [], "the pushes within the grace")
    expect_equal(live["sarah"].call("ack", seq=seq)["type"], "ok", "the answer to ack")
    sink.wait_for_shown(1)
    time.sleep(1)
    expect_equal([push["device"] for push in sink.shown], ["b2"], "who was pushed to")
    server.check_health()


@case("a clock that is set half an hour ahead ends no grace: who acknowledges in time gets no push, who does not gets one")
def set_ahead(world):
    set_while_pushes_wait(world, HALF_HOUR)


@case("a clock that is set half an hour back delays no push")
def set_back(world):
    set_while_pushes_wait(world, -HALF_HOUR)


@case("a clock that is set while no server runs neither delays nor hurries what waits")
def set_between_two(world):
    clock = MovedClock(world.folder)
    if not clock.is_possible:
        return
    sink = world.sink()
    server = world.serve(**sink.settings, launcher=clock.launcher, PUSH_GRACE="6s")
    server.register_device("sarah")
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    live.expect("new")
    server.kill()
    clock.set(-HALF_HOUR)
    server.start()
    if not world.databases:
        # A database's clock was not set.
        expect_told(server, "the machine's clock was set")
    sink.wait_for_shown(1)


@case("a process that was stopped asks its clients before it gives them up, and pushes to nobody who is there")
def stopped(world):
    users = [f"user-{number}" for number in range(30)]
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="4s", LIVE_HEARTBEAT="3s", LIVE_PONG_TIMEOUT="2s")
    live = {}
    for number, user in enumerate(users):
        server.register_device(user, f"phone-{user}", f"a{number:02}")
        live[user] = server.session(user)
    for user in users:
        server.publish(room_liked(user))
    seqs = {user: live[user].expect("new")["seq"] for user in users}
    server.process.signal(signal.SIGSTOP)
    try:
        for user in users:
            live[user].send({"type": "ack", "seq": seqs[user]})
        # Longer than the grace, and than a peer may be silent.
        time.sleep(9)
    finally:
        server.process.signal(signal.SIGCONT)
    time.sleep(8)
    for user in users:
        expect_equal(live[user].call("ack", seq=0)["type"], "ok", f"{user}'s answer")
    expect_equal(sink.pushes, [], "the pushes to people who are there")
    expect_told(server, "did not run for a while")
    server.check_health()


def first_answer(socket: str, event: dict):
    """The answer to an event that is sent as early as anybody listens."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            return once(socket, "POST", "/v1/events", event)
        except (ConnectionRefusedError, FileNotFoundError):
            time.sleep(0.001)
    raise Failed("nobody listens")


def expect_now(text: str, what: str):
    created = datetime.fromisoformat(text)
    late = datetime.now(created.tzinfo) - created
    expect(abs(late) < timedelta(minutes=1), f"{what} is {late} ago")


@case("a clock that was set while no server ran is followed before the first request: valid times are taken in, and what is "
      "dated has today's date")
def first_request(world):
    clock = MovedClock(world.folder)
    if not clock.is_possible:
        return
    clock.set(-40 * DAY)
    server = world.serve(launcher=clock.launcher, BELFRY_SOCKET=str(world.folder / "belfry.sock"))
    server.publish(room_liked("tom"))
    server.kill()
    clock.set(0)
    times = {"occurredAt": moment(0), "notBefore": moment(60), "expiresAt": moment(3_600)}
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(first_answer, server.socket, room_liked("sarah", **times))
        server.start()
        expect_equal(answer.result().status, 202, "the status of the first publish")
    server.publish(room_liked("sarah"))
    if not world.databases:
        # A database's clock was not set.
        expect_told(server, "the machine's clock was set")
    for row in server.get("sarah")["data"]:
        expect_now(row["createdAt"], "a notification")
    server.check_health()


@case("a process that was stopped dates what is published at once by the time of its end")
def dated_after_stop(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    server.process.signal(signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(16) as pool:
            answers = [pool.submit(server.post, "/v1/events", room_liked(f"user-{number}")) for number in range(16)]
            time.sleep(8)
            began = datetime.fromisoformat(moment(-1))
            server.process.signal(signal.SIGCONT)
            expect_equal({answer.result().status for answer in answers}, {202}, "the statuses")
    finally:
        server.process.signal(signal.SIGCONT)
    for number in range(16):
        created = datetime.fromisoformat(server.get(f"user-{number}")["data"][0]["createdAt"])
        expect(created >= began, f"user-{number}'s is dated {began - created} before the stop's end")


@case("a damaged reading of the clock in the store keeps no server from starting, and moves nothing")
def damaged_reading(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    for offset in (2**63 - 1, -(2**63), 2**60):
        server.kill()
        database = sqlite3.connect(Path(server.data) / "belfry.sqlite", isolation_level=None)
        expect_equal(database.execute("UPDATE clock SET offset = ?", (offset,)).rowcount, 1, "the readings")
        database.close()
        world.rewrite_checksums(server.data)
        server.start()
        server.publish(room_liked("sarah"))
        expect_now(server.get("sarah")["data"][0]["createdAt"], "the newest notification")
        expect(not any("clock was set" in line for line in server.log), "the log tells of a clock that was set")
    server.check_health()
