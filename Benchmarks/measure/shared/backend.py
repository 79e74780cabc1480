"""A backend that publishes without a pause and never gives an event up."""

import http.client
import json
import threading
import time
from pathlib import Path

from .. import Failed
from .programs import Publisher

RETRY_SECONDS = 0.05
# What says "not now": the event is sent again with the same key.
TEMPORARY = (429, 503)


class Backend:
    """One notification for each user of one group, the groups in turn, in a thread of its own."""

    def __init__(self, data: Path, users: int, groups: int, rate: float):
        self._data = data
        self._recipients = [[f"user-{user}" for user in range(group, users, groups)] for group in range(groups)]
        self._rate = rate
        self._published = [0] * groups
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._problem: str | None = None
        self.longest_wait = 0.0
        # How often an event had to be sent again.
        self.repeated = 0

    @property
    def answered(self) -> int:
        return sum(self._published)

    def events_of(self, user: int) -> int:
        """How many were published for this user, all of them answered."""
        return self._published[user % len(self._published)]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Returns once the last event is answered."""
        self._is_over.set()
        self._thread.join(60)
        if self._thread.is_alive():
            raise Failed("an event is not answered")
        if self._problem:
            raise Failed(self._problem)

    def _run(self) -> None:
        began, number = time.monotonic(), 0
        try:
            while not self._is_over.is_set():
                time.sleep(max(began + number / self._rate - time.monotonic(), 0))
                group = number % len(self._recipients)
                sent = time.monotonic()
                self._publish(number, self._recipients[group])
                self.longest_wait = max(self.longest_wait, time.monotonic() - sent)
                self._published[group] += 1
                number += 1
        except Failed as problem:
            self._problem = str(problem)

    def _publish(self, number: int, recipients: list[str]) -> None:
        event = {
            "type": "added_to_room", "key": f"bench-{number}",
            "actor": {"id": "maker", "username": "maker", "firstName": "Maker", "avatarUrl": None},
            "to": {"added": recipients}, "data": {"room": {"id": f"room-{number}", "name": f"Room {number}"}}}
        body = json.dumps(event).encode()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            publisher = Publisher(self._data)
            try:
                status, answer = publisher.post("/v1/events", body)
            except (OSError, http.client.HTTPException):
                status, answer = None, b""
            finally:
                publisher.close()
            if status == 202:
                return
            if status is not None and status not in TEMPORARY:
                raise Failed(f"publishing was answered with {status}: {answer[:200].decode(errors='replace')}")
            self.repeated += 1
            time.sleep(RETRY_SECONDS)
        raise Failed(f"event {number} was not answered for a minute")
