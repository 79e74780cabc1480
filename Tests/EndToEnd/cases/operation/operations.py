"""What operators see: health, metrics, logs."""

import json
import re
import time

from harness import tokens
from harness.events import comment_added, room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal

SAMPLE = re.compile(r'^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+|\+Inf|NaN)$')


@case("metrics are in Prometheus' format and count what happened")
def metrics(world):
    server = world.serve()
    live = server.session("sarah")
    server.publish([room_liked("sarah", "tom") for _ in range(3)])
    live.call("ack", seq=live.take(3)[-1]["seq"])
    server.post("/v1/events", {"type": "unknown"})
    answer = once(server.ops, "GET", "/metrics")
    expect(answer.headers["content-type"].startswith("text/plain; version=0.0.4"), "the content type")
    described, last_type = set(), {}
    for line in answer.body.decode().splitlines():
        if line.startswith("# HELP "):
            described.add(line.split()[2])
        elif line.startswith("# TYPE "):
            last_type[line.split()[2]] = line.split()[3]
        else:
            expect(SAMPLE.match(line), f"not a sample: {line}")
            name = re.split(r"[{ ]", line)[0]
            base = re.sub(r"_(bucket|sum|count)$", "", name)
            expect(name in described or base in described, f"no HELP for {name}")
    values = server.metrics()
    for name, value in {
        "belfry_sessions": 1, "belfry_events_total": 3, "belfry_events_refused_total": 1, "belfry_acks_total": 1,
        "belfry_changes_total": 6, "belfry_notifications": 6, "belfry_inboxes": 2, "belfry_unread_drift": 0,
        "belfry_push_jobs": 0, "belfry_publish_seconds_count": 1,
    }.items():
        expect_equal(values.get(name), value, name)
    # Of a database that others change, too, nothing is remembered.
    remembered = [] if world.databases else ["belfry_remembered_changes", "belfry_remembered_change_bytes"]
    for name in ("belfry_connections", "belfry_frames_received_total", "belfry_frames_sent_total",
                 "belfry_commits_total", *remembered):
        expect(values.get(name, 0) > 0, f"{name} is {values.get(name)}")
    for name in ("process_start_time_seconds", "process_cpu_seconds_total", "process_resident_memory_bytes",
                 "process_max_fds", "belfry_heap_bytes"):
        expect(values.get(name, 0) > 0, f"{name} is {values.get(name)}")
    for name in ("process_start_time_seconds", "belfry_store_counted_timestamp_seconds"):
        expect(abs(values[name] - time.time()) < 60, f"{name} is not of this minute")
    version = world.run("--version").stdout.strip()
    expect_equal(values.get(f'belfry_build_info{{version="{version}"}}'), 1, "the version")
    for verdict in ("accepted", "device_gone", "busy", "refused"):
        expect(f'belfry_pushes_total{{provider="apns",verdict="{verdict}"}}' in values, f"no pushes by verdict {verdict}")
    live.close()


@case("health and readiness answer on the operators' listener, and what is the public's is not there")
def health(world):
    server = world.serve()
    for path in ("/healthz", "/readyz"):
        expect_equal(once(server.ops, "GET", path).status, 200, path)
    expect_equal(once(server.listen, "GET", "/metrics").status, 404, "metrics on the public listener")
    expect_equal(once(server.listen, "POST", "/v1/events", room_liked("sarah")).status, 404, "publishing in public")
    expect_equal(once(server.ops, "GET", "/api/notifications").status, 404, "an inbox on the operators' listener")
    head = once(server.ops, "HEAD", "/healthz")
    expect_equal((head.status, head.body), (200, b""), "HEAD")


@case("no log line, at the finest level and in either format, tells a token or what a notification says")
def silent_logs(world):
    for format in ("json", "text"):
        secret_text, secret_token = f"very confidential {format} words", tokens.token("sarah")
        sink = world.sink({"times": 1, "fault": "answer", "status": 400, "reason": "BadDeviceToken"})
        server = world.serve(data=format, LOG_LEVEL="trace", LOG_FORMAT=format, **sink.settings)
        server.register_device("sarah", push_token="feedbeef")
        server.publish(comment_added("sarah", text=secret_text))
        sink.wait_for(1)
        server.post("/v1/events", {**comment_added("sarah", text=secret_text), "type": secret_text})
        once(server.listen, "GET", "/api/notifications", token=secret_token[:-2])
        once(server.listen, "GET", f"/api/notifications?token={secret_token}")
        live = server.open()
        live.send({"type": "hello", "token": secret_token[:-3], "active": True})
        live.expect_close(4001)
        server.session("sarah").close()
        if format == "json":
            for line in server.log:
                expect(isinstance(json.loads(line), dict), f"not a JSON line: {line}")
        server.terminate()
        text = "\n".join(server.log)
        for word in (secret_text, "confidential", secret_token[:40], tokens.SECRET, "feedbeef", "BEGIN PRIVATE KEY"):
            expect(word not in text, f"the {format} log tells {word!r}")
        expect("pushes refused" in text, "a refused push is not told")
