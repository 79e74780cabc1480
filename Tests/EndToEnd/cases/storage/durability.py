"""What survives the process."""

import os
import subprocess
import threading
import time
from http.client import HTTPException
from pathlib import Path

from harness.events import elements_added, room_liked
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until
from harness.world import clean_environment

USERS = ("sarah", "tom", "ulf")
KILLS = 10
#: So many events at least are answered between two kills.
EVENTS_A_ROUND = 50


class Publisher(threading.Thread):
    """Publishes keyed events, one after the other, and repeats each with its key until it is answered."""

    def __init__(self, name: str, socket: str):
        super().__init__(daemon=True)
        self._name = name
        self._socket = socket
        self._stopping = threading.Event()
        #: What the rooms of the answered events are called.
        self.answered: list[str] = []
        #: How often a connection was lost between request and answer.
        self.cut_off = 0
        #: How often a repeated event turned out to have been stored.
        self.replayed = 0
        self.surprises: list = []

    def run(self):
        while not self._stopping.is_set():
            name = f"{self._name}-{len(self.answered)}"
            self._publish(room_liked(*USERS, room={"id": name, "name": name}, key=name))
            self.answered.append(name)

    def _publish(self, event: dict):
        while True:
            try:
                answer = once(self._socket, "POST", "/v1/events", event)
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.01)
            except (OSError, HTTPException):
                self.cut_off += 1
            else:
                if answer.status == 202:
                    self.replayed += bool(answer.json().get("replayed"))
                    return
                self.surprises.append((answer.status, answer.body))
                time.sleep(0.01)

    def stop(self):
        self._stopping.set()
        self.join(30)


@case("kill -9 during a publish stream, ten times: every event is there once, counts are right, no push is lost")
def killed_ten_times(world):
    kill_ten_times(world)


@case("the same where commits keep a distance")
def killed_between_commits(world):
    kill_ten_times(world, STORE_COMMIT_INTERVAL="5ms")


@case("what is published soon after a commit shares the next one, where commits keep a distance", alone=True)
def shared_commit(world):
    server = world.serve(STORE_COMMIT_INTERVAL="1s")
    server.publish(room_liked("sarah"))
    before = server.metrics()["belfry_commits_total"]
    publishers = [threading.Thread(target=server.publish, args=(room_liked("sarah"),)) for _ in range(8)]
    for publisher in publishers:
        publisher.start()
    for publisher in publishers:
        publisher.join(30)
    expect_equal(server.unread("sarah"), 9, "sarah's unread")
    expect_equal(server.metrics()["belfry_commits_total"] - before, 1, "the commits of eight events")


def kill_ten_times(world, **settings):
    sink = world.sink()
    server = world.serve(**sink.settings, **settings)
    for index, user in enumerate(USERS):
        server.register_device(user, f"phone-{user}", f"0{index}")
    publishers = [Publisher(name, server.socket) for name in "abcd"]
    for publisher in publishers:
        publisher.start()
    for _ in range(KILLS):
        goal = sum(len(publisher.answered) for publisher in publishers) + EVENTS_A_ROUND
        read_some(server, "reader")
        wait_until(lambda: sum(len(publisher.answered) for publisher in publishers) >= goal, 30, "more answers")
        server.kill()
        server.start()
    for publisher in publishers:
        publisher.stop()
    expect_equal([publisher.surprises[:1] for publisher in publishers], [[]] * 4, "unexpected answers")
    expect(sum(publisher.cut_off for publisher in publishers) > 0, "no publish was under way at any kill")

    names = sorted(name for publisher in publishers for name in publisher.answered)
    for user in USERS:
        rows = server.list_all(user)
        expect_equal(sorted(row["roomName"] for row in rows), names, f"{user}'s events")
        expect_equal(server.unread(user), len(rows), f"{user}'s unread")
    rows = server.list_all("reader")
    expect_equal(server.unread("reader"), sum(not row["isRead"] for row in rows), "the reader's unread")
    expect_equal(server.drift(), 0, "the drift")

    def arrived() -> int:
        return len({(push["device"], push["apns-collapse-id"]) for push in sink.shown})

    wait_until(lambda: arrived() == len(USERS) * len(names), 60, f"{len(USERS) * len(names)} different pushes")
    wait_until(lambda: server.metrics()["belfry_push_jobs"] == 0, PATIENCE, "no push job left")


def read_some(server, user: str):
    """What a person without a phone does beside the stream."""
    server.publish([room_liked(user) for _ in range(3)])
    server.publish(elements_added(user, photos=1))
    newest = server.get(user)["data"][0]["id"]
    server.rest(user, "PUT", "/api/notifications/read", {"notificationIds": [newest]})


@case("pushes that wait when the process is killed are sent by the next one")
def waiting_push(world):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="2s")
    server.register_device("sarah")
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    live.expect("new")
    server.kill()
    expect_equal(sink.pushes, [], "pushes before the grace was over")
    server.start()
    sink.wait_for_shown(1)
    expect_equal(sink.shown[0]["badge"], 1, "the badge")


@case("a second server on the same folder is refused, and the first one goes on")
def one_server_a_folder(world):
    server = world.serve()
    second = world.run("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0",
                       "--socket", str(world.folder / "second.sock"), BELFRY_AUTH_SECRET="x" * 40)
    expect_equal(second.returncode, 1, "the second server's exit code")
    expect(second.stderr.strip(), "the second server says nothing")
    server.check_health()
    same_socket = world.run("serve", "--data", str(world.folder / "other"), "--listen", "127.0.0.1:0",
                            "--ops", "127.0.0.1:0", "--socket", server.socket, BELFRY_AUTH_SECRET="x" * 40)
    expect_equal(same_socket.returncode, 1, "the exit code of a server on the same socket")
    expect_equal(once(server.socket, "GET", "/healthz").status, 200, "the socket's health")


@case("a second server on the same port is refused, since it would get a part of the clients; it may follow the first")
def one_server_a_port(world):
    server = world.serve()
    second = world.run("serve", "--data", str(world.folder / "other"), "--listen", server.listen, "--ops", "127.0.0.1:0",
                       BELFRY_AUTH_SECRET="x" * 40)
    expect_equal(second.returncode, 1, "the second server's exit code")
    expect("Address already in use" in second.stderr and "--takeover" in second.stderr, f"it says {second.stderr!r}")
    server.check_health()


@case("a server does not start on a store that it may only read")
def read_only_store(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    server.terminate()
    folder = Path(server.data)
    # Root may write everything, so for root it is somebody else who tries, in a folder of their own.
    other = {"user": 65534} if os.geteuid() == 0 else {}
    world.folder.chmod(0o755)
    if other:
        os.chown(folder, other["user"], -1)
    (folder / "belfry.lock").unlink()
    for file in folder.glob("belfry.sqlite*"):
        file.chmod(0o444)
    refused = subprocess.run(
        [world.belfry, "serve", "--data", server.data, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0"],
        env={**clean_environment(), "BELFRY_AUTH_SECRET": "x" * 40}, capture_output=True, text=True, timeout=30, **other)
    expect_equal(refused.returncode, 1, "the exit code")
    expect("can only be read" in refused.stderr, f"it says {refused.stderr!r}")
