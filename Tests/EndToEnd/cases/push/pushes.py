"""The push that comes when nobody saw it live."""

import json
import socket
import time

from harness.certificates import Certificate
from harness.events import elements_added, room_liked
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

#: How long a case waits to be sure that nothing (more) comes, with a grace of one second.
SILENCE = 3
GRACE = {"PUSH_GRACE": "1s"}


def with_phone(world, *script, user="sarah", **settings):
    """A server that pushes to a sink, and a registered phone."""
    sink = world.sink(*script)
    server = world.serve(**{**sink.settings, **GRACE, **settings})
    answer = server.register_device(user)
    expect_equal((answer.status, answer.json()), (200, {"status": "ok"}), "the registration")
    return server, sink


def expect_no_more(sink, count: int, seconds: float = SILENCE):
    time.sleep(seconds)
    expect_equal(len(sink.pushes), count, f"requests to the sink after {seconds} s more")


@case("without a session one push comes within a second, with the badge and everything the phone needs", alone=True)
def no_session(world):
    server, sink = with_phone(world)
    server.publish(room_liked("sarah"))
    sink.wait_for_shown(1, within=1)
    expect_no_more(sink, 1, seconds=1.5)
    push = sink.shown[0]
    row = server.get("sarah")["data"][0]
    expect_subset(push, {
        "device": "a1b2c3", "status": 200, "title": "Italy Trip", "body": "Pete liked your room", "badge": 1,
        "thread": "room:room-789", "apns-topic": sink.settings["APNS_BUNDLE_ID"], "apns-push-type": "alert",
        "apns-priority": "10", "apns-collapse-id": row["id"],
    }, "the push")
    expect_subset(push["data"], {"type": "room_like", "roomId": "room-789"}, "the app's data")


@case("an attentive session that acknowledges: no push")
def attentive_ack(world):
    server, sink = with_phone(world)
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    expect_equal(live.call("ack", seq=live.expect("new")["seq"])["type"], "ok", "the answer to ack")
    expect_no_more(sink, 0)
    expect_equal(server.unread("sarah"), 1, "unread, which an ack does not change")


@case("a session in the background, even one that acknowledges, or none that does: one push after the grace")
def no_attention(world):
    server, sink = with_phone(world)
    for user in ("tom", "ulf"):
        server.register_device(user, f"phone-{user}", {"tom": "0a", "ulf": "0b"}[user])
    inactive = server.session("sarah", active=False)
    silent = server.session("tom")
    left = server.session("ulf")
    left.call("state", active=False)
    began = time.monotonic()
    server.publish(room_liked("sarah", "tom", "ulf"))
    for live in (inactive, left):
        live.call("ack", seq=live.expect("new")["seq"])
    silent.expect("new")
    sink.wait_for_shown(3)
    waited = time.monotonic() - began
    expect(waited >= 0.9, f"the pushes came after {waited:.2f} s, before the grace was over")
    expect_equal({push["device"] for push in sink.shown}, {"a1b2c3", "0a", "0b"}, "the devices")
    expect_equal({push["badge"] for push in sink.shown}, {1}, "the badges")
    expect_no_more(sink, 3)


@case("one attentive acknowledgement among several sessions is enough, and it covers what came before")
def cumulative_ack(world):
    server, sink = with_phone(world)
    server.session("sarah", active=False)
    attentive = server.session("sarah")
    server.publish([room_liked("sarah") for _ in range(3)])
    attentive.call("ack", seq=attentive.take(3)[-1]["seq"])
    expect_no_more(sink, 0)
    server.publish(room_liked("sarah"))
    attentive.expect("new")
    sink.wait_for_shown(1)
    expect_equal(sink.shown[0]["badge"], 4, "the badge")


@case("three notifications one after the other push the badges 1, 2 and 3")
def badges(world):
    server, sink = with_phone(world)
    for number in (1, 2, 3):
        server.publish(room_liked("sarah"))
        sink.wait_for_shown(number)
    expect_equal([push["badge"] for push in sink.shown], [1, 2, 3], "the badges")


@case("what is read, removed or cleared before its push is due is not pushed")
def read_in_time(world):
    server, sink = with_phone(world)
    live = server.session("sarah", active=False)
    server.publish([room_liked("sarah") for _ in range(3)])
    ids = [frame["notification"]["id"] for frame in live.take(3)]
    server.rest("sarah", "PUT", "/api/notifications/read", {"notificationIds": ids[:1]})
    live.call("remove", ids=ids[1:2])
    server.rest("sarah", "PUT", "/api/notifications/read-all")
    expect_no_more(sink, 0)


@case("a provider that is busy gets the push again, and the phone shows it once")
def busy_provider(world):
    server, sink = with_phone(world, {"times": 1, "fault": "answer", "status": 503, "retryAfter": 1})
    server.publish(room_liked("sarah"))
    sink.wait_for(2)
    expect_equal([(push["status"], "title" in push) for push in sink.pushes], [(503, False), (200, True)], "requests")
    expect_no_more(sink, 2)
    wait_until(lambda: server.metrics()["belfry_push_jobs"] == 0, PATIENCE, "no push job left")
    metrics = server.metrics()
    expect_subset(metrics, {'belfry_pushes_total{provider="apns",verdict="accepted"}': 1, 'belfry_pushes_total{provider="apns",verdict="busy"}': 1},
                  "metrics")


@case("a device that its provider calls gone is forgotten; one that registered after that is kept")
def device_gone(world):
    gone = {"fault": "answer", "status": 410, "reason": "Unregistered"}
    later, earlier = int((time.time() + 3600) * 1000), int((time.time() - 3600) * 1000)
    server, sink = with_phone(
        world, {"device": "a1b2c3", "timestamp": later, **gone},
        {"device": "d4e5f6", "times": 1, "timestamp": earlier, **gone})
    server.publish(room_liked("sarah"))
    sink.wait_for(1)
    wait_until(lambda: server.metrics()["belfry_push_jobs"] == 0, PATIENCE, "the job is gone with the device")
    server.publish(room_liked("sarah"))
    expect_no_more(sink, 1, seconds=2)

    server.register_device("tom", "phone-2", "d4e5f6")
    server.publish(room_liked("tom"))
    sink.wait_for(2)
    server.publish(room_liked("tom"))
    # The first one is tried again before the second one's turn comes.
    sink.wait_for_shown(2, within=30)
    expect_equal([push["apns-collapse-id"] for push in sink.shown], [row["id"] for row in reversed(server.get("tom")["data"])],
                 "the pushes to the device that was kept")


@case("a device whose token changes is reached at the new one; one that another user registers leaves the first")
def devices_change(world):
    server, sink = with_phone(world)
    server.register_device("sarah", push_token="BB02")
    server.publish(room_liked("sarah"))
    sink.wait_for_shown(1)
    expect_equal(sink.shown[0]["device"], "bb02", "the device")
    server.register_device("tom", push_token="bb02")
    server.publish(room_liked("sarah"))
    server.publish(room_liked("tom"))
    sink.wait_for_shown(2)
    expect_no_more(sink, 2, seconds=1)
    tom = server.get("tom")["data"][0]["id"]
    expect_equal(sink.shown[1]["apns-collapse-id"], tom, "whose push the phone shows")


@case("a growing batch replaces its own push: one collapse id")
def growing_batch(world):
    server, sink = with_phone(world)
    server.publish(elements_added("sarah", photos=1))
    sink.wait_for_shown(1)
    server.publish(elements_added("sarah", photos=2))
    sink.wait_for_shown(2)
    expect_no_more(sink, 2, seconds=1.5)
    row = server.get("sarah")["data"][0]
    expect_equal([push["apns-collapse-id"] for push in sink.shown], [row["id"]] * 2, "collapse ids")
    expect_equal([push["body"] for push in sink.shown],
                 ["Renee added a photo in Awesome Fun", "Renee added 3 photos in Awesome Fun"], "what they say")
    expect_equal([push["badge"] for push in sink.shown], [1, 1], "badges")


@case("a session that leaves without a word: its push comes after the grace, the next one at once")
def session_leaves(world):
    server, sink = with_phone(world, PUSH_GRACE="8s")
    live = server.session("sarah")
    server.publish(room_liked("sarah"))
    live.expect("new")
    live.cut()
    sink.wait_for_shown(1)
    wait_until(lambda: server.metrics()["belfry_sessions"] == 0, PATIENCE, "the session is gone")
    server.publish(room_liked("sarah"))
    sink.wait_for_shown(2, within=7)
    expect_no_more(sink, 2, seconds=1)


@case("an event may be urgent, always pushed or never: urgent does not wait, always does not heed acknowledgements")
def policies(world):
    server, sink = with_phone(world, PUSH_GRACE="15s")
    live = server.session("sarah")
    server.publish(room_liked("sarah", push={"urgency": "urgent"}))
    sink.wait_for_shown(1, within=14)
    live.call("ack", seq=live.expect("new")["seq"])
    server.publish(room_liked("sarah", push={"when": "always"}))
    live.call("ack", seq=live.expect("new")["seq"])
    sink.wait_for_shown(2)
    live.close()
    wait_until(lambda: server.metrics()["belfry_sessions"] == 0, PATIENCE, "the session is gone")
    server.publish(room_liked("sarah", push={"when": "never"}))
    expect_no_more(sink, 2, seconds=1)
    wrong = server.post("/v1/events", room_liked("sarah", push={"when": "sometimes"}))
    expect_subset(wrong.json(), {"status": 422, "code": "invalid_value", "pointer": "/push/when"}, "a wrong policy")


@case("a provider that cannot be reached: the test, the status and the log say why, and the log once")
def unreachable(world):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"https://127.0.0.1:{closed.getsockname()[1]}"
        sink = world.sink()
        other = Certificate(world.folder, "other").file
        for name, change, words in (
                ("ca", {"APNS_CA_FILE": other}, "certificate not trusted"),
                ("host", {"APNS_ENDPOINT": "https://no-such-host.invalid"}, "name service|no such host"),
                ("port", {"APNS_ENDPOINT": nobody}, "Connection refused")):
            server = world.serve(data=name, **{**sink.settings, **GRACE, **change})
            expect_equal(server.register_device("sarah").status, 200, "the registration")
            tested = world.run("push", "test", "--user", "sarah", "--socket", server.socket)
            expect_equal(tested.returncode, 1, "the exit code of push test")
            row = next(line for line in tested.stdout.splitlines() if line.startswith("phone-1 "))
            expect(says(row, words), f"the test's reason: {tested.stdout!r}")
            for _ in range(6):
                server.publish(room_liked("sarah"))
            wait_until(lambda: any("pushes fail" in line for line in server.log), PATIENCE, "the line about failing pushes")
            told = [json.loads(line) for line in server.log if "pushes fail" in line]
            expect_equal([line["provider"] for line in told], ["apns"], "whom the log tells of")
            expect(says(told[0]["reason"], words), f"the log's reason: {told}")
            status = world.run("push", "status", "--socket", server.socket)
            expect(says(status.stdout, words), f"the status: {status.stdout!r}")
            server.terminate()


def says(text: str, words: str) -> bool:
    return any(word in text for word in words.split("|"))


@case("a provider whose connection goes away, or that does not answer, gets the push again", slow=True)
def lost_connections(world):
    server, sink = with_phone(world, {"request": 1, "fault": "goAway"}, {"request": 2, "fault": "reset"})
    server.publish(room_liked("sarah"))
    sink.wait_for_shown(1, within=60)
    expect_equal([push.get("fault") for push in sink.pushes], ["goAway", "reset", None], "the requests")


@case("with the default grace: none in ten seconds after an ack, one after four seconds without", slow=True,
      alone=True)
def default_grace(world):
    server, sink = with_phone(world, PUSH_GRACE="4s")
    server.register_device("tom", "phone-2", "0b")
    attentive, silent = server.session("sarah"), server.session("tom")
    began = time.monotonic()
    server.publish(room_liked("sarah", "tom"))
    attentive.call("ack", seq=attentive.expect("new")["seq"])
    sink.wait_for_shown(1)
    waited = time.monotonic() - began
    expect(3.9 <= waited <= 5.5, f"the push came after {waited:.2f} s")
    expect_no_more(sink, 1, seconds=10)
    expect_equal(sink.shown[0]["device"], "0b", "the device")
    silent.close()
