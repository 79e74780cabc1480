"""Publishing many events, and the same one twice."""

import json
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from harness.events import room_liked
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset


@case("two thousand lines, some of them bad, get an answer a line, in order")
def two_thousand_lines(world):
    server = world.serve()
    lines, expected = [], []
    for number in range(2000):
        event = room_liked("sarah", room={"id": "r", "name": f"Room {number}"}, key=f"line-{number}")
        if number % 100 == 7:
            lines.append('{"type": "room_liked", broken')
            expected.append("invalid_json")
        elif number % 100 == 13:
            lines.append(json.dumps({**event, "type": "nothing_like_it"}))
            expected.append("unknown_event_type")
        else:
            lines.append(json.dumps(event))
            expected.append("created")
    answers = server.stream(lines)
    expect_equal(len(answers), 2000, "the number of answers")
    found = ["created" if answer.get("created") == 1 else answer.get("code") for answer in answers]
    expect_equal(found, expected, "the answers")
    for number, answer in enumerate(answers, 1):
        if answer.get("code") == "invalid_json":
            expect(f"line {number}, column " in answer["detail"], f"line {number} is told as {answer['detail']}")
    rows = server.list_all("sarah")
    names = [f"Room {number}" for number, outcome in enumerate(expected) if outcome == "created"]
    expect_equal([row["roomName"] for row in reversed(rows)], names, "the rows in the order of the lines")
    expect_equal(server.unread("sarah"), len(names), "unread")

    again = server.stream(lines)
    expect_equal([answer.get("replayed") for answer in again if "event" in answer], [True] * len(names), "the repeat")
    expect_equal(server.unread("sarah"), len(names), "unread after the repeat")


@case("belfry publish takes lines from a pipe while they flow, a file, an array and an indented document")
def publish_command(world):
    server = world.serve()
    process = world.start("publish", "--socket", server.socket)
    for number in range(3):
        process.write(json.dumps(room_liked("sarah")) + "\n")
        process.output.wait_for_count(lambda line: '"event"' in line, number + 1, 10, "answers")
    process.close_input()
    expect_equal(process.wait(PATIENCE), 0, "the exit code with a pipe")

    path = world.folder / "events.ndjson"
    path.write_text("\n".join(json.dumps(room_liked("sarah")) for _ in range(700)) + "\n")
    result = world.run("publish", "--socket", server.socket, str(path))
    expect_equal((result.returncode, len(result.stdout.splitlines())), (0, 700), "exit code and answers with a file")

    result = world.run("publish", "--socket", server.socket, "-", input=json.dumps([room_liked("sarah")] * 2, indent=2))
    expect_equal((result.returncode, len(result.stdout.splitlines())), (0, 2), "exit code and answers with an array")
    expect_equal(server.unread("sarah"), 705, "unread")

    result = world.run("publish", "--socket", server.socket, input=json.dumps({**room_liked("sarah"), "type": "x"}))
    expect_equal(result.returncode, 1, "the exit code for a bad event")
    expect_subset(json.loads(result.stdout), {"status": 422, "code": "unknown_event_type"}, "the answer to it")
    lines = json.dumps(room_liked("sarah")) + "\nnonsense\n" + json.dumps(room_liked("sarah")) + "\n"
    result = world.run("publish", "--socket", server.socket, input=lines)
    expect_equal((result.returncode, len(result.stdout.splitlines())), (1, 3), "exit code and answers, a bad line")
    result = world.run("publish", "--socket", str(world.folder / "nowhere.sock"), input=lines)
    expect_equal(result.returncode, 1, "the exit code without a server")
    for blank in ("", "\n \n"):
        result = world.run("publish", "--socket", server.socket, input=blank)
        expect_equal((result.returncode, result.stdout, result.stderr), (0, "", "standard input: no events\n"),
                     "what is told of input without events")


@case("the same key with the same body is answered as before, with another body by 409; also after a restart")
def idempotency(world):
    server = world.serve()
    event = room_liked("sarah", "tom", key="like-1")
    first = server.publish(event)
    for round in range(2):
        again = server.publish(event)
        expect_equal(again, {**first, "replayed": True}, "the repeated answer")
        other = server.post("/v1/events", {**event, "to": {"owner": ["ulf"]}})
        expect_equal(other.status, 409, "the status for another body")
        expect_subset(other.json(), {"code": "key_reused", "pointer": "/key"}, "the problem")
        server.kill()
        server.start()
    expect_equal([server.unread(user) for user in ("sarah", "tom", "ulf")], [1, 1, 0], "unread")

    mixed = server.post("/v1/events", [room_liked("ulf", key="new"), {**event, "to": {"owner": ["ulf"]}}])
    expect_subset(mixed.json(), {"status": 409, "pointer": "/1/key"}, "the problem in an array")
    expect_equal(server.unread("ulf"), 0, "what is kept of a refused array")
    twice = server.publish([room_liked("ulf", key="twice"), room_liked("ulf", key="twice")])
    expect_equal([bool(answer.get("replayed")) for answer in twice], [False, True], "a key twice in an array")
    expect_equal(server.unread("ulf"), 1, "unread after it")


@case("curl publishes over the socket exactly as the documentation shows")
def curl(world):
    server = world.serve()
    live = server.session("sarah")
    result = subprocess.run(
        ["curl", "-sS", "--unix-socket", server.socket, "http://belfry/v1/events", "-d",
         json.dumps(room_liked("sarah"))], capture_output=True, text=True, timeout=PATIENCE)
    answer = json.loads(result.stdout)
    expect_subset(answer, {"recipients": 1, "created": 1, "updated": 0, "suppressed": 0}, "curl's answer")
    expect(answer["event"], "an answer without the event's name")
    live.expect("new", unread=1)


@case("requests that are sent without waiting for answers are answered in order on one connection")
def pipelined(world):
    server = world.serve()
    bodies = [json.dumps(room_liked("sarah", key=f"pipelined-{number}")).encode() for number in range(50)]
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE)
    connection.connect(server.socket)
    connection.sendall(b"".join(
        b"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        for body in bodies))
    answers = b""
    while answers.count(b'"event"') < 50:
        piece = connection.recv(1 << 16)
        expect(piece, f"closed after {answers.count(b'HTTP/1.1 202')} answers")
        answers += piece
    expect_equal(answers.count(b"HTTP/1.1 202"), 50, "the number of answers")
    connection.close()
    expect_equal(server.unread("sarah"), 50, "unread")


@case("a publisher that streams without reading its answers is slowed down and loses nothing")
def backpressure(world):
    server = world.serve(INBOX_MAXIMUM="0")
    number = 12_000
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(60)
    connection.connect(server.socket)
    lines = b"".join(json.dumps(room_liked("sarah", key=f"stream-{index}")).encode() + b"\n" for index in range(number))
    connection.sendall(b"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Type: application/x-ndjson\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(lines))
    connection.setblocking(False)
    sent, stuck_since = 0, time.monotonic()
    while sent < len(lines) and time.monotonic() - stuck_since < 1:
        try:
            sent += connection.send(lines[sent:sent + (1 << 16)])
            stuck_since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.005)
    expect(sent < len(lines), "the server read all lines, although nobody took its answers")
    connection.settimeout(60)
    writer = threading.Thread(target=connection.sendall, args=(lines[sent:],))
    writer.start()
    answers, rest = 0, b""
    while answers < number:
        piece = connection.recv(1 << 16)
        expect(piece, f"closed after {answers} answers")
        # A piece may end within the word.
        rest += piece
        answers += rest.count(b'"event"')
        rest = rest[-len(b'"event'):]
    writer.join()
    connection.close()
    expect_equal(server.unread("sarah"), number, "unread")


@case("publishers side by side: every event is counted once")
def many_publishers(world):
    server = world.serve()
    users = [f"user-{number}" for number in range(20)]

    def publish(number: int):
        return server.publish([room_liked(*users[number % 5:number % 5 + 10], key=f"{number}-{part}")
                               for part in range(5)])

    with ThreadPoolExecutor(16) as pool:
        answers = [answer for answers in pool.map(publish, range(60)) for answer in answers]
    expect_equal(sum(answer["created"] for answer in answers), 60 * 5 * 10, "created")
    expect_equal(sum(server.unread(user) for user in users), 60 * 5 * 10, "unread of all")
    expect_equal(server.drift(), 0, "the drift")
