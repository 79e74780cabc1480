"""A person's device: a live session that comes back by itself, acknowledges, reads and removes."""

import random
import threading
import time
from http.client import HTTPException

from harness.event_stream import EventStream
from harness.http import Http
from harness.live import Live, Refused
from harness.long_poll import LongPoll
from harness.suite import Failed
from history import Asked, Connected, History, Listed, Told
from judge import is_of_pictures
from websockets.exceptions import WebSocketException

WAYS = {"WebSocket": Live, "event stream": EventStream, "long poll": LongPoll}
#: What a client hears when its connection ends, its server leaves, or nobody listens.
GONE = (OSError, HTTPException, WebSocketException, Refused, TimeoutError)


class Device(threading.Thread):
    """`address`: where the server is, from here; `token`: the person's."""

    def __init__(self, name: str, user: str, token: str, history: History, address: str, chance: random.Random):
        super().__init__(daemon=True)
        self._name, self.user, self._token = name, user, token
        self._history, self._address, self._chance = history, address, chance
        self._leaving, self._resting = threading.Event(), threading.Event()
        self._is_asking = False
        self._epoch, self._seq = "", 0
        self._connections = 0
        #: What it shows and has not read: id and room.
        self._shown: dict[str, str] = {}
        #: Requests without an answer yet, by their id.
        self._pending: dict[int, Asked] = {}
        self._rest: Http | None = None

    @property
    def place(self) -> tuple[str, int]:
        """The last change that it has heard of."""
        return self._epoch, self._seq

    def rest(self):
        """From now on it shows and acknowledges, and changes nothing."""
        self._resting.set()

    @property
    def is_waiting(self) -> bool:
        """Whether an answer has not come yet."""
        return self._is_asking or bool(self._pending)

    def leave(self):
        self._leaving.set()

    def run(self):
        while not self._leaving.is_set():
            try:
                self._connect()
            except Failed as failure:
                # An event stream that has ended takes no frames.
                if "closed with" not in str(failure) and "expected 204, found 404" not in str(failure):
                    self._history.surprise(f"{self._name}: {failure}")
            except GONE:
                pass
            except Exception as error:
                self._history.surprise(f"{self._name}: {error!r}")
            self._forget_pending()
            self._leaving.wait(0.02 + 0.2 * self._chance.random())
        if self._rest:
            self._rest.close()

    # MARK: One session

    def _connect(self):
        way = self._chance.choices(list(WAYS), (6, 2, 2))[0]
        self._connections += 1
        self._session = f"{self._name}/{self._connections}"
        self._is_active = self._chance.random() < 0.6
        live = WAYS[way](self._address, timeout=10)
        try:
            known = bool(self._epoch)
            live.hello(self._token, active=self._is_active,
                       resume={"epoch": self._epoch, "seq": self._seq} if known else None)
            ready = live.ready
            self._history.note(Connected(
                self._session, self.user, time.monotonic(), way, ready["epoch"], ready["seq"], ready["unread"],
                self._seq if known else ready["seq"], bool(ready.get("recovered"))))
            self._epoch = ready["epoch"]
            if not known:
                self._seq = ready["seq"]
            self._live(live)
        finally:
            live.cut() if live.ready and self._chance.random() < 0.3 else live.close()

    def _live(self, live: Live):
        last, acted = time.monotonic(), time.monotonic()
        numbers = iter(range(1, 1 << 30))
        acknowledged = 0
        # A session without any sign of life for so long is given up; the server sends a heartbeat each second.
        while not self._leaving.is_set() and time.monotonic() - last < 5:
            try:
                frame = live.next(within=0.1)
            except Failed as failure:
                if "did not come" not in str(failure):
                    raise
                frame = None
            now = time.monotonic()
            if frame is not None:
                last = now
                self._take(frame, now)
            if now - acted < 0.1:
                continue
            acted = now
            number = next(numbers)
            if self._seq > acknowledged and self._chance.random() < 0.7:
                self._ask(live, number, Asked(
                    self.user, "ack", now, now, "unknown", seq=self._seq, is_active=self._is_active))
                acknowledged = self._seq
            elif self._resting.is_set():
                continue
            elif self._shown and self._chance.random() < 0.4:
                self._act(live, number, now)
            elif self._chance.random() < 0.02:
                self._list()
            if self._chance.random() < 0.002:
                return

    def _act(self, live: Live, number: int, now: float):
        self._is_asking = True
        try:
            self._change(live, number, now)
        finally:
            self._is_asking = False

    def _change(self, live: Live, number: int, now: float):
        id = self._chance.choice(list(self._shown))
        room = self._shown[id]
        what = "remove" if self._chance.random() < 0.2 and not is_of_pictures(room) else "read"
        del self._shown[id]
        asked = Asked(self.user, what, now, now, "unknown", ids=[id], rooms=[room])
        if what == "remove" or self._chance.random() < 0.5:
            return self._ask(live, number, asked)
        return self._read_by_rest(asked)

    def _ask(self, live: Live, number: int, asked: Asked):
        self._pending[number] = asked
        members = {"seq": asked.seq} if asked.what == "ack" else {"ids": asked.ids}
        live.send({"type": asked.what, "id": number, **members})

    def _take(self, frame: dict, now: float):
        type = frame["type"]
        if type in ("ok", "error"):
            if asked := self._pending.pop(frame.get("id"), None):
                asked.ended = now
                asked.outcome = "done" if type == "ok" else "refused"
                if type == "error" and not frame["temporary"] and frame["code"] != "unknown_notification":
                    self._history.surprise(f"{self._name}: {asked.what} was refused: {frame}")
                self._history.note(asked)
            return
        if type == "gap":
            self._history.note(Told(
                self._session, self.user, now, type, frame["to"], frame["unread"], first=frame["from"]))
            self._seq = frame["to"]
            return
        if type == "reset":
            return self._history.surprise(f"{self._name}: a reset, although the inbox is short: {self._seq}")
        if type not in ("new", "update", "read", "removed", "seen"):
            return
        notification = frame.get("notification", {})
        ids = [notification["id"]] if notification else frame.get("ids", [])
        self._history.note(Told(
            self._session, self.user, now, type, frame["seq"], frame["unread"], bool(frame.get("replay")), 0, sorted(ids),
            notification.get("rev", 0), bool(notification.get("isRead"))))
        self._seq = frame["seq"]
        for id in ids:
            self._shown.pop(id, None)
        if notification and not notification["isRead"]:
            self._shown[notification["id"]] = notification["roomName"]

    def _forget_pending(self):
        """Nobody knows what became of these."""
        for asked in self._pending.values():
            asked.ended = time.monotonic()
            self._history.note(asked)
        self._pending = {}

    # MARK: Over REST

    def _request(self, method: str, path: str, body=None):
        try:
            self._rest = self._rest or Http(self._address, timeout=10)
            return self._rest.request(method, path, body, token=self._token)
        except GONE:
            self._rest = None
            return None

    def _read_by_rest(self, asked: Asked):
        answer = self._request("PUT", "/api/notifications/read", {"notificationIds": asked.ids})
        asked.ended = time.monotonic()
        if answer is not None:
            asked.outcome = "done" if answer.status == 200 else "refused"
            if answer.status not in (200, 503):
                self._history.surprise(f"{self._name}: a read was answered by {answer.status}: {answer.body[:200]!r}")
        self._history.note(asked)

    def _list(self):
        began = time.monotonic()
        answer = self._request("GET", "/api/notifications?limit=20")
        if answer is not None and answer.status == 200:
            self._history.note(listed(self.user, began, [answer.json()], is_whole=False))
        elif answer is not None and answer.status != 503:
            self._history.surprise(f"{self._name}: a list was answered by {answer.status}: {answer.body[:200]!r}")


def listed(user: str, began: float, pages: list[dict], *, is_whole: bool) -> Listed:
    """`pages`: as they came."""
    meta = pages[0]["meta"]
    rows = [[row["id"], row["rev"], row["isRead"], row["roomName"], row["batchCount"]]
            for page in pages for row in page["data"]]
    return Listed(user, began, time.monotonic(), meta["epoch"], meta["seq"], meta["unread"], rows, is_whole)
