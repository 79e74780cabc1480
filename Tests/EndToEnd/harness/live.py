"""Clients of the live protocol: a well-behaved one, and one that sends whatever bytes it likes."""

import base64
import json
import os
import socket
import struct
import time
import zlib
from itertools import count

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from .specification import Conversation
from .suite import PATIENCE, Failed, expect_equal, expect_subset


class Refused(Exception):
    """The handshake was answered by another status than 101."""

    def __init__(self, status: int, headers, body: bytes):
        super().__init__(f"status {status}")
        self.status = status
        self.headers = headers
        self.problem = json.loads(body)


class Live:
    """One session; frames are dicts, in the order in which they came."""

    def __init__(self, address: str, *, header: str | None = None, subprotocols=("belfry.v1",), tls=None,
                 compression: str | None = "deflate", headers: dict[str, str] | None = None, query: str = "",
                 timeout: float = PATIENCE):
        """Opens the WebSocket and says nothing yet. `header`: a token for `Authorization`; `tls`: an `SSLContext`."""
        fields = dict(headers or {})
        if header:
            fields["Authorization"] = f"Bearer {header}"
        try:
            self._socket = connect(
                f"{'wss' if tls else 'ws'}://{address}/v1/live{query}", subprotocols=list(subprotocols), ssl=tls,
                additional_headers=fields, compression=compression, ping_interval=None, open_timeout=timeout,
                close_timeout=2, max_size=None, max_queue=None)
        except InvalidStatus as refusal:
            response = refusal.response
            raise Refused(response.status_code, response.headers, response.body) from None
        self._ids = count(1)
        self._waiting: list[dict] = []
        self._conversation = Conversation()
        self.ready: dict = {}

    def hello(self, token: str | None = None, *, active: bool = True, resume: dict | None = None, **more) -> dict:
        frame = {"type": "hello", "active": active, **more}
        if token:
            frame["token"] = token
        if resume:
            frame["resume"] = resume
        self.send(frame)
        self.ready = self.expect("ready")
        return self.ready

    @property
    def subprotocol(self) -> str | None:
        return self._socket.subprotocol

    @property
    def extensions(self) -> str | None:
        """What the server agreed to."""
        return self._socket.response.headers.get("Sec-WebSocket-Extensions")

    @property
    def peer_certificate(self) -> bytes:
        return self._socket.socket.getpeercert(binary_form=True)

    def send(self, frame):
        """A dict goes as JSON, a string as it is, bytes as a binary message."""
        self._conversation.sent(frame)
        self._socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)

    def _receive(self, deadline: float) -> dict:
        frame = json.loads(self._socket.recv(timeout=max(deadline - time.monotonic(), 0)))
        self._conversation.received(frame)
        return frame

    def call(self, type: str, **members) -> dict:
        """Sends a frame with an id and returns its answer; what comes before it stays for later."""
        id = next(self._ids)
        self.send({"type": type, "id": id, **members})
        passed = []
        while True:
            frame = self.next(what=f"the answer to {type}")
            if frame["type"] in ("ok", "error") and frame.get("id") == id:
                self._waiting = passed + self._waiting
                return frame
            passed.append(frame)

    def next(self, within: float = PATIENCE, what: str = "a frame") -> dict:
        """The next frame that is not a mere heartbeat."""
        if self._waiting:
            return self._waiting.pop(0)
        deadline = time.monotonic() + within
        while True:
            try:
                frame = self._receive(deadline)
            except TimeoutError:
                raise Failed(f"{what} did not come within {within} s") from None
            except ConnectionClosed as closed:
                raise Failed(f"closed with {closed.rcvd and closed.rcvd.code} while waiting for {what}") from None
            if frame["type"] != "beat":
                return frame

    def expect(self, type: str, within: float = PATIENCE, **members) -> dict:
        frame = self.next(within, what=f"a frame {type}")
        expect_subset(frame, {"type": type, **members}, "the next frame")
        return frame

    def take(self, number: int, within: float = PATIENCE) -> list[dict]:
        deadline = time.monotonic() + within
        return [self.next(max(deadline - time.monotonic(), 0.01), f"frame {index + 1} of {number}")
                for index in range(number)]

    def expect_silence(self, seconds: float):
        """Nothing but heartbeats comes for so long."""
        try:
            frame = self.next(seconds, "silence")
        except Failed as failure:
            if "did not come" in str(failure):
                return
            raise
        raise Failed(f"expected silence, found {frame!r}")

    def expect_close(self, code: int, within: float = PATIENCE) -> list[dict]:
        """Returns the frames that came before it."""
        frames, self._waiting = self._waiting, []
        deadline = time.monotonic() + within
        try:
            while True:
                frames.append(self._receive(deadline))
        except TimeoutError:
            raise Failed(f"expected close {code} within {within} s; before it came {frames[-3:]!r}") from None
        except ConnectionClosed as closed:
            expect_equal(closed.rcvd and closed.rcvd.code, code, "the close code")
            self.close_reason = closed.rcvd.reason
        return frames

    def close(self):
        self._socket.close()

    def cut(self):
        """The network is gone: no close handshake."""
        self._socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class RawSocket:
    """A WebSocket by hand, for what no library would send or leave unread."""

    def __init__(self, address: str, *, receive_buffer: int | None = None, preamble: bytes = b"", tls=None,
                 headers: str = ""):
        """`preamble` goes before everything else, `headers` are whole lines of the handshake."""
        host, port = address.rsplit(":", 1)
        self._socket = socket.socket()
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(PATIENCE)
        self._socket.connect((host, int(port)))
        self._socket.sendall(preamble)
        if tls:
            self._socket = tls.wrap_socket(self._socket, server_hostname=host)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            (f"GET /v1/live HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
             f"Sec-WebSocket-Protocol: belfry.v1\r\n{headers}\r\n").encode())
        self._bytes = b""
        while b"\r\n\r\n" not in self._bytes:
            self._fill()
        head, self._bytes = self._bytes.split(b"\r\n\r\n", 1)
        expect_equal(head.split(b" ")[1], b"101", "the handshake's status")
        self._conversation = Conversation()

    def _fill(self):
        piece = self._socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the server has closed the connection")
        self._bytes += piece

    def _take(self, number: int) -> bytes:
        while len(self._bytes) < number:
            self._fill()
        taken, self._bytes = self._bytes[:number], self._bytes[number:]
        return taken

    def send_frame(self, payload: bytes, *, opcode: int = 1, is_final: bool = True, is_masked: bool = True,
                   is_compressed: bool = False):
        first = opcode | (0x80 if is_final else 0) | (0x40 if is_compressed else 0)
        mask_bit = 0x80 if is_masked else 0
        if len(payload) < 126:
            head = bytes([first, len(payload) | mask_bit])
        elif len(payload) < 1 << 16:
            head = bytes([first, 126 | mask_bit]) + struct.pack(">H", len(payload))
        else:
            head = bytes([first, 127 | mask_bit]) + struct.pack(">Q", len(payload))
        if is_masked:
            key = os.urandom(4)
            head += key
            payload = bytes(byte ^ key[index & 3] for index, byte in enumerate(payload))
        self._socket.sendall(head + payload)

    def send(self, frame: dict):
        self._conversation.sent(frame)
        self.send_frame(json.dumps(frame).encode())

    def read_frame(self, within: float = PATIENCE) -> tuple[int, bytes]:
        """The opcode and the payload, inflated if it came compressed."""
        first, payload = self.read_raw(within)
        if first & 0x40:
            payload = zlib.decompressobj(-15).decompress(payload + b"\x00\x00\xff\xff")
        return first & 0x0F, payload

    def read_raw(self, within: float = PATIENCE) -> tuple[int, bytes]:
        """The first byte, with its flags, and the payload as it came."""
        self._socket.settimeout(within)
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        return first, self._take(length)

    def read(self, within: float = PATIENCE) -> dict:
        """The next JSON frame; pings are answered, heartbeats passed over, a close is `{"close": code}`."""
        while True:
            opcode, payload = self.read_frame(within)
            if opcode == 8:
                return {"close": struct.unpack(">H", payload[:2])[0]}
            if opcode == 9:
                self.send_frame(payload, opcode=10)
            if opcode == 1:
                frame = json.loads(payload)
                self._conversation.received(frame)
                if frame["type"] != "beat":
                    return frame

    def expect_close(self, code: int):
        while True:
            frame = self.read()
            if "close" in frame:
                self.close_reason = frame.get("reason", "")
                return expect_equal(frame["close"], code, "the close code")

    def close(self):
        self._socket.close()
