"""Several nodes on one database that are not alike."""

import base64
import os
import time

from harness import tokens
from harness.apps import catalog, register
from harness.broken_machines.moved_clock import MovedClock
from harness.events import moment, room_liked
from harness.http import once
from harness.stand_ins.webhook_receiver import WebhookReceiver
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until

from ..access.revocations import later
from ..push import activities

#: A second is the promise. This many more are for other cases that have the machine meanwhile.
BUSY = 4


@case("nodes whose clocks differ by ten seconds: pushes leave at their time, each once, whichever node has the event")
def clocks_differ(world):
    first = world.folder / "ahead"
    second = world.folder / "behind"
    for folder in (first, second):
        folder.mkdir()
    clocks = [MovedClock(folder) for folder in (first, second)]
    if not clocks[0].is_possible:
        return
    sink = world.sink()
    nodes = []
    for clock, seconds in zip(clocks, (5, -5)):
        clock.set(seconds)
        # Both have the database of the first one's folder.
        nodes.append(world.serve(
            **sink.settings, launcher=clock.launcher, data=f"data{seconds}", NODE=f"node{seconds}", PUSH_GRACE="2s",
            STORE=world.databases.url(str(world.folder / "data5"))))
    for number, (here, there) in enumerate((nodes, nodes[::-1])):
        user = f"user-{number}"
        here.register_device(user, f"phone-{number}", f"{number}a")
        session = there.session(user)
        began = time.monotonic()
        here.publish(room_liked(user))
        seq = session.expect("new", unread=1)["seq"]
        expect_equal(here.unread(user), 1, "unread at the other node")
        sink.wait_for_shown(2 * number + 1)
        waited = time.monotonic() - began
        expect(waited > 1.8, f"the push left after {waited:.1f} s, before its grace was over")
        # What is acknowledged at one node, no other one pushes.
        here.publish(room_liked(user))
        session.expect("new", unread=2)
        expect_equal(session.call("ack", seq=seq + 1)["type"], "ok", "the answer to ack")
        # This one comes later, and alone.
        here.publish(room_liked(user))
        session.expect("new", unread=3)
        sink.wait_for_shown(2 * number + 2)
    time.sleep(3)
    expect_equal(len(sink.shown), 4, "pushes that phones show")


@case("each webhook of two nodes comes once")
def webhooks(world):
    secret = "whsec_" + base64.b64encode(os.urandom(32)).decode()
    receiver = world.keep(WebhookReceiver(secret))
    (world.folder / "secret").write_text(secret)
    config = world.folder / "belfry.yaml"
    config.write_text(f"webhooks:\n  endpoints:\n    backend:\n      url: {receiver.url}\n"
                      f"      secretFile: {world.folder / 'secret'}\n      events: [notification.read]\n")
    store = world.databases.url(str(world.folder / "shared"))
    nodes = [
        world.serve(data=name, NODE=name, STORE=store, arguments=["--config", str(config)]) for name in ("north", "south")]

    def read(node, user: str):
        node.publish(room_liked(user))
        expect_equal(node.rest(user, "PUT", "/api/notifications/read-all").status, 200, "the status of read-all")

    users = [f"person-{number}" for number in range(40)]
    for number, user in enumerate(users):
        read(nodes[number % 2], user)
    wait_until(lambda: {one["user"] for one in receiver.taken("notification.read").values()} == set(users), PATIENCE, "all webhooks")
    expect_equal(len(receiver.received), len(users), "how many came")


@case("a question ends at its time by the node that took it in, or by another one if that is killed")
def question_ends(world):
    store = world.databases.url(str(world.folder / "shared"))
    north, south = nodes = [world.serve(data=name, NODE=name, STORE=store) for name in ("north", "south")]

    def ask(node, user: str, seconds: float) -> str:
        question = {"actions": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}], "default": "no"}
        return node.publish(room_liked(user, question={**question, "answerBy": moment(seconds)}))["event"]

    def steps(event: str) -> list[str]:
        trail = once(south.socket, "GET", f"/v1/trail/{event}").json()
        return [step["by"] for step in trail["recipients"][0]["steps"] if step["step"] == "answered"]

    live = south.session("sarah")
    events = [ask(node, "sarah", 1) for node in nodes]
    for _ in events:
        live.expect("new")
    for _ in events:
        answer = live.expect("update")["notification"]["question"]["answer"]
        expect_equal((answer["action"], answer["by"]), ("no", "expiry"), "what ended")
    events.append(ask(north, "tom", 2))
    north.kill()
    wait_until(lambda: south.get("tom")["data"][0]["question"]["answer"], PATIENCE, "the end of the killed node's question")
    for event in events:
        expect_equal(steps(event), ["expiry"], "how often it ended")


@case("the nodes of one database are told with their leases, and how many people have sessions there")
def told(world):
    store = world.databases.url(str(world.folder / "shared"))
    nodes = [world.serve(data=name, NODE=name, STORE=store) for name in ("north", "south")]
    nodes[0].session("sarah")
    nodes[0].session("sarah")
    nodes[0].session("renee")

    def people():
        answer = nodes[1].ask("/console/nodes")
        expect_equal(answer.status, 200, "the status")
        return [(one["name"], one["isThis"], one["isAlive"], one["hasLeft"], one["people"]) for one in answer.json()["nodes"]]

    expected = [("north", False, True, False, 2), ("south", True, True, False, 0)]
    wait_until(lambda: people() == expected, PATIENCE, f"{expected}")
    nodes[0].terminate()
    wait_until(lambda: people()[0][2:4] == (False, True) or people()[0][3], PATIENCE, "that one has left")


@case("a person's sessions end at every node in a moment, whichever node is asked, and those of others stay")
def revoked(world):
    store = world.databases.url(str(world.folder / "shared"))
    nodes = [world.serve(data=name, NODE=name, STORE=store) for name in ("north", "south", "east")]
    nodes[0].publish(room_liked("sarah"))
    # By a disconnect they may come back, by an erasure they may not.
    for asked, call, code in ((0, ("POST", "/v1/users/sarah/disconnect"), 4200), (2, ("DELETE", "/v1/users/sarah"), 4002)):
        sessions = [node.session("sarah") for node in nodes]
        others = [node.session("tom") for node in nodes]
        began = time.monotonic()
        expect_equal(once(nodes[asked].socket, *call).status, 200, f"the status of {call}")
        for session in sessions:
            session.expect_close(code)
        expect(time.monotonic() - began < 1 + BUSY, f"they ended after {time.monotonic() - began:.1f} s")
        for session in others:
            session.expect_silence(0.1)
            session.close()


@case("a person's tokens are revoked at every node in a moment, whichever node is asked; later tokens and others' stay good")
def revoked_tokens(world):
    store = world.databases.url(str(world.folder / "shared"))
    nodes = [world.serve(data=name, NODE=name, STORE=store) for name in ("north", "south", "east")]
    old = tokens.token("sarah", iat=int(time.time()))
    sessions, others = [], [node.session("tom") for node in nodes]
    # The third node has no session of hers, and her token was believed there.
    for node in nodes[:2]:
        sessions += [node.open(), node.open()]
        for live in sessions[-2:]:
            live.hello(old)

    def statuses(token: str) -> list[int]:
        return [once(node.listen, "GET", "/api/notifications/unread-count", token=token).status for node in nodes]

    expect_equal(statuses(old), [200] * 3, "the statuses before")
    began = time.monotonic()
    revoked = once(nodes[1].socket, "POST", "/v1/users/sarah/revoke").json()
    expect_equal(revoked["sessions"], 4, "the sessions that were ended")
    wait_until(lambda: statuses(old) == [401] * 3, PATIENCE, "each node to refuse the token")
    for session in sessions:
        session.expect_close(4202)
    expect(time.monotonic() - began < 1 + BUSY, f"it took {time.monotonic() - began:.1f} s")
    expect_equal(statuses(later(revoked)), [200] * 3, "the statuses of a later token")
    for session in others:
        session.expect_silence(0.1)
    nodes[0].kill()
    nodes[0].start()
    expect_equal(statuses(old), [401] * 3, "the statuses once a node has started again")


@case("two nodes share Live Activities: either takes events and tokens in, and one that is left goes on")
def shared_activities(world):
    sink, store = world.sink(), world.databases.url(str(world.folder / "shared"))
    north, south = (
        world.serve(catalogs=(catalog("orders"),), data=name, NODE=name, STORE=store, **sink.settings)
        for name in ("north", "south"))
    register(north, "sarah", "phone-1", "apns", "a1b2c3", platform="ios")
    activities.begin_with(south, {"OrderAttributes": "aa01"})
    north.publish(activities.order("sent"))
    activities.wait_for(sink, 1)
    south.publish(activities.order("moved", minutes=8))
    activities.runs(north, "bb02")
    update = activities.wait_for(sink, 1, "bb02")[0]["activity"]
    expect_equal(update["content-state"]["minutes"], 8, "the update")
    north.kill()
    south.publish(activities.order("delivered"))
    expect_equal(activities.wait_for(sink, 2, "bb02")[1]["activity"]["event"], "end", "the end")
    expect_equal(len(activities.told(sink, "aa01")), 1, "starts")
