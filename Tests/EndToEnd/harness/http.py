"""Plain HTTP over TCP and Unix sockets."""

import http.client
import json
import socket
from dataclasses import dataclass

from . import specification
from .suite import PATIENCE, Failed, expect, expect_equal, expect_subset


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self):
        return json.loads(self.body)

    @property
    def etag(self) -> str | None:
        return self.headers.get("etag")


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Http:
    """One connection, kept alive; for one thread."""

    def __init__(self, address: str, timeout: float = PATIENCE, *, tls=None):
        """`address`: `host:port`, or the path of a Unix socket. `tls`: an `SSLContext`."""
        if tls:
            self._connection = http.client.HTTPSConnection(address, timeout=timeout, context=tls)
        elif address.startswith("/"):
            self._connection = _UnixConnection(address, timeout)
        else:
            self._connection = http.client.HTTPConnection(address, timeout=timeout)

    def request(self, method: str, path: str, body=None, *, token: str | None = None, **headers: str) -> Answer:
        """`body`: bytes go as they are, anything else as JSON. Headers are named with `_` for `-`."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            fields.setdefault("Content-Type", "application/json")
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, body, fields)
        response = self._connection.getresponse()
        content = response.read()
        answer = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, content)
        specification.check_answer(method, path, body, answer, fields)
        return answer

    def close(self):
        self._connection.close()


def once(address: str, method: str, path: str, body=None, *, tls=None, **more) -> Answer:
    """One request on a connection of its own."""
    connection = Http(address, tls=tls)
    try:
        return connection.request(method, path, body, **more)
    finally:
        connection.close()


def bare(address: str, method: str, path: str, body: bytes | None = None, fields: dict[str, str] | None = None, *, tls=None) -> Answer:
    """As `once`, for what a client should not send: the answer is not held against the specification."""
    connection = Http(address, tls=tls)._connection
    try:
        connection.request(method, path, body, fields or {})
        response = connection.getresponse()
        if response.headers.get("Content-Type") == "text/event-stream":
            raise Failed(f"{method} {path} opens a stream")
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    finally:
        connection.close()


def expect_problem(answer: Answer, expected: dict, what: str):
    """The answer is a problem (RFC 9457) with these members; `hint` is a part of its detail."""
    expected = dict(expected)
    hint = expected.pop("hint", "")
    if not answer.headers.get("content-type", "").startswith("application/problem+json"):
        raise Failed(f"{what}: no problem but {answer.status} {answer.body[:200]!r}")
    problem = answer.json()
    expect_subset(problem, expected, what)
    expect_equal(answer.status, expected["status"], f"the status for {what}")
    expect(hint in problem["detail"], f"{what}: no hint {hint} in {problem['detail']!r}")
