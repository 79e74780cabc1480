"""Why a person got a notification, told to that person."""

from harness.events import room_liked
from harness.http import expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until


def why(server, user: str, id: str, method: str = "GET", query: str = ""):
    return server.rest(user, method, f"/api/notifications/{id}/explain{query}")


def data(server, user: str, id: str) -> dict:
    answer = why(server, user, id)
    expect_equal(answer.status, 200, "the status of explain")
    told = answer.json()
    expect_equal(told["success"], True, "success")
    return told["data"]


@case("a person is told what was decided about a notification of theirs, step by step, in words too, and nothing of others")
def own(world):
    sink = world.sink()
    server = world.serve(**sink.settings, TRAIL_EXPLAIN="true", PUSH_GRACE="0s")
    server.register_device("sarah")
    server.publish(room_liked("sarah", "tom", key="secret-key"))
    sink.wait_for_shown(1)
    row = server.get("sarah")["data"][0]
    told = wait_until(lambda: (told := data(server, "sarah", row["id"]))["steps"] and told, PATIENCE, "the step of the push")
    expect_subset(told, {"id": row["id"], "type": "ROOM_LIKE", "state": "unseen", "waiting": []}, "what is told")
    event = told["events"][0]
    expect_equal(len(told["events"]), 1, "the events")
    expect_subset(event, {"type": "room_liked", "decision": "created", "live": False}, "the event")
    expect_equal(event["push"]["decision"], "queued", "the push")
    expect(event["text"].startswith("It came into your inbox."), f"the sentence: {event['text']}")
    expect_subset(told["steps"][0], {"step": "sent", "provider": "apns", "device": "phone-1",
                                     "text": "A push went to phone-1."}, "the step")
    expect_equal(told["choices"]["types"][0]["name"], "ROOM_LIKE", "the choices")
    text = why(server, "sarah", row["id"]).body.decode()
    for secret in ("tom", "secret-key", "uid:", "a1b2c3", "publisher", "evt_"):
        expect(secret not in text, f"{secret} is told: {text}")
    expect_equal(why(server, "sarah", row["id"], "HEAD").status, 200, "HEAD")
    expect_equal(why(server, "sarah", row["id"], "PUT").headers.get("allow"), "GET, HEAD", "what is allowed")


@case("a batch is explained by all its events, and what was read or muted stands in its words")
def batches(world):
    server = world.serve(TRAIL_EXPLAIN="true")
    for _ in range(2):
        server.publish({"type": "element_added", "actor": {"id": "renee", "username": "renee"},
                        "to": {"participants": ["sarah"]},
                        "data": {"room": {"id": "r", "name": "Fun"}, "elements": [{"kind": "photo"}]}})
    row = server.get("sarah")["data"][0]
    told = data(server, "sarah", row["id"])
    expect_equal([event["decision"] for event in told["events"]], ["created", "batched"], "the decisions")
    server.rest("sarah", "PUT", "/api/notifications/read-all")
    expect_equal(data(server, "sarah", row["id"])["state"], "read", "the state")


@case("another's notification, one that is gone and a wrong id are 404 alike; without the setting it is refused")
def refusals(world):
    server = world.serve(TRAIL_EXPLAIN="true")
    server.publish([room_liked("sarah"), room_liked("tom")])
    mine, others = (server.get(user)["data"][0]["id"] for user in ("sarah", "tom"))
    bodies = set()
    for id in (others, "n9-9", "nonsense", "n1-1%20", "%2e%2e", "0"):
        answer = why(server, "sarah", id)
        expect_problem(answer, {"status": 404, "code": "not_found"}, f"the explanation of {id}")
        bodies.add(answer.body)
    expect_equal(len(bodies), 1, "what the answers tell apart")
    expect_problem(why(server, "sarah", mine, query="?user=tom"), {"status": 400, "code": "invalid_parameter"}, "a query")
    server.rest("sarah", "DELETE", f"/api/notifications/{mine}")
    expect_equal(why(server, "sarah", mine).status, 404, "the status for one that is gone")
    expect_equal(once(server.listen, "GET", f"/api/notifications/{others}/explain").status, 401, "without a token")
    quiet = world.serve(data="quiet")
    quiet.publish(room_liked("sarah"))
    expect_problem(why(quiet, "sarah", quiet.get("sarah")["data"][0]["id"]), {"status": 403, "code": "explain_off"}, "off")
    developing = world.serve(data="developing", arguments=["--dev"])
    developing.publish(room_liked("sarah"))
    data(developing, "sarah", developing.get("sarah")["data"][0]["id"])
