"""Every example of the pages is as the specifications have it."""

import json
import re
import shlex
from functools import cache

import jsonschema_rs
import yaml

from harness import specification
from harness.suite import Failed, case, expect, expect_equal
from harness.world import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: What a phone gets, and what an editor reads: no parts of any specification.
OTHERS = ({"title", "body"}, {"aps", "belfry"}, {"web_push", "notification"}, {"json.schemas"})


@cache
def schema(name: str) -> dict:
    return json.loads((ROOT / f"docs/schemas/{name}.json").read_text())


def problem(schema: dict, value) -> str | None:
    for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(value):
        return f"at /{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
    return None


def part(name: str, of: str) -> dict:
    """A definition in a schema, none of whose members is needed."""
    definitions = schema(name)["$defs"]
    return {**definitions[of], "required": [], "$defs": definitions}


def blocks(language: str):
    """Each block of a page, with its place."""
    for page in PAGES:
        text = page.read_text()
        for found in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            yield f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 2}", found[1]


def values(text: str) -> list:
    """The JSON values of a block, one behind the other."""
    found, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def calls(text: str):
    """The calls of curl in a block: method, path, the body's type, and the JSON body."""
    lexer = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars="|;()\n")
    lexer.whitespace_split, lexer.whitespace = True, " \t"
    words = list(lexer)
    for place, word in enumerate(words):
        if word != "curl":
            continue
        method, path, body, kind = None, None, None, "application/json"
        rest = words[place + 1:]
        while rest and not re.fullmatch(r"[|;()\n]+", rest[0]):
            option = rest.pop(0)
            if option in ("-H", "-X", "-d", "-w", "--unix-socket", "--cacert", "-o"):
                argument = rest.pop(0)
                method = argument if option == "-X" else method
                body = argument if option == "-d" else body
                if header := re.fullmatch(r"Content-Type: (\S+)", argument):
                    kind = header[1]
            elif found := re.match(r"(?:https?://)?(?:localhost|belfry|[\w.-]+)(?::\d+)?(/[^?]*)", option):
                path = found[1]
        if path and body and not body.startswith("@"):
            yield method or "POST", path, kind, body


@case("the catalogs that ship, and the whole settings file, are as their schemas have it")
def shipped(world):
    del world
    catalogs = sorted((ROOT / "Config/catalogs").glob("*.yaml"))
    expect(len(catalogs) >= 4, "catalogs are missing")
    for path in catalogs:
        expect_equal(problem(schema("catalog"), yaml.safe_load(path.read_text())), None, path.name)
    expect_equal(problem(schema("settings"), yaml.safe_load((ROOT / "Config/belfry.yaml").read_text())), None, "settings")


@case("what belfry check refuses for its form, the schemas of catalogs and settings refuse, too")
def refused(world):
    catalog = {"catalog": "c", "events": {"e": {"routes": [{"to": "l", "type": "T"}]}}, "types": {"T": {"text": "t"}}}
    kinds = {"catalog": catalog, "settings": {"listen": "127.0.0.1:8080"}}
    for kind, path, value in (
        ("catalog", ["titel"], "x"), ("catalog", ["types"], None), ("catalog", ["types", "T", "txt"], "x"),
        ("catalog", ["types", "T", "text"], []), ("catalog", ["types", "T", "push"], {"when": "sometimes"}),
        ("catalog", ["types", "T", "push"], {"title": "t", "body": "b", "bodyMax": 5}),
        ("catalog", ["types", "T", "push"], {"title": "t", "body": "b", "grace": "4 seconds"}),
        ("catalog", ["types", "T", "preferences"], {"inApp": "maybe"}),
        ("catalog", ["types", "T", "fields"], {"a": {"value": "x", "defalt": 1}}),
        ("catalog", ["types", "T", "groupText"], {"one": "x"}), ("catalog", ["events", "e", "routes"], [{"to": "l"}]),
        ("catalog", ["feeds"], {"posts": {}}), ("catalog", ["feeds"], {"posts": {"access": "private"}}),
        ("catalog", ["members"], {"m": "sample"}), ("catalog", ["badge"], "all"),
        ("settings", ["lisen"], "x"), ("settings", ["live"], {"heartbeat": "25"}), ("settings", ["shards"], -1),
        ("settings", ["log"], {"format": "xml"}), ("settings", ["live"], {"tokenInQuery": "sometimes"}),
        ("settings", ["auth"], {"apps": {"golf": {"secrt": "x"}}}), ("settings", ["publishers"], {"p": {"calls": ["all"]}}),
    ):
        expect_equal(problem(schema(kind), kinds[kind]), None, f"a right {kind}")
        wrong = json.loads(json.dumps(kinds[kind]))
        place = wrong
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        expect(problem(schema(kind), wrong), f"the schema allows {path} = {value!r}")
        file = world.folder / f"{kind}.yaml"
        file.write_text(yaml.safe_dump(wrong))
        expect_equal(world.run("check", str(file)).returncode, 1, f"what belfry check says of {path} = {value!r}")


@case("each catalog and setting in the pages is as its schema has it")
def pages_of_people(world):
    del world
    taken = {"catalog": 0, "settings": 0, "type": 0}
    kinds = {"catalog": part("catalog", of="Catalog"), "settings": schema("settings"), "type": part("catalog", of="CatalogType")}
    for place, text in blocks("yaml"):
        value = yaml.safe_load(text)
        possible = [kind for kind, known in kinds.items() if set(value) <= set(known["properties"])]
        if not possible:
            raise Failed(f"{place} is neither a catalog nor settings")
        # A part with `push` alone may be of either.
        wholes = {kind: schema("catalog") if {"catalog", "events"} <= set(value) else kinds[kind] for kind in possible}
        problems = {kind: problem(whole, value) for kind, whole in wholes.items()}
        expect(None in problems.values(), f"{place}: {problems}")
        taken[next(kind for kind, found in problems.items() if found is None)] += 1
    expect(all(count > 1 for count in taken.values()), f"examples are missing: {taken}")


@case("each event, body, answer and frame in the pages is as some schema has it, with documented members alone")
def pages_of_programs(world):
    del world
    document = specification.load("openapi.yaml")
    frames = specification.load("asyncapi.yaml")["components"]["schemas"]
    components = specification.closed({"schemas": {**frames, **document["components"]["schemas"]}})
    names = {match for match in components["schemas"] if match not in ("Profile", "LiveFields", "Items")}
    names -= {name for name in names if "type" in (s := components["schemas"][name]) and s["type"] != "object"}

    @cache
    def validator(name: str):
        return jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})

    seen = 0
    for place, text in blocks("json"):
        try:
            found = values(text)
        except ValueError:
            expect("…" in text, f"{place} is no JSON")
            continue
        for value in found:
            if any(keys <= set(value) for keys in OTHERS):
                continue
            # Recipient lists are shown without their event.
            expect(any(validator(name).is_valid(value) for name in names)
                   or all(validator("Recipients").is_valid(one) for one in value.values()),
                   f"{place}: no schema has {value}")
            seen += 1
    expect(seen > 60, f"only {seen} examples were found")


@case("each body that the pages send with curl is as the specification of its call has it")
def bodies(world):
    del world
    document = specification.load("openapi.yaml")
    validators = specification.Validators(document)
    seen = 0
    for place, text in blocks("sh"):
        for method, path, kind, body in calls(text):
            patterns = ((re.sub(r"{\w+}", "[^/]+", known), item) for known, item in document["paths"].items())
            found = [item[method.lower()] for known, item in patterns
                     if re.fullmatch(known, path) and method.lower() in item]
            expect(found, f"{place}: no call is {method} {path}")
            known = found[0]["requestBody"]["content"][kind]["schema"]
            expect_equal(validators.problem(known, json.loads(body), is_strict=False), None, f"{place}: {method} {path}")
            seen += 1
    expect(seen > 40, f"only {seen} bodies were found")
