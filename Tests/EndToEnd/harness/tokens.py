"""Tokens as an identity provider would make them, with the shared secret of the test servers."""

import base64
import hashlib
import hmac
import json
import subprocess
import time

SECRET = "a-secret-of-the-end-to-end-tests-only"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(user: str, *, expires_in: float = 3600, secret: str = SECRET, **claims) -> str:
    header = {"alg": "HS256", "typ": "JWT"}
    payload = {"sub": user, "exp": int(time.time() + expires_in), **claims}
    parts = [base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (header, payload)]
    signature = hmac.new(secret.encode(), ".".join(parts).encode(), hashlib.sha256).digest()
    return ".".join([*parts, base64url(signature)])


def signed_by(key_file: str, user: str, *, expires_in: float = 3600, **header) -> str:
    """As an identity provider makes it, with an RSA key in a PEM file (RS256)."""
    payload = {"sub": user, "exp": int(time.time() + expires_in)}
    parts = [base64url(json.dumps(part).encode()) for part in ({"alg": "RS256", "typ": "JWT", **header}, payload)]
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key_file], input=".".join(parts).encode(),
                               capture_output=True, check=True).stdout
    return ".".join([*parts, base64url(signature)])


def subprotocol(token: str) -> str:
    """How a browser offers it."""
    return "bearer." + base64url(token.encode())
