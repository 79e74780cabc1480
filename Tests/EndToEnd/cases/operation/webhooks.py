"""Webhooks: what backends hear, how it is signed, and what happens with endpoints that do not answer as they should."""

import base64
import json
import os

from harness.events import moment, room_liked
from harness.stand_ins.webhook_receiver import WebhookReceiver
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until


def secret() -> str:
    return "whsec_" + base64.b64encode(os.urandom(32)).decode()


def endpoint(world, receiver_secrets, *, url: str, name: str = "backend", events: str = "") -> str:
    path = world.folder / f"{name}.secret"
    path.write_text("\n".join(receiver_secrets) + "\n")
    lines = [f"    {name}:", f"      url: {url}", f"      secretFile: {path}"] + ([f"      events: [{events}]"] if events else [])
    return "\n".join(lines) + "\n"


def serve(world, *endpoints: str, **settings):
    config = world.folder / "belfry.yaml"
    config.write_text("webhooks:\n  endpoints:\n" + "".join(endpoints))
    return world.serve(arguments=["--config", str(config)], **settings)


def receiving(world, *answers, events: str = "", secrets: int = 1, **settings):
    names = [secret() for _ in range(secrets)]
    receiver = world.keep(WebhookReceiver(*names, answers=answers))
    return receiver, serve(world, endpoint(world, names, url=receiver.url, events=events), **settings)


def read_all(server, user: str):
    expect_equal(server.rest(user, "PUT", "/api/notifications/read-all").status, 200, "the status of read-all")


def status_of(world, server, name: str = "backend") -> dict:
    result = world.run("webhooks", "--socket", server.socket, "--json")
    expect_equal(result.returncode, 0, f"belfry webhooks: {result.stderr}")
    return next(one for one in json.loads(result.stdout)["endpoints"] if one["name"] == name)


@case("a backend hears who has seen and read what, and what became of pushes, all signed twice")
def everything(world):
    sink = world.sink()
    receiver, server = receiving(world, secrets=2, **sink.settings, PUSH_GRACE="100ms")
    server.register_device("sarah")
    server.publish(room_liked("sarah", "tom"))
    verdict, = receiver.wait_for(1, "push.verdict")
    row, = server.list_all("sarah")
    expect_equal(verdict.data, {"user": "sarah", "notifications": [row["id"]], "device": "phone-1", "provider": "apns",
                                "verdict": "sent"}, "the verdict")
    read_all(server, "sarah")
    read, = receiver.wait_for(1, "notification.read")
    expect_equal(read.data, {"user": "sarah", "notifications": [row["id"]]}, "what was read")
    expect_equal(server.rest("tom", "PUT", "/api/notifications/seen").status, 200, "the status of seen")
    seen = [one for one in receiver.wait_for(1, "notification.seen") if one.data["user"] == "tom"]
    expect_equal([one.data["notifications"] for one in seen], [[server.list_all("tom")[0]["id"]]], "what was seen")
    metrics = server.metrics()
    expect(metrics['belfry_webhooks_sent_total{endpoint="backend"}'] >= 3, f"the count of what was sent: {metrics}")
    expect_equal(status_of(world, server)["failed"], 0, "failed tries")


@case("a backend hears of a device that its push service calls gone")
def device_gone(world):
    sink = world.sink({"fault": "answer", "status": 410, "reason": "Unregistered"})
    receiver, server = receiving(world, events="device.gone", **sink.settings, PUSH_GRACE="100ms")
    server.register_device("sarah")
    server.publish(room_liked("sarah"))
    told, = receiver.wait_for(1)
    expect_equal(told.data, {"user": "sarah", "device": "phone-1", "provider": "apns"}, "the device that is gone")


@case("an endpoint that gives no answers holds up neither another one nor publishers, and gets its webhooks later")
def silent(world):
    names = [secret(), secret()]
    receivers = [world.keep(WebhookReceiver(name)) for name in names]
    server = serve(world, *(
        endpoint(world, [name], url=receiver.url, name=each, events="notification.read")
        for name, receiver, each in zip(names, receivers, ("slow", "quick"))))
    slow, quick = receivers
    slow.is_answering.clear()
    users = {f"person-{number}" for number in range(50)}
    for user in users:
        server.publish(room_liked(user))
        read_all(server, user)
    expect_equal({one.data["user"] for one in quick.wait_for(50)}, users, "whom the other endpoint hears of")
    # None of them waits for another one's connection: that would take from the time of its try.
    wait_until(lambda: len(slow.received) == 8, PATIENCE, "eight requests at the slow endpoint at the same time")
    slow.is_answering.set()
    wait_until(lambda: status_of(world, server, "slow")["waiting"] == 0, PATIENCE, "nothing waits any more")
    expect_equal((len(slow.received), status_of(world, server, "slow")["failed"]), (50, 0), "requests and failed tries")
    expect_equal({one["user"] for one in slow.taken("notification.read").values()}, users, "whom the slow endpoint hears of")


@case("an endpoint hears only what its settings name")
def chosen(world):
    receiver, server = receiving(world, events="notification.read")
    server.publish(room_liked("sarah"))
    expect_equal(server.rest("sarah", "PUT", "/api/notifications/seen").status, 200, "the status of seen")
    read_all(server, "sarah")
    expect_equal([one.type for one in receiver.wait_for(1)], ["notification.read"], "what came")


@case("a failure, a redirect and a closed connection are tried again with the same id, and Retry-After is kept")
def tried_again(world):
    answers = [500, (302, {"Location": "/elsewhere"}), (503, {"Retry-After": "7"}), 0]
    receiver, server = receiving(world, *answers, events="notification.read")
    users = {"sarah", "tom", "renee", "ada"}
    for user in users:
        server.publish(room_liked(user))
        read_all(server, user)
    wait_until(lambda: {one["user"] for one in receiver.taken("notification.read").values()} == users or None,
               PATIENCE + 20, "all webhooks")
    tries = {user: [one for one in receiver.received if one.data["user"] == user] for user in users}
    expect_equal({user: len({one.id for one in of}) for user, of in tries.items()}, dict.fromkeys(users, 1), "the ids")
    for status, least in ((500, 4.9), (302, 4.9), (503, 6.9)):
        of, place = next((of, place) for of in tries.values() for place, one in enumerate(of) if one.status == status)
        waited = of[place + 1].at - of[place].at
        expect(waited >= least, f"after {status} it came again after {waited} seconds")
    wait_until(lambda: status_of(world, server)["waiting"] == 0, PATIENCE, "nothing waits any more")
    # Where the connection had been used before, the HTTP library tries the closed one again by itself.
    expect(status_of(world, server)["failed"] in (3, 4), "the number of failed tries")


@case("410 ends an endpoint, its webhooks become dead letters without a try, and a replay opens it and sends them")
def gone(world):
    receiver, server = receiving(world, 410, events="notification.read")
    for user in ("sarah", "tom"):
        server.publish(room_liked(user))
        read_all(server, user)
        wait_until(lambda: status_of(world, server).get("gone"), PATIENCE, "the endpoint is gone")
    wait_until(lambda: status_of(world, server)["dead"] == 2, PATIENCE, "two dead letters")
    expect_equal(len(receiver.received), 1, "what came to the endpoint")
    listed = world.run("webhooks", "dead", "backend", "--socket", server.socket, "--json")
    letters = json.loads(listed.stdout)["deadLetters"]
    expect_equal(sorted(letter["payload"]["data"]["user"] for letter in letters), ["sarah", "tom"], "the dead letters")
    expect_equal(sorted((letter["tries"], letter["reason"]) for letter in letters),
                 [(0, "not sent: the endpoint is gone"), (1, "status 410")], "their tries and reasons")
    unknown = world.run("webhooks", "replay", "nobody", "--socket", server.socket)
    expect_equal(unknown.returncode, 1, "the exit code for an unknown endpoint")

    replayed = world.run("webhooks", "replay", "backend", "--socket", server.socket)
    expect_equal((replayed.returncode, replayed.stdout), (0, "2 webhooks are sent again.\n"), "belfry webhooks replay")
    receiver.wait_for(3)
    expect_equal({one.id for one in receiver.received}, {letter["id"] for letter in letters}, "the ids")
    wait_until(lambda: status_of(world, server)["dead"] == 0, PATIENCE, "no dead letter is left")


@case("webhooks outlive kill -9 at any time: each comes at least once, and none of what did not happen")
def killed(world):
    receiver, server = receiving(world, *[0] * 3, events="notification.read")
    expected = {}
    for round in range(4):
        for number in range(10):
            user = f"person-{round}-{number}"
            server.publish(room_liked(user))
            read_all(server, user)
            expected[user] = [row["id"] for row in server.list_all(user)]
        server.kill()
        server.start()

    def heard():
        data = receiver.taken("notification.read").values()
        return {one["user"] for one in data} == set(expected) or None

    wait_until(heard, PATIENCE, f"all webhooks; {len(receiver.received)} came")
    for one in receiver.received:
        expect_equal(one.data["notifications"], expected[one.data["user"]], "what was told")
    wait_until(lambda: status_of(world, server)["waiting"] == 0, PATIENCE, "nothing waits any more")


@case("a backend hears once of each question that ended, also of removed ones, and while the server was killed")
def questions_end(world):
    receiver, server = receiving(world, events="notification.answered")
    question = {"actions": [{"id": "yes", "label": "Yes"}], "answerBy": moment(1), "default": "yes"}
    users = [f"person-{number}" for number in range(10)]
    event = server.publish(room_liked(*users, question=question))["event"]
    ids = {user: server.list_all(user)[0]["id"] for user in users}
    gone = users[0]
    expect_equal(server.rest(gone, "DELETE", f"/api/notifications/{ids[gone]}").status, 200, "removing one")
    server.kill()
    server.start()
    receiver.wait_for(len(users))
    heard = [(data["user"], data["notification"], data["event"], data["action"], data["way"])
             for data in receiver.taken("notification.answered").values()]
    expect_equal(sorted(heard), sorted((user, ids[user], event, "yes", "expiry") for user in users), "what was told")


@case("settings of webhooks that cannot work are refused at the start, without the secret's text")
def refused(world):
    for lines, word in [
        (endpoint(world, ["whsec_dG9vIHNob3J0"], url="https://a.example", name="short"), "secretFile"),
        (endpoint(world, [secret()], url="http://192.0.2.1/hooks"), "https://"),
        (endpoint(world, [secret()], url="https://a.example", events="notification.red"), "notification.read"),
    ]:
        config = world.folder / "wrong.yaml"
        config.write_text("webhooks:\n  endpoints:\n" + lines)
        for command in (["serve", "--dev", "--config", str(config), "--data", str(world.folder / "wrong")],
                        ["check", str(config)]):
            result = world.run(*command)
            expect(result.returncode != 0, f"{command[0]} takes {lines}")
            told = result.stdout + result.stderr
            expect(word in told, f"no {word} in {told}")
            expect("dG9vIHNob3J0" not in told, "a secret was told")
