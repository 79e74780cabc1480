"""A stand-in for an identity provider: OpenID Connect discovery, keys that rotate, and every bad day that it may have."""

import json
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from ..certificates import Certificate
from ..ports import lasting_port

DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/keys"


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that has lost its patience


class IdentityProvider:
    """At `issuer`, which stays the same when it dies and comes back. `max_age`: how long its keys may be cached.
    `certificate`: for TLS."""

    def __init__(self, max_age: int = 1, certificate: Certificate | None = None):
        self.max_age, self.certificate = max_age, certificate
        self.port = lasting_port()
        self.issuer = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}/realm"
        self._keys: dict[str, ec.EllipticCurvePrivateKey] = {}
        self.published: list[str] = []
        #: What is answered in place of the truth, by path: a function of the request's handler.
        self.lies: dict = {}
        #: The paths of all requests, each with its time.
        self.requests: list[tuple[str, float]] = []
        self._server = None
        self.start()

    def start(self):
        self._server = QuietServer(("127.0.0.1", self.port), self._handler)
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate.file, self.certificate.key_file)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def die(self):
        self._server.shutdown()
        self._server.server_close()

    def close(self):
        self.die()

    def rotate(self, *names: str):
        """From now on these keys are published, and no others; new names get new keys."""
        for name in names:
            self._keys.setdefault(name, ec.generate_private_key(ec.SECP256R1()))
        self.published = list(names)

    def token(self, user: str, key: str, *, expires_in: float = 3600, **claims) -> str:
        self._keys.setdefault(key, ec.generate_private_key(ec.SECP256R1()))
        payload = {"iss": self.issuer, "aud": "belfry", "sub": user, "exp": int(time.time() + expires_in), **claims}
        return jwt.encode(payload, self._keys[key], algorithm="ES256", headers={"kid": key})

    def count(self, path: str) -> int:
        return sum(1 for asked, _ in self.requests if asked == path)

    # MARK: What it answers

    def key_set(self) -> dict:
        others = [{"kty": "oct", "kid": "secret", "k": "c2VjcmV0"}, {"kty": "LMS", "kid": "later", "pub": "AA"},
                  {"kty": "RSA", "kid": "enc", "use": "enc", "n": "AQAB", "e": "AQAB"}]
        keys = [{**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self._keys[name].public_key())), "kid": name,
                 "use": "sig", "alg": "ES256"} for name in self.published]
        return {"keys": others + keys}

    def settings(self, **others) -> dict:
        return {"issuer": self.issuer, "jwks_uri": self.issuer + KEYS, "response_types_supported": ["code"], **others}

    @property
    def _handler(self):
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path = self.path.removeprefix("/realm")
                provider.requests.append((path, time.monotonic()))
                if path in provider.lies:
                    provider.lies[path](self)
                elif path == DISCOVERY:
                    self.answer(json.dumps(provider.settings()))
                elif path == KEYS:
                    self.answer(json.dumps(provider.key_set()), Cache_Control=f"max-age={provider.max_age}")
                else:
                    self.answer("nothing here", 404)

            def answer(self, body: str, status: int = 200, kind: str = "application/json", **headers):
                content = body.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                # A connection that stays open would outlive a provider that dies.
                self.send_header("Connection", "close")
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        return Handler
