"""A browser and its push service, from implementations that are not ours: `http-ece` decrypts, `py-vapid` verifies."""

import base64
import json
import os
import re
import ssl
import subprocess
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from .declarative_push import read
from ..certificates import Certificate
from ..received import Received
from ..suite import PATIENCE
from ..tokens import base64url

#: Whom a push service may ask about the pushes.
SUBJECT = "mailto:ops@example.com"


def unbase64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class BrowserPush:
    """One push, as the service worker gets it."""

    path: str
    #: Names in lower case.
    headers: dict[str, str]
    #: The claims of the VAPID token.
    claims: dict
    #: The public key that the sender names itself with, in base64url.
    sender: str
    payload: dict
    #: What the browser shows of it: `declarative_push.read`.
    shown: dict


class WebPushReceiver:
    """An HTTPS server for one browser with one subscription.

    It refuses what any of the real services refuses: Apple a `Topic` that is no base64, Microsoft a `TTL` of 0.
    """

    def __init__(self, folder: Path):
        self.certificate = Certificate(folder, "web-push")
        self._vapid_key_file = str(folder / "vapid.pem")
        subprocess.run(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", self._vapid_key_file],
                       check=True, capture_output=True)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        self._received = Received()
        #: A service that takes less than RFC 8030 §7.2 demands, as Mozilla's does for browsers on Android.
        self.maximum_bytes = 4096
        #: The scope of the page's service worker; none for a page with a worker of its own, which gets no declarative pushes.
        self.scope: str | None = "https://app.example/"
        #: The lengths of the bodies that were too large.
        self.too_large: list[int] = []
        #: Answers of status, headers and body, for the next pushes in place of judging them.
        self.scripted: list[tuple[int, dict[str, str], bytes]] = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate.file, self.certificate.key_file)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        # The handshake is the connection's own thread's business: one that hangs must not hold up the others.
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def origin(self) -> str:
        return f"https://{self.authority}"

    @property
    def settings(self) -> dict[str, str]:
        """What lets a server push here, with a VAPID key of its own."""
        return {"PUSH_WEB_PUSH_PRIVATE_KEY_PATH": self._vapid_key_file, "PUSH_WEB_PUSH_SUBJECT": SUBJECT,
                "PUSH_WEB_PUSH_CA_FILE": self.certificate.file, "PUSH_WEB_PUSH_HOSTS": self.authority}

    def subscription(self, endpoint: str | None = None) -> dict:
        """What `PushSubscription.toJSON()` gives. `endpoint`: another one than this receiver's own."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": endpoint or f"{self.origin}/push/one", "expirationTime": None,
                **({"scope": self.scope} if self.scope else {}), "keys": {"p256dh": base64url(point), "auth": base64url(self._secret)}}

    @property
    def pushes(self) -> list[BrowserPush]:
        return self._received.all

    def wait_for(self, count: int, within: float = PATIENCE) -> list[BrowserPush]:
        """Fails as soon as a push comes that is not as the RFCs want it."""
        return self._received.wait_for(count, within)

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def receive(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        """The status, headers and body to answer with."""
        if self.scripted:
            return self.scripted.pop(0)
        if len(body) > self.maximum_bytes:
            self.too_large.append(len(body))
            text = f"This message is intended for a constrained device and is limited to {self.maximum_bytes} bytes."
            return 413, {}, json.dumps({"code": 413, "errno": 104, "message": text}).encode()
        try:
            self._received.add(self._read(path, headers, body))
            return 201, {}, b""
        except Exception as error:
            self._received.fail(f"a push that cannot be read: {type(error).__name__} {error}")
            return 400, {}, b""

    def _read(self, path: str, headers: dict[str, str], body: bytes) -> BrowserPush:
        if headers.get("content-encoding") != "aes128gcm":
            raise ValueError("Content-Encoding is not aes128gcm (RFC 8291 §4)")
        if not headers.get("ttl", "").isdigit():
            raise ValueError("TTL is missing or no number (RFC 8030 §5.2)")
        if int(headers["ttl"]) == 0:
            raise ValueError("a TTL of 0, which Microsoft's service refuses")
        topic = headers.get("topic", "none")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", topic) or len(topic) % 4 == 1:
            raise ValueError(f"the topic {topic}, which Apple's service refuses")
        claims, sender = self._verify(headers.get("authorization", ""))
        text = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        payload = json.loads(text)
        if (self.scope is not None) != ("web_push" in payload):
            raise ValueError(f"the push of a page with the scope {self.scope} has the members {sorted(payload)}")
        return BrowserPush(path, headers, claims, sender, payload, read(payload))

    def _verify(self, authorization: str) -> tuple[dict, str]:
        if not Vapid02.verify(authorization):
            raise ValueError("the VAPID signature is wrong")
        parameters = dict(part.split("=", 1) for part in authorization.split(" ", 1)[1].split(","))
        claims = json.loads(unbase64url(parameters["t"].split(".")[1]))
        if claims["aud"] != self.origin:
            raise ValueError(f"the audience is {claims['aud']}, not {self.origin} (RFC 8292 §2)")
        if not 0 < claims["exp"] - time.time() <= 24 * 3600:
            raise ValueError("exp is not within 24 hours (RFC 8292 §2)")
        return claims, parameters["k"]


def _handler(receiver: WebPushReceiver):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, more, answer = receiver.receive(self.path, headers, body)
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Location", f"{receiver.origin}/message/{len(receiver.pushes)}")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *arguments):
            pass

    return Handler
