"""An HTTPS server that plays Belfry's bad days: each request gets the next answer of a script."""

import json
import ssl
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ..certificates import Certificate


@dataclass
class ScriptedAnswer:
    status: int
    body: dict = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class ScriptedRequest:
    #: By a clock that only goes on, in seconds.
    at: float
    #: The client's port: requests with the same one came on one connection.
    connection: int
    path: str
    #: Names in lower case.
    headers: dict[str, str]
    body: bytes


class ScriptedHttps:
    """`script`: answers in turn; `None` closes the connection without one. Beyond the script all is answered by 400."""

    def __init__(self, certificate: Certificate, *script: ScriptedAnswer | None):
        self._script = list(script)
        self._requests: list[ScriptedRequest] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler)
        self._server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate.file, certificate.key_file)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return "127.0.0.1:{}".format(self._server.server_address[1])

    @property
    def requests(self) -> list[ScriptedRequest]:
        with self._lock:
            return list(self._requests)

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _next(self, request: ScriptedRequest) -> ScriptedAnswer | None:
        with self._lock:
            self._requests.append(request)
            return self._script.pop(0) if self._script else ScriptedAnswer(400, {"code": "beyond_the_script"})

    @property
    def _handler(self):
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = scripted._next(ScriptedRequest(
                    time.monotonic(), self.client_address[1], self.path,
                    {name.lower(): value for name, value in self.headers.items()}, body))
                if answer is None:
                    self.close_connection = True
                    return
                content = json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in {**answer.headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        return Handler
