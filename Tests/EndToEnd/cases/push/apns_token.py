"""The provider token of APNs, verified by a JWT library that is not ours."""

import time

from harness.stand_ins.apns_receiver import ApnsReceiver
from harness.events import room_liked
from harness.suite import case, expect, expect_equal, expect_subset


@case("the provider token of an APNs push verifies in an independent implementation, and serves for many pushes")
def verified_elsewhere(world):
    apple = world.keep(ApnsReceiver(world.folder, world.apns_key))
    server = world.serve(
        **apple.settings, APNS_KEY_ID="KEY1234567", APNS_TEAM_ID="TEAM123456", APNS_KEY_PATH=world.apns_key,
        APNS_BUNDLE_ID="com.example.rooms", PUSH_GRACE="1s")
    server.register_device("sarah")
    for number in (1, 2):
        server.publish(room_liked("sarah"))
        apple.wait_for(number)
    first, second = apple.wait_for(2)
    expect_equal(first.token_header, {"alg": "ES256", "kid": "KEY1234567"}, "the token's header")
    expect_equal(first.claims["iss"], "TEAM123456", "the issuer")
    expect(abs(time.time() - first.claims["iat"]) < 60, f"issued at {first.claims['iat']}")
    expect_equal(second.headers["authorization"], first.headers["authorization"], "the second push's token")
    expect_equal(first.path, "/3/device/a1b2c3", "the path")
    expect_subset(first.payload["aps"]["alert"], {"title": "Italy Trip", "body": "Pete liked your room"}, "the alert")
