"""A stand-in for a provider that signs people in (OpenID Connect): it signs in at once, and may lie at each step."""

import base64
import hashlib
import json
import secrets
import time
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import jwt

from ..certificates import Certificate
from ..ports import lasting_port
from .identity_provider import IdentityProvider

AUTHORIZE = "/authorize"
TOKEN = "/token"
#: Of the console.
CALLBACK = "/console/oidc/callback"
CLIENT, SECRET = "belfry-console", "s/ecret+of the client, 32 bytes or more"


class SignInProvider(IdentityProvider):
    """`secret`: the client's; None for a public client. `host`: another name of this machine, for another site."""

    def __init__(self, secret: str | None = SECRET, host: str = "127.0.0.1", certificate: Certificate | None = None):
        self.secret = secret
        #: Who is signed in, as the ID token has it; a None takes a claim away.
        self.claims: dict = {"sub": "user-1", "email": "ana@example.com", "email_verified": True}
        #: What the browser brings back in place of the truth; a None takes a parameter away.
        self.back: dict = {}
        #: What is wrong with the requests that came, which nothing may be.
        self.faults: list[str] = []
        #: By code, what its login has asked for.
        self._codes: dict[str, dict[str, str]] = {}
        #: Makes the ID token of its claims; None for one that is signed as it should be.
        self.signs = None
        super().__init__(max_age=3600, certificate=certificate)
        self.issuer = self.issuer.replace("127.0.0.1", host)
        self.rotate("one")

    def settings(self, **others) -> dict:
        return super().settings(authorization_endpoint=self.issuer + AUTHORIZE, token_endpoint=self.issuer + TOKEN,
                                authorization_response_iss_parameter_supported=True, **others)

    def console(self, folder, **others: str) -> dict[str, str]:
        """Settings of a server whose console it signs people in at; in `folder` is the file with the secret."""
        ops = f"127.0.0.1:{lasting_port()}"
        named = {"ISSUER": self.issuer, "CLIENT_ID": CLIENT, "REDIRECT_URI": f"http://{ops}{CALLBACK}",
                 "ALLOW_VALUES": "ana@example.com,bob@example.com", **others}
        if self.secret:
            (folder / "client.secret").write_text(self.secret + "\n")
            named["CLIENT_SECRET_FILE"] = str(folder / "client.secret")
        return {"ops": ops, **{f"CONSOLE_OIDC_{name}": value for name, value in named.items()}}

    # MARK: What it answers

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent back to."""
        expected = {"response_type": "code", "client_id": CLIENT, "code_challenge_method": "S256",
                    "scope": "openid profile email"}
        self.faults += [f"{name} is {asked.get(name)!r}" for name, value in expected.items() if asked.get(name) != value]
        self.faults += [f"{name} is short" for name in ("state", "nonce", "code_challenge") if len(asked.get(name, "")) < 43]
        code = secrets.token_urlsafe()
        self._codes[code] = asked
        back = {"code": code, "state": asked["state"], "iss": self.issuer, "session_state": "1", **self.back}
        return asked["redirect_uri"] + "?" + urlencode({name: value for name, value in back.items() if value is not None})

    def exchange(self, form: dict[str, str], authorization: str | None) -> tuple[int, dict]:
        if self.secret is None:
            is_client = authorization is None and form.get("client_id") == CLIENT
        else:
            pair = base64.b64decode((authorization or "").removeprefix("Basic ")).decode().split(":")
            is_client = [unquote(part) for part in pair] == [CLIENT, self.secret]
        if not is_client:
            return 401, {"error": "invalid_client"}
        # Once.
        asked = self._codes.pop(form.get("code"), None)
        if form.get("grant_type") != "authorization_code" or asked is None:
            return 400, {"error": "invalid_grant", "error_description": "a code is used once"}
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != asked["code_challenge"] or form.get("redirect_uri") != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "nonce": asked["nonce"], "iat": now, "exp": now + 300, **self.claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        token = self.signs(claims) if self.signs else self.signed(claims)
        return 200, {"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "id_token": token}

    def signed(self, claims: dict, key: str = "one") -> str:
        return jwt.encode(claims, self._keys[key], algorithm="ES256", headers={"kid": key})

    @property
    def _handler(self):
        provider, base = self, super()._handler

        class Handler(base):
            def do_GET(self):
                path, _, query = self.path.removeprefix("/realm").partition("?")
                if path != AUTHORIZE or path in provider.lies:
                    return super().do_GET()
                provider.requests.append((path, time.monotonic()))
                self.answer("", 302, Location=provider.authorize(plain(query)))

            def do_POST(self):
                path = urlsplit(self.path).path.removeprefix("/realm")
                provider.requests.append((path, time.monotonic()))
                form = plain(self.rfile.read(int(self.headers["Content-Length"])).decode())
                if path in provider.lies:
                    return provider.lies[path](self)
                status, answer = provider.exchange(form, self.headers["Authorization"])
                self.answer(json.dumps(answer), status)

        return Handler


def plain(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
