"""Tokens that are something else than they say, or nearly right."""

import hashlib
import hmac
import json
import socket
import subprocess
import threading
import time

from harness import tokens
from harness.http import once
from harness.suite import case, expect, expect_equal
from harness.tokens import base64url

from ..access.credentials import rsa_key

COUNT = "/api/notifications/unread-count"


def made(header, claims, secret: str = tokens.SECRET, digest=hashlib.sha256) -> str:
    """A token with any header and claims, of objects or as texts, signed with HMAC."""
    parts = [base64url((part if isinstance(part, str) else json.dumps(part)).encode()) for part in (header, claims)]
    return ".".join([*parts, base64url(hmac.new(secret.encode(), ".".join(parts).encode(), digest).digest())])


def claims(**more) -> dict:
    return {"sub": "sarah", "exp": int(time.time()) + 3600, **more}


def statuses(server, found: dict[str, str]) -> dict[str, int]:
    return {name: once(server.listen, "GET", COUNT, token=token).status for name, token in found.items()}


def expect_all_refused(server, found: dict[str, str]):
    taken = {name: status for name, status in statuses(server, found).items() if status not in (400, 401, 431)}
    expect(not taken, f"taken, or answered otherwise than by a refusal: {taken}")


class Fetched:
    """Notes who asks: a URL inside a token must lead nowhere."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/keys"
        self.count = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                self._socket.accept()[0].close()
                self.count += 1
            except OSError:
                return

    def close(self):
        self._socket.close()


@case("a token by a shared secret is taken in one form alone: no other algorithm, header, encoding, time or subject")
def secrets(world):
    server = world.serve()
    fetched = world.keep(Fetched())
    right = {"alg": "HS256", "typ": "JWT"}
    good = made(right, claims())
    head, body, signature = good.split(".")
    expect_equal(statuses(server, {"good": good}), {"good": 200}, "the good one")
    found = {f"the algorithm {name!r}": made({"alg": name}, claims()) for name in (
        "none", "None", "NONE", "nOnE", "", "HS384", "HS512", "hs256", "HS256 ", "RS256", "ES256", "EdDSA", "PS256", "HS1", None, 256, ["HS256"], {"a": 1})}
    found |= {f"no signature, as {name!r}": ".".join([base64url(json.dumps({"alg": name}).encode()), body, ""]) for name in ("none", "HS256", "NoNe")}
    found |= {
        "HS384's own signature": made({"alg": "HS384"}, claims(), digest=hashlib.sha384),
        "HS512's signature as HS256": made(right, claims(), digest=hashlib.sha512), "an empty secret": made(right, claims(), secret=""),
        "no algorithm": made({"typ": "JWT"}, claims()), "two algorithms": made('{"alg":"HS256","alg":"none"}', claims()),
        "two subjects": made(right, '{"sub":"tom","sub":"sarah","exp":%d}' % (time.time() + 3600)),
        "a subject that is two by its escapes": made(right, r'{"sub":"tom","su\u0062":"sarah","exp":%d}' % (time.time() + 3600)),
        "a critical extension": made({**right, "crit": ["exp"]}, claims()), "an unencoded payload": made({**right, "b64": False, "crit": ["b64"]}, claims()),
        "four parts": good + ".a", "five parts, as if encrypted": ".".join([head, "", body, body, signature]), "two parts": f"{head}.{body}",
        "padding": good + "=", "a line's end": f"{head}.{body}\t.{signature}", "the other alphabet": good.replace(signature, "+/" + signature[2:]),
        "bits that nobody reads": good[:-1] + chr(ord(good[-1]) + 1), "an array": made(right, [claims()]), "a text": made(right, '"sarah"'), "nothing": made(right, ""), "a header that is none": made("[]", claims()),
        "no subject": made(right, {"exp": claims()["exp"]}), "no end": made(right, {"sub": "sarah"}), "a token in a token": made(right, good),
        "a changed subject": ".".join([head, base64url(json.dumps(claims(sub="tom")).encode()), signature]),
        "a changed header": ".".join([base64url(b'{"alg":"HS256"}'), body, signature]), "a long token": made(right, claims(a="x" * 20_000)),
    }
    found |= {f"the subject {subject!r}": made(right, claims(sub=subject)) for subject in (
        None, 7.5, True, "", ["sarah"], {"a": 1}, " ", "sarah\x00", "a\nb", "\x1b[2J", "x" * 5_000, "\u202esarah")}
    found |= {f"the end {end!r}": made(right, claims(exp=end)) for end in (
        "2099-01-01", str(int(time.time()) + 3600), None, -1, 0, True, [int(time.time()) + 3600], {"a": 1}, int(time.time()) - 3600)}
    found |= {f"not before {start!r}": made(right, claims(nbf=start)) for start in (int(time.time()) + 3600, "now", [0])}
    expect_all_refused(server, found)
    # What names a key, or says where one is, changes nothing.
    for name, value in {"jku": fetched.url, "x5u": fetched.url, "jwk": {"kty": "oct", "k": base64url(tokens.SECRET.encode())}, "x5c": ["MII"],
                        "kid": "../../../../dev/null"}.items():
        forged = made({**right, name: value}, claims(), secret="the secret of somebody who is not the issuer")
        expect_equal(statuses(server, {name: forged}), {name: 401}, f"the status with {name} and another secret")
    for kid in ("/dev/null", "' OR 1=1 --", "x" * 5_000, "\x00", "a\r\nb"):
        status = statuses(server, {"kid": made({**right, "kid": kid}, claims(), secret="")})["kid"]
        expect_equal(status, 401, f"the status with the key's name {kid!r}")
    expect_equal(fetched.count, 0, "how often the server asked for keys")
    # Other credentials of this server are no tokens, and neither is one for another of its purposes.
    session = server.session("sarah").ready["session"]
    server.register_device("sarah", "phone-1", "a-push-token-of-sarahs")
    expect_all_refused(server, {"a session's name": session, "a phone's push token": "a-push-token-of-sarahs", "a device's id": "phone-1",
                                "the secret itself": tokens.SECRET, "an empty one": "", "a bare name": "sarah"})


@case("a token by a provider's key is no token by another key, by the key's text as a secret, or by a key that it brings itself")
def published_keys(world):
    (first, first_public), (second, second_public) = rsa_key(world, "first"), rsa_key(world, "second")
    keys = world.folder / "jwks.json"
    keys.write_text(json.dumps({"keys": [first_public]}))
    server = world.serve(AUTH_SECRET="", AUTH_JWKS_FILE=str(keys), AUTH_ISSUER="https://issuer.example", AUTH_AUDIENCE="belfry")
    fetched = world.keep(Fetched())

    def by_key(file: str, header: dict, **more) -> str:
        payload = claims(**{"iss": "https://issuer.example", "aud": "belfry", **more})
        parts = [base64url(json.dumps(part).encode()) for part in ({"alg": "RS256", **header}, payload)]
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", file], input=".".join(parts).encode(), capture_output=True, check=True).stdout
        return ".".join([*parts, base64url(signature)])

    expect_equal(statuses(server, {"good": by_key(first, {"kid": "first"})}), {"good": 200}, "the good one")
    pem = subprocess.run(["openssl", "rsa", "-in", first, "-pubout"], capture_output=True, check=True, text=True).stdout
    asking = {"iss": "https://issuer.example", "aud": "belfry"}
    found = {f"the public key as a secret, {name}": made({"alg": "HS256", "kid": "first"}, claims(**asking), secret=text) for name, text in {
        "in PEM": pem, "without its last line's end": pem.rstrip(), "as the modulus": first_public["n"], "as JSON": json.dumps(first_public)}.items()}
    found |= {
        "another key": by_key(second, {"kid": "second"}), "another key by the name of a good one": by_key(second, {"kid": "first"}),
        "another key that it brings": by_key(second, {"jwk": second_public}), "another key that it says where to find": by_key(second, {"jku": fetched.url}),
        "another key without a name": by_key(second, {}), "a certificate that it says where to find": by_key(second, {"x5u": fetched.url, "kid": "first"}),
        "another issuer": by_key(first, {"kid": "first"}, iss="https://issuer.example.evil"), "no issuer": by_key(first, {"kid": "first"}, iss=None),
        "the issuer with a slash": by_key(first, {"kid": "first"}, iss="https://issuer.example/"),
        "an issuer in an array": by_key(first, {"kid": "first"}, iss=["https://issuer.example"]),
        "another audience": by_key(first, {"kid": "first"}, aud="belfry-2"), "no audience": by_key(first, {"kid": "first"}, aud=None),
        "an empty list of audiences": by_key(first, {"kid": "first"}, aud=[]), "PS256 by name": by_key(first, {"alg": "PS256", "kid": "first"}),
        "RS512 by name": by_key(first, {"alg": "RS512", "kid": "first"}), "RS1 by name": by_key(first, {"alg": "RS1", "kid": "first"}),
    }
    expect_all_refused(server, found)
    expect_equal(statuses(server, {"several": by_key(first, {"kid": "first"}, aud=["other", "belfry"])}), {"several": 200}, "one of several audiences")
    expect_equal(fetched.count, 0, "how often the server asked for keys")
