"""One trial: people, their devices and backends, while things go wrong; then all comes to rest, and is written down."""

import json
import random
import time

from backend import Backend
from device import Device, listed
from faults import Faults
from harness.suite import PATIENCE, Failed, wait_until
from history import HasPhone, History, Published, Pushed
from relay import Relay

PEOPLE = 10
DEVICES_EACH = 2
BACKENDS = 4
#: Of each of two people, one has a phone.
PHONES_EVERY = 2
#: Times are short, so that much happens; nothing is limited but what is tried here.
SETTINGS = {
    "PUSH_GRACE": "500ms", "LIVE_HEARTBEAT": "1s", "LIVE_PONG_TIMEOUT": "1s", "LIMITS_SESSIONS_PER_USER": "1000",
    "LIMITS_REQUESTS_PER10S": "0", "LIMITS_REQUESTS_PER_ADDRESS_PER10S": "0", "LIMITS_CLIENT_FRAMES_PER10S": "10000",
    "LIMITS_STALL_TIMEOUT": "3s",
}


class Trial:
    """`number` makes its people others than those of earlier trials on the same server."""

    def __init__(self, server, sink, number: int, chance: random.Random, pause: float):
        self._server, self._sink, self._chance, self._number = server, sink, chance, number
        self.history = History()
        self._people = [f"p{index}-{number}" for index in range(PEOPLE)]
        #: Of some of the people, by push token.
        self._phones = {f"{index:02d}{number:08d}": user for index, user in enumerate(self._people) if index % PHONES_EVERY == 0}
        self._relay = Relay(server.listen)
        self.faults = Faults(server, self._relay, self.history, chance)
        self._pushes_before = len(sink.process.output.all)
        self._devices = [
            Device(f"{user}/{index}", user, server.world.token(user), self.history, self._relay.address, self._random())
            for user in self._people for index in range(DEVICES_EACH)]
        sockets = [node.socket for node in getattr(server, "nodes", [server])]
        self._backends = [
            Backend(f"b{index}-{number}", self.history, sockets, self._people, self._random(), pause)
            for index in range(BACKENDS)]

    def _random(self) -> random.Random:
        return random.Random(self._chance.random())

    def run(self, faults: list[str], seconds: float = 0):
        """`seconds`: how long to go on at least."""
        until = time.monotonic() + seconds
        for push_token, user in self._phones.items():
            self.history.note(HasPhone(user))
            self._server.register_device(user, f"phone-of-{user}", push_token)
        for device in self._devices:
            device.start()
        try:
            # From the first change on, everybody is there.
            wait_until(lambda: all(device.place[0] for device in self._devices), PATIENCE, "all devices connected")
            for backend in self._backends:
                backend.start()
            for kind in faults:
                self._await_answers(self._chance.choice((3, 10, 30, 60)))
                self.faults.happen(kind)
                self.faults.check_alive()
            self._await_answers(30)
            while time.monotonic() < until:
                time.sleep(0.5)
                self.faults.check_alive()
            self._come_to_rest()
        finally:
            for one in (*self._backends, *self._devices):
                one.leave()
            for one in (*self._backends, *self._devices):
                if one.is_alive():
                    one.join(PATIENCE)
            self._relay.close()

    def _await_answers(self, number: int):
        def answered() -> int:
            return self.history.count(lambda fact: isinstance(fact, Published) and fact.is_answered)

        goal = answered() + number
        wait_until(lambda: answered() >= goal, PATIENCE, "more answers")

    def _come_to_rest(self):
        for backend in self._backends:
            backend.leave()
        for backend in self._backends:
            backend.join(PATIENCE)
            if backend.is_alive():
                raise Failed("a backend gets no answer, although nothing is broken any more")
        for device in self._devices:
            device.rest()
        wait_until(lambda: not any(device.is_waiting for device in self._devices), PATIENCE, "all answers to devices")
        wait_until(self._are_in_step, PATIENCE, "all devices in step")
        wait_until(lambda: self._server.metrics()["belfry_push_jobs"] == 0, PATIENCE, "no push waits")
        for device in self._devices:
            device.leave()
        for device in self._devices:
            device.join(PATIENCE)
        for user in self._people:
            self._write_down(user)
        self._write_down_pushes()

    def _are_in_step(self) -> bool:
        for user in self._people:
            meta = self._server.get(user, "/api/notifications?limit=1")["meta"]
            places = {device.place for device in self._devices if device.user == user}
            if places != {(meta["epoch"], meta["seq"])}:
                return False
        return True

    def _write_down(self, user: str):
        began, pages, cursor = time.monotonic(), [], ""
        while not pages or pages[-1]["meta"]["hasNextPage"]:
            pages.append(self._server.get(user, f"/api/notifications?limit=100{cursor}"))
            cursor = f"&before={pages[-1]['data'][-1]['id']}" if pages[-1]["data"] else ""
        self.history.note(listed(user, began, pages, is_whole=True))

    def _write_down_pushes(self):
        for at, line in self._sink.process.output.timed[self._pushes_before:]:
            push = json.loads(line)
            if "title" in push and push["device"] in self._phones:
                self.history.note(Pushed(self._phones[push["device"]], push["apns-collapse-id"], at))
