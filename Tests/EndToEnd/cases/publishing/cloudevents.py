"""CloudEvents in all three content modes, as the SDK of the CloudEvents project makes them."""

import json
from datetime import datetime, timezone

from cloudevents.core.bindings.http import to_binary, to_structured
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from harness.events import room_liked
from harness.http import once
from harness.publishers import publisher_key, serve_publishers
from harness.suite import case, expect_equal, expect_subset

BATCH = "application/cloudevents-batch+json"


def liked(identifier: str, *users: str, **attributes) -> CloudEvent:
    own = room_liked(*users)
    return CloudEvent({"type": own.pop("type"), "source": "/rooms/€", "id": identifier, "specversion": "1.0",
                       "datacontenttype": "application/json", **attributes}, own)


def send(server, message, query=""):
    return once(server.socket, "POST", f"/v1/events{query}", message.body, **message.headers)


@case("an event of the SDK arrives in structured and binary mode, and its source and id keep it from coming twice")
def both_modes(world):
    server = world.serve()
    occurred = datetime(2026, 1, 2, 3, 4, 5, 678901, timezone.utc)
    event = liked("like 1 😀", "sarah", time=occurred, subject="room-1", comexampleothervalue="a b")
    first = send(server, to_binary(event, JSONFormat()))
    expect_equal(first.status, 202, f"the status in binary mode ({first.body!r})")
    expect_subset(first.json(), {"created": 1}, "the answer")
    again = send(server, to_structured(event, JSONFormat()))
    expect_equal(again.status, 202, f"the status in structured mode ({again.body!r})")
    expect_equal(again.json(), {**first.json(), "replayed": True}, "the answer to the same event")
    row, = server.list_all("sarah")
    expect_equal(row["createdAt"], "2026-01-02T03:04:05.678Z", "the time")
    other = send(server, to_structured(liked("like 1 😀", "tom", time=occurred), JSONFormat()))
    expect_subset(other.json(), {"status": 409, "code": "key_reused", "pointer": "/id"}, "another event of this id")
    other = send(server, to_binary(liked("like 1 😀", "tom", time=occurred), JSONFormat()))
    expect_equal("pointer" in other.json(), False, "a pointer of a header")

    encoded = CloudEvent(liked("like 2").get_attributes(), json.dumps(room_data("sarah")).encode())
    message = to_structured(encoded, JSONFormat())
    expect_equal("data_base64" in json.loads(message.body), True, "what the SDK makes of bytes")
    expect_subset(send(server, message).json(), {"created": 1}, "the answer to data in Base64")
    expect_equal(server.unread("sarah"), 2, "unread")


def room_data(*users: str) -> dict:
    own = room_liked(*users)
    del own["type"]
    return own


@case("a batch of CloudEvents is taken in as a whole, or refused at the place of its mistake")
def batches(world):
    server = world.serve()

    def batch(*events, query=""):
        body = b"[" + b",".join(JSONFormat().write(event) for event in events) + b"]"
        return once(server.socket, "POST", f"/v1/events{query}", body, Content_Type=f"{BATCH}; charset=UTF-8")

    answer = batch(liked("a", "sarah"), liked("b", "sarah", "tom"))
    expect_equal((answer.status, [receipt["created"] for receipt in answer.json()]), (202, [1, 2]), "a batch")
    expect_equal((batch().status, batch().json()), (202, []), "a batch without events")
    refused = batch(liked("c", "sarah"), liked("d", "sarah", type="nothing_like_it"))
    expect_subset(refused.json(), {"status": 422, "code": "unknown_event_type", "pointer": "/1/type"}, "a wrong type")
    wrong = CloudEvent(liked("d").get_attributes(), {**room_data("sarah"), "too": {}})
    refused = batch(liked("c", "sarah"), wrong)
    expect_subset(refused.json(), {"status": 422, "code": "unknown_field", "pointer": "/1/data/too"}, "wrong data")
    reused = batch(liked("c", "sarah"), liked("a", "sarah", "tom"))
    expect_subset(reused.json(), {"status": 409, "code": "key_reused", "pointer": "/1/id"}, "a used id")
    tried = batch(liked("c", "sarah"), query="?dryRun=true")
    expect_equal((tried.status, [rehearsal["created"] for rehearsal in tried.json()]), (200, [1]), "a dry run")
    expect_equal((server.unread("sarah"), server.unread("tom")), (2, 1), "unread")


@case("what is no CloudEvent in JSON is refused, and tells what was expected")
def refusals(world):
    server = world.serve()
    message = to_binary(liked("a", "sarah"), JSONFormat())
    for headers, status, code in [
        ({"content-type": "text/plain"}, 415, "unsupported_media_type"),
        ({"content-type": "application/cloudevents+avro"}, 415, "unsupported_media_type"),
        ({"ce-specversion": "0.3"}, 422, "invalid_value"), ({"ce-id": "%C0%A0"}, 422, "invalid_value"),
        ({"Idempotency-Key": "k"}, 422, "invalid_value"), ({"ce-time": "yesterday"}, 422, "invalid_value"),
    ]:
        answer = once(server.socket, "POST", "/v1/events", message.body, **message.headers | headers)
        expect_equal((answer.status, answer.json()["code"]), (status, code), f"the answer with {headers}")
    expect_equal(server.unread("sarah"), 0, "unread")
    # Belfry's own form takes no notice of other types, as before.
    answer = once(server.socket, "POST", "/v1/events", json.dumps(room_liked("sarah")).encode(), Content_Type="text/plain")
    expect_equal(answer.status, 202, "the status of an event in Belfry's own form")


@case("a publisher's rights hold for CloudEvents")
def rights(world):
    key, hash = publisher_key(world)
    server = serve_publishers(world, f"""
  rooms:
    keyHash: {hash}
    events: [room_renamed]
""")
    message = to_structured(liked("a", "sarah"), JSONFormat())
    answer = once(server.socket, "POST", "/v1/events", message.body, token=key, **message.headers)
    expect_subset(answer.json(), {"status": 403, "code": "event_not_allowed", "pointer": "/type"}, "the answer")
