"""The program as people use it at a terminal."""

import json
import signal
import socket
import subprocess
import threading
import time

from harness.events import room_liked
from harness.http import once
from harness.processes import Process
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until
from harness.world import ROOMS, ROOT, clean_environment


def tail(world, server, user: str, *options: str) -> Process:
    process = world.start("tail", "--url", f"ws://{server.listen}", "--token", world.token(user), *options)
    process.output.wait_for(lambda line: '"ready"' in line, PATIENCE, "ready")
    return process


def frame(process: Process, type: str) -> dict:
    return json.loads(process.output.wait_for(lambda line: f'"type":"{type}"' in line, 10, type))


@case("belfry tail prints each frame as a line of JSON, follows feeds, and ends with 1 where no session can be")
def tail_prints(world):
    server = world.serve()
    watching = tail(world, server, "sarah", "--feed", "posts")
    frame(watching, "feed")
    server.publish(room_liked("sarah"))
    expect_subset(frame(watching, "new"), {"unread": 1, "seq": 1}, "the new frame")
    server.publish_item("posts", {"text": "hello"})
    expect_subset(frame(watching, "item"), {"feed": "posts", "item": {"text": "hello"}}, "the item")
    server.terminate()
    frame(watching, "drain")
    watching.errors.wait_for(lambda line: "4200" in line and "trying again" in line, PATIENCE, "the code")
    refused = world.run("tail", "--url", f"ws://{server.listen}", "--token", "x")
    expect_equal(refused.returncode, 1, "the exit code without a server")
    server.start()
    refused = world.run("tail", "--url", f"ws://{server.listen}", "--token", "x")
    expect_equal(refused.returncode, 1, "the exit code with a bad token")
    expect(
        refused.stderr.startswith("no session: the server answered 401 Unauthorized: token_malformed, "),
        f"what is told of it: {refused.stderr}")


@case("belfry tail comes back to a server that was killed, and shows once what came meanwhile")
def tail_comes_back(world):
    server = world.serve()
    watching = tail(world, server, "sarah", "--feed", "posts")
    frame(watching, "feed")
    for round in range(1, 4):
        # Away until the next server has something to tell.
        watching.signal(signal.SIGSTOP)
        server.kill()
        server.start()
        server.publish(room_liked("sarah"))
        server.publish_item("posts", {"text": f"item {round}"})
        watching.signal(signal.SIGCONT)
        watching.output.wait_for(lambda line: '"type":"new"' in line and f'"seq":{round}' in line, PATIENCE, f"change {round}")
        watching.output.wait_for(lambda line: f'"text":"item {round}"' in line, PATIENCE, f"item {round}")
    server.kill()
    watching.errors.wait_for(lambda line: line.startswith("no session") and "trying again" in line, PATIENCE, "the reason")
    server.start()
    wait_until(lambda: sum('"ready"' in line for line in watching.output.all) == 5, PATIENCE, "the last session")
    expect_equal(once(server.socket, "DELETE", "/v1/users/sarah").status, 200, "the status of erasing")
    expect_equal(watching.wait(10), 1, "the exit code where coming back cannot help")
    lines = [json.loads(line) for line in watching.output.all]
    expect_equal([line["seq"] for line in lines if line["type"] == "new"], [1, 2, 3], "the changes")
    expect_equal([line["item"]["text"] for line in lines if line["type"] == "item"], ["item 1", "item 2", "item 3"], "the items")
    watching.errors.wait_for_end(5)
    expect_equal(watching.errors.all.count("the session is open again"), 4, "how often it is told to go on")
    expect_equal(watching.errors.all[-1], "the session was closed with code 4002", "the last word")


@case("belfry tail --ack holds the push back; --inactive and none of both do not")
def tail_acknowledges(world):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="1s")
    users = {"sarah": "0a", "tom": "0b", "ulf": "0c", "vera": "0d"}
    for user, device in users.items():
        server.register_device(user, f"phone-{user}", device)
    watching = [tail(world, server, "sarah", "--ack"), tail(world, server, "tom", "--ack", "--inactive"),
                tail(world, server, "ulf"), tail(world, server, "vera", "--inactive")]
    server.publish(room_liked(*users))
    for process in watching:
        frame(process, "new")
    sink.wait_for_shown(3)
    time.sleep(1)
    expect_equal(sorted(push["device"] for push in sink.shown), ["0b", "0c", "0d"], "the devices that got a push")


@case("belfry tail --ack acknowledges what it showed as its session ended, and much at once in few frames")
def tail_acknowledges_again(world):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE="5s", SHARDS="1")
    server.register_device("sarah", "phone-sarah", "0a")
    server.register_device("tom", "phone-tom", "0b")
    # Somebody whose pushes wait as long as hers do.
    tail(world, server, "tom")
    watching = tail(world, server, "sarah", "--ack")
    other = server.session("tom")
    watching.signal(signal.SIGSTOP)
    server.publish(room_liked("sarah", "tom"))
    other.expect("new")
    # Answered in a later turn than that which told all of them.
    other.call("state", active=True)
    server.kill()
    # It is shown, and nobody is there to hear of it.
    watching.signal(signal.SIGCONT)
    frame(watching, "new")
    server.start()
    sink.wait_for_shown(1)
    watching.signal(signal.SIGSTOP)
    server.publish([*[room_liked("sarah") for _ in range(150)], room_liked("tom")])
    watching.signal(signal.SIGCONT)
    watching.output.wait_for(lambda line: '"seq":151,' in line, PATIENCE, "the last change")
    sink.wait_for_shown(2)
    expect_equal([push["device"] for push in sink.shown], ["0b", "0b"], "the devices that got a push")
    expect_equal(sum('"ready"' in line for line in watching.output.all), 2, "the sessions")


@case("belfry serve --dev says where it is, and its own lines work: the token, tail, and the curl call")
def development(world):
    server = world.serve(arguments=["--dev"], AUTH_SECRET="")
    greeting = server.process.output
    call = greeting.wait_for(lambda line: "curl " in line, PATIENCE, "the curl call").strip()
    lines = [line.strip() for line in greeting.all]
    token = next(line for line in lines if line.startswith("eyJ"))
    watch = next(line for line in lines if " tail " in line)
    watching = subprocess.Popen(["bash", "-c", "exec " + watch], env=clean_environment(), text=True,
                                cwd=world.folder, stdout=subprocess.PIPE)
    world.keep(_Killed(watching))
    expect('"ready"' in watching.stdout.readline(), "tail's first line")
    result = subprocess.run(["bash", "-c", call.replace("curl ", "curl -sS ")], capture_output=True, text=True,
                            cwd=world.folder, timeout=PATIENCE)
    expect_subset(json.loads(result.stdout), {"recipients": 1, "created": 1}, "curl's answer")
    expect_subset(json.loads(watching.stdout.readline()), {"type": "new", "unread": 1}, "tail's next line")

    expect_equal(once(server.listen, "GET", "/api/notifications", token=token).json()["meta"]["unread"], 1, "unread")
    made = world.run("token", "--data", server.data, "--user", "tom", "--expires", "5m")
    expect_equal(made.returncode, 0, "the exit code of token")
    answer = once(server.listen, "GET", "/api/notifications", token=made.stdout.strip())
    expect_equal(answer.status, 200, "the status with a token of belfry token")
    server.terminate()
    server.arguments.remove("--dev")
    server.settings["BELFRY_AUTH_SECRET"] = "s" * 40
    server.start()
    answer = once(server.listen, "GET", "/api/notifications", token=made.stdout.strip())
    expect_equal(answer.status, 401, "the status of a development token without --dev")


class _Killed:
    def __init__(self, process: subprocess.Popen):
        self._process = process

    def close(self):
        self._process.kill()
        self._process.wait()


class Leaver:
    """A server that answers some lines of a stream and goes away."""

    def __init__(self, path: str, answers: bytes):
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen()
        self._answers = answers
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        connection, _ = self._listener.accept()
        with connection:
            connection.recv(65_536)
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
            connection.sendall(head + b"%x\r\n%s\r\n" % (len(self._answers), self._answers))

    def close(self):
        self._listener.close()


@case("belfry publish says how many events were answered by a server that goes away, and what that means")
def cut_off(world):
    path = str(world.folder / "leaver.sock")
    world.keep(Leaver(path, b'{"id": "1"}\n{"id": "2"}\n{"id'))
    lines = "".join(json.dumps(room_liked("sarah", key=f"k-{number}")) + "\n" for number in range(5))
    done = world.run("publish", "--socket", path, input=lines)
    expect_equal(done.returncode, 1, "the exit code")
    expect_equal([json.loads(line)["id"] for line in done.stdout.splitlines()], ["1", "2"], "the answers that came")
    for words in ("events answered: 2; sent and not answered: 3", "safe for events that have a key"):
        expect(words in done.stderr, f"what is told: {done.stderr!r}")
    nobody = world.run("publish", "--socket", str(world.folder / "nobody.sock"), input=lines)
    expect_equal(nobody.returncode, 1, "the exit code without a server")
    expect("is the server running" in nobody.stderr, f"what is told without a server: {nobody.stderr!r}")
    expect("answered" not in nobody.stderr, f"what is told of events that were not sent: {nobody.stderr!r}")


@case("belfry check finds nothing wrong with the files that come with it; --version and --help answer")
def check(world):
    files = [str(path) for path in [ROOT / "Config/belfry.yaml", *sorted((ROOT / "Config/catalogs").glob("*.yaml"))]
             if path.exists()]
    expect(ROOMS in files, "the catalog rooms")
    result = world.run("check", *files)
    expect_equal(result.returncode, 0, "the exit code of check")
    expect_equal([line.split(":")[0] for line in result.stdout.splitlines()], [f"OK {file}" for file in files], "check")
    version = world.run("--version")
    expect_equal(version.returncode, 0, "the exit code of --version")
    expect(version.stdout.strip()[0].isdigit(), f"the version: {version.stdout!r}")
    for command in ("serve", "publish", "tail", "token", "check", "catalog", "reload", "push", "explain", "backup",
                    "restore", "sink", "echo", "bench"):
        help = world.run(command, "--help")
        expect_equal(help.returncode, 0, f"the exit code of {command} --help")
    for command in (["token"], ["explain"], ["push", "test"], ["push", "devices"]):
        for user in ("", "u" * 201):
            refused = world.run(*command, "--user", user)
            expect_equal(refused.returncode, 64, f"the exit code of {command} for a user id of {len(user)} bytes")
            expect("expected a user id of 1 to 200 bytes" in refused.stderr, f"what is told of it: {refused.stderr}")
    config = ROOT / "Config/belfry.yaml"
    if config.exists():
        server = world.serve(arguments=["--config", str(config)])
        server.check_health()


TURNING = "\u202e"


@case("what files are called and what people say begins no line of its own, and turns no text around, at a terminal")
def no_tricks(world):
    folder = world.folder / "tricks"
    folder.mkdir()
    for name in ("bad.yaml\nOK good.yaml", f"bad{TURNING}.yaml"):
        path = folder / name
        path.write_text("listen: nonsense\n")
        checked = world.run("check", str(path))
        expect_equal(checked.returncode, 1, "the exit code of check")
        expect(not any(line.startswith("OK") for line in checked.stdout.splitlines()), f"check printed {checked.stdout!r}")
        served = world.run("serve", "--config", str(path))
        listed = world.run("check", str(folder))
        documented = world.run("catalog", "docs", str(path))
        missing = world.run("publish", "--socket", str(path), str(path))
        for told in (checked, served, listed, documented, missing):
            for line in (told.stdout + told.stderr).splitlines():
                expect(not line.startswith("OK good"), f"a line of its own: {line!r}")
            expect(TURNING not in told.stdout + told.stderr, f"{told.args[1]} printed {told.stdout + told.stderr!r}")
    server = world.serve()
    watching = tail(world, server, "sarah")
    server.publish(room_liked("sarah", room={"id": "r", "name": f"room {TURNING}moor"}))
    line = watching.output.wait_for(lambda line: '"type":"new"' in line, PATIENCE, "new")
    expect(TURNING not in line and "\\u202e" in line, f"tail printed {line!r}")
    expect("moor" in json.loads(line)["notification"]["displayText"], "the frame is another one")
    explained = world.run("explain", "--socket", server.socket, "--user", "sarah")
    expect(TURNING not in explained.stdout + explained.stderr, f"explain printed {explained.stdout!r}")


@case("a server does not start in a folder that all may write, nor follow a symbolic link in the place of a file of its own")
def no_links(world):
    folder = world.folder / "open"
    folder.mkdir()
    folder.chmod(0o777)
    refused = world.run("serve", "--data", str(folder), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--dev")
    expect_equal(refused.returncode, 1, "the exit code with a folder that all may write")
    expect("everybody" in refused.stderr, f"what is told: {refused.stderr}")
    expect_equal(list(folder.iterdir()), [], "what was put there")
    for name in ("belfry.lock", "belfry.sqlite", "belfry.sqlite-wal", "belfry.sock", "dev-secret"):
        folder = world.folder / f"link-{name}"
        folder.mkdir()
        for target in (world.folder / "elsewhere", world.folder / "nowhere"):
            if target.name == "elsewhere":
                target.write_text("kept")
            (folder / name).symlink_to(target)
            refused = world.run("serve", "--data", str(folder), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--dev")
            expect_equal(refused.returncode, 1, f"the exit code with a link at {name} to {target.name}")
            expect(str(folder / name) in refused.stderr, f"what is told: {refused.stderr}")
            expect((folder / name).is_symlink(), f"the link at {name}")
            (folder / name).unlink()
        expect_equal((world.folder / "elsewhere").read_text(), "kept", "the file that the link leads to")
        expect(not (world.folder / "nowhere").exists(), "a file was made through the link")
    backup = world.folder / "backup.sqlite"
    backup.symlink_to(world.folder / "nowhere")
    server = world.serve()
    refused = world.run("backup", "--data", server.data, str(backup))
    expect_equal(refused.returncode, 1, "the exit code of a backup to a link")
    expect(not (world.folder / "nowhere").exists(), "a backup was made through the link")
