"""Those who publish to the servers of the comparison: on one connection each, several publications with one write.

So a server that can put together what came together has the best chance to do so.
"""

import socket
from pathlib import Path

from .. import Failed

_ANSWER_BYTES = 65_536


class AnsweredPublisher:
    """Publishes by HTTP."""

    def __init__(self, connect, requests):
        """`connect` makes a connected socket; `requests` lists the whole requests for so many publications to a
        channel."""
        self._connect = connect
        self._connection = connect()
        self._requests = requests
        self._unread = b""

    def reconnect(self) -> None:
        """Servers close a connection that was idle for long, as while the others have their turns."""
        self._connection.close()
        self._connection = self._connect()

    def publish(self, channel: str, count: int) -> None:
        """Returns once all are answered."""
        requests = self._requests(channel, count)
        self._connection.sendall(b"".join(requests))
        for _ in requests:
            self._read_answer()

    def _read_answer(self) -> None:
        while b"\r\n\r\n" not in self._unread:
            self._read_more()
        head, _, self._unread = self._unread.partition(b"\r\n\r\n")
        if not head.split(b" ", 2)[1].startswith(b"2"):
            raise Failed(f"publishing was answered with {head.decode(errors='replace')}")
        length = _content_length(head)
        while len(self._unread) < length:
            self._read_more()
        self._unread = self._unread[length:]

    def _read_more(self) -> None:
        part = self._connection.recv(_ANSWER_BYTES)
        if not part:
            raise Failed("the server closed its publisher's connection")
        self._unread += part

    def close(self) -> None:
        self._connection.close()


class UnansweredPublisher:
    """Publishes by a protocol that does not answer."""

    def __init__(self, connection: socket.socket, message):
        """`message` writes the whole message for a channel."""
        self._connection = connection
        self._message = message

    def reconnect(self) -> None:
        """Not needed: these protocols keep idle connections."""

    def publish(self, channel: str, count: int) -> None:
        self._connection.sendall(self._message(channel) * count)

    def close(self) -> None:
        self._connection.close()


def over_tcp(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def over_unix(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(30)
    connection.connect(str(path))
    return connection


def http_request(target: str, body: bytes) -> bytes:
    head = (
        f"POST {target} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n")
    return head.encode() + body


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    if head.split(b" ", 2)[1] == b"204":
        return 0
    raise Failed(f"an answer without a length: {head.decode(errors='replace')}")
