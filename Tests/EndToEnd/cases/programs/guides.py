"""The snippets of the pages for backends and clients, and what the README shows, as whoever copies them runs them."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from harness import tokens
from harness.certificates import Certificate
from harness.events import room_liked
from harness.http import once
from harness.processes import Process
from harness.publishers import publisher_key, serve_publishers
from harness.stand_ins.scripted_https import ScriptedAnswer, ScriptedHttps
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until
from harness.world import ROOT

#: A fence's language: its program, and the file's ending.
RUNNERS = {"python": ([sys.executable], ".py"), "js": (["node"], ".cjs"), "sh": (["bash", "-eu"], ".sh"),
           "go": (["go", "run"], ".go"), "swift": (["swift"], ".swift")}


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


def websocket_options() -> list[str] | None:
    """What gives Node the browsers' `WebSocket`; None where it has none, as before 20.10."""
    for options in ([], ["--experimental-websocket"]):
        if subprocess.run(["node", *options, "-e", "WebSocket"], capture_output=True).returncode == 0:
            return options
    print("       not run, as this Node has no WebSocket: the client in js", flush=True)
    return None


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


def failure(world, language: str, source: str, **environment: str) -> str:
    """What a snippet that must not end well prints."""
    done = subprocess.run(command(world, language, source), env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=60, cwd=world.folder)
    expect(done.returncode != 0, f"the snippet in {language} ended well: {done.stdout}")
    return done.stdout + done.stderr


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
        refused = failure(world, language, source.replace("room_liked", "room_lked"), BELFRY_SOCKET=server.socket)
        expect("unknown_event_type" in refused, f"an event that nobody knows, in {language}: {refused}")


#: What only the snippet for the publishing listener has, of those in its language.
FROM_ELSEWHERE = {"sh": '"$BELFRY_URL/v1/events"', "js": "process.env.BELFRY_KEY", "python": 'os.environ["BELFRY_KEY"]',
                  "go": 'os.Getenv("BELFRY_KEY")'}


def snippets_from_elsewhere() -> dict[str, str]:
    found = {language: only("docs/publishing.md", language, part) for language, part in FROM_ELSEWHERE.items()}
    return {language: source for language, source in found.items() if is_there(language)}


def reaching(address: str, certificate: Certificate, secret: str) -> dict[str, str]:
    """A snippet's environment: where to publish, by which key, and whose certificate to trust."""
    trust = dict.fromkeys(("CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"), certificate.file)
    return {"BELFRY_URL": f"https://{address}", "BELFRY_KEY": secret, **trust}


def listening(world) -> tuple:
    """A server with the publishing listener, and the environment of its publisher."""
    certificate = Certificate(world.folder, "publishing")
    secret, hash = publisher_key(world)
    server = serve_publishers(world, f"cloud: {{keyHash: {hash}, calls: [publish]}}\n", PUBLISHING_LISTEN="127.0.0.1:0",
                   PUBLISHING_CERTIFICATE_FILE=certificate.file, PUBLISHING_KEY_FILE=certificate.key_file)
    return server, reaching(server.publishing, certificate, secret)


@case("the publishing page: each of its snippets for other machines publishes an event once, and only with a key")
def snippets_on_the_listener(world):
    server, environment = listening(world)
    for count, (language, source) in enumerate(snippets_from_elsewhere().items(), 1):
        first, second = (output(world, language, source, **environment) for _ in range(2))
        expect("evt_" in first and "replayed" not in first, f"the answer in {language}: {first}")
        expect("replayed" in second, f"the answer in {language} to the second: {second}")
        expect_equal(server.unread("sarah"), count, f"unread after {language}")
        refused = failure(world, language, source, **{**environment, "BELFRY_KEY": "belfry_wrong"})
        expect("unknown_key" in refused, f"a wrong key, in {language}: {refused}")
        refused = failure(world, language, source.replace("room_liked", "room_lked"), **environment)
        expect("unknown_event_type" in refused, f"an event that nobody knows, in {language}: {refused}")


#: An event was taken in; too much is under way; this publisher has sent too much.
TAKEN, BUSY, TOO_MANY = (ScriptedAnswer(202, {"event": "evt_1"}), ScriptedAnswer(503, {"code": "overloaded"}, {"Retry-After": "2"}),
                         ScriptedAnswer(429, {"code": "too_many_events"}))


@case("the publishing page: its snippets for other machines send the same event again after 503, 429 and no answer")
def retries_from_elsewhere(world):
    certificate = Certificate(world.folder, "scripted")

    def check(language: str, source: str):
        # curl tries again after such answers, but not without one.
        script = [BUSY, TOO_MANY, TAKEN] if language == "sh" else [None, BUSY, TOO_MANY, TAKEN]
        server = world.keep(ScriptedHttps(certificate, *script, ScriptedAnswer(422, {"code": "unknown_event_type"})))
        environment = reaching(server.address, certificate, "belfry_key")
        expect("evt_1" in output(world, language, source, **environment), f"{language} did not get through")
        requests = server.requests
        expect_equal(len(requests), len(script), f"requests in {language}")
        expect_equal({(request.path, request.headers["authorization"]) for request in requests},
                     {("/v1/events", "Bearer belfry_key")}, f"what {language} asks for")
        expect_equal(len({request.body for request in requests}), 1, f"different events in {language}")
        waits = [after.at - before.at for before, after in zip(requests, requests[1:])]
        # `Retry-After` asks for two seconds; then there is none, and the third or second wait is a longer one.
        expect(waits[-2] > 1.9 and waits[-1] > 0.9, f"the waits in {language}: {waits}")
        expect_equal(len({request.connection for request in requests[-3:]}), 1, f"connections of {language} for three answers")
        refused = failure(world, language, source, **environment)
        expect("unknown_event_type" in refused, f"a refused event in {language}: {refused}")
        expect_equal(len(server.requests), len(script) + 1, f"requests in {language} after one that was refused for good")

    snippets = snippets_from_elsewhere()
    with ThreadPoolExecutor(len(snippets)) as pool:
        list(pool.map(check, *zip(*snippets.items())))


#: Stands in for the package `firebase-functions`, which comes from a registry that tests cannot reach: the two functions
#: that the page uses, by the names of the package's modules. As in the package, `run` is the handler.
FIREBASE = {
    "v2/firestore.js": "exports.onDocumentCreated = (options, handler) => ({ options, run: handler });",
    "params.js": "exports.defineSecret = (name) => ({ name, value: () => process.env[name] });",
}
#: Prints the options that the function is registered with, and then how each run of it ends, all for one document.
FIREBASE_RUNS = """
const [path, runs] = process.argv.slice(2);
const { options, run } = require(path).roomLiked;
console.log(JSON.stringify({ ...options, secrets: options.secrets.map((secret) => secret.name) }));
const like = { by: { id: "user-123", username: "pete", firstName: "Pete" },
               room: { id: "room-789", name: "Italy Trip", owner: "sarah" } };
const event = { id: "b2f7c0de-4711", params: { like: "like-1" }, data: { data: () => like } };
(async () => {
  for (let index = 0; index < runs; index++) {
    await run(event).then(() => console.log("done"), (error) => console.log(`failed: ${error.message}`));
  }
})();
"""


@case("the publishing page: its Firebase function publishes once for a document, however often it runs, and fails for a retry")
def firebase_function(world):
    source = only("docs/publishing.md", "js", "firebase-functions")
    if not is_there("js"):
        return
    packages = world.folder / "packages"
    for name, module in FIREBASE.items():
        path = packages / "firebase-functions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(module)
    function = world.folder / "function.cjs"
    function.write_text(source)

    def run(times: int, environment: dict[str, str]) -> tuple[dict, list[str], str]:
        done = subprocess.run([*command(world, "js", FIREBASE_RUNS), str(function), str(times)], capture_output=True,
                              env={**os.environ, **environment, "NODE_PATH": str(packages)}, text=True, timeout=60)
        expect_equal(done.returncode, 0, f"the status of the function's runs: {done.stderr}")
        options, *ends = done.stdout.splitlines()
        return json.loads(options), ends, done.stderr

    server, environment = listening(world)
    options, ends, _ = run(2, environment)
    expect_equal(options, {"document": "likes/{like}", "secrets": ["BELFRY_KEY"], "retry": True}, "the options")
    expect_equal((ends, server.unread("sarah")), (["done", "done"], 1), "two runs, and what came of them")
    _, (end,), _ = run(1, {**environment, "BELFRY_KEY": "belfry_wrong"})
    expect(end.startswith("failed: 401") and "unknown_key" in end, f"a wrong key: {end}")
    # What a retry may mend fails; what it cannot mend is told and done, or Firebase would try it for a day.
    certificate = Certificate(world.folder, "scripted")
    scripted = world.keep(ScriptedHttps(certificate, None, BUSY, TOO_MANY, TAKEN, ScriptedAnswer(422, {"code": "missing_field"})))
    _, ends, told = run(5, reaching(scripted.address, certificate, "belfry_key"))
    expect_equal([end.split(":")[0] for end in ends], ["failed", "failed", "failed", "done", "done"], f"the runs: {ends}")
    expect("missing_field" in told, f"what the function's log tells: {told}")
    expect_equal(len({request.body for request in scripted.requests}), 1, "different events")


@case("the clients page: each of its clients lists what comes, survives a burst, and comes back after the server")
def client_snippets(world):
    (world.folder / "session.js").write_text(only("docs/clients.md", "js", "// session.js"))
    (world.folder / "package.json").write_text('{"type": "module"}')
    for language in ("js", "python"):
        source = only("docs/clients.md", language, "BELFRY_URL")
        if not is_there(language):
            continue
        options = websocket_options() if language == "js" else []
        if options is None:
            continue
        server = world.serve(data=language)
        program, ending = RUNNERS[language]
        path = world.folder / f"client{ending.replace('.cjs', '.js')}"
        path.write_text(source)
        running = world.keep(contextlib.ExitStack())
        client = Process([*program, *options, str(path)], {
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
    async def connect(self, url, subprotocols, max_size):
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
