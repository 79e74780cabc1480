"""An app's own web server: its pages, the client's files beside them, and the backend that makes tokens."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from harness import tokens
from harness.world import ROOT

PAGES = ROOT / "Tests/Browser/pages"
CLIENT = ROOT / "clients/js/dist"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}


class Site:
    """An origin of its own, which a server has to name in `admission.origins`."""

    def __init__(self):
        #: How a token is made for a user; `None` says that nobody is signed in, an exception is an HTTP 503.
        self.make_token = tokens.token
        #: For whom, and for which reason, a token was asked.
        self.asked: list[tuple[str, str]] = []
        #: What is put before the content of files, by their paths.
        self.before: dict[str, str] = {}
        #: Where pages may connect to, besides this site.
        self.servers: list[str] = []
        self._http = _Server(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def policy(self) -> str:
        """The strictest that leaves the client its work. Each page has it, so each case shows that it holds."""
        servers = " ".join(f"{scheme}://{server}" for server in self.servers for scheme in ("http", "ws"))
        return ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; base-uri 'none'; "
                f"form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types app; "
                f"connect-src 'self' {servers}")

    def reasons(self, user: str) -> list[str]:
        return [reason for name, reason in self.asked if name == user]

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """The status, the type and the body."""
        address = urlsplit(path)
        if address.path == "/belfry-token":
            return self._token(**{name: values[0] for name, values in parse_qs(address.query).items()})
        for folder in (PAGES, CLIENT):
            file = folder / address.path.lstrip("/")
            if file.is_file() and file.resolve().is_relative_to(folder):
                return 200, KINDS[file.suffix], self.before.get(address.path, "").encode() + file.read_bytes()
        return 404, "text/plain", b""

    def _token(self, user: str, reason: str) -> tuple[int, str, bytes]:
        self.asked.append((user, reason))
        try:
            token = self.make_token(user)
        except Exception:
            return 503, "text/plain", b""
        return (401, "text/plain", b"") if token is None else (200, "text/plain", token.encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        """A tab that crashes or is closed leaves in the middle of a request."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, address)


def _handler(site: Site):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_GET(self):
            status, kind, body = site.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", site.policy)
            self.send_header("Cache-Control", "no-cache")
            # For pages without an origin.
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    return Handler
