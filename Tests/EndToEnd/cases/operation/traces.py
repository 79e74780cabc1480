"""Traces: what a collector gets of notifications and publishes, and what happens without one that answers."""

import json
import time

from harness.stand_ins.collector import Collector
from harness.events import room_liked
from harness.http import once
from harness.ports import lasting_port
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, expect_told, wait_until

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED, NOT_SAMPLED = f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-00"


def collector_of(world, *statuses: int, **more) -> Collector:
    return world.keep(Collector(*statuses, **more))


def traced(world, collector: Collector, sample: str = "1", **settings):
    return world.serve(TRACES_ENDPOINT=collector.url, TRACES_SAMPLE=sample, **settings)


def publish(server, event, parent: str | None = None, **headers):
    if parent:
        headers["traceparent"] = parent
    answer = server.post("/v1/events", event, **headers)
    expect_equal(answer.status, 202, "the status of a publish")
    return answer


@case("a notification's trace leads from the event to the acknowledgement, and links to the publisher's trace")
def acknowledged(world):
    collector = collector_of(world)
    sink = world.sink()
    server = traced(world, collector, TRACES_HEADERS="x-key=s3cret-of-traces", **sink.settings, PUSH_GRACE="1h")
    server.register_device("sarah")
    session = server.session("sarah", active=True)
    answer = publish(server, room_liked("sarah"), SAMPLED, tracestate="vendor=1")
    seq = session.expect("new")["seq"]
    session.send({"type": "ack", "seq": seq})

    create, = collector.wait_for("create")
    ack, = collector.wait_for("ack")
    cancel, = collector.wait_for("cancel push")
    live, = collector.wait_for("live")
    request, = collector.wait_for("POST /v1/events")
    expect_equal({span.trace for span in (ack, cancel, live)}, {create.trace}, "the traces of one notification")
    expect_equal({span.parent for span in (ack, cancel, live)}, {create.id}, "the parents of its steps")
    expect(create.start <= live.start <= ack.end, "the steps are not in their order")
    expect_equal(create.attributes["belfry.push.decision"], "queued: grace", "the decision about the push")
    expect_equal(create.attributes["messaging.destination.name"], "ROOM_LIKE", "the type")
    expect_equal(create.attributes["messaging.message.id"], server.list_all("sarah")[0]["id"], "the notification")
    expect_equal(cancel.attributes["belfry.cause"], "acknowledged", "the cause")
    # The publish is the publisher's own trace, and the notification's is another.
    expect_equal((request.trace, request.parent, request.state), (TRACE, PARENT, "vendor=1"), "the publish")
    expect_equal(create.links, [(TRACE, request.id)], "the link")
    expect_equal(answer.headers["traceresponse"], f"00-{TRACE}-{request.id}-01", "the publish's traceresponse")
    expect_equal(request.attributes["http.response.status_code"], 202, "the status")
    expect_equal(request.attributes["belfry.created"], 1, "the number of new notifications")
    collector.check_parents(PARENT)
    for sent in collector.requests:
        expect_equal(sent.headers["x-key"], "s3cret-of-traces", "the header of the settings")
        for word in (b"Italy", b"pete", b"sarah", b"a1b2c3"):
            expect(word not in sent.body, f"a span tells {word}: {sent.body!r}")
    expect(not any("s3cret-of-traces" in line for line in server.log), "the log tells the collector's key")


@case("a push is in its notification's trace, with the provider's verdict")
def pushed(world):
    collector = collector_of(world)
    sink = world.sink({"times": 1, "fault": "answer", "status": 400, "reason": "BadTopic"})
    server = traced(world, collector, **sink.settings, PUSH_GRACE="0s")
    server.register_device("sarah")
    publish(server, room_liked("sarah"))
    refused, = collector.wait_for("push apns")
    expect_equal((refused.attributes["belfry.push.verdict"], refused.has_failed), ("refused", True), "the verdict")
    publish(server, room_liked("sarah", room={"id": "room-2", "name": "Other"}))
    accepted = collector.wait_for("push apns", 2)[1]
    expect_equal((accepted.attributes["belfry.push.verdict"], accepted.has_failed), ("accepted", False), "the verdict")
    roots = {span.trace: span for span in collector.wait_for("create", 2)}
    for push in (refused, accepted):
        expect_equal(push.parent, roots[push.trace].id, "the push's parent")
        expect_equal(push.attributes["belfry.push.attempt"], 1, "the number of the attempt")
    expect(refused.trace != accepted.trace, "two notifications share a trace")
    collector.check_parents()


@case("what happens after a restart is in the same trace, though nothing of it was stored")
def restarted(world):
    collector = collector_of(world)
    server = traced(world, collector)
    publish(server, room_liked("sarah"))
    create, = collector.wait_for("create")
    server.terminate()
    server.start()
    session = server.session("sarah", active=True, resume={"epoch": server.get("sarah")["meta"]["epoch"], "seq": 0})
    session.send({"type": "ack", "seq": session.expect("new")["seq"]})
    ack, = collector.wait_for("ack")
    expect_equal((ack.trace, ack.parent), (create.trace, create.id), "the trace of the acknowledgement")
    session.send({"type": "read", "ids": [create.attributes["messaging.message.id"]]})
    read, = collector.wait_for("read")
    expect_equal((read.trace, read.parent), (create.trace, create.id), "the trace of reading")
    collector.check_parents()


@case("without a share only publishers that trace are traced, and their notifications with them")
def parent_based(world):
    collector = collector_of(world)
    server = traced(world, collector, "0")
    quiet = [publish(server, room_liked("sarah")), publish(server, room_liked("sarah"), NOT_SAMPLED),
             publish(server, room_liked("sarah"), SAMPLED.upper()), publish(server, room_liked("sarah"), "00-what")]
    expect(not any("traceresponse" in answer.headers for answer in quiet), "a publish that is not traced is named")
    publish(server, [room_liked("maya"), room_liked("maya", "tom")], SAMPLED)
    stream = [room_liked("renee"), room_liked("renee", room={"id": "room-2", "name": "Other"})]
    body = "".join(json.dumps(event) + "\n" for event in stream).encode()
    once(server.socket, "POST", "/v1/events", body, Content_Type="application/x-ndjson", traceparent=SAMPLED)
    server.terminate()

    lines, requests = collector.wait_for("publish", 2), collector.wait_for("POST /v1/events")
    expect_equal({(span.trace, span.parent) for span in lines + requests}, {(TRACE, PARENT)}, "the publishers' traces")
    expect_equal(len(requests), 1, "how many publishes are traced")
    created = [span for span in collector.spans if span.name in ("create", "grow")]
    expect_equal(len(created), 5, "how many notifications were made")
    expect_equal({link for span in created for link in span.links},
                 {(TRACE, span.id) for span in lines + requests}, "their links")
    collector.check_parents(PARENT)


@case("a share of 0.25 traces some notifications, and each of them whole")
def some(world):
    collector = collector_of(world)
    server = traced(world, collector, "0.25")
    users = [f"user-{number}" for number in range(200)]
    server.publish(room_liked(*users))
    for user in users:
        ids = [row["id"] for row in server.list_all(user)]
        expect_equal(server.rest(user, "PUT", "/api/notifications/read", {"notificationIds": ids}).status, 200, "the status of read")
    server.terminate()
    created = [span for span in collector.spans if span.name == "create"]
    read = [span for span in collector.spans if span.name == "read"]
    expect_equal({(span.trace, span.parent) for span in read}, {(span.trace, span.id) for span in created},
                 "the traces with a notification that was read")
    # The draw is fixed by the notifications' ids.
    expect(20 <= len(created) <= 80, f"of 200 notifications {len(created)} are traced")


@case("a collector that is busy gets the same spans again, and one that refuses them loses them")
def answers(world):
    collector = collector_of(world, 503, 429, 200, 400)
    server = traced(world, collector)
    publish(server, room_liked("sarah"))
    collector.wait_for("create")
    first, second, third = collector.requests[:3]
    expect(first.body == second.body == third.body, "the batch has changed between tries")
    sent = wait_until(lambda: server.metrics()["belfry_trace_spans_sent_total"], PATIENCE, "spans to count as sent")
    expect_equal(sent, len(collector.spans), "the spans that count as sent")
    publish(server, room_liked("sarah"))
    wait_until(lambda: server.metrics()["belfry_trace_spans_dropped_total"] > 0, PATIENCE, "refused spans to be counted")
    publish(server, room_liked("maya"))
    wait_until(lambda: len(collector.requests) > 4 and collector.requests[-1].spans, PATIENCE, "further spans")
    expect_told(server, "traces do not reach")


@case("a collector that never answers, or is not there, holds up nobody")
def absent(world):
    hanging, dead = collector_of(world, hanging=True).url, f"http://127.0.0.1:{lasting_port()}"
    for number, url in enumerate((hanging, dead)):
        server = world.serve(data=f"data-{number}", TRACES_ENDPOINT=url, TRACES_SAMPLE="1")
        users = [f"user-{number}" for number in range(600)]
        session = server.session("user-0")
        # Several nodes have room for more spans together.
        for _ in range(40):
            server.publish(room_liked(*users))
            session.expect("new")
            if server.metrics()["belfry_trace_spans_dropped_total"]:
                break
        else:
            raise Failed("no span was dropped")
        expect_equal(server.metrics()["belfry_trace_spans_sent_total"], 0, "spans that were sent")
        session.close()
        began = time.monotonic()
        expect_equal(server.terminate(), 0, "the exit code")
        expect(time.monotonic() - began < 30, "the server waits for a collector that does not answer")


@case("without a collector there are no traces, and a traceparent changes nothing")
def off(world):
    server = world.serve()
    expect("traceresponse" not in publish(server, room_liked("sarah"), SAMPLED).headers, "a publish is traced")
    expect_equal(server.metrics()["belfry_trace_spans_dropped_total"], 0, "dropped spans")
