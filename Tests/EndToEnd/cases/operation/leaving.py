"""The end of a process in good order."""

import json
import signal
import socket
import time

from harness.events import room_liked
from harness.http import Http, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, expect_told


@case("SIGTERM: sessions are told to come back and close, the exit code is 0, and after the restart all is there again",
      pollers=True)
def leaves(world):
    server = world.serve()
    sessions = [server.session(user) for user in ("sarah", "sarah", "tom")]
    silent = server.open()
    server.publish([room_liked("sarah") for _ in range(300)])
    began = time.monotonic()
    expect_equal(server.terminate(), 0, "the exit code")
    expect(time.monotonic() - began < 28, "leaving waited for its deadline of 30 s")
    for live in sessions:
        frame = live.expect_close(4200)[-1]
        expect_equal(frame["type"], "drain", "the last frame")
        expect(0 <= frame["reconnectIn"] <= 2000, f"the slot: {frame}")
    silent.expect_close(4200)
    expect_told(server, '"stopped"')

    server.start()
    known = sessions[0].ready
    again = server.open()
    ready = again.hello(world.token("sarah"), resume={"epoch": known["epoch"], "seq": known["seq"]})
    expect_subset(ready, {"recovered": True, "unread": 300, "seq": known["seq"] + 300}, "ready after the restart")
    expect_equal([frame["seq"] for frame in again.take(300)], list(range(known["seq"] + 1, known["seq"] + 301)),
                 "the changes")
    server.check_health()


@case("a publish that was sent before SIGTERM is answered, whenever the signal comes, and 202 means that it is stored",
      pollers=True)
def under_way(world):
    server = world.serve()
    stored, outcomes = 0, []
    for number, delay in enumerate((0, 0.005, 0.02, 0.05, 0.1)):
        events = [room_liked("sarah", *[f"user-{index}" for index in range(10)], key=f"{number}-{index}")
                  for index in range(200)]
        body = json.dumps(events).encode()
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(server.socket)
        connection.sendall(b"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        time.sleep(delay)  # so that the signal meets reading, storing and answering
        code = server.terminate()
        try:
            answer = connection.recv(1 << 16)
        except ConnectionResetError:
            answer = b""
        connection.close()
        server.start()
        unread = server.unread("sarah")
        outcome = (answer[9:12].decode() or "no answer", unread - stored, code)
        stored = unread
        outcomes.append(outcome)
    wrong = [outcome for outcome in outcomes if outcome not in (("202", 200, 0), ("503", 0, 0))]
    expect(not wrong, f"(status, stored, exit code) of five tries: {outcomes}")


@case("SIGTERM right after the start is answered by exit code 0 as well")
def at_once(world):
    server = world.serve()
    codes = []
    for _ in range(6):
        codes.append(server.terminate())
        server.start()
    expect_equal(codes, [0] * 6, "the exit codes")


@case("while a node leaves, readiness fails and new work is refused with 503, on connections that are open already")
def not_ready(world):
    server = world.serve()
    stubborn = server.raw()  # does not answer the close, so that leaving takes a moment
    stubborn.send({"type": "hello", "token": world.token("sarah"), "active": True})
    expect_equal(stubborn.read()["type"], "ready", "the answer to hello")
    ops, local, public = Http(server.ops), Http(server.socket), Http(server.listen)
    expect_equal(ops.request("GET", "/readyz").status, 200, "readiness before")
    for connection in (local, public):
        expect_equal(connection.request("GET", "/healthz").status, 200, "health before")
    server.process.signal(signal.SIGTERM)
    expect_equal(stubborn.read()["type"], "drain", "the stubborn client's next frame")
    expect_equal(ops.request("GET", "/readyz").status, 503, "readiness while leaving")
    expect_equal(ops.request("GET", "/healthz").status, 200, "health while leaving")
    for answer in (local.request("POST", "/v1/events", room_liked("sarah")),
                   public.request("GET", "/api/notifications", token=world.token("sarah"))):
        expect_equal((answer.status, answer.json()["code"]), (503, "leaving"), "new work while leaving")
        expect(int(answer.headers["retry-after"]) >= 1, "Retry-After")
    expect_equal(server.process.wait(PATIENCE), 0, "the exit code")
    server.earlier.append(server.process)
    server.process = None
    server.start()
    expect_equal(once(server.ops, "GET", "/readyz").status, 200, "readiness after the restart")


@case("SIGINT ends it in the same good order")
def interrupted(world):
    server = world.serve()
    live = server.session("sarah")
    server.process.signal(signal.SIGINT)
    live.expect_close(4200)
    expect_equal(server.process.wait(PATIENCE), 0, "the exit code")
    server.earlier.append(server.process)
    server.process = None
