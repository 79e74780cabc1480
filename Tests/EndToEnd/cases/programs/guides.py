"""The snippets of the pages for backends and clients, and what the README shows, as whoever copies them runs them."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.processes import Process
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until
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


@case("the clients page: each of its clients lists what comes, survives a burst, and comes back after the server")
def client_snippets(world):
    (world.folder / "session.js").write_text(only("docs/clients.md", "js", "// session.js"))
    (world.folder / "package.json").write_text('{"type": "module"}')
    for language in ("js", "python"):
        source = only("docs/clients.md", language, "BELFRY_URL")
        if not is_there(language):
            continue
        server = world.serve(data=language)
        program, ending = RUNNERS[language]
        path = world.folder / f"client{ending.replace('.cjs', '.js')}"
        path.write_text(source)
        running = world.keep(contextlib.ExitStack())
        client = Process([*program, str(path)], {
            **os.environ, "BELFRY_URL": f"ws://{server.listen}/v1/live", "BELFRY_TOKEN": tokens.token("sarah")})
        running.callback(client.kill)

        def wait_for(unread: int):
            line = f"new {unread} pete liked your room: Italy Trip"
            client.output.wait_for(lambda told: told == line, 30, f"{line} from the client in {language}")

        client.output.wait_for(lambda line: line.split()[:2] == ["reset", "0"], PATIENCE, f"the list, in {language}")
        server.publish(room_liked("sarah"))
        wait_for(1)
        # More frames than the server takes from one session in ten seconds.
        for _ in range(120):
            server.publish(room_liked("sarah"))
        wait_for(121)
        acknowledged = wait_until(lambda: server.metrics()["belfry_acks_total"], PATIENCE, "an acknowledgement")
        server.kill()
        server.start()
        server.publish(room_liked("sarah"))
        wait_for(122)
        resets = [line for line in client.output.all if line.startswith("reset")]
        expect_equal(len(resets), 1, f"how often the client in {language} began anew")
        expect(acknowledged < 30, f"acknowledgements of 121 notifications by the client in {language}: {acknowledged}")
        client.kill()


class PlayedSockets:
    """Stands in for the package `websockets`, and for time: each connection is `ready`, lasts, and closes with a code."""

    class WebSocketException(Exception):
        pass

    class ConnectionClosed(WebSocketException):
        pass

    def __init__(self, *sessions: tuple[float, int]):
        self.sessions = list(sessions)
        self.now = 0.0
        #: How long the client waited before each attempt but the first.
        self.delays: list[float] = []

    @contextlib.asynccontextmanager
    async def connect(self, url, subprotocols):
        lasts, code = self.sessions.pop(0)
        heard = [{"type": "ready", "heartbeat": 25_000}]

        class Socket:
            close_code = None

            async def send(_, text):
                pass

            async def recv(socket):
                if heard:
                    return json.dumps(heard.pop())
                self.now += lasts
                socket.close_code = code
                raise self.ConnectionClosed

        yield Socket()

    async def sleep(self, seconds: float):
        """What folds acknowledgements, in a task of its own, is no delay."""
        if seconds != 0.2:
            self.delays.append(seconds)


@case("the clients page: its client in Python waits longer after each failure, `ready` or not, until a session has lasted")
def delays_in_python(world):
    source = only("docs/clients.md", "python", "BELFRY_URL")
    definitions, _ = source.split("\nasyncio.run(")
    told = []

    def play(*sessions: tuple[float, int]) -> list[float]:
        sockets = PlayedSockets(*sessions, (0, 4001))
        names = {}
        exec(definitions.replace("import websockets", ""), names)
        names["websockets"] = sockets
        names["time"] = SimpleNamespace(monotonic=lambda: sockets.now)
        names["random"] = SimpleNamespace(random=lambda: 1.0)
        names["asyncio"] = SimpleNamespace(**{**vars(asyncio), "sleep": sockets.sleep})
        asyncio.run(names["Inbox"](told.append).follow("", lambda: "token"))
        return sockets.delays

    expect_equal(play(*[(0.1, 4103)] * 8), [1, 2, 4, 8, 16, 30, 30, 30], "the delays after sessions that end at once")
    expect_equal(play((0.1, 1006), (0.1, 1006), (31, 1006), (0.1, 1006)), [1, 2, 1, 2], "the delays after one that lasts")
    expect_equal(play((31, 4200), (0.1, 4200)), [0, 2], "the delays after closes that ask to come back")
    expect_equal(told[-1], {"type": "stopped", "code": 4001}, "what is told at the end")


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
    tail.output.wait_for(lambda line: '"type":"feed"' in line, PATIENCE, "the subscription")
    again = next(line for line in tour.splitlines() if "typing:room-789/items" in line)
    output(world, "sh", again)
    tail.output.wait_for(lambda line: '"type":"item"' in line, PATIENCE, "the item")
    told = [json.loads(line) for line in tail.output.all if '"feed":"typing:room-789"' in line]
    for frame, shown in zip(told, frames[1].splitlines(), strict=True):
        expect_shown(frame, shown)


def expect_shown(frame: dict, shown: str):
    """What the README shows of a frame; dots stand for what is each time another, or left out."""
    pattern = re.escape(shown.strip()).replace("…", ".*")
    text = json.dumps(frame, separators=(",", ":"), ensure_ascii=False)
    expect(re.fullmatch(pattern, text), f"the README shows {shown.strip()}; found {text}")
