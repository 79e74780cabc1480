"""Under a service manager: sockets that it opens, and what it is told."""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.processes import Process
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until
from harness.world import ROOMS, Server, clean_environment

#: What systemd does between fork and exec: its descriptors from 3 on, and the process's own number in LISTEN_PID.
LAUNCHER = """
import fcntl, os, sys
passed = [int(number) for number in sys.argv[1].split(",") if number]
# Copies above all of them first: a place below may be the number of one that is still to be passed.
above = max([2 + len(passed), *passed]) + 1
copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, above) for descriptor in passed]
for place, copy in enumerate(copies):
    os.dup2(copy, 3 + place, inheritable=True)
    os.close(copy)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[2], sys.argv[2:])
"""


class ServiceManager:
    """Opens sockets, starts the program with them, and listens to what it tells."""

    def __init__(self, world):
        self._world = world
        self._told: list[str] = []
        self._news = threading.Condition()
        self.path = str(world.folder / "notify")
        self._notify = world.keep(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self._notify.bind(self.path)
        threading.Thread(target=self._listen, daemon=True).start()
        self.public = world.keep(socket.create_server(("127.0.0.1", 0)))
        self.ops = world.keep(socket.create_server(("127.0.0.1", 0)))
        self.publish = world.keep(socket.socket(socket.AF_UNIX))
        self.publish.bind(str(world.folder / "publish.sock"))
        self.publish.listen(128)

    def _listen(self):
        while True:
            try:
                message = self._notify.recv(4096).decode()
            except OSError:
                return
            with self._news:
                self._told.append(message)
                self._news.notify_all()

    @property
    def told(self) -> list[str]:
        with self._news:
            return list(self._told)

    def wait_for(self, start: str, count: int = 1, within: float = PATIENCE):
        wait_until(lambda: sum(message.startswith(start) for message in self.told) >= count, within,
                   f"{count} times {start}")

    def start(self, named: dict[str, socket.socket], **settings: str) -> Server:
        world = self._world
        environment = {
            **clean_environment(), "BELFRY_AUTH_SECRET": tokens.SECRET, "BELFRY_LOG_FORMAT": "json",
            "NOTIFY_SOCKET": self.path, "LISTEN_FDS": str(len(named)), "LISTEN_FDNAMES": ":".join(named), **settings}
        server = Server(world, str(world.folder / "data"), {}, [])
        descriptors = [entry.fileno() for entry in named.values()]
        server.process = Process(
            [sys.executable, "-c", LAUNCHER, ",".join(map(str, descriptors)), world.belfry, "serve", "--data",
             server.data, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--catalog", ROOMS],
            environment, folder=str(world.folder), descriptors=descriptors)
        world.servers.append(server)
        return server.await_serving()


@case("sockets that the service manager opened are used by their names, and clients wait in them over a restart",
      pollers=True)
def activation(world):
    manager = ServiceManager(world)
    named = {"publish": manager.publish, "public": manager.public, "ops": manager.ops}
    server = manager.start(named)
    addresses = tuple("%s:%d" % entry.getsockname() for entry in (manager.public, manager.ops))
    expect_equal((server.listen, server.ops, server.socket), (*addresses, manager.publish.getsockname()), "addresses")
    manager.wait_for("READY=1")
    server.check_health()
    # Whoever asks who listens there, as `belfry bench` does, is told the server and not the service manager.
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(server.socket)
        owner = struct.unpack("3i", asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    expect_equal(owner, server.process.pid, "the process that listens")
    live = server.session("sarah")
    epoch = live.ready["epoch"]
    expect_equal(server.terminate(), 0, "the exit code")
    manager.wait_for("STOPPING=1")
    live.expect_close(4200)
    expect(os.path.exists(server.socket), "the publishers' socket is gone")

    answers = []
    waiting = [threading.Thread(target=lambda: answers.append(once(server.socket, "POST", "/v1/events",
                                                                  room_liked("sarah")).status)),
               threading.Thread(target=lambda: answers.append(once(server.listen, "GET", "/healthz").status))]
    for thread in waiting:
        thread.start()
    time.sleep(0.3)
    expect_equal(answers, [], "answers while no process runs")
    again = manager.start(named)
    for thread in waiting:
        thread.join(PATIENCE)
    expect_equal(sorted(answers), [200, 202], "the answers to those who waited")
    back = again.open()
    back.hello(world.token("sarah"), resume={"epoch": epoch, "seq": 0})
    back.expect("new", seq=1, replay=True)


@case("the service manager hears of start, reload, life and end")
def notified(world):
    manager = ServiceManager(world)
    server = manager.start({"public": manager.public}, WATCHDOG_USEC="400000")
    manager.wait_for("READY=1")
    manager.wait_for("WATCHDOG=1")
    server.process.signal(signal.SIGHUP)
    manager.wait_for("RELOADING=1\nMONOTONIC_USEC=")
    manager.wait_for("READY=1", 2)
    expect_equal(server.terminate(), 0, "the exit code")
    manager.wait_for("STOPPING=1")
    order = [message.split("=")[0] for message in manager.told if not message.startswith("WATCHDOG")]
    expect_equal(order, ["READY", "RELOADING", "READY", "STOPPING"], "what it was told")


@case("a socket of an unknown name is a mistake that says which names there are")
def unknown_name(world):
    manager = ServiceManager(world)
    started = subprocess.run(
        [sys.executable, "-c", LAUNCHER, str(manager.public.fileno()), world.belfry, "serve", "--data",
         str(world.folder / "data")], text=True, capture_output=True, timeout=30,
        env={**clean_environment(), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "web", "BELFRY_AUTH_SECRET": "x" * 40},
        pass_fds=[manager.public.fileno()])
    expect_equal(started.returncode, 1, "the exit code")
    expect('"web"' in started.stderr and "publish" in started.stderr, f"what it says: {started.stderr}")
