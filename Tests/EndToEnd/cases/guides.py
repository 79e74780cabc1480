"""The snippets of the pages for backends and clients, and what the README shows, as whoever copies them runs them."""

import json
import os
import re
import shutil
import subprocess
import sys

from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_subset, wait_until
from harness.world import ROOT

#: A fence's language: its program, and the file's ending.
RUNNERS = {"python": ([sys.executable], ".py"), "js": (["node", "--experimental-websocket"], ".cjs"),
           "sh": (["bash", "-eu"], ".sh"), "go": (["go", "run"], ".go"), "swift": (["swift"], ".swift")}


def blocks(page: str, language: str, containing: str = "") -> list[str]:
    """The page's fenced blocks in a language, without their indentation."""
    text = (ROOT / page).read_text()
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for block in found if containing in block]


def is_there(language: str) -> bool:
    program = RUNNERS[language][0][0]
    if shutil.which(program):
        return True
    print(f"       not run, as {program} is not on this machine: the snippets in {language}", flush=True)
    return False


def command(world, language: str, source: str) -> list[str]:
    program, ending = RUNNERS[language]
    path = world.folder / f"snippet-{language}{ending}"
    path.write_text(source)
    return [*program, str(path)]


def output(world, language: str, source: str, **environment: str) -> str:
    """Of a snippet that must end well."""
    done = subprocess.run(command(world, language, source), env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=60, cwd=world.folder)
    expect_equal(done.returncode, 0, f"the status of the snippet in {language}: {done.stderr}")
    return done.stdout


def only(page: str, language: str, containing: str) -> str:
    found = blocks(page, language, containing)
    expect_equal(len(found), 1, f"snippets in {language} of {page} with {containing}")
    return found[0]


@case("the tokens page: a token that each of its snippets makes opens its user's inbox")
def token_snippets(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    for language in ("python", "js", "go"):
        source = only("docs/tokens.md", language, "BELFRY_AUTH_SECRET")
        if not is_there(language):
            continue
        token = output(world, language, source, BELFRY_AUTH_SECRET=tokens.SECRET).strip()
        answer = once(server.listen, "GET", "/api/notifications/unread-count", token=token)
        expect_equal((answer.status, answer.body), (200, b'{"data":{"unreadCount":1}}'), f"with the token from {language}")
        refused = output(world, language, source, BELFRY_AUTH_SECRET="x" * 40).strip()
        expect_equal(once(server.listen, "GET", "/api/notifications", token=refused).status, 401, "another secret")


@case("the publishing page: each of its snippets publishes an event once, however often it runs")
def publishing_snippets(world):
    server = world.serve()
    count = 0
    for language in ("sh", "python", "js", "go", "swift"):
        source = only("docs/publishing.md", language, "BELFRY_SOCKET")
        if not is_there(language):
            continue
        first, second = (output(world, language, source, BELFRY_SOCKET=server.socket) for _ in range(2))
        expect("evt_" in first and "replayed" not in first, f"the answer in {language}: {first}")
        expect("replayed" in second, f"the answer in {language} to the second: {second}")
        count += 1
        expect_equal(server.unread("sarah"), count, f"unread after {language}")
        refused = subprocess.run(command(world, language, source.replace("room_liked", "room_lked")), cwd=world.folder,
                                 env={**os.environ, "BELFRY_SOCKET": server.socket}, capture_output=True, text=True)
        expect(refused.returncode != 0 and "unknown_event_type" in refused.stderr + refused.stdout,
               f"an event that nobody knows, in {language}: {refused.stdout}{refused.stderr}")


@case("the clients page: each of its snippets signs in, shows a notification and acknowledges it")
def client_snippets(world):
    server = world.serve()
    url = f"ws://{server.listen}/v1/live"
    for language in ("js", "python"):
        source = only("docs/clients.md", language, "BELFRY_URL")
        if not is_there(language):
            continue
        user = f"reader-{language}"
        running = subprocess.Popen(
            command(world, language, source), cwd=world.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "BELFRY_URL": url, "BELFRY_TOKEN": tokens.token(user), "PYTHONUNBUFFERED": "1"})
        try:
            expect_equal(running.stdout.readline().split(), ["ready", "0"], f"what the snippet in {language} shows first")
            server.publish(room_liked(user))
            shown, problem = running.communicate(timeout=15)
        finally:
            running.kill()
        expect_equal(running.returncode, 0, f"the status of the snippet in {language}: {problem}")
        expect("new 1 pete liked your room: Italy Trip" in shown, f"what the snippet in {language} shows: {shown}")


#: What a browser has and Node has not. Node 20 tells of a connection that failed by `error` alone, where the standard has
#: `close` follow.
BROWSER = """
globalThis.WebSocket = class extends globalThis.WebSocket {
  constructor(...address) {
    super(...address);
    let isClosed = false;
    this.addEventListener("close", () => { isClosed = true; });
    this.addEventListener("error", () => setTimeout(() => { if (!isClosed) this.onclose({ code: 1006 }); }, 100));
  }
};
const shown = [];
const unread = {};
globalThis.document = {
  hasFocus: () => true,
  querySelector: (name) => name === "#list" ? { prepend: (row) => shown.unshift(row.textContent) } : unread,
  createElement: () => ({}),
};
globalThis.addEventListener = () => {};
globalThis.fetch = async () => ({ text: async () => process.env.BELFRY_TOKEN });
setInterval(() => console.log(JSON.stringify({ shown, unread: unread.value })), 50);
"""


@case("the clients page: its page for a browser lists what comes, and comes back after the server with nothing missed")
def page_snippet(world):
    if not is_there("js"):
        return
    server = world.serve()
    script = re.search(r"<script type=\"module\">\n(.*?)</script>", only("docs/clients.md", "html", "belfry-token"), re.DOTALL)
    source = BROWSER + script[1].replace("wss://push.example.com", f"ws://{server.listen}")
    path = world.folder / "page.mjs"
    path.write_text(source)
    running = subprocess.Popen(["node", "--experimental-websocket", str(path)], stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.DEVNULL, env={**os.environ, "BELFRY_TOKEN": tokens.token("sarah")})
    try:
        def wait_for(unread: int) -> list[str]:
            """What the page lists once it tells so many."""
            def told():
                line = running.stdout.readline()
                expect(line, "the page has ended")
                state = json.loads(line)
                return state if state.get("unread") == unread else None

            return wait_until(told, 30, f"{unread} unread on the page")["shown"]

        expect_equal(wait_for(0), [], "the list of a new page")
        server.publish(room_liked("sarah"))
        expect_equal(wait_for(1), ["pete liked your room: Italy Trip"], "the list")
        server.kill()
        server.start()
        server.publish(room_liked("sarah"))
        expect_equal(wait_for(2), ["pete liked your room: Italy Trip"] * 2, "the list of a page that was away")
    finally:
        running.kill()


@case("the README: its first event, its live client and its feeds show what it says")
def readme(world):
    server = world.serve()
    first = only("README.md", "sh", '"type": "room_liked"')
    frames = blocks("README.md", "json", '"type"')
    expect('["maya"]' in first, "the first event is not to one of the demo's people")
    live = server.session("sarah")
    run = first.replace("./data/belfry.sock", server.socket).replace("maya", "sarah")
    answer = json.loads(output(world, "sh", run))
    expect_subset(answer, {"recipients": 1, "created": 1}, "the first event")
    expect_shown(live.take(1)[0], frames[0])
    token = output(world, "sh", f'"{world.belfry}" token --data "{server.data}" --user sarah').strip()
    expect(token, "no token")
    tour = only("README.md", "sh", "typing:room-789/items").replace("./data/belfry.sock", server.socket)
    tour = tour.replace("http://127.0.0.1:8080", f"http://{server.listen}")
    output(world, "sh", tour, TOKEN=tokens.token("sarah"))
    tail = world.start("tail", "--url", f"ws://{server.listen}", "--token", tokens.token("sarah"), "--feed", "typing:room-789")
    tail.output.wait_for(lambda line: '"type":"feed"' in line, 15, "the subscription")
    again = next(line for line in tour.splitlines() if "typing:room-789/items" in line)
    output(world, "sh", again)
    tail.output.wait_for(lambda line: '"type":"item"' in line, 15, "the item")
    told = [json.loads(line) for line in tail.output.all if '"feed":"typing:room-789"' in line]
    for frame, shown in zip(told, frames[1].splitlines(), strict=True):
        expect_shown(frame, shown)


def expect_shown(frame: dict, shown: str):
    """What the README shows of a frame; dots stand for what is each time another, or left out."""
    pattern = re.escape(shown.strip()).replace("…", ".*")
    text = json.dumps(frame, separators=(",", ":"), ensure_ascii=False)
    expect(re.fullmatch(pattern, text), f"the README shows {shown.strip()}; found {text}")
