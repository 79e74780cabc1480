"""permessage-deflate on live sessions."""

import json
import random
import zlib

from harness.certificates import Certificate
from harness.events import room_liked
from harness.memory import expect_memory, peak
from harness.suite import case, expect, expect_equal, expect_subset

LONG = "Grüße aus Łódź 🚀 " * 400
OFFER = "Sec-WebSocket-Extensions: permessage-deflate\r\n"


def deflated(data: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH))[:-4]


@case("a large notification reaches clients with and without compression, live and replayed", pollers=True)
def both(world):
    server = world.serve()
    packed, plain = server.session("sarah"), server.open(compression=None)
    plain.hello(world.token("sarah"))
    expect("no_context_takeover" in (packed.extensions or ""), f"agreed on {packed.extensions}")
    expect_equal(plain.extensions, None, "what was agreed on without an offer")
    for number in range(1, 4):
        server.publish(room_liked("sarah", room={"id": "r", "name": f"{number} {LONG}"}))
        frames = [live.expect("new", seq=number) for live in (packed, plain)]
        expect_equal(frames[0], frames[1], "the frame with and without compression")
        expect_equal(frames[0]["notification"]["roomName"], f"{number} {LONG}", "the text")
    again = server.open()
    again.hello(world.token("sarah"), resume={"epoch": packed.ready["epoch"], "seq": 0})
    expect_equal([frame["notification"]["roomName"][0] for frame in again.take(3)], ["1", "2", "3"], "the replay")
    expect_equal(packed.call("read", upTo=3)["type"], "ok", "the answer to a compressed frame")
    for live in (packed, plain, again):
        live.expect("read", unread=0)


@case("a long frame goes out compressed and a short one as it is; a client's compressed frames are understood")
def on_the_wire(world):
    server = world.serve(COMPRESSION_THRESHOLD="512")
    raw = server.raw(headers=OFFER)
    hello = json.dumps({"type": "hello", "token": world.token("sarah"), "active": True}).encode()
    raw.send_frame(deflated(hello), is_compressed=True)
    first, payload = raw.read_raw()
    expect_equal((first, json.loads(payload)["type"]), (0x81, "ready"), "the answer to a compressed hello")
    server.publish(room_liked("sarah", room={"id": "r", "name": LONG}))
    first, payload = raw.read_raw()
    expect_equal(first, 0xC1, "the first byte of a long frame")
    expect(len(payload) < 1500, f"{len(payload)} bytes are not compressed")
    frame = json.loads(zlib.decompressobj(-15).decompress(payload + b"\x00\x00\xff\xff"))
    expect_equal(frame["notification"]["roomName"], LONG, "the text")
    raw.send({"type": "state", "active": True, "id": 1})
    first, payload = raw.read_raw()
    expect_equal((first, json.loads(payload)["type"]), (0x81, "ok"), "a short frame")


@case("compression that is turned off is not agreed on")
def disabled(world):
    server = world.serve(COMPRESSION_ENABLED="false")
    live = server.session("sarah")
    expect_equal(live.extensions, None, "what was agreed on")
    server.publish(room_liked("sarah", room={"id": "r", "name": LONG}))
    live.expect("new", seq=1)


@case("a bomb is stopped with 1009, broken data with 1007, compression without agreement with 1002; others go on")
def hostile(world):
    server = world.serve()
    bomb = deflated(b'{"type":"' + b" " * 50_000_000 + b'"}')
    for payload, headers, code in ((bomb, OFFER, 1009), (b"\xff\xff\xff\xff", OFFER, 1007), (deflated(b"{}"), "", 1002)):
        raw = server.raw(headers=headers)
        raw.send({"type": "hello", "token": world.token("sarah"), "active": True})
        expect_equal(raw.read()["type"], "ready", "the answer to hello")
        raw.send_frame(payload, is_compressed=True)
        raw.expect_close(code)
    expect_memory(peak(server.process), 300)
    server.check_health()


@case("a slow reader's bounds count what is queued, and a session over TLS with compression gets its gap", alone=True)
def slow_reader(world):
    server = world.serve(certificate=Certificate(world.folder), LIMITS_STALL_TIMEOUT="5m")
    raw = server.raw(headers=OFFER, receive_buffer=4096)
    raw.send({"type": "hello", "token": world.token("sarah"), "active": True})
    expect_equal(raw.read()["type"], "ready", "the answer to hello")
    quick = server.session("tom")
    # Text that shrinks to half and no further.
    noise = random.Random(7)
    for _ in range(40):
        server.publish([room_liked("sarah", room={"id": "r", "name": "%x" % noise.getrandbits(40_000)})
                        for _ in range(50)])
        server.publish(room_liked("tom"))
        quick.expect("new")
    expect(server.metrics()["belfry_frames_folded_total"] > 0, "no frame was folded")
    seqs = []
    while (frame := raw.read())["type"] == "new":
        seqs.append(frame["seq"])
    expect_equal(seqs, list(range(1, len(seqs) + 1)), "the seqs before the gap")
    expect_subset(frame, {"from": len(seqs) + 1, "to": 2000, "unread": 2000}, "the gap")
