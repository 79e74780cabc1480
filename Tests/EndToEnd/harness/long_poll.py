"""A client of the live protocol whose frames come with the answers to long polls."""

import http.client
import json
import socket
import struct
import threading
import time
from urllib.parse import urlencode

from .event_stream import EventStream
from .http import Http
from .live import Refused
from .suite import Failed

#: A poll is answered within a heartbeat.
PATIENCE = 60


def wait_for(condition) -> bool:
    """Whether it has come within some seconds."""
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.01)
    return False


class LongPoll(EventStream):
    """Opens its session by the hello, and asks for more from then on."""

    #: Set once the client has left by itself.
    _has_left = False

    def _open(self, token: str | None, active: bool, resume: dict | None, **more):
        self._header = token or self._header
        query = {"active": str(active).lower(), **more}
        if resume:
            query["resume"] = f"{resume['epoch']}.{resume['seq']}"
        self._polls = Http(self._address, PATIENCE, tls=self._tls)
        answer = self._polls.request("GET", f"/v1/live/poll?{urlencode(query)}", token=self._header)
        if answer.status != 200:
            raise Refused(answer.status, answer.headers, answer.body)
        threading.Thread(target=self._poll, args=(answer,), daemon=True).start()

    def _poll(self, answer):
        try:
            while answer.status == 200:
                said = answer.json()
                for frame in said["frames"]:
                    self._events.put(("message", frame))
                if close := said.get("close"):
                    self._events.put(("close", close))
                    return
                token = self._header
                while True:
                    answer = self._polls.request("GET", f"/v1/live/poll/{said['session']}?after={said['next']}", token=token)
                    # `renew` has come with the last answer: there will be another token.
                    if answer.status != 401 or not wait_for(lambda: self._header != token):
                        break
                    token = self._header
        except Failed as failure:
            print(f"a poll: {failure}")
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            pass
        self._events.put(("end", None))

    def close(self):
        """The client leaves."""
        if self.ready and not self._has_left:
            self._has_left = True
            try:
                self._post_with("DELETE", f"/v1/live/poll/{self.ready['session']}")
            except (OSError, http.client.HTTPException):
                pass  # the server has left, too
        self._shut()

    def cut(self):
        """The network is gone. The server keeps the session for as long as its client may take to poll again."""
        self._has_left = True
        if connected := self._socket_of(self._polls):
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._shut()

    def _shut(self):
        for connection in (self.__dict__.get("_polls"), self._posts):
            if connection and (connected := self._socket_of(connection)):
                try:
                    connected.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                connection.close()

    @staticmethod
    def _socket_of(connection: Http):
        return connection._connection.sock

    def _post_with(self, method: str, path: str):
        self._posts = self._posts or Http(self._address, tls=self._tls)
        return self._posts.request(method, path, token=self._header)
