"""Tokens that a server in development accepts: signed with the secret in its data folder."""

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path

# Longer than any measurement, so that no session is asked to renew.
LIFETIME_SECONDS = 86_400


def write(file: Path, data: Path, sessions: int, sessions_per_user: int, first_user: int = 0) -> None:
    """A token a line for each session; the file is for its owner only."""
    signing_secret = secret(data)
    expiry = int(time.time()) + LIFETIME_SECONDS
    file.touch(mode=0o600)
    with file.open("w") as out:
        for session in range(sessions):
            out.write(_token(f"user-{first_user + session // sessions_per_user}", expiry, signing_secret) + "\n")


def secret(data: Path) -> bytes:
    return (data / "dev-secret").read_text().strip().encode()


def token(user: str, signing_secret: bytes) -> str:
    return _token(user, int(time.time()) + LIFETIME_SECONDS, signing_secret)


def _token(user: str, expiry: int, secret: bytes) -> str:
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": user, "exp": expiry}]
    signed = ".".join(_base64url(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    return f"{signed}.{_base64url(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
