"""Devices: how apps and pages register where pushes go."""

from harness.events import room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_subset

DEVICES = "/api/devices"
NOTIFICATIONS = "/api/notifications"
PLAYER = "b4f7f966-d8cc-11e4-bed1-df8f05be55ba"
MEMBERS = ["id", "app", "provider", "platform", "environment", "locale", "zone", "permission", "registeredAt",
           "lastSeenAt"]
#: The browser of RFC 8291 §5.
KEYS = {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
SUBSCRIPTION = {"endpoint": "https://push.example/s/1", "expirationTime": None, "keys": KEYS}
HOSTS = {"PUSH_WEB_PUSH_HOSTS": "push.example"}


def ids(server, user: str = "sarah") -> list[str]:
    return [device["id"] for device in server.get(user, DEVICES)["data"]]


@case("a device is registered at every launch, listed without its token, survives a crash, and is removed")
def lifecycle(world):
    server = world.serve()
    phone = {"provider": "fcm", "token": "secret-token", "app": "rooms", "platform": "Android", "locale": "pt_BR",
             "zone": "America/Sao_Paulo", "permission": "granted"}
    first = server.rest("sarah", "PUT", f"{DEVICES}/phone-1", phone)
    expect_equal(first.status, 200, "the status")
    device = first.json()["data"]
    expect_equal(list(device), MEMBERS, "the members")
    expect_subset(device, {"id": "phone-1", "app": "rooms", "provider": "fcm", "platform": "android",
                           "environment": None, "locale": "pt-BR", "zone": "America/Sao_Paulo",
                           "permission": "granted"}, "the device")
    again = server.rest("sarah", "PUT", f"{DEVICES}/phone-1", {**phone, "permission": "denied"}).json()["data"]
    expect_subset(again, {"registeredAt": device["registeredAt"], "permission": "denied"}, "a second launch")
    expect(again["lastSeenAt"] >= device["lastSeenAt"], "it was seen before it was registered")
    server.rest("sarah", "PUT", f"{DEVICES}/phone-2", {"provider": "apns", "token": "a1b2"})
    expect_equal(ids(server), ["phone-2", "phone-1"], "the devices, seen last first")
    server.kill()
    server.start()
    listed = server.rest("sarah", "GET", DEVICES)
    expect_equal(listed.json()["data"][1], again, "the device after a crash")
    expect(b"secret" not in listed.body + first.body, "a token was told")
    expect("secret-token" not in "\n".join(server.log), "a token was logged")
    expect_equal(ids(server, "tom"), [], "another person's devices")
    foreign = server.rest("tom", "DELETE", f"{DEVICES}/phone-1?app=rooms")
    expect_subset(foreign.json()["data"], {"count": 0}, "removing another person's device")
    gone = server.rest("sarah", "DELETE", f"{DEVICES}/phone-1?app=rooms")
    expect_equal((gone.status, gone.json()), (200, {"data": {"message": "Device removed", "count": 1}}), "removing")
    expect_equal(ids(server), ["phone-2"], "what is left")


@case("a token belongs to whoever registered it last; a device that registers another token keeps its place")
def moving(world):
    server = world.serve()
    server.rest("sarah", "PUT", f"{DEVICES}/phone-1", {"provider": "apns", "token": "a1b2"})
    server.rest("tom", "PUT", f"{DEVICES}/phone-1", {"provider": "apns", "token": "A1B2"})
    expect_equal((ids(server), ids(server, "tom")), ([], ["phone-1"]), "whose phone it is")
    server.rest("tom", "PUT", f"{DEVICES}/phone-1", {"provider": "apns", "token": "c3d4"})
    server.rest("tom", "PUT", f"{DEVICES}/phone-1", {"provider": "apns", "token": "c3d4", "app": "golf"})
    expect_equal([device["app"] for device in server.get("tom", DEVICES)["data"]], ["golf"],
                 "the apps that the token is for")


@case("the apps' own calls are answered byte for byte, and make devices")
def apps_own(world):
    server = world.serve()
    for _ in range(2):
        answer = server.rest("sarah", "PUT", f"{NOTIFICATIONS}/player-id", {"playerId": PLAYER})
        expect_equal((answer.status, answer.body), (200, b'{"data":{"success":true}}'), "player-id")
        answer = server.rest("sarah", "POST", f"{NOTIFICATIONS}/register-device",
                             {"device_id": "phone-1", "apns_token": "A1B2"})
        expect_equal((answer.status, answer.body), (200, b'{"status":"ok"}'), "register-device")
    expect_equal(sorted((device["id"], device["provider"]) for device in server.get("sarah", DEVICES)["data"]),
                 [("phone-1", "apns"), (f"player:{PLAYER}", "onesignal")], "the devices")
    answer = server.rest("sarah", "PUT", f"{DEVICES}/account", {"provider": "onesignal", "externalId": True})
    expect_subset(answer.json()["data"], {"id": "account", "provider": "onesignal"}, "all of a person's at OneSignal")


@case("a browser's subscription is taken as the browser gives it, if its push service is one of the list")
def browsers(world):
    server = world.serve(**HOSTS)
    answer = server.rest("sarah", "PUT", f"{DEVICES}/web-1/subscription?app=rooms", SUBSCRIPTION)
    expect_subset(answer.json()["data"], {"id": "web-1", "app": "rooms", "provider": "webpush", "platform": "web",
                                          "permission": "granted"}, "the device")
    for endpoint in ("https://10.0.0.1/s", "http://push.example/s", "https://push.example@evil.example/s",
                     "https://push.example.evil.example/s", "https://localhost/s", "file:///etc/passwd", ""):
        answer = server.rest("sarah", "PUT", f"{DEVICES}/web-2/subscription", {**SUBSCRIPTION, "endpoint": endpoint})
        expect_equal((answer.status, answer.json().get("pointer")), (400, "/endpoint"), f"the endpoint {endpoint!r}")
    for expiry in (-1e300, -1, 0, 1e300, "soon", [], True):
        answer = server.rest("sarah", "PUT", f"{DEVICES}/web-3/subscription",
                             {**SUBSCRIPTION, "expirationTime": expiry})
        expect(answer.status in (200, 400), f"an expiry of {expiry!r}: {answer.status}")
    key = server.rest("sarah", "GET", "/api/push/key")
    expect_equal((key.status, key.json()["code"]), (404, "web_push_off"), "the key of a server without one")
    server.check_health()


@case("what is wrong with a registration is told with its place; nobody registers without credentials")
def mistakes(world):
    server = world.serve()
    for body, code, pointer in (
        (b"{", "invalid_json", None), ([], "wrong_type", None), ({}, "missing_field", "/provider"),
        ({"provider": "apns"}, "missing_field", "/token"),
        ({"provider": "apns", "token": "xyz"}, "invalid_value", "/token"),
        ({"provider": "fcm", "token": "a" * 4097}, "invalid_value", "/token"),
        ({"provider": "onesignal", "token": "user:tom"}, "invalid_value", "/token"),
        ({"provider": "fcm", "token": "a", "tokne": "b"}, "unknown_field", "/tokne"),
    ):
        answer = server.rest("sarah", "PUT", f"{DEVICES}/phone-1", body)
        expect_equal((answer.status, answer.json()["code"], answer.json().get("pointer")), (400, code, pointer),
                     f"registering {body!r:.60}")
    for path in (f"{DEVICES}/a%0Ab", f"{DEVICES}/{'x' * 201}"):
        answer = server.rest("sarah", "PUT", path, {"provider": "fcm", "token": "a"})
        expect_equal((answer.status, answer.json()["code"]), (400, "invalid_parameter"), f"the path {path:.20}")
    for method, path in (("GET", DEVICES), ("PUT", f"{DEVICES}/phone-1"), ("DELETE", f"{DEVICES}/phone-1"),
                         ("PUT", f"{DEVICES}/phone-1/subscription"), ("PUT", f"{NOTIFICATIONS}/player-id"),
                         ("GET", "/api/push/key")):
        expect_equal(once(server.listen, method, path, {}).status, 401, f"{method} {path} without a token")
    expect_equal(ids(server), [], "the devices after all that")


@case("a person has at most fifty devices: one more takes the place of the one not seen for longest")
def bounded(world):
    server = world.serve()
    for number in range(52):
        server.rest("sarah", "PUT", f"{DEVICES}/d{number}", {"provider": "fcm", "token": f"t{number}"})
    kept = ids(server)
    expect_equal(len(kept), 50, "how many devices are kept")
    expect(not {"d0", "d1"} & set(kept) and "d51" in kept, f"the devices: {kept}")


@case("a device that a backend has named, with or without a token, is found by its app's own call")
def named_by_a_backend(world):
    server = world.serve(AUTH_REGISTER_DEVICE_WITHOUT_TOKEN="true")
    path = "/api/notifications/register-device"

    def name(user: str, device: str, **body):
        answer = once(server.socket, "PUT", f"/v1/users/{user}/devices/{device}", body)
        expect_equal(answer.status, 200, f"naming {device}: {answer.body!r}")
        return answer.json()["device"]

    def call(device: str, token: str, query: str = "") -> dict:
        return once(server.listen, "POST", path + query, {"device_id": device, "apns_token": token}).json()

    def devices(user: str) -> list[dict]:
        return once(server.socket, "GET", f"/v1/users/{user}/devices").json()["devices"]

    name("ada", "phone-1", provider="apns", token="a1b2c3d4", app="rooms")
    expect_equal(call("phone-1", "e5f6"), {"status": "ok"}, "the call of an app that names none")
    expect_equal([(each["id"], each["app"]) for each in devices("ada")], [("phone-1", "rooms")], "ada's devices")
    expect_equal(name("bob", "phone-2", app="posts")["awaitsToken"], True, "a device without a token")
    test = once(server.socket, "POST", "/v1/users/bob/test-push").json()["results"][0]
    expect_equal(test["verdict"], "skipped", "a push to it")
    expect_equal(call("phone-2", "aa11", "?app=rooms"), {"status": "ok"}, "another app, which is told nothing")
    expect_equal(devices("bob")[0].get("awaitsToken"), True, "bob's device after another app's call")
    expect_equal(call("phone-2", "aa11", "?app=posts"), {"status": "ok"}, "the call of its app")
    expect("awaitsToken" not in devices("bob")[0], "the token is still awaited")
    name("cy", "phone-3")
    expect_equal(call("phone-3", "cc33", "?app=posts"), {"status": "ok"}, "a device of no app")
    name("dan", "phone-4", app="rooms")
    answer = server.rest("dan", "POST", path, {"device_id": "phone-4", "apns_token": "dd44"})
    expect_equal(answer.body, b'{"status":"ok"}', "the call with a token")
    expect_equal([(each["id"], each["app"], each.get("awaitsToken")) for each in devices("dan")],
                 [("phone-4", "rooms", None)], "dan's devices")
    refused = once(server.socket, "PUT", "/v1/users/eve/devices/phone-5", {"provider": "apns", "keys": {}})
    expect_equal(refused.status, 400, "keys without a token")
    app = server.rest("eve", "PUT", "/api/devices/phone-5", {"provider": "apns"})
    expect_equal((app.status, app.json()["pointer"]), (400, "/token"), "an app that tells no token of its own")


@case("without a token nobody changes a device that its person's own app has registered, and nobody learns what there is")
def taken_over_by_nobody(world):
    sink = world.sink()
    server = world.serve(AUTH_REGISTER_DEVICE_WITHOUT_TOKEN="true", PUSH_GRACE="200ms", **sink.settings)

    def call(device: str, token: str):
        answer = once(server.listen, "POST", "/api/notifications/register-device", {"device_id": device, "apns_token": token})
        return answer.status, answer.body, sorted(answer.headers.items() - {("date", answer.headers["date"])})

    server.register_device("sarah", "phone-1", "aa01")
    put = once(server.socket, "PUT", "/v1/users/tom/devices/phone-2", {"provider": "apns", "token": "bb02"})
    expect_equal(put.status, 200, "the status of naming a device")
    # Sarah's id, tom's, one that nobody has; and sarah's push token for a device that may be changed.
    answers = [call("phone-1", "ee05"), call("phone-2", "ee06"), call("stray", "ee07"), call("phone-2", "aa01")]
    expect_equal(len({str(answer) for answer in answers}), 1, f"the answers, {answers}")
    expect_equal(answers[0][1], b'{"status":"ok"}', "the answer")
    # A backend that only names the device leaves it to its person.
    once(server.socket, "PUT", "/v1/users/sarah/devices/phone-1", {})
    call("phone-1", "ee05")
    server.publish(room_liked("sarah", "tom"))
    pushes = sink.wait_for_shown(2)
    expect_equal(sorted(push["device"] for push in pushes), ["aa01", "ee06"], "where the pushes went")
