"""`belfry bench`: each load, small, against a real server, and raw against another WebSocket server."""

import asyncio
import json
import os
import re
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from harness import tokens
from harness.suite import PATIENCE, Failed, case, expect, expect_equal


def bench(world, server, name: str, *arguments: str, code: int = 0) -> dict:
    """Runs it against the server; its result."""
    secret = world.folder / "secret"
    secret.write_text(tokens.SECRET)
    done = world.run("bench", name, "--data", server.data, "--duration", "1s", "--quiet", "--json", "-",
                     *arguments,
                     *([] if name == "publish" else ["--secret-file", str(secret)]),
                     *([] if name == "publish" else ["--url", f"ws://{server.listen}"]))
    expect_equal(done.returncode, code, f"the exit code; it said {done.stderr!r} and {done.stdout[-2000:]!r}")
    for secret in (tokens.SECRET, "eyJ"):
        expect(secret not in done.stdout + done.stderr, "a secret was shown")
    result = json.loads(done.stdout)
    expect_equal(result["server"]["pid"], server.process.pid, "the process at the socket")
    return result


def check_stream(stream: dict, frames: int, due: int = 0):
    """`due`: how many publications there had to be, where there was a rate."""
    expect(stream["accepted"] > 0, f"nothing was published: {stream}")
    if due:
        expect_equal(stream["sent"] + stream["unsent"], due, "the publications that were due")
        expect(stream["sent"] >= due / 2, f"few were sent: {stream}")
    expect_equal(stream["refusals"], {}, "the refusals")
    expect_equal(stream["frames"], frames * stream["accepted"], "the delivered frames")
    expect_equal(stream["answer"]["count"], stream["sent"] + stream["unsent"], "the measured answers")
    if frames:
        expect_equal(stream["delivery"]["count"], stream["frames"] + frames * stream["unsent"], "the measured deliveries")
        expect(0 < stream["delivery"]["p50"] <= stream["delivery"]["p99"] <= stream["delivery"]["maximum"],
               f"the times: {stream['delivery']}")


@case("belfry bench idle opens its sessions, holds them and tells what one costs")
def idle(world):
    result = bench(world, world.serve(), "idle", "--sessions", "60", "--shards", "2")
    expect_equal((result["sessions"]["ready"], result["sessions"]["wanted"]), (60, 60), "the sessions")
    expect_equal(result["sessions"]["opening"]["count"], 60, "the measured openings")
    expect(result["server"]["memoryWithSessions"] > 0 and "bytesPerSession" in result["server"], "the memory")


@case("belfry bench fanout brings each item to each session, at a rate, with some in flight, and from several processes")
def fan_out(world):
    server = world.serve()
    for arguments in (["--rate", "20"], ["--in-flight", "4"], ["--rate", "20", "--processes", "3", "--ramp", "0"],
                      ["--in-flight", "4", "--processes", "2"], ["--rate", "10", "--source-addresses", "127.0.0.7,127.0.0.8"]):
        result = bench(world, server, "fanout", "--sessions", "30", *arguments)
        check_stream(result["streams"][0], 30, due=20 if "20" in arguments else 0)
        expect(result["server"]["cpuMicrosecondsPerFrame"] > 0, "the CPU of a frame")


@case("belfry bench unicast brings each event to its user, whose acknowledgement the server confirms")
def unicast(world):
    result = bench(world, world.serve(), "unicast", "--sessions", "20", "--rate", "30", "--confirm")
    stream = result["streams"][0]
    check_stream(stream, 1, due=30)
    expect_equal(stream["ack"]["count"], stream["accepted"], "the confirmed acknowledgements")


@case("belfry bench storm cuts all sessions off and has them come back, at once, at a rate and from several processes")
def storm(world):
    server = world.serve()
    for arguments in ([], ["--rate", "100"], ["--processes", "2"]):
        result = bench(world, server, "storm", "--sessions", "40", *arguments)
        sessions = result["sessions"]
        expect_equal((sessions["ready"], sessions["returned"], sessions["returns"]["count"]), (40, 40, 40), "who is back")
        expect(0 < sessions["returnSeconds"] < 60, f"how long it took: {sessions['returnSeconds']}")


@case("belfry bench publish stores events, each in a request or as lines of a stream")
def publish(world):
    server = world.serve()
    for arguments in ([], ["--rate", "50"], ["--stream"]):
        result = bench(world, server, "publish", "--publishers", "3", "--users", "10", *arguments)
        check_stream(result["streams"][0], 0, due=50 if arguments == ["--rate", "50"] else 0)
        expect("sessions" not in result, "there are sessions")


@case("belfry bench push registers devices and counts what the push service accepts")
def push(world):
    sink = world.sink()
    server = world.serve(**sink.settings, BELFRY_PUSH_GRACE="0s")
    result = bench(world, server, "push", "--ops", f"http://{server.ops}", "--users", "20", "--rate", "40")
    stream = result["streams"][0]
    expect(stream["accepted"] >= 20, f"few events: {stream}")
    expect_equal(result["pushes"]["accepted"], stream["accepted"], "the accepted pushes")


@case("belfry bench mixed does everything at once, and no event for an online user is lost though sessions come and go")
def mixed(world):
    result = bench(world, world.serve(), "mixed", "--sessions", "30", "--duration", "2s", "--feed-rate", "5",
                   "--unicast-rate", "30", "--publish-rate", "30", "--storm-rate", "20")
    streams = {stream["name"]: stream for stream in result["streams"]}
    expect_equal(set(streams), {"feed", "unicast", "offline"}, "the streams")
    check_stream(streams["unicast"], 1, due=60)
    check_stream(streams["offline"], 0, due=60)
    expect(result["sessions"]["returned"] > 10, f"few came back: {result['sessions']}")


@case("belfry bench shows tables and progress, writes a page with plots, and Ctrl-C ends it early with its result")
def shows(world):
    server = world.serve()
    secret = world.folder / "secret"
    secret.write_text(tokens.SECRET)
    page, result = world.folder / "page.html", world.folder / "result.json"
    process = world.start("bench", "fanout", "--data", server.data, "--url", f"ws://{server.listen}", "--secret-file", str(secret),
                          "--sessions", "10", "--duration", "10m", "--html", str(page), "--json", str(result))
    process.errors.wait_for(lambda line: "frames/s" in line, 30, "progress")
    process.signal(signal.SIGINT)
    expect_equal(process.wait(PATIENCE), 0, "the exit code")
    text = "\n".join(process.output.all)
    for part in ("Sessions", "10 of 10", "Stream feed", "feed: publish to frame", "ended early"):
        expect(part in text, f"{part!r} is not in {text!r}")
    expect(json.loads(result.read_text())["wasInterrupted"], "the result does not tell that it was ended early")
    html = page.read_text()
    expect("<svg" in html and "<polyline" in html, "the page has no plots")
    expect(not re.search(r"https?:|<script|src=", html), "the page needs something from elsewhere")


@case("belfry bench goes on without a server or a process of its own that is killed, tells so, and exits with 1")
def survives(world):
    server = world.serve()
    secret = world.folder / "secret"
    secret.write_text(tokens.SECRET)
    live = ["--url", f"ws://{server.listen}", "--secret-file", str(secret)]

    def run_until(kill, *arguments: str) -> dict:
        path = world.folder / "killed.json"
        path.unlink(missing_ok=True)
        process = world.start("bench", *arguments, "--data", server.data, "--json", str(path))
        process.errors.wait_for(lambda line: "frames/s" in line or "published/s" in line, 30, "progress")
        kill(process)
        expect_equal(process.wait(60), 1, f"the exit code; it said {process.errors.all[-3:]}")
        return json.loads(path.read_text())

    def kill_worker(process):
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            try:
                children = (task / "children").read_text().split()
            except OSError:
                continue  # a thread that has ended
            if children:
                return os.kill(int(children[0]), signal.SIGKILL)
        raise Failed("the bench has no process of its own")

    sessions = ["--sessions", "30", "--processes", "3"]
    cut = run_until(kill_worker, "fanout", *live, *sessions, "--rate", "20", "--duration", "6s")
    expect_equal(cut["sessions"]["failures"], {"a worker process has ended by itself": 10}, "who failed")
    expect_equal(cut["sessions"]["ready"], 20, "the other workers' sessions")
    expect(any("worker" in note for note in cut["notes"]), f"the notes: {cut['notes']}")

    # Far less than ten minutes: what waits for frames that cannot come any more ends by itself.
    stalled = run_until(kill_worker, "fanout", *live, *sessions, "--in-flight", "2", "--duration", "10m")
    expect(any("ended early" in note for note in stalled["notes"]), f"the notes: {stalled['notes']}")

    gone = run_until(lambda _: server.kill(), "publish", "--rate", "20", "--duration", "6s")
    expect(gone["streams"][0]["accepted"] > 0 and gone["streams"][0]["unsent"] > 0, f"the stream: {gone['streams']}")
    expect(any("has ended" in note for note in gone["notes"]), f"the notes: {gone['notes']}")


@case("belfry bench says what is wrong: no server, no secret, a refused token, no socket, no process, too few files")
def refuses(world):
    server = world.serve()
    secret, other = world.folder / "secret", world.folder / "other"
    secret.write_text(tokens.SECRET)
    other.write_text("another secret that is long enough to sign with it")
    url = ["--url", f"ws://{server.listen}", "--quiet", "--sessions", "3", "--duration", "1s"]
    for arguments, words in (
            (["idle", "--secret-file", str(secret), "--quiet", "--url", "ws://127.0.0.1:1"], "refused"),
            (["idle", *url, "--data", str(world.folder / "nowhere")], "--secret-file"),
            (["idle", *url, "--secret-file", str(other)], "no session could be opened"),
            (["fanout", *url, "--secret-file", str(secret), "--socket", str(world.folder / "no.sock")], "no.sock"),
            (["idle", *url, "--secret-file", str(secret), "--server-pid", "4194300"], "4194300"),
            (["idle", *url, "--secret-file", str(secret), "--sessions", "9000000"], "ulimit -n"),
            (["push", "--quiet", "--secret-file", str(secret), "--socket", server.socket, "--url", "ws://127.0.0.1:1"],
             "Connection refused; expected the server's public address (--url)")):
        done = world.run("bench", *arguments)
        expect_equal(done.returncode, 1, f"the exit code of {arguments}; it said {done.stderr!r}")
        expect(words in done.stderr, f"what {arguments} says: {done.stderr!r}")
        for text in (secret.read_text(), other.read_text(), "eyJ"):
            expect(text not in done.stdout + done.stderr, "a secret was shown")
    url_only = ["idle", *url, "--secret-file", str(secret)]
    for arguments in (["fanout", "--rate", "0"], ["idle", "--sessions", "0"], ["idle", "--header", "a: b"],
                      ["fanout", "--raw"], ["publish", "--publishers", "0"], ["idle", "--json", "a", "--html", "a"],
                      [*url_only, "--source-addresses", "nonsense"]):
        done = world.run("bench", *arguments)
        expect_equal(done.returncode, 64, f"the exit code of {arguments}")
        expect("Error" in done.stderr, f"what {arguments} says: {done.stderr!r}")
    for name in ("", "idle", "fanout", "unicast", "storm", "publish", "push", "mixed"):
        expect_equal(world.run("bench", *name.split(), "--help").returncode, 0, f"the exit code of bench {name} --help")


class Channel:
    """A tiny server that is no Belfry: whoever says `join NAME` gets what anybody says after that as `say TEXT`; it
    pings in a manner of its own and drops who does not answer."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.members, self.seen, self.answered = set(), [], 0
        self.address = ""
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait(10)

    def _run(self, started):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve(started))

    async def _serve(self, started):
        self.done = asyncio.Event()
        async with serve(self._visit, "127.0.0.1", 0) as server:
            self.address = "127.0.0.1:%d" % server.sockets[0].getsockname()[1]
            started.set()
            await self.done.wait()

    async def _visit(self, session):
        self.seen.append((session.request.path, session.request.headers.get("X-User")))
        try:
            await self._listen(session)
        except ConnectionClosed:
            pass  # the tool's sessions vanish at the end
        finally:
            self.members.discard(session)

    async def _listen(self, session):
        async for message in session:
            if message.startswith("join "):
                self.members.add(session)
                await session.send("welcome\n")
                await session.send("PING\r\n")
            elif message == "PONG\r\n":
                self.answered += 1
            elif message.startswith("say "):
                await self._tell(message[4:])

    async def _tell(self, text: str):
        for member in list(self.members):
            await member.send(text)

    def tell(self, text: str):
        """From another thread; returns when all have been told."""
        asyncio.run_coroutine_threadsafe(self._tell(text), self.loop).result(10)

    def close(self):
        self.loop.call_soon_threadsafe(self.done.set)


class Posts:
    """Takes what is published to the channel by HTTP, and remembers with what header and where."""

    def __init__(self, channel: Channel):
        self.seen = seen = set()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_PUT(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                seen.add((self.path, self.headers["X-Key"]))
                channel.tell(body)
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1:%d" % self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@case("belfry bench --raw publishes by HTTP: method, path, header and body are templates")
def raw_over_http(world):
    channel = world.keep(Channel())
    posts = world.keep(Posts(channel))
    done = world.run("bench", "fanout", "--raw", "--url", f"ws://{channel.address}/", "--subscribe", "join {{user}}",
                     "--ready", "welcome", "--publish-url", f"http://{posts.address}/rooms/1", "--publish-method", "PUT",
                     "--publish-header", "X-Key: k-1", "--publish-body", "<{{payload}}>", "--rate", "20", "--sessions", "5",
                     "--duration", "1s", "--quiet", "--json", "-")
    expect_equal(done.returncode, 0, f"the exit code; it said {done.stderr!r} {done.stdout[-2000:]!r}")
    stream = json.loads(done.stdout)["streams"][0]
    expect(stream["accepted"] >= 10, f"few were published: {stream}")
    expect_equal(stream["frames"], 5 * stream["accepted"], "the delivered frames")
    expect_equal(posts.seen, {("/rooms/1", "k-1")}, "the requests")


@case("belfry bench --raw loads another WebSocket server: path, header, subscription, answers and published messages")
def raw(world):
    channel = world.keep(Channel())
    done = world.run("bench", "fanout", "--raw", "--url", f"ws://{channel.address}/room/{{{{index}}}}",
                     "--header", "X-User: u-{{user}}", "--subscribe", "join {{user}}", "--ready", "welcome",
                     "--reply", r"PING\r\n=PONG\r\n", "--publish-frame", "say {{payload}}", "--rate", "20", "--size", "80",
                     "--sessions", "5", "--duration", "1s", "--quiet", "--json", "-")
    expect_equal(done.returncode, 0, f"the exit code; it said {done.stderr!r} {done.stdout[-2000:]!r}")
    result = json.loads(done.stdout)
    stream = result["streams"][0]
    expect(stream["accepted"] >= 10, f"few were published: {stream}")
    expect_equal(stream["frames"], 5 * stream["accepted"], "the delivered frames")
    for index in range(5):
        expect((f"/room/{index}", f"u-bench-{index}") in channel.seen, f"session {index} is not in {channel.seen}")
    expect(channel.answered >= 5, "pings were not answered")
