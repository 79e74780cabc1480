"""What push services answer about keys, devices and times, and what becomes of the push."""

import json
import time
from email.utils import formatdate

from harness.events import room_liked
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

DEVICES = "/api/devices"
GRACE = {"PUSH_GRACE": "1s"}
PLAYER = "b4f7f966-d8cc-11e4-bed1-df8f05be55ba"
FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


def with_device(world, device: dict, *script, user: str = "sarah"):
    sink = world.sink(*script)
    server = world.serve(**{**sink.settings, **GRACE})
    answer = server.rest(user, "PUT", f"{DEVICES}/phone-1", device)
    expect_equal(answer.status, 200, f"the status of the registration: {answer.body!r}")
    return server, sink


def answer(status: int, times: int = 1, **more) -> dict:
    return {"times": times, "fault": "answer", "status": status, **more}


def is_registered(server) -> bool:
    return bool(server.get("sarah", DEVICES)["data"])


@case("a key that is not taken gives no push up: the lane pauses with an alarm, and all arrive once it is taken",
      alone=True)
def refused_keys(world):
    started = []
    for provider, token, refusal, word in (
        ("apns", "a1b2c3", answer(403, reason="InvalidProviderToken"), "InvalidProviderToken"),
        ("fcm", "token-1", answer(403, body={"error": {"code": 403, "status": "PERMISSION_DENIED"}}), "PERMISSION_DENIED"),
        ("onesignal", PLAYER, answer(401, body={"errors": ["Access denied. Please include a header"]}), "access denied"),
    ):
        sink = world.sink({"provider": provider, **refusal})
        server = world.serve(data=provider, **{**sink.settings, **GRACE})
        server.rest("sarah", "PUT", f"{DEVICES}/phone-1", {"provider": provider, "token": token})
        server.publish(room_liked("sarah"))
        sink.wait_for(1)
        line = json.loads(server.process.errors.wait_for(lambda line: "does not accept this server's key" in line, PATIENCE, "the alarm"))
        expect_subset(line, {"level": "error", "reason": word, "provider": provider}, "the alarm")
        told = json.loads(world.run("push", "status", "--socket", server.socket, "--json").stdout)
        lane = next(lane for lane in told["lanes"] if lane["provider"] == provider)
        expect_equal(lane["lastFailure"]["reason"], word, "what kept the push back")
        started.append((server, sink))
    for server, sink in started:
        sink.wait_for_shown(1, within=30)
        expect("pushes refused" not in "\n".join(server.log), "a push was given up")


@case("a device goes by FCM's own code, whatever the status and wherever the code stands")
def fcm_codes(world):
    detail = {"@type": FCM_ERROR, "errorCode": "UNREGISTERED"}
    other = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": []}
    for number, (status, body) in enumerate((
        (400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "details": [other, detail]}}),
        (410, {"error": {"code": 410, "details": [detail]}}),
        (404, [{"error": {"code": 404, "status": "NOT_FOUND", "details": [detail, other]}}]),
    )):
        sink = world.sink(answer(status, body=body))
        server = world.serve(data=f"fcm-{number}", **{**sink.settings, **GRACE})
        server.rest("sarah", "PUT", f"{DEVICES}/phone-1", {"provider": "fcm", "token": "token-1"})
        server.publish(room_liked("sarah"))
        wait_until(lambda: not is_registered(server), PATIENCE, f"the device to go after {status}")
        server.terminate()


@case("OneSignal's id means that a push was taken, whatever stands beside it; without one only who is named is gone")
def onesignal_answers(world):
    aliases = {"invalid_aliases": {"external_id": ["sarah"]}}
    account = {"provider": "onesignal", "externalId": True}
    for number, (device, body, is_accepted, stays) in enumerate((
        (account, {"id": "bfc9aa11-0000-4000-8000-000000000001", "errors": aliases}, True, True),
        (account, {"id": "", "errors": {"invalid_aliases": {"external_id": []}}}, False, True),
        (account, {"id": "", "errors": {"invalid_aliases": {"external_id": ["tom"]}}}, False, True),
        ({"provider": "onesignal", "token": PLAYER}, {"id": "", "errors": {"invalid_player_ids": []}}, False, True),
    )):
        sink = world.sink(answer(200, times=9, body=body))
        server = world.serve(data=f"onesignal-{number}", **{**sink.settings, **GRACE})
        expect_equal(server.rest("sarah", "PUT", f"{DEVICES}/phone-1", device).status, 200, "the registration")
        server.publish(room_liked("sarah"))
        sink.wait_for(1)
        verdict = "accepted" if is_accepted else "refused"
        name = f'belfry_pushes_total{{provider="onesignal",verdict="{verdict}"}}'
        wait_until(lambda: server.metrics()[name] == 1, PATIENCE, f"a push that is {verdict} by {body}")
        expect_equal(is_registered(server), stays, f"whether the device stays after {body}")
        # Nor is it sent again for ever.
        expect_equal(len(sink.pushes), 1, "the requests")
        server.terminate()


@case("a Retry-After that is a date is kept to")
def retry_date(world):
    # Far more than a try without it waits for.
    when = int(time.time()) + 8
    server, sink = with_device(world, {"provider": "apns", "token": "a1b2c3"},
                               answer(503, headers={"Retry-After": formatdate(when, usegmt=True)}))
    server.publish(room_liked("sarah"))
    second = parse(sink.wait_for(2)[1]["at"])
    expect(second >= when, f"the push came again {when - second} s before the time that was named")


def parse(moment) -> float:
    """Seconds; from what the sink writes."""
    if isinstance(moment, (int, float)):
        return moment / 1000
    return time.mktime(time.strptime(moment[:19], "%Y-%m-%dT%H:%M:%S"))


@case("what OneSignal takes for a player id is taken, but nobody's user; a person whose id it takes for nobody is told")
def onesignal_registrations(world):
    server = world.serve()
    for player in ("7", "player-1", PLAYER + "x", PLAYER):
        answered = server.rest("sarah", "PUT", "/api/notifications/player-id", {"playerId": player})
        expect_equal((answered.status, answered.body), (200, b'{"data":{"success":true}}'), f"the player id {player}")
    expect_equal(server.rest("sarah", "PUT", "/api/notifications/player-id", {"playerId": "user:tom"}).status, 400,
                 "the status of another user's devices")
    for user in ("0", "1", "-1", "null", "NULL", "all", "NA", "00000000-0000-0000-0000-000000000000"):
        answered = server.rest(user, "PUT", f"{DEVICES}/account", {"provider": "onesignal", "externalId": True})
        expect_equal((answered.status, answered.json()["code"], answered.json()["pointer"]),
                     (400, "restricted_external_id", "/externalId"), f"the external id {user}")
    expect_equal(server.rest("10", "PUT", f"{DEVICES}/account", {"provider": "onesignal", "externalId": True}).status, 200,
                 "the status for the user 10")


@case("settings with which no push would arrive are refused by serve and check, with what is wanted")
def hopeless_settings(world):
    ports = ["--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", str(world.folder / "data"), "--dev"]
    key = str(world.folder / "vapid.pem")
    for variable, path, value, wanted in (
        ("APNS_ENDPOINT", ("apns", "endpoint"), "http://127.0.0.1:1", "https://"),
        ("FCM_ENDPOINT", ("fcm", "endpoint"), "http://127.0.0.1:1", "https://"),
        ("ONESIGNAL_ENDPOINT", ("oneSignal", "endpoint"), "http://127.0.0.1:1", "https://"),
        ("WEBPUSH_ENDPOINT", ("webPush", "endpoint"), "http://127.0.0.1:1", "https://"),
        ("VAPID_SUBJECT", ("webPush", "subject"), "mailto:ops@localhost", "mailto:ops@example.com"),
        ("VAPID_SUBJECT", ("webPush", "subject"), "mailto: ops@example.com", "mailto:ops@example.com"),
        ("VAPID_SUBJECT", ("webPush", "subject"), "https://localhost", "mailto:ops@example.com"),
    ):
        served = world.run("serve", *ports, **{variable: value, "VAPID_PRIVATE_KEY_PATH": key})
        expect_equal(served.returncode, 1, f"the exit code of serve with {variable}={value}")
        expect(variable in served.stderr and wanted in served.stderr, f"serve says:\n{served.stderr}")
        file = world.folder / "settings.yaml"
        file.write_text(json.dumps({"push": {path[0]: {path[1]: value, **(
            {"privateKeyPath": key} if path[1] == "subject" else {})}}}))
        checked = world.run("check", str(file))
        expect_equal(checked.returncode, 1, f"the exit code of check with {path} {value}")
        expect(".".join(path) in checked.stdout and wanted in checked.stdout, f"check says:\n{checked.stdout}")
