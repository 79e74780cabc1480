"""What docs/openapi.yaml and docs/asyncapi.yaml promise, held against every call and frame of the cases.

An answer has a documented status and body, with documented members alone. A request that the server carries out is one
that the schemas allow. Frames of the server are as documented. Frames of clients are carried out only if the schemas allow
them, and none that they allow is refused for a missing member or a wrong type.
"""

import json
import re
import threading
from functools import cache
from pathlib import Path

import jsonschema_rs
import yaml

from .suite import Failed

DOCS = Path(__file__).resolve().parents[3] / "docs"
#: A frame is refused with these only if its schema refuses it.
REFUSALS_OF_FORM = ("missing_field", "wrong_type")

_lock = threading.Lock()
_seen: set[tuple[str, str]] = set()


def load(name: str) -> dict:
    return yaml.load((DOCS / name).read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def closed(schema):
    """The schema, which allows no members but those that it names, unless it says otherwise."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: value if key == "not" else closed(value) for key, value in schema.items()}
    if isinstance(made.get("properties"), dict) and "object" in made.get("type", ()):
        made.setdefault("additionalProperties", False)
    return made


class Validators:
    """Those of one document's schemas, made when they are first needed."""

    def __init__(self, document: dict):
        self._components = {"schemas": document["components"]["schemas"]}
        self._closed_components = {"schemas": closed(self._components["schemas"])}
        self._made = {}

    def problem(self, schema: dict, value, *, is_strict: bool) -> str | None:
        """Why a value breaks a schema; None if it does not."""
        key = (id(schema), is_strict)
        with _lock:
            validator = self._made.get(key)
            if validator is None:
                root = {**(closed(schema) if is_strict else schema),
                        "components": self._closed_components if is_strict else self._components}
                validator = self._made[key] = jsonschema_rs.Draft202012Validator(root)
        if validator.is_valid(value):
            return None
        error = next(validator.iter_errors(value))
        return f"at /{'/'.join(map(str, error.instance_path))}: {error.message[:400]}"


# MARK: HTTP

class Calls:
    def __init__(self):
        document = load("openapi.yaml")
        self._validators = Validators(document)
        self._responses = document["components"]["responses"]
        # A path without a parameter goes before those with one.
        self._paths = sorted(
            ((re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + r"\Z"), "{" in path, path, item)
             for path, item in document["paths"].items()), key=lambda entry: entry[1])

    def check(self, method: str, target: str, body, answer, headers: dict):
        found = [(path, item) for pattern, _, path, item in self._paths if pattern.match(target.split("?")[0])]
        if method == "HEAD" or not found:
            return
        calls = [(path, item[method.lower()]) for path, item in found if method.lower() in item]
        what = f"{method} {target[:200]} was answered by {answer.status}"
        if not calls:
            # 204 and 403 answer a browser that asks what it may call.
            if answer.status not in (405, 404) and method != "OPTIONS":
                raise Failed(f"{what}, and docs/openapi.yaml does not have this method")
            return
        path, call = calls[0]
        # Another listener was asked, which does not have the path, or has other methods there.
        if answer.status == 404 and b'"there is nothing at this path' in answer.body:
            return
        if answer.status == 405 and method not in re.split(r",\s*", answer.headers["allow"]):
            return
        documented = call["responses"].get(str(answer.status))
        if documented is None:
            raise Failed(f"{what}, which docs/openapi.yaml does not have for {path}")
        if "$ref" in documented:
            documented = self._responses[documented["$ref"].rsplit("/", 1)[1]]
        self._check_content(documented.get("content", {}), answer.headers, answer.body, what, is_strict=True)
        if answer.status < 300 and body is not None and (taken := call.get("requestBody")):
            self._check_request(taken["content"], body, what, {name.lower(): value for name, value in headers.items()})

    def _check_content(self, contents: dict, headers: dict, body: bytes, what: str, *, is_strict: bool):
        if not contents:
            if body:
                raise Failed(f"{what}, with a body that docs/openapi.yaml does not have")
            return
        media_type = headers.get("content-type", "").split(";")[0]
        if media_type not in contents:
            raise Failed(f"{what} with the type {media_type!r}, which docs/openapi.yaml does not have")
        if headers.get("content-encoding"):
            return
        content = contents[media_type]
        if "x-line-schema" in content:
            for line in body.splitlines():
                self._check(content["x-line-schema"], json.loads(line), what, is_strict)
        elif media_type.endswith("json"):
            self._check(content["schema"], json.loads(body), what, is_strict)

    def _check_request(self, contents: dict, body, what: str, headers: dict):
        if isinstance(body, bytes):
            try:
                body = json.loads(body)
            except ValueError:
                return  # A stream, or compressed.
        # Another type counts as JSON.
        content = contents.get(headers.get("content-type", "").split(";")[0], contents["application/json"])
        if "x-line-schema" in content:
            return
        schema = content["x-cloudevent-data-schema" if "ce-specversion" in headers else "schema"]
        if problem := self._validators.problem(schema, body, is_strict=False):
            raise Failed(f"{what}, but docs/openapi.yaml refuses the body {problem}: {body!r:.300}")

    def _check(self, schema: dict, value, what: str, is_strict: bool):
        if problem := self._validators.problem(schema, value, is_strict=is_strict):
            raise Failed(f"{what}, not as docs/openapi.yaml has it: {problem}: {value!r:.500}")


@cache
def calls() -> Calls:
    return Calls()


def check_answer(method: str, target: str, body, answer, headers: dict | None = None):
    """Fails if an answer, or a request that was carried out, is not as documented. `headers` are the request's."""
    calls().check(method, target, body, answer, headers or {})


# MARK: Frames

class Frames:
    def __init__(self):
        self._document = load("asyncapi.yaml")
        self._validators = Validators(self._document)
        self._payloads: dict[tuple[str, str], dict] = {}
        for sender, operation in (("client", "take"), ("server", "tell")):
            for message in self._document["operations"][operation]["messages"]:
                name = message["$ref"].rsplit("/", 1)[1]
                message = self._document["components"]["messages"][name]
                self._payloads[sender, message["name"]] = message["payload"]

    @property
    def types(self) -> set[tuple[str, str]]:
        """Each with its sender, `client` or `server`."""
        return set(self._payloads)

    def problem(self, sender: str, frame: dict) -> str | None:
        """Why a frame is not as documented; None if it is."""
        key = (sender, frame.get("type"))
        payload = self._payloads.get(key)
        if payload is None:
            return f"docs/asyncapi.yaml has no frame {key[1]!r} of the {sender}"
        problem = self._validators.problem(payload, frame, is_strict=sender == "server")
        if problem is None:
            with _lock:
                _seen.add(key)
        return problem


@cache
def frames() -> Frames:
    return Frames()


class Conversation:
    """The frames of one session, as they are sent and received."""

    def __init__(self):
        #: What the schemas say about frames with an id that have no answer yet.
        self._asked: dict = {}

    def sent(self, frame):
        if not isinstance(frame, dict):
            return
        problem = frames().problem("client", frame)
        if isinstance(frame.get("id"), (str, int)):
            self._asked[frame["id"]] = (frame, problem)

    def received(self, frame: dict):
        if problem := frames().problem("server", frame):
            raise Failed(f"a frame is not as docs/asyncapi.yaml has it: {problem}: {frame!r:.500}")
        asked, problem = self._asked.pop(frame.get("id"), (None, None))
        if asked is None:
            return
        if frame["type"] == "ok" and problem:
            raise Failed(f"{asked} was carried out, and docs/asyncapi.yaml refuses it: {problem}")
        if frame["type"] == "error" and frame["code"] in REFUSALS_OF_FORM and not problem:
            raise Failed(f"{asked} was refused by {frame}, and docs/asyncapi.yaml allows it")


def unseen() -> list[str]:
    """The types of frames that no case of this run has sent or received as documented."""
    return sorted(f"{kind} (of the {sender})" for sender, kind in frames().types - _seen)
