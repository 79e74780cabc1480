"""Requests and answers of publishers that must cost little themselves: they share a core."""

import socket

# A sender's line or body. Each event is another room's, so that no batch takes it in.
EVENT = (
    b'{"type":"added_to_room","key":"%b-%012d","actor":{"id":"maker","username":"maker","firstName":"Maker",'
    b'"avatarUrl":null},"to":{"added":["%b-%d"]},"data":{"room":{"id":"room-%012d","name":"Room %012d"}}}')


def event(name: bytes, number: int, people: int) -> bytes:
    """For one person; the people, who are called after the publisher, take turns."""
    return EVENT % (name, number, name, number % people, number, number)


def head(key: str, kind: str, length: str) -> bytes:
    """Up to the empty line."""
    return (
        f"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: {kind}\r\n{length}\r\n\r\n").encode()


def single(key: str, body: bytes) -> bytes:
    return head(key, "application/json", f"Content-Length: {len(body)}") + body


def connected(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(30)
    connection.connect(path)
    return connection


class Answers:
    """Cuts what a connection says into answers; each has to have a Content-Length."""

    def __init__(self):
        self._bytes = b""

    def take(self, piece: bytes) -> list[tuple[int, bytes]]:
        """Status and body of each answer that has become whole."""
        self._bytes += piece
        whole = []
        while (end := self._bytes.find(b"\r\n\r\n")) >= 0:
            head, length = self._bytes[:end], 0
            for line in head.split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            if len(self._bytes) < end + 4 + length:
                break
            whole.append((int(head[9:12]), self._bytes[end + 4:end + 4 + length]))
            self._bytes = self._bytes[end + 4 + length:]
        return whole
