"""A node that leaves: each session has its own moment, and another process goes on."""

import json
import signal
import socket
import threading
import time
from http.client import HTTPException

from harness.events import room_liked
from harness.http import Http, once
from harness.live import Refused
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, expect_told, wait_until

SESSIONS = 50


def leaving_line(server) -> dict:
    return json.loads(expect_told(server, '"leaving"')[0])


@case("fifty sessions each get a slot of their own at once, and are closed with 4200 when it has come", alone=True)
def slots(world):
    server = world.serve(DRAIN_RATE="25")
    sessions = [server.session(f"user-{number}") for number in range(SESSIONS)]
    closed = [0.0] * SESSIONS
    slot = [0] * SESSIONS

    def watch(number: int):
        slot[number] = sessions[number].expect("drain")["reconnectIn"]
        told[number] = time.monotonic() - began
        sessions[number].expect_close(4200)
        closed[number] = time.monotonic() - began

    told = [0.0] * SESSIONS
    watchers = [threading.Thread(target=watch, args=(number,)) for number in range(SESSIONS)]
    for watcher in watchers:
        watcher.start()
    began = time.monotonic()
    server.process.signal(signal.SIGTERM)
    for watcher in watchers:
        watcher.join(PATIENCE)
    expect_equal(server.process.wait(PATIENCE), 0, "the exit code")
    # The first one comes when nobody can meet our own listeners any more.
    expect(500 < min(slot) < 1000, f"the first slot: {min(slot)} ms")
    expect_equal([each - min(slot) for each in sorted(slot)], [40 * number for number in range(SESSIONS)], "the slots")
    expect(slot != sorted(slot), "the slots are in the order of arrival")
    expect(max(told) < 1, f"the last session was told after {max(told):.2f} s")
    for number in range(SESSIONS):
        late = closed[number] - slot[number] / 1000
        expect(-0.05 < late < 0.8, f"a session of slot {slot[number]} ms was closed after {closed[number]:.2f} s")
    expect_subset(leaving_line(server), {"reason": "SIGTERM", "sessions": str(SESSIONS), "rate": "25"}, "the log")
    server.earlier.append(server.process)
    server.process = None


@case("no slot lies beyond the deadline, and a session's words that need the store are refused as temporary",
      alone=True)
def deadline(world):
    server = world.serve(DRAIN_RATE="1", DRAIN_DEADLINE="3s")
    sessions = [server.session(f"user-{number}") for number in range(6)]
    deaf = server.raw()
    deaf.send({"type": "hello", "token": world.token("deaf"), "active": True})
    expect_equal(deaf.read()["type"], "ready", "the answer to hello")
    server.publish(room_liked("user-0", "user-5"))
    for live in (sessions[0], sessions[5]):
        live.expect("new", seq=1)
    began = time.monotonic()
    server.process.signal(signal.SIGTERM)
    told = [live.expect("drain")["reconnectIn"] for live in sessions]
    expect(max(told) < 3000, f"slots: {told}")
    server.process.errors.wait_for(lambda line: "store is closed" in line, PATIENCE, "the closed store")
    last = sessions[told.index(max(told))]
    for frame in ({"type": "read", "upTo": 1}, {"type": "ack", "seq": 1}, {"type": "subscribe", "feed": "posts"}):
        answer = last.call(**frame)
        expect_subset(answer, {"type": "error", "code": "leaving", "temporary": True}, f"the answer to {frame}")
    expect_equal(last.call("state", active=False)["type"], "ok", "what needs no store")
    last.expect_close(4200)
    expect_equal(server.process.wait(PATIENCE), 0, "the exit code")
    expect(time.monotonic() - began < 6.5, "leaving took longer than its deadline")
    server.earlier.append(server.process)
    server.process = None


class Client(threading.Thread):
    """An app that stays in sync: comes back when it is told to, and resumes."""

    def __init__(self, world, server, user: str):
        super().__init__(daemon=True)
        self._world, self._server, self._user = world, server, user
        self._live = server.session(user)
        self.seqs: list[int] = []
        self.comebacks = 0
        self.surprises: list[str] = []
        self.done = threading.Event()

    def run(self):
        epoch = self._live.ready["epoch"]
        while not self.done.is_set():
            try:
                frame = self._live.next(0.5)
            except Exception as ended:
                if "did not come" in str(ended):
                    continue
                if "closed with 4200" not in str(ended):
                    self.surprises.append(str(ended))
                self._come_back(epoch)
                continue
            if "seq" in frame:
                self.seqs.append(frame["seq"])

    def _come_back(self, epoch: str):
        self.comebacks += 1
        while True:
            try:
                self._live = self._server.open(timeout=PATIENCE)
                ready = self._live.hello(self._world.token(self._user),
                                         resume={"epoch": epoch, "seq": self.seqs[-1] if self.seqs else 0})
                if not ready["recovered"]:
                    self.surprises.append("not recovered")
                return
            except Refused as refused:
                # The last of those whom the leaving process took in.
                if refused.problem["code"] != "leaving":
                    self.surprises.append(str(refused.problem))
                time.sleep(0.2)
            except Exception as failure:
                self.surprises.append(f"could not come back: {failure}")
                return


class Knocker(threading.Thread):
    """Connects again and again, as fast as it can; counts who is refused or cut off."""

    def __init__(self, address: str):
        super().__init__(daemon=True)
        host, port = address.rsplit(":", 1)
        self._address = (host, int(port))
        self.done = threading.Event()
        self.count = 0
        self.failures: list[str] = []

    def run(self):
        while not self.done.is_set():
            try:
                with socket.create_connection(self._address, timeout=30) as connection:
                    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    answer = b""
                    while piece := connection.recv(4096):
                        answer += piece
                if not answer.startswith(b"HTTP/1.1 200"):
                    self.failures.append(repr(answer[:40]))
            except OSError as failure:
                self.failures.append(repr(failure))
            self.count += 1
            time.sleep(0.002)


class Publisher(threading.Thread):
    """Publishes keyed events; tries each again, as its backend would, until it is stored."""

    def __init__(self, socket: str, users: list[str]):
        super().__init__(daemon=True)
        self._socket, self._users = socket, users
        self.done = threading.Event()
        self.stored = 0
        self.surprises: list = []
        self.longest = 0.0

    def run(self):
        connection = Http(self._socket)
        while not self.done.is_set():
            event = room_liked(*self._users, key=f"event-{self.stored}")
            began = time.monotonic()
            while True:
                try:
                    answer = connection.request("POST", "/v1/events", event)
                    if answer.status == 202:
                        break
                    if (answer.status, answer.json()["code"]) != (503, "leaving"):
                        self.surprises.append((answer.status, answer.body))
                except (OSError, HTTPException):
                    connection.close()
                time.sleep(0.01)
            self.longest = max(self.longest, time.monotonic() - began)
            self.stored += 1
            time.sleep(0.005)
        connection.close()


@case("a second process takes over: no connection is refused, no event lost, and every session resumes without a hole",
      pollers=True, alone=True)
def takeover(world):
    server = world.serve(DRAIN_RATE="20")
    users = [f"user-{number}" for number in range(20)]
    clients = [Client(world, server, user) for user in users]
    for client in clients:
        client.start()
    publisher, knockers = Publisher(server.socket, users), [Knocker(server.listen) for _ in range(3)]
    publisher.start()
    wait_until(lambda: publisher.stored > 20, PATIENCE, "some events")

    other = server.follow()
    other.process.errors.wait_for(lambda line: "waiting for the other process" in line, PATIENCE, "waiting")
    for knocker in knockers:
        knocker.start()
    server.process.signal(signal.SIGTERM)
    other.await_serving()
    expect_equal(server.process.exit_code, None, "the first process's exit code while its sessions go")
    expect_equal(server.process.wait(PATIENCE), 0, "the first process's exit code")
    server.earlier.append(server.process)
    server.process = None
    wait_until(lambda: all(client.comebacks == 1 for client in clients), PATIENCE, "everybody is back")
    before = publisher.stored
    wait_until(lambda: publisher.stored > before + 20, PATIENCE, "more events")
    for thread in (publisher, *knockers):
        thread.done.set()
        thread.join(35)
    last = other.get("user-0")["meta"]["seq"]
    wait_until(lambda: all(client.seqs[-1] == last for client in clients), PATIENCE, "everybody is in sync")
    for client in clients:
        client.done.set()
        client.join(PATIENCE)
    expect_equal([knocker.failures[:3] for knocker in knockers], [[], [], []], "connections that failed")
    expect(sum(knocker.count for knocker in knockers) > 100, "hardly anybody knocked")
    expect_equal(publisher.surprises[:2], [], "unexpected answers to the publisher")
    expect(publisher.longest < 3, f"a publish took {publisher.longest:.1f} s")
    expect_equal(last, publisher.stored, "the last seq")
    for client in clients:
        expect_equal(client.surprises, [], "what went wrong for a client")
        expect_equal(client.seqs, list(range(1, last + 1)), "a client's seqs")
    wait_until(lambda: once(other.ops, "GET", "/readyz").status == 200, PATIENCE, "operators are answered again")
    expect_equal(other.drift(), 0, "the drift")
    other.check_health()


@case("without --takeover a folder in use is an error at once that names the flag, and who waits can be stopped")
def no_takeover(world):
    server = world.serve()
    refused = world.run("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0",
                        "--socket", str(world.folder / "second.sock"), BELFRY_AUTH_SECRET="x" * 40)
    expect_equal(refused.returncode, 1, "the exit code")
    expect("--takeover" in refused.stderr, f"no advice in {refused.stderr}")
    waiting = server.follow()
    waiting.process.errors.wait_for(lambda line: "waiting for the other process" in line, PATIENCE, "waiting")
    waiting.process.signal(signal.SIGTERM)
    expect_equal(waiting.process.wait(PATIENCE), 0, "the exit code of one that waits")
    waiting.earlier.append(waiting.process)
    waiting.process = None
    time.sleep(0.2)
    server.check_health()


@case("for a while after a restart nobody counts as away, so a push waits its grace; in a new store it goes at once")
def settling(world):
    sink = world.sink()
    # A push that waited would come long after the patience is over.
    server = world.serve(**sink.settings, PUSH_GRACE="5m")
    server.register_device("sarah")
    server.publish(room_liked("sarah"))
    sink.wait_for_shown(1)
    server.terminate()
    server.settings["BELFRY_PUSH_GRACE"] = "1500ms"
    server.start()
    began = time.monotonic()
    event = server.publish(room_liked("sarah"))["event"]
    trail = once(server.socket, "GET", f"/v1/trail/{event}").json()
    expect_equal(trail["recipients"][0]["live"], False, "whether the trail takes her for connected")
    sink.wait_for_shown(2)
    expect(time.monotonic() - began > 1.3, "the push did not wait")
    back = server.session("sarah")
    server.publish(room_liked("sarah"))
    back.expect("new")
    back.call("ack", seq=back.ready["seq"] + 1)
    time.sleep(2)
    expect_equal(len(sink.shown), 2, "pushes, after one was acknowledged")
