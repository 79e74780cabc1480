#!/usr/bin/env python3
"""Makes up requests from docs/openapi.yaml: `python3 Tests/Specifications/run.py [--belfry PATH] [--examples N] [LISTENER…]`.

Schemathesis sends `--examples` requests to each route, right and wrong ones, and fails on an answer that the document
does not have. Needs what this folder's and the end-to-end tests' `requirements.txt` name.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What drives the program is that of the end-to-end tests.
sys.path.insert(0, str(HERE.parent / "EndToEnd"))

sys.dont_write_bytecode = True

from harness import specification  # noqa: E402
from harness.events import room_liked  # noqa: E402
from harness.http import once  # noqa: E402
from harness.publishers import publisher_key, serve_publishers  # noqa: E402
from harness.runner import make_apns_key  # noqa: E402
from harness.suite import expect  # noqa: E402
from harness.world import ROOT, World  # noqa: E402

LISTENERS = ("public", "publishing", "operators")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--belfry", default=str(ROOT / ".build/debug/belfry"), help="the program to test")
    parser.add_argument("--examples", type=int, default=10, help="how many requests to each route, beside the fixed ones")
    parser.add_argument("--seed", type=int, default=1, help="another one makes other requests")
    parser.add_argument("--include", default="", help="only calls whose path has this text")
    parser.add_argument("listeners", nargs="*", metavar="LISTENER", help=f"of {', '.join(LISTENERS)}; all by default")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="belfry-specifications-") as folder:
        make_apns_key(Path(folder))
        world = World(str(Path(options.belfry).resolve()), Path(folder), None)
        try:
            return run(world, options)
        finally:
            world.end()


def run(world: World, options) -> int:
    server, key = serve(world)
    callers = {"public": (server.listen, f"Authorization: Bearer {world.token('sarah')}"),
               "publishing": (server.publishing, f"Authorization: Bearer {key}"),
               "operators": (server.ops, "Belfry-Console: schemathesis")}

    def go(listener: str) -> bool:
        began = time.monotonic()
        told = schemathesis(listener, *callers[listener], options, world.folder)
        print(told.stdout, f"{'FAIL' if told.returncode else 'ok  '} {time.monotonic() - began:5.1f} s  {listener}", sep="",
              flush=True)
        return told.returncode == 0

    listeners = [listener for listener in options.listeners or LISTENERS
                 if any(options.include in path for path in calls(listener)["paths"])]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(go, listeners))
    if server.process.exit_code is not None:
        print("FAIL  the server ended by itself:", *server.log[-12:], sep="\n")
        results.append(False)
    elif errors := [line for line in server.log if '"level":"error"' in line or '"level":"critical"' in line]:
        print("FAIL  the server's log has errors:", *errors[:12], sep="\n")
        results.append(False)
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


def serve(world: World):
    """A server with all catalogs and a push service, where some things are there to be asked for."""
    key, key_hash = publisher_key(world)
    server = serve_publishers(
        world,
        f"all:\n  keyHash: {key_hash}\n  calls: [publish, retract, patch, trail, others, topics, users, feeds, erase, reload]\n"
        f"local: {{uid: {os.getuid()}, calls: [publish, topics, users, feeds]}}\n",
        catalogs=sorted(map(str, (ROOT / "Config/catalogs").glob("*.yaml"))), PUBLISHING_LISTEN="127.0.0.1:0",
        LIMITS_REQUESTS_PER_10S="0", LIMITS_REQUESTS_PER_ADDRESS_PER_10S="0", TRAIL_EXPLAIN="true",
        AUTH_POLL_WITHOUT_TOKEN="true", AUTH_REGISTER_DEVICE_WITHOUT_TOKEN="true", **world.sink().settings)
    server.register_device("sarah")
    for number in range(30):
        server.publish(room_liked("sarah", key=f"key-{number}"))
        server.publish_item("posts", {"id": f"p{number}", "author": {"email": "ada@example.com"}, "tags": ["post"]})
    for path, body in (("/v1/topics/room:789/members", {"users": ["sarah", "tom"]}),
                       ("/v1/users/sarah", {"locale": "pt-BR", "email": "sarah@example.com"})):
        expect(once(server.socket, "PUT", path, body).status < 300, path)
    return server, key


def calls(listener: str) -> dict:
    """The document with the calls of one listener alone."""
    document = specification.load("openapi.yaml")
    # Polls and event streams wait for as long as nothing happens. The end-to-end cases hold them against the document.
    paths = {path: {method: call for method, call in item.items() if method != "servers" and listener in call["tags"]}
             for path, item in document["paths"].items() if not path.startswith(("/v1/live/poll", "/v1/live/events"))}
    return {**document, "paths": {path: item for path, item in paths.items() if item}}


def schemathesis(listener: str, address: str, header: str, options, folder: Path) -> subprocess.CompletedProcess:
    file = folder / f"{listener}.json"
    file.write_text(json.dumps(calls(listener)))
    command = [
        sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()",
        "--config-file", str(HERE / "schemathesis.toml"), "run", str(file), "--url", f"http://{address}",
        "--phases", "examples,coverage,fuzzing", "--max-examples", str(options.examples), "--seed", str(options.seed),
        "--workers", "1", "--continue-on-failure", "--output-sanitize", "false",
        "--suppress-health-check", "all", "--warnings", "off", "--generation-database", "none", "--header", header]
    if options.include:
        command += ["--include-path-regex", re.escape(options.include)]
    # It leaves files in the folder in which it runs.
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)


if __name__ == "__main__":
    sys.exit(main())
