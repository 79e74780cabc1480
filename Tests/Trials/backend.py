"""A backend service that publishes events, and repeats each with its key until it is answered."""

import itertools
import random
import threading
import time
from http.client import HTTPException

from harness.events import elements_added, room_liked
from harness.http import Http
from history import History, Published

#: So many events follow each other without a pause, on average.
BURST = 10


class Backend(threading.Thread):
    """`sockets`: the nodes' Unix sockets, of which it asks any."""

    def __init__(self, name: str, history: History, sockets: list[str], people: list[str], chance: random.Random, pause: float):
        super().__init__(daemon=True)
        self._name, self._history, self._sockets, self._people = name, history, sockets, people
        self._chance, self._pause = chance, pause
        self._leaving = threading.Event()
        self._connections: dict[str, Http] = {}

    def leave(self):
        """It ends with the event that it is at."""
        self._leaving.set()

    def run(self):
        for number in itertools.count():
            # Events come in bursts: in the midst of one, something is always under way.
            if self._leaving.wait(self._pause * BURST * 2 * self._chance.random() if self._chance.random() < 1 / BURST else 0):
                break
            self._publish(f"{self._name}-{number}")
        for connection in self._connections.values():
            connection.close()

    def _publish(self, key: str):
        people = self._chance.sample(self._people, self._chance.choice((1, 1, 2, 4)))
        kind = "photo" if self._chance.random() < 0.25 else "like"
        room = f"photos of {self._name}" if kind == "photo" else key
        if kind == "photo":
            event = elements_added(*people, photos=1, room={"id": room, "name": room}, key=key)
        else:
            event = room_liked(*people, room={"id": room, "name": room}, key=key)
        began, cut_off = time.monotonic(), 0
        while True:
            answer, was_sent = self._ask(event)
            if answer and answer.status == 202:
                break
            if answer and answer.status != 503:
                return self._history.surprise(f"{key} was answered by {answer.status}: {answer.body[:200]!r}")
            cut_off += was_sent and answer is None
            # Most backends try again until somebody answers. Some give up: nobody then knows what has happened.
            if cut_off and self._chance.random() < 0.2:
                break
            time.sleep(0.01)
        self._history.note(Published(
            key, kind, people, room, began, time.monotonic(), answer is not None and answer.status == 202, cut_off,
            bool(answer is not None and answer.status == 202 and answer.json().get("replayed"))))
        return None

    def _ask(self, event: dict):
        """The answer, or None, and whether the request may have reached the server."""
        socket = self._chance.choice(self._sockets)
        try:
            connection = self._connections.get(socket) or self._connections.setdefault(socket, Http(socket, timeout=20))
            return connection.request("POST", "/v1/events", event), True
        except (FileNotFoundError, ConnectionRefusedError):
            self._connections.pop(socket, None)
            return None, False
        except (OSError, HTTPException):
            self._connections.pop(socket, None)
            return None, True
