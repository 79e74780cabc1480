"""A receiver of webhooks, which judges each request by Standard Webhooks 1.0.0, with the reference library."""

import json
import re
import threading
import time
from dataclasses import dataclass
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook

from ..suite import PATIENCE, Failed, wait_until

TYPE = re.compile(r"[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)*")


@dataclass
class Received:
    id: str
    type: str
    data: dict
    #: What the receiver answered; 0 if it gave no answer.
    status: int
    at: float


class WebhookReceiver:
    """`answers`: the first answers, each a status, or one with headers; 204 after them. 0 closes without an answer."""

    def __init__(self, *secrets: str, answers=()):
        self._secrets = secrets
        self._answers = [answer if isinstance(answer, tuple) else (answer, {}) for answer in answers]
        self._lock = threading.Lock()
        self._received: list[Received] = []
        self._problems: list[str] = []
        self._bodies: dict[str, bytes] = {}
        #: Cleared while no request gets an answer.
        self.is_answering = threading.Event()
        self.is_answering.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler)
        self._server.daemon_threads = True
        # A server that is killed leaves its connections in any state.
        self._server.handle_error = lambda request, address: None
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks?from=belfry"

    def close(self):
        self.is_answering.set()
        self._server.shutdown()
        self._server.server_close()

    def answer_next(self, *answers):
        with self._lock:
            self._answers += [answer if isinstance(answer, tuple) else (answer, {}) for answer in answers]

    @property
    def received(self) -> list[Received]:
        with self._lock:
            if self._problems:
                raise Failed("; ".join(self._problems))
            return list(self._received)

    def taken(self, type: str) -> dict[str, dict]:
        """The data of those that were answered by 2xx, by id."""
        return {one.id: one.data for one in self.received if one.type == type and 200 <= one.status < 300}

    def wait_for(self, count: int, type: str | None = None, within: float = PATIENCE) -> list[Received]:
        def found():
            all = [one for one in self.received if type is None or one.type == type]
            return all if len(all) >= count else None

        try:
            return wait_until(found, within, f"{count} webhooks {type or ''}")
        except Failed as failure:
            raise Failed(f"{failure}; there were {self.received}") from None

    def _judge(self, headers: dict[str, str], path: str, body: bytes) -> tuple[str, dict]:
        """Signature and metadata, payload structure, content type and size."""
        if path != "/hooks?from=belfry":
            raise ValueError(f"another path: {path}")
        # Each secret by itself signs; the library checks the timestamp's tolerance, too.
        for secret in self._secrets:
            payload = Webhook(secret).verify(body, headers)
        if len(headers["webhook-signature"].split(" ")) != len(self._secrets):
            raise ValueError("another number of signatures")
        identifier = headers["webhook-id"]
        if "." in identifier or not re.fullmatch(r"[0-9]+", headers["webhook-timestamp"]):
            raise ValueError("the metadata could be mistaken for each other")
        if abs(int(headers["webhook-timestamp"]) - time.time()) > 5:
            raise ValueError("the timestamp is not that of the try")
        if headers["content-type"] != "application/json" or len(body) > 20_000:
            raise ValueError("another type, or too large")
        if set(payload) != {"type", "timestamp", "data"} or not TYPE.fullmatch(payload["type"]):
            raise ValueError(f"another structure: {payload}")
        datetime.fromisoformat(payload["timestamp"])
        if self._bodies.setdefault(identifier, body) != body:
            raise ValueError("another body under the same id")
        if b"Italy" in body or b"a1b2c3" in body:
            raise ValueError("a notification's words, or a device's token")
        return identifier, payload

    @property
    def _handler(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with receiver._lock:
                    status, more = receiver._answers.pop(0) if receiver._answers else (204, {})
                    try:
                        identifier, payload = receiver._judge(headers, self.path, body)
                        receiver._received.append(
                            Received(identifier, payload["type"], payload["data"], status, time.monotonic()))
                    except Exception as problem:  # whatever is wrong with it, the case has to fail
                        receiver._problems.append(f"{problem!r} in {headers} {body[:2000]!r}")
                receiver.is_answering.wait(PATIENCE)
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self):
                with receiver._lock:
                    receiver._problems.append(f"a GET of {self.path}: a redirect was followed")
                self.send_error(405)

            def log_message(self, *arguments):
                pass

        return Handler
