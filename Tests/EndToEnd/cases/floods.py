"""Publishers that bring more than can be stored."""

import json
import socket
import threading
import time

from harness.events import room_liked
from harness.http import Http, expect_problem
from harness.suite import case, expect, expect_equal, wait_until

MEGABYTE = 1 << 20


def peak_kilobytes(server) -> int:
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


@case("bodies that are under way take 32 MiB at most; one more publish is refused with 503 before it sends its body")
def half_sent(world):
    server = world.serve()
    head = f"POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: {MEGABYTE}\r\n\r\n".encode()
    senders = []
    for _ in range(32):
        sender = world.keep(socket.socket(socket.AF_UNIX))
        sender.connect(server.socket)
        sender.sendall(head + b"[")
        senders.append(sender)
    wait_until(lambda: server.post("/v1/events", room_liked("sarah")).status == 503, 10, "a refusal")
    refused = server.post("/v1/events", room_liked("sarah"))
    expect_problem(refused, {"status": 503, "code": "overloaded"}, "one publish too many")
    expect(int(refused.headers["retry-after"]) >= 1, "Retry-After")
    for sender in senders:
        sender.close()
    wait_until(lambda: server.post("/v1/events", room_liked("sarah")).status == 202, 10, "room again")
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
    expect(peak_kilobytes(server) < 600_000, f"memory grew to {peak_kilobytes(server)} kB")
    expect_equal(server.unread("user-7"), sum(stored), "a recipient's unread")
    expect_equal(server.drift(), 0, "the drift")
    seq = live.ready["seq"]
    while seq < sum(stored):
        frame = live.next(10)
        expect_equal(frame.get("from", frame.get("seq")), seq + 1, "where the next frame begins")
        seq = frame.get("to", frame.get("seq"))
