"""The calls and frames that the specifications name, as requests to fill in: who goes through all has a new one by itself."""

import itertools
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

from . import specification


@dataclass(frozen=True)
class Leaf:
    """A place for a value, by the name of its parameter or member; `name{}` is a key of a map that has any keys."""

    name: str


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    #: `public`, `publishing` and `operators`.
    listeners: frozenset[str]
    #: The schemes of credentials, of which one is enough; an empty name for none.
    schemes: frozenset[str]
    #: Of each parameter: `path`, `query` or `header`, its name, and whether it has to be there.
    parameters: tuple[tuple[str, str, bool], ...]
    #: What the body may be; a None where there need be none.
    bodies: tuple

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def templates(self) -> list[tuple[tuple[str, ...], object]]:
        """The query's parameters and the body of requests that have each of them once."""
        wanted = tuple(name for where, name, is_wanted in self.parameters if where == "query" and is_wanted)
        others = [name for where, name, is_wanted in self.parameters if where == "query" and not is_wanted]
        return [(wanted, body) for body in self.bodies] + [((*wanted, name), self.bodies[0]) for name in others]

    def places(self, query: tuple[str, ...], body) -> list[str]:
        return [name for where, name, _ in self.parameters if where == "path"] + list(query) + sorted(leaves(body))

    def fill(self, query: tuple[str, ...], body, value) -> tuple[str, object]:
        """The target and the body of a request; `value` gives that of a name."""
        path = self.path
        for where, name, _ in self.parameters:
            if where == "path":
                path = path.replace(f"{{{name}}}", quote(str(value(name)), safe=""))
        if query:
            path += "?" + "&".join(f"{name}={quote(str(value(name)), safe='')}" for name in query)
        return path, filled(body, value)


def leaves(template) -> set[str]:
    if isinstance(template, Leaf):
        return {template.name}
    if isinstance(template, dict):
        return set().union(*({key.name} if isinstance(key, Leaf) else set() for key in template), *map(leaves, template.values()))
    return set().union(*map(leaves, template)) if isinstance(template, list) else set()


def filled(template, value):
    if isinstance(template, Leaf):
        return value(template.name)
    if isinstance(template, dict):
        return {value(key.name) if isinstance(key, Leaf) else key: filled(member, value) for key, member in template.items()}
    return [filled(element, value) for element in template] if isinstance(template, list) else template


class _Templates:
    """What follows a schema: with the members that it wants, and with each of the others once."""

    def __init__(self, document: dict):
        self._schemas = document["components"]["schemas"]

    def of(self, schema: dict, name: str = "") -> list:
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rsplit("/", 1)[1]]
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return [made for branch in schema[word] if branch.get("type") != "null" for made in self.of(branch, name)]
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            return [value for value in schema["enum"] if value is not None][:1]
        kinds = [kind for kind in _listed(schema.get("type", "string")) if kind != "null"]
        if not kinds:
            return []
        if "object" in kinds:
            return self._objects(schema, name)
        if "array" in kinds:
            return [[element] for element in self.of(schema.get("items", {}), name)]
        return [True] if kinds == ["boolean"] else [Leaf(name)]

    def _objects(self, schema: dict, name: str) -> list[dict]:
        members = {key: made for key, of in schema.get("properties", {}).items() if (made := self.of(of or {}, key))}
        if isinstance(of := schema.get("additionalProperties"), dict):
            return [{Leaf(name + "{}"): made} for made in self.of(of, name)]
        wanted = {key: members[key][0] for key in schema.get("required", []) if key in members}
        return [wanted] + [{**wanted, key: value} for key, made in members.items()
                           for value in (made[1:] if key in wanted else made)]


def _listed(value) -> list:
    return value if isinstance(value, list) else [value]


@cache
def operations() -> list[Operation]:
    """All of docs/openapi.yaml."""
    document = specification.load("openapi.yaml")
    templates = _Templates(document)
    found = []
    for path, item in document["paths"].items():
        for method, call in item.items():
            if method == "servers":
                continue
            body = call.get("requestBody", {})
            bodies = templates.of(body["content"]["application/json"]["schema"]) if body else []
            if not body.get("required"):
                bodies = [None, *bodies]
            found.append(Operation(
                method.upper(), path, frozenset(call["tags"]),
                frozenset(itertools.chain.from_iterable(list(scheme) or [""] for scheme in call["security"] or [{}])),
                tuple((parameter["in"], parameter["name"], parameter.get("required", False)) for parameter in call.get("parameters", [])),
                tuple(bodies)))
    return found


@cache
def client_frames() -> dict[str, list[dict]]:
    """What clients may send of each type."""
    document = specification.load("asyncapi.yaml")
    templates = _Templates(document)
    messages = [document["components"]["messages"][message["$ref"].rsplit("/", 1)[1]]
                for message in document["operations"]["take"]["messages"]]
    return {message["name"]: templates.of(message["payload"]) for message in messages}
