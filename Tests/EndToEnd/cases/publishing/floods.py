"""Publishers that bring more than can be stored."""

import json
import socket
import threading
import time

from harness.events import room_liked
from harness.http import Http, expect_problem
from harness.memory import expect_memory, peak
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until

MEGABYTE = 1 << 20


PUBLISH = "POST /v1/events HTTP/1.1\r\nHost: belfry\r\n"
#: The heads of requests that announce a megabyte each, and what of it may come.
ANNOUNCED = {
    "a length": f"{PUBLISH}Content-Length: {MEGABYTE}\r\n\r\n",
    "chunks": f"{PUBLISH}Transfer-Encoding: chunked\r\n\r\n{MEGABYTE - 1:x}\r\n",
    "members": f"PUT /v1/topics/t/members HTTP/1.1\r\nHost: belfry\r\nContent-Length: {MEGABYTE}\r\n\r\n",
    "a stream": f"{PUBLISH}Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n{MEGABYTE - 1:x}\r\n",
}
BODY = b"[" + b" " * (MEGABYTE - 3)


def begun(world, server, head: str, body: bytes = b""):
    sender = world.keep(socket.socket(socket.AF_UNIX))
    sender.settimeout(PATIENCE)
    sender.connect(server.socket)
    sender.sendall(head.encode() + body)
    return sender


def expect_served(server):
    """Small and large publishes, and what else backends do."""
    for _ in range(5):
        server.publish(room_liked("sarah"))
    large = [room_liked("tom", room={"id": "r", "name": "x" * 4000}) for _ in range(150)]
    expect_equal(len(server.publish(large)), 150, "the answers to a large array")
    answer = Http(server.socket).request("PUT", "/v1/topics/readers/members", {"users": ["sarah"]})
    expect(answer.status < 300, f"members were answered by {answer.status} {answer.body!r}")


@case("requests that announce a megabyte and send nothing of it keep nobody out", pollers=True)
def announced(world):
    server = world.serve()
    for head in ANNOUNCED.values():
        for _ in range(32):
            begun(world, server, head)
    expect_served(server)
    server.check_health()


@case("bodies that have nearly come, of any kind and in great number, make room for those that come whole")
def held_back(world):
    server = world.serve()
    for head in ANNOUNCED.values():
        for _ in range(40):
            begun(world, server, head, BODY)
    expect_served(server)
    expect_memory(peak(server.process), 400)
    server.check_health()


@case("publishes whose bodies come byte by byte are answered, while others are fed so to no end and while bodies are held back")
def drip_fed(world):
    server = world.serve()
    for _ in range(40):
        begun(world, server, ANNOUNCED["a length"], BODY)
    dripping = [begun(world, server, ANNOUNCED["chunks"]) for _ in range(32)]
    event = json.dumps(room_liked("sarah")).encode()
    slow = begun(world, server, f"{PUBLISH}Content-Length: {len(event)}\r\n\r\n")
    for index in range(0, len(event), 8):
        slow.sendall(event[index:index + 8])
        for sender in dripping:
            sender.sendall(b" ")
        time.sleep(0.01)
    expect(slow.recv(100).startswith(b"HTTP/1.1 202 "), "the slow publish was not taken in")
    expect_served(server)


@case("a body of which nothing more comes is answered by 408, before the time for whole bodies is over")
def stalled(world):
    server = world.serve(LIMITS_BODY_STALL_TIMEOUT="1s")
    silent, begun_only = (begun(world, server, ANNOUNCED["a length"], body) for body in (b"", b"["))
    for sender in (silent, begun_only):
        expect(sender.recv(100).startswith(b"HTTP/1.1 408 "), "no 408")
    server.check_health()


@case("bodies of apps' requests take no more memory than there is for all of them, whoever sends them")
def apps_bodies(world):
    server = world.serve()
    host, port = server.listen.rsplit(":", 1)
    head = (f"PUT /api/notifications/preferences HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {world.token('sarah')}\r\n"
            f"Content-Length: {MEGABYTE}\r\n\r\n").encode()
    for _ in range(150):
        sender = world.keep(socket.create_connection((host, int(port)), timeout=20))
        try:
            sender.sendall(head + BODY)
        except OSError:
            pass  # it was answered before all of it had come
    answer = server.rest("tom", "PUT", "/api/notifications/preferences", {"preferences": []})
    expect(answer.status != 503, f"another user was answered by {answer.status}")
    expect_memory(peak(server.process), 300)
    server.check_health()


@case("a flood of arrays and streams: each is answered by 202 or 503, memory stays bounded, and the counts are right",
      alone=True)
def flood(world):
    server = world.serve(INBOX_MAXIMUM="0")
    users = [f"user-{number}" for number in range(20)]
    array = [room_liked(*users, room={"id": "r", "name": "x" * 4000}) for _ in range(100)]
    line = json.dumps(room_liked(*users)) + "\n"
    stored, statuses = [0] * 12, set()
    end = time.monotonic() + 3

    def publish(index: int):
        connection = Http(server.socket, timeout=60)
        while time.monotonic() < end:
            if index % 3:
                answer = connection.request("POST", "/v1/events", array)
                statuses.add(answer.status)
                stored[index] += 100 if answer.status == 202 else 0
            else:
                answer = connection.request("POST", "/v1/events", (line * 300).encode(),
                                            Content_Type="application/x-ndjson")
                stored[index] += sum('"event"' in each for each in answer.body.decode().splitlines())

    publishers = [threading.Thread(target=publish, args=(index,)) for index in range(12)]
    live = server.session("user-0")
    for publisher in publishers:
        publisher.start()
    began = time.monotonic()
    rest = server.get("user-1")
    expect(time.monotonic() - began < 3, "a list took too long")
    expect("data" in rest, "no list")
    for publisher in publishers:
        publisher.join(60)
    expect(statuses <= {202, 503}, f"statuses {statuses}")
    expect(sum(stored) > 1000, f"only {sum(stored)} events were stored")
    expect_memory(peak(server.process), 600)
    expect_equal(server.unread("user-7"), sum(stored), "a recipient's unread")
    expect_equal(server.drift(), 0, "the drift")
    seq = live.ready["seq"]
    while seq < sum(stored):
        frame = live.next()
        expect_equal(frame.get("from", frame.get("seq")), seq + 1, "where the next frame begins")
        seq = frame.get("to", frame.get("seq"))
