"""A client of the live protocol that has no WebSocket: frames come on an event stream, and go by POST."""

import http.client
import json
import queue
import socket
import struct
import threading
import time
from itertools import count
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from .http import Http
from .live import Live, Refused
from .specification import Conversation
from .suite import Failed, expect_equal


class EventStream(Live):
    """Opens its stream by the hello, as the request tells what a hello would."""

    def __init__(self, address: str, *, header: str | None = None, tls=None, timeout: float = 10, **_):
        self._address, self._header, self._tls, self._timeout = address, header, tls, timeout
        self._ids = count(1)
        self._waiting: list[dict] = []
        self._conversation = Conversation()
        self._events: queue.Queue = queue.Queue()
        self._connection = None
        self._posts: Http | None = None
        #: Where a client is that comes back, by the stream's `id` fields.
        self.place = ""
        self.ready: dict = {}

    def hello(self, token: str | None = None, *, active: bool = True, resume: dict | None = None, **more) -> dict:
        self._open(token, active, resume, **more)
        self.ready = self.expect("ready")
        return self.ready

    def _name(self) -> str:
        """The session's, which `ready` tells."""
        if not self.ready:
            self.ready = self.expect("ready")
            self._waiting.insert(0, self.ready)
        return self.ready["session"]

    def _open(self, token: str | None, active: bool, resume: dict | None, **more):
        self._header = token or self._header
        query = {"active": str(active).lower(), **more}
        if resume:
            query["resume"] = f"{resume['epoch']}.{resume['seq']}"
        kind = http.client.HTTPSConnection if self._tls else http.client.HTTPConnection
        options = {"context": self._tls} if self._tls else {}
        connection = kind(self._address, timeout=self._timeout, **options)
        connection.request(
            "GET", f"/v1/live/events?{urlencode(query)}", headers={"Authorization": f"Bearer {self._header}"})
        # The answer lets go of the connection, whose socket `cut` needs.
        self._connection, self._socket = connection, connection.sock
        answer = connection.getresponse()
        if answer.status != 200:
            raise Refused(answer.status, answer.headers, answer.read())
        expect_equal(answer.headers["Content-Type"], "text/event-stream", "the stream's type")
        self._socket.settimeout(None)
        threading.Thread(target=self._read, args=(answer,), daemon=True).start()

    def _read(self, answer):
        """By the HTML Standard, section 9.2.6, as far as the server uses it."""
        kind, data = "message", []
        try:
            for line in answer:
                name, _, value = line.decode().rstrip("\n").partition(":")
                value = value.removeprefix(" ")
                if name == "data":
                    data.append(value)
                elif name == "event":
                    kind = value
                elif name == "id":
                    self.place = value
                elif not name and not value and data:
                    self._events.put((kind, json.loads("\n".join(data))))
                    kind, data = "message", []
        except (OSError, ValueError, http.client.HTTPException):
            pass
        self._events.put(("end", None))

    def send(self, frame):
        self._conversation.sent(frame)
        if isinstance(frame, dict) and frame["type"] == "hello":
            return self._open(frame.get("token"), frame.get("active", True), frame.get("resume"))
        if isinstance(frame, dict) and frame["type"] == "token":
            self._header = frame["token"]
        text = json.dumps(frame) if isinstance(frame, dict) else frame
        self._posts = self._posts or Http(self._address, tls=self._tls)
        answer = self._posts.request(
            "POST", f"/v1/live/frames/{self._name()}", text.encode(), token=self._header,
            Content_Type="application/x-ndjson")
        expect_equal(answer.status, 204, "the status of frames")

    def _receive(self, deadline: float) -> dict:
        try:
            kind, said = self._events.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise TimeoutError from None
        if kind == "message":
            self._conversation.received(said)
            return said
        # For whoever asks once more.
        self._events.put((kind, said))
        raise ConnectionClosed(Close(said["code"], said["reason"]) if kind == "close" else None, None)

    @property
    def subprotocol(self):
        raise Failed("an event stream has no subprotocol")

    def close(self):
        if self._connection:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            self._connection.close()
        if self._posts:
            self._posts.close()

    def cut(self):
        """The network is gone."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()
