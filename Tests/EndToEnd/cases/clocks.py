"""Clocks that are set, and processes that sleep."""

import signal
import time

from harness.events import room_liked
from harness.moved_clock import MovedClock
from harness.suite import case, expect, expect_equal, wait_until

#: Less than tokens last.
HALF_HOUR = 1_800


def told(server, text: str):
    wait_until(lambda: any(text in line for line in server.log), 10, text)


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
    told(server, "the machine's clock was set")
    # Neither at once nor half an hour late: sarah acknowledges in time, tom never does.
    time.sleep(2)
    expect_equal(sink.pushes, [], "the pushes within the grace")
    expect_equal(live["sarah"].call("ack", seq=seq)["type"], "ok", "the answer to ack")
    sink.wait_for_shown(1, within=12)
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
    told(server, "the machine's clock was set")
    sink.wait_for_shown(1, within=15)


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
    expect(any("did not run for a while" in line for line in server.log), "the log does not tell of the sleep")
    server.check_health()
