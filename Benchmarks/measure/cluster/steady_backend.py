"""A backend with many connections to all nodes, which publishes at a steady rate and never gives an event up."""

import asyncio
import itertools
import json
import threading
import time
from pathlib import Path

from .. import Failed

# What says "not now": the event is sent again with the same key, to the next node.
TEMPORARY = (429, 503)
RETRY_SECONDS = 0.1
# A node that is stopped, or cannot reach its database, answers late or never.
ANSWER_SECONDS = 5
GIVE_UP_SECONDS = 120


class SteadyBackend:
    """One event for one person at a time, the people in turn. In a thread of its own."""

    def __init__(self, sockets: list[Path], rate: float, users: int, phones: list[str], push_every: int, workers: int = 96):
        """`phones`: people who are away and have a phone; each `push_every`th event is for one of them."""
        self._sockets, self._rate, self._workers = sockets, rate, workers
        self._users, self._phones, self._push_every = users, phones, push_every
        self._numbers = itertools.count()
        self._is_over = threading.Event()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        # How many events of each user were answered, and of each phone's; and in all.
        self.published, self.of_phones = [0] * users, [0] * len(phones)
        self.to_users = self.to_phones = 0
        # How often an event had to be sent again, and how long each second's slowest took, by when it began.
        self.repeated = 0
        self.waits: dict[int, float] = {}
        self.times: list[float] = []

    def start(self) -> None:
        self.began = time.monotonic()
        self._thread.start()

    def stop(self) -> None:
        """Returns once all events are answered."""
        self._is_over.set()
        self._thread.join(GIVE_UP_SECONDS + 10)
        if self._problem:
            raise Failed(f"publishing: {self._problem}")
        if self._thread.is_alive():
            raise Failed("an event is not answered")

    def longest_wait(self, begin: float, end: float) -> float:
        """Of the events that were sent first between these seconds since the start."""
        return max((wait for second, wait in self.waits.items() if begin <= second < end), default=0)

    def _run(self) -> None:
        try:
            asyncio.run(self._all())
        except* Exception as group:
            # One says it for all.
            self._problem = group.exceptions[0]

    async def _all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(self._workers):
                group.create_task(self._work(number))

    async def _work(self, place: int) -> None:
        connection = _Connection(self._sockets, place)
        while not self._is_over.is_set():
            number = next(self._numbers)
            due = self.began + number / self._rate
            await asyncio.sleep(max(due - time.monotonic(), 0))
            is_for_phone, user, name = self._recipient(number)
            began = time.monotonic()
            self.repeated += await connection.publish(_body(number, name))
            wait = time.monotonic() - began
            self.times.append(wait)
            second = int(began - self.began)
            self.waits[second] = max(self.waits.get(second, 0), wait)
            if is_for_phone:
                self.of_phones[user] += 1
                self.to_phones += 1
            else:
                self.published[user] += 1
                self.to_users += 1
        connection.close()

    def _recipient(self, number: int) -> tuple[bool, int, str]:
        """Whether it is for a phone; whose place among those, and name."""
        if number % self._push_every == 0:
            place = number // self._push_every % len(self._phones)
            return True, place, self._phones[place]
        user = number % self._users
        return False, user, f"user-{user}"


def _body(number: int, name: str) -> bytes:
    body = json.dumps({
        "type": "added_to_room", "key": f"steady-{number}",
        "actor": {"id": "maker", "username": "maker", "firstName": "Maker", "avatarUrl": None},
        "to": {"added": [name]}, "data": {"room": {"id": f"room-{number}", "name": f"Room {number}"}}}).encode()
    return b"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
        len(body), body)


class _Connection:
    """To one node, and to the next one after a failure."""

    def __init__(self, sockets: list[Path], place: int):
        self._sockets = itertools.cycle(sockets[place % len(sockets):] + sockets[: place % len(sockets)])
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def publish(self, request: bytes) -> int:
        """Returns once it is answered with 202: how often it was sent before."""
        end = time.monotonic() + GIVE_UP_SECONDS
        for tries in itertools.count():
            try:
                status = await asyncio.wait_for(self._send(request), ANSWER_SECONDS)
                if status == 202:
                    return tries
                if status not in TEMPORARY:
                    raise Failed(f"an event was answered with {status}")
            except (OSError, EOFError, TimeoutError) as failure:
                status = repr(failure)
            if time.monotonic() > end:
                raise Failed(f"an event was not taken for {GIVE_UP_SECONDS} s; last of all the answer was {status}")
            self.close()
            await asyncio.sleep(RETRY_SECONDS)

    async def _send(self, request: bytes) -> int:
        if self._streams is None:
            self._streams = await asyncio.open_unix_connection(str(next(self._sockets)))
        reader, writer = self._streams
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        return int(head.split(b" ", 2)[1])

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None
