"""Publishers with records: who they are, what they may do, and how much."""

import json
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from harness.events import room_liked, room_renamed
from harness.http import Answer, Http, expect_problem, once
from harness.publishers import publisher_key, serve_publishers
from harness.suite import PATIENCE, case, expect, expect_equal, expect_told, wait_until

ME = os.getuid()
#: A user that is not ours, and has no name here.
STRANGER = 4001


def call(server, method: str, path: str, body=None, *, key: str | None = None, **headers) -> Answer:
    return once(server.socket, method, path, body, token=key, **headers)


#: A call for each right, which is answered by something else than 403 where it is allowed.
CALLS = {
    "publish": [("POST", "/v1/events", room_liked("sarah")), ("POST", "/v1/events?dryRun=true", room_liked("sarah"))],
    "retract": [("DELETE", "/v1/events/k", None)],
    "patch": [("PATCH", "/v1/notifications?type=USER_FOLLOWED&user=sarah&key=k", {"isFollowingBack": True})],
    "topics": [("GET", "/v1/topics/t/members", None), ("PUT", "/v1/topics/t/members", {"add": ["sarah"]}),
               ("DELETE", "/v1/topics/t/members", None), ("GET", "/v1/users/sarah/topics", None)],
    "users": [("PUT", "/v1/users/sarah", {"email": "s@example.com"}), ("GET", "/v1/users/sarah", None),
              ("GET", "/v1/users/sarah/sessions", None), ("POST", "/v1/users/sarah/disconnect", None),
              ("POST", "/v1/users/sarah/revoke", None),
              ("GET", "/v1/users/sarah/settings", None), ("PUT", "/v1/users/sarah/settings", {}),
              ("PUT", "/v1/users/sarah/notifications/read-all", {}), ("GET", "/v1/users/sarah/devices", None),
              ("POST", "/v1/users/sarah/test-push", None)],
    "feeds": [("POST", "/v1/feeds/news/items", {"n": 1}), ("DELETE", "/v1/feeds/news/items/1", None),
              ("GET", "/v1/users/sarah/feeds/news/viewed", None)],
    "trail": [("GET", "/v1/trail?key=k", None), ("GET", "/v1/trail/none", None), ("GET", "/v1/events/none", None)],
    "erase": [("DELETE", "/v1/users/sarah", None)],
    "reload": [("POST", "/v1/reload", None), ("GET", "/v1/publishers", None)],
}


@case("each right is refused to a publisher without it, by its name, and allowed to one with it")
def rights(world):
    keys = {right: publisher_key(world) for right in [*CALLS, "nothing"]}
    records = "".join(f"{right}:\n  keyHash: {hash}\n  calls: [{'' if right == 'nothing' else right}]\n"
                      for right, (_, hash) in keys.items())
    server = serve_publishers(world, records)
    for right, calls in CALLS.items():
        for method, path, body in calls:
            for holder, (secret, _) in keys.items():
                answer = call(server, method, path, body, key=secret)
                if holder == right:
                    expect(answer.status not in (401, 403), f"{method} {path} with the right {right}: {answer.body!r}")
                else:
                    expect_problem(answer, {"status": 403, "code": "call_not_allowed"}, f"{method} {path} by {holder}")
                    expect(f'"{right}"' in answer.json()["detail"], f"{path} names no right: {answer.body!r}")
    # Whoever is known may see catalogs and push services.
    expect_equal(call(server, "GET", "/v1/catalogs", key=keys["nothing"][0]).status, 200, "the catalogs' status")
    shown = server.metrics()
    expect(shown['belfry_publisher_refusals_total{publisher="nothing",cause="call"}'] > 20, "counted refusals")
    for line in server.log:
        expect(not any(secret in line or hash in line for secret, hash in keys.values()), f"a key in the log: {line}")


@case("a caller is known by its user, or by its key, and nobody else may call")
def identities(world):
    secret, hash = publisher_key(world)
    server = serve_publishers(world, f"backend: {{uid: {ME}}}\ncloud: {{keyHash: {hash}}}\n")
    expect_equal(call(server, "POST", "/v1/events", room_liked("sarah", key="k")).status, 202, "by the user")
    expect_equal(call(server, "POST", "/v1/events", room_liked("sarah", key="k"), key=secret).status, 202, "by the key")
    # Two publishers: one key each, and two notifications.
    expect_equal(server.unread("sarah"), 2, "unread")
    for wrong in ("belfry_wrong", secret[:-1], secret + "x", hash):
        refused = call(server, "POST", "/v1/events", room_liked("sarah"), key=wrong)
        expect_problem(refused, {"status": 401, "code": "unknown_key"}, "a wrong key")
        expect(wrong not in refused.body.decode(), "the answer tells the key")
    trail = call(server, "GET", "/v1/trail?key=k").json()
    expect_equal(trail["event"]["publisher"], "backend", "the publisher in the trail")
    expect_problem(call(server, "GET", "/v1/trail?key=k&publisher=cloud"), {"status": 404}, "the trail of another's event")
    expect_problem(call(server, "GET", f"/v1/trail/{trail['event']['id']}", key=secret), {"status": 404}, "asked by another")
    expect_problem(call(server, "GET", "/v1/users/sarah/trail"), {"status": 403}, "everybody's events of a person")
    server.terminate()
    other = serve_publishers(world, f"backend: {{uid: {STRANGER}}}\n")
    expect_problem(call(other, "GET", "/v1/catalogs"), {"status": 403, "code": "unknown_publisher"}, "another user")


@case("events of another type are refused, alone, in an array and in a stream")
def event_types(world):
    server = serve_publishers(world, f"backend: {{uid: {ME}, events: [room_liked]}}\n")
    renamed = room_renamed("sarah", old="a", new="b")
    expect_equal(call(server, "POST", "/v1/events", room_liked("sarah")).status, 202, "an allowed type")
    expect_problem(call(server, "POST", "/v1/events", renamed),
                   {"status": 403, "code": "event_not_allowed", "pointer": "/type"}, "another type")
    expect_problem(call(server, "POST", "/v1/events", [room_liked("sarah"), renamed]),
                   {"status": 403, "code": "event_not_allowed", "pointer": "/1/type"}, "another type in an array")
    expect_problem(call(server, "POST", "/v1/events?dryRun=true", renamed), {"status": 403}, "a dry run of another type")
    lines = server.stream([json.dumps(event) for event in (renamed, room_liked("sarah"), {**renamed, "key": "k"})])
    expect_equal([line.get("code", line.get("created")) for line in lines], ["event_not_allowed", 1, "event_not_allowed"], "a stream")
    expect_equal(server.unread("sarah"), 2, "unread")


@case("beyond a quota events wait for their time: 429 for single ones, and a stream is read more slowly")
def quotas(world):
    server = serve_publishers(world, f"backend: {{uid: {ME}, calls: [publish, feeds], eventsPerSecond: 20, burst: 40}}\n")
    connection = Http(server.socket)
    statuses = []
    # Sixty on a fast machine; on a slow one some of the quota comes back meanwhile.
    while len(statuses) < 600 and 429 not in statuses:
        statuses.append(connection.request("POST", "/v1/events", room_liked("sarah")).status)
    expect(statuses[:40] == [202] * 40 and 429 in statuses, f"the statuses: {statuses}")
    refused = connection.request("POST", "/v1/events", [room_liked("sarah")] * 40)
    expect_problem(refused, {"status": 429, "code": "too_many_events"}, "an array beyond the quota")
    expect(1 <= int(refused.headers["retry-after"]) <= 3, f"Retry-After: {refused.headers}")
    expect_problem(connection.request("POST", "/v1/feeds/news/items", [{"n": 1}] * 40), {"status": 429}, "items count, too")
    wait_until(lambda: connection.request("POST", "/v1/events", room_liked("sarah")).status == 202, PATIENCE, "room")
    expect_problem(connection.request("POST", "/v1/events", [room_liked("sarah")] * 201),
                   {"status": 422, "code": "invalid_value", "hint": "at most 200 events"}, "more than ten seconds' worth")
    wait_until(lambda: connection.request("POST", "/v1/events", room_liked("sarah", room="?")).status == 422, PATIENCE, "a wrong event")
    accepted = server.metrics()['belfry_publisher_events_total{publisher="backend"}']
    expect_equal(accepted, server.unread("sarah"), "events that count as published")
    server.terminate()
    paced = serve_publishers(world, f"backend: {{uid: {ME}, eventsPerSecond: 200}}\n")
    began = time.monotonic()
    lines = paced.stream([json.dumps(room_liked("tom")) for _ in range(800)])
    expect(all("event" in line for line in lines), "a stream has refusals")
    # A second's worth may come at once, and the last line needs no quota behind it.
    expect(time.monotonic() - began > 2.9, "a stream goes faster than its quota")
    expect_equal(paced.unread("tom"), 800, "unread")


@case("streams of one line, without a line's end, wait for the quota as well")
def single_lines(world):
    server = serve_publishers(world, f"backend: {{uid: {ME}, eventsPerSecond: 10}}\n")
    began = time.monotonic()
    for _ in range(25):
        answer = call(server, "POST", "/v1/events", json.dumps(room_liked("sarah")).encode(), Content_Type="application/x-ndjson")
        expect_equal(answer.body.count(b"evt_"), 1, "answers")
    # Ten may come at once.
    expect(time.monotonic() - began > 1.4, "streams of one line go faster than the quota")


@case("a stream that waits for its quota gets its answers when the server leaves")
def leaving(world):
    server = serve_publishers(world, f"backend: {{uid: {ME}, eventsPerSecond: 1}}\n")
    lines = "".join(json.dumps(room_liked("sarah")) + "\n" for _ in range(30)).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(server.socket)
        connection.sendall(b"POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(lines) + lines)
        answers = connection.recv(65_536)
        with ThreadPoolExecutor(1) as thread:
            ended = thread.submit(server.terminate)
            while more := connection.recv(65_536):
                answers += more
            ended.result()
    expect(answers.count(b"evt_") >= 1 and b'"leaving"' in answers, f"the answers: {answers}")
    expect(answers.endswith(b"0\r\n\r\n"), f"the end: {answers[-100:]}")


@case("without records whoever may open the socket may do everything, and the log says so")
def open_to_all(world):
    server = world.serve()
    expect_equal(call(server, "POST", "/v1/events", room_liked("sarah"), Authorization="Bearer whatever").status, 202, "a status")
    told = once(server.socket, "GET", "/v1/publishers").json()
    expect_equal(told, {"everybodyMayAll": True, "publishers": []}, "the publishers")
    expect_told(server, "may do everything")
    listed = world.run("publishers", "--socket", server.socket)
    expect(listed.returncode == 0 and "may do everything" in listed.stdout, f"belfry publishers: {listed.stdout}")


@case("belfry publishers lists rights and counts, and belfry check finds mistakes in records")
def listed(world):
    secret, hash = publisher_key(world)
    server = serve_publishers(world, f"ops: {{uid: {ME}, calls: [reload, publish, others]}}\ncloud: {{keyHash: {hash}, events: [room_liked]}}\n")
    call(server, "POST", "/v1/events", room_liked("sarah"), key=secret)
    call(server, "DELETE", "/v1/users/sarah", key=secret)
    listed = world.run("publishers", "--socket", server.socket)
    expect_equal(listed.returncode, 0, f"belfry publishers: {listed.stderr}")
    row = next(line for line in listed.stdout.splitlines() if line.startswith("cloud"))
    expect(row.split()[:2] == ["cloud", "key"] and row.split()[-2:] == ["1", "1"], f"the row: {row}")
    expect(hash not in listed.stdout and secret not in listed.stdout, "the list tells a key")
    broken = world.folder / "broken.yaml"
    broken.write_text("publishers:\n  a: {uid: 1}\n  b: {uid: 1, calls: [all]}\n")
    checked = world.run("check", str(broken))
    expect(checked.returncode == 1 and "publishers.b.calls" in checked.stdout and "publishers.b.uid" in checked.stdout,
           f"belfry check: {checked.stdout}")
