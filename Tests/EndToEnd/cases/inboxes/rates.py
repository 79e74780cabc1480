"""How fast apps may ask over REST."""

import socket
import threading
import time
from urllib.parse import quote

from harness import tokens
from harness.events import room_liked
from harness.http import Http, expect_problem, once
from harness.memory import expect_memory, resident
from harness.suite import PATIENCE, case, expect, expect_equal

COUNT = "/api/notifications/unread-count"


def statuses(answers) -> dict[int, int]:
    found: dict[int, int] = {}
    for answer in answers:
        found[answer.status] = found.get(answer.status, 0) + 1
    return found


def pipelined(server, requests: list[bytes]) -> list[int]:
    host, port = server.listen.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        # The answers are read meanwhile: whoever does not is not read from either.
        sending = threading.Thread(target=connection.sendall, args=(b"".join(requests),))
        sending.start()
        answer = b""
        while answer.count(b"HTTP/1.1 ") < len(requests) and (piece := connection.recv(1 << 16)):
            answer += piece
        sending.join()
    return [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]


@case("a user who changes something two thousand times at once is answered by 429 beyond the limit, others are served",
      pollers=True)
def pipelined_changes(world):
    server = world.serve()
    body = b'{"hours": 1}'
    request = (f"PUT /api/notifications/snooze HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {world.token('sarah')}\r\n"
               f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    found = pipelined(server, [request] * 2000)
    expect_equal(len(found), 2000, "the number of answers")
    expect(set(found) == {200, 429}, f"statuses {set(found)}")
    # Ten seconds may have ended in between.
    expect(300 <= found.count(200) <= 600, f"{found.count(200)} were done")
    refused = server.rest("sarah", "GET", COUNT)
    if refused.status == 429:
        expect_problem(refused, {"status": 429, "code": "too_many_requests"}, "one request too many")
        expect(1 <= int(refused.headers["retry-after"]) <= 10, "Retry-After")
    expect_equal(server.rest("tom", "GET", COUNT).status, 200, "another user's status")
    live = server.session("sarah")
    expect_equal(live.call("state", active=False)["type"], "ok", "a frame's answer")
    server.check_health()


@case("the limit is one user's, on whichever connections and with whichever tokens, and ends after ten seconds at most")
def one_users(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="5")
    answers = [once(server.listen, "GET", COUNT, token=tokens.token("sarah", n=number)) for number in range(20)]
    found = statuses(answers)
    expect(found[429] >= 10, f"statuses {found}")
    refused = next(answer for answer in answers if answer.status == 429)
    time.sleep(int(refused.headers["retry-after"]))
    expect_equal(server.rest("sarah", "GET", COUNT).status, 200, "the status after Retry-After")


@case("an address may be refused whoever asks from it, known by what a trusted proxy tells; probes and sessions are not")
def one_address(world):
    server = world.serve(LIMITS_REQUESTS_PER_ADDRESS_PER10S="5", PROXY_TRUSTED="127.0.0.0/8")
    app = Http(server.listen)

    def ask(address: str, user: str | None = None):
        token = world.token(user) if user else None
        return app.request("GET", COUNT, token=token, X_Forwarded_For=address)

    found = statuses(ask("198.51.100.1", f"user-{number}") for number in range(15))
    expect(found[429] >= 5, f"statuses {found}")
    found = statuses(ask("198.51.100.2") for _ in range(15))
    expect(found[429] >= 5 and found[401] >= 5, f"statuses without a token {found}")
    expect_equal(ask("198.51.100.3", "sarah").status, 200, "another address' status")
    for _ in range(20):
        expect_equal(app.request("GET", "/healthz", X_Forwarded_For="198.51.100.1").status, 200, "the probe's status")
    server.session("sarah")


@case("a poll every thirty seconds and a list now and then are far from every limit; without limits nothing is refused")
def usual(world):
    server = world.serve()
    app = Http(server.listen)
    for _ in range(60):
        expect_equal(app.request("GET", COUNT, token=world.token("sarah")).status, 200, "the status of a poll")
    open_server = world.serve(data="open", LIMITS_REQUESTS_PER10S="0", LIMITS_REQUESTS_PER_ADDRESS_PER10S="0")
    app = Http(open_server.listen)
    for _ in range(700):
        expect_equal(app.request("GET", COUNT, token=world.token("sarah")).status, 200, "the status without limits")


@case("one user who fills whatever a user can fill takes little memory, and others' lists and sessions stay as they were")
def one_user_fills(world):
    # Without the rates, which would end this soon.
    server = world.serve(LIMITS_REQUESTS_PER10S="0", LIMITS_REQUESTS_PER_ADDRESS_PER10S="0")
    for number in range(30):
        server.publish(room_liked("tom", room={"id": f"r{number}", "name": "n"}))
    first = server.get("tom", "/api/notifications?page=1&limit=10")
    before = resident(server.process)
    app = Http(server.listen)
    for number in range(600):
        group = quote(f"{number}-" + "x" * 12_000)
        app.request("GET", f"/api/notifications?group={group}", token=world.token("sarah"))
    for number in range(500):
        app.request("GET", COUNT, token=tokens.token("sarah", filler="y" * 5_000, n=number))
    for number in range(60):
        answer = app.request("PUT", f"/api/devices/{number:0200d}", {"provider": "apns", "token": f"{number:064x}"},
                             token=world.token("sarah"))
        expect_equal(answer.status, 200, "the status of a device")
    expect_equal(len(server.get("sarah", "/api/devices")["data"]), 50, "devices")
    sessions = [server.session("sarah", compression=None) for _ in range(16)]
    for index, live in enumerate(sessions):
        refused = 0
        for number in range(66):
            name = f"{index}-{number}-" + "z" * 180
            refused += live.call("subscribe", feed=name, tags=["t" * 100] * 20)["type"] == "error"
        expect_equal(refused, 2, "refused subscriptions")
    grown = resident(server.process) - before
    expect_memory(grown, 60)
    # Nobody else's list was forgotten meanwhile.
    server.publish(room_liked("tom", room={"id": "late", "name": "n"}))
    second = server.get("tom", "/api/notifications?page=2&limit=10")
    shown = [row["id"] for page in (first, second) for row in page["data"]]
    expect(len(set(shown)) >= 19, "a list shows rows twice")
    server.check_health()


@case("whoever asks for large answers and reads none of them takes a bounded amount of memory, and others are answered",
      alone=True)
def unread_answers(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="0", LIMITS_REQUESTS_PER_ADDRESS_PER10S="0")
    for start in range(0, 100, 20):
        server.publish([room_liked("sarah", room={"id": f"r{start + number}", "name": "n" * 8_000}) for number in range(20)])
    host, port = server.listen.rsplit(":", 1)
    request = (f"GET /api/notifications?limit=100 HTTP/1.1\r\nHost: x\r\n"
               f"Authorization: Bearer {world.token('sarah')}\r\n\r\n").encode()
    for _ in range(150):
        connection = world.keep(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect((host, int(port)))
        connection.sendall(request)
    for _ in range(5):
        expect_equal(len(server.get("sarah", "/api/notifications?limit=100")["data"]), 100, "an answer that is read")
    expect_memory(resident(server.process), 300)
    server.check_health()
