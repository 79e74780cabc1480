"""Several apps on one server: what one of them has, no other can see."""

import json
import os
import re
import textwrap
from urllib.parse import quote

from harness import tokens
from harness.events import moment
from harness.http import Answer, expect_problem, once
from harness.live import Live
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, expect_subset, wait_until
from harness.world import ROOT

MORROW = moment(86_400)
JOHN = {"id": "john", "username": "john", "firstName": "John", "name": "John", "avatarUrl": None}


def event(type: str, to: dict, data: dict) -> dict:
    return {"type": type, "actor": JOHN, "to": to, "data": data}


#: One event of each app for a person.
EVENTS = {
    "rooms": lambda who: event("room_liked", {"owner": [who]}, {"room": {"id": "r", "name": "Italy"}}),
    "posts": lambda who: event("post_created", {"matched": [{"user": who, "data": {"queries": [{"id": "q", "title": "Cats"}]}}]},
                               {"post": {"id": "p"}}),
    "issues": lambda who: event("issue_created", {"admins": [who]},
                                {"issue": {"id": "i", "title": "Freezer", "priority": "high"}, "restaurant": {"name": "B"}}),
    "rounds": lambda who: event("new_follower", {"followed": [who]}, {"bio": "Golfer"}),
    "clinic": lambda who: event("scans_added", {"patient": [who]}, {
        "study": {"id": "s"}, "scans": [{"sort": "xray", "url": "https://img.example/1.png"}]}),
}
APPS = list(EVENTS)


def catalogs(world) -> list[str]:
    """The four that ship, and the clinic of the Swift tests."""
    source = (ROOT / "Tests/InboxTests/Apps/ClinicCatalog.swift").read_text()
    clinic = world.folder / "clinic.yaml"
    clinic.write_text(textwrap.dedent(re.search(r'"""\n(.*?)\n\s*"""', source, re.DOTALL).group(1)))
    return [str(ROOT / f"Config/catalogs/{app}.yaml") for app in APPS[:4]] + [str(clinic)]


def secret(app: str) -> str:
    return f"the secret of the app {app} in the end-to-end tests"


def serve(world, extra: str = "", **settings):
    """A server with five named apps, and no other."""
    config = world.folder / "belfry.yaml"
    apps = "".join(f"    {app}:\n      secret: {secret(app)}\n" for app in APPS)
    config.write_text(f"auth:\n  apps:\n{apps}{extra}")
    return world.serve(catalogs=catalogs(world), arguments=["--config", str(config)], AUTH_SECRET="", **settings)


def token(app: str, user: str = "sarah") -> str:
    return tokens.token(user, secret=secret(app))


def rest(server, app: str, method: str, path: str, body=None, user: str = "sarah") -> Answer:
    return once(server.listen, method, path, body, token=token(app, user))


def admin(server, app: str | None, method: str, path: str, body=None, **headers) -> Answer:
    query = "" if app is None else ("&" if "?" in path else "?") + f"app={app}"
    return once(server.socket, method, path + query, body, **headers)


def session(world, server, app: str, user: str = "sarah") -> Live:
    live = world.keep(Live(server.listen))
    live.hello(token(app, user))
    return live


def rows(server, app: str) -> list[dict]:
    return rest(server, app, "GET", "/api/notifications").json()["data"]


@case("one person with tokens of five apps has five inboxes, counts, sessions, lists and trails of their own")
def five_inboxes(world):
    server = serve(world)
    sessions = {app: session(world, server, app) for app in APPS}
    published = {}
    # Each app has another number of them.
    for number, app in enumerate(APPS, 1):
        for _ in range(number):
            answer = once(server.socket, "POST", "/v1/events", EVENTS[app]("sarah"))
            expect_equal(answer.status, 202, f"the status of {app}'s event: {answer.body!r}")
            published[app] = answer.json()["event"]
    for number, app in enumerate(APPS, 1):
        frames = sessions[app].take(number)
        expect_equal([frame["seq"] for frame in frames], list(range(1, number + 1)), f"{app}'s seqs")
        known = {row["type"] for row in rows(server, app)}
        expect(known, f"{app} has no rows")
        for other in APPS:
            if other != app:
                expect(known.isdisjoint({row["type"] for row in rows(server, other)}), f"{other} shows rows of {app}")
        # Nothing of the events that came later, for other apps.
        sessions[app].expect_silence(0.2)
        trail = admin(server, app, "GET", "/v1/users/sarah/trail?limit=100").json()
        expect_equal(len(trail["entries"]), number, f"{app}'s trail")
        for other in APPS:
            status = admin(server, other, "GET", f"/v1/trail/{published[app]}").status
            expect_equal(status, 200 if other == app else 404, f"the trail of {app}'s event, asked in {other}")


@case("an event for everybody is for everybody of its app")
def everybody(world):
    server = serve(world)
    for app in APPS:
        once(server.socket, "POST", "/v1/events", EVENTS[app]("sarah"))
    answer = once(server.socket, "POST", "/v1/events", event("post_created", {"everyone": {"all": True}}, {"post": {"id": "p2"}}))
    expect_equal(answer.status, 202, "the status of an event for all")
    wait_until(lambda: len(rows(server, "posts")) == 2, PATIENCE, "the posts app's people to have it")
    for app in set(APPS) - {"posts"}:
        expect_equal(len(rows(server, app)), 1, f"rows of {app}")


def administrative() -> list[tuple[str, str, object]]:
    """Every call about people, events, topics and feeds."""
    return [
        ("GET", "/v1/users/sarah", None), ("PUT", "/v1/users/sarah", {"email": "s@example.com"}),
        ("GET", "/v1/users/sarah/sessions", None), ("POST", "/v1/users/sarah/disconnect", None),
        ("POST", "/v1/users/sarah/revoke", None),
        ("PUT", "/v1/users/sarah/notifications/seen", {}), ("PUT", "/v1/users/sarah/notifications/read", {"ids": []}),
        ("PUT", "/v1/users/sarah/notifications/read-all", {}), ("GET", "/v1/users/sarah/settings", None),
        ("PUT", "/v1/users/sarah/settings", {}), ("GET", "/v1/users/sarah/devices", None),
        ("PUT", "/v1/users/sarah/devices/d", {"provider": "fcm", "token": "t"}), ("DELETE", "/v1/users/sarah/devices/d", None),
        ("POST", "/v1/users/sarah/test-push", None), ("GET", "/v1/users/sarah/topics", None),
        ("GET", "/v1/users/sarah/trail", None), ("GET", "/v1/users/sarah/feeds/posts/viewed", None),
        ("PUT", "/v1/users/sarah/feeds/posts/viewed", None),
        ("GET", "/v1/topics/t/members", None), ("PUT", "/v1/topics/t/members", {"add": ["sarah"]}),
        ("DELETE", "/v1/topics/t/members", None), ("POST", "/v1/feeds/posts/items", {"id": "1"}),
        ("PUT", "/v1/feeds/posts/items/1", {"id": "1"}), ("DELETE", "/v1/feeds/posts/items/1", None),
        ("GET", "/v1/trail?key=k", None), ("GET", "/v1/trail/none", None), ("GET", "/v1/events/none", None),
        ("DELETE", "/v1/events/k", None), ("PATCH", "/v1/notifications?type=T&user=sarah&key=k", {"live": 1}),
        ("DELETE", "/v1/users/sarah", None),
    ]


@case("an administrative call names its app where there are several, and hears which ones there are")
def named_calls(world):
    server = serve(world)
    for method, path, body in administrative():
        expect_problem(admin(server, None, method, path, body), {"status": 400, "code": "missing_app"}, f"{method} {path}")
        if "/devices/d" in path and method == "DELETE":
            continue  # its `app` may be a device's
        unknown = admin(server, "glof", method, path, body)
        expect_problem(unknown, {"status": 400, "code": "invalid_parameter"}, f"{method} {path} of an unknown app")
        expect("rounds" in unknown.json()["detail"], f"{path} names no app: {unknown.body!r}")
        answer = admin(server, "rooms", method, path, body)
        expect(answer.status != 400 or answer.json()["code"] != "missing_app", f"{method} {path}: {answer.body!r}")
    # A name that is spelled like the key of another app's person is nobody there.
    admin(server, "rounds", "PUT", "/v1/users/sarah/settings", {"snooze": {"until": MORROW}})
    stranger = admin(server, "rooms", "GET", "/v1/users/stranger/settings")
    for name in ("\x1frounds\x1fsarah", "\x1f\x1fsarah"):
        for app in ("rooms", ""):
            answer = admin(server, app, "GET", f"/v1/users/{quote(name)}/settings")
            expect_equal((answer.status, answer.body), (200, stranger.body), f"the settings of {name!r}")


#: What each call says about one app's things, with those of another app made before.
READS = [
    "/v1/users/sarah", "/v1/users/sarah/sessions", "/v1/users/sarah/settings", "/v1/users/sarah/devices",
    "/v1/users/sarah/topics", "/v1/users/sarah/trail", "/v1/topics/team/members", "/v1/trail?key=k1",
]


@case("no administrative call shows or changes what another app has under the same names")
def apart(world):
    server = serve(world, "feeds: {undeclared: public}\n")
    untouched = {path: admin(server, "rooms", "GET", path) for path in READS}
    live = session(world, server, "rounds")
    mine = {
        "profile": admin(server, "rounds", "PUT", "/v1/users/sarah", {"email": "sarah@example.com"}),
        "settings": admin(server, "rounds", "PUT", "/v1/users/sarah/settings", {"snooze": {"until": MORROW}}),
        "topic": admin(server, "rounds", "PUT", "/v1/topics/team/members", {"users": ["sarah", "tom"]}),
        "device": admin(server, "rounds", "PUT", "/v1/users/sarah/devices/phone", {"provider": "fcm", "token": "token"}),
        "event": once(server.socket, "POST", "/v1/events?app=rounds", {**EVENTS["rounds"]("sarah"), "key": "k1"}),
        "item": admin(server, "rounds", "POST", "/v1/feeds/news/items", {"n": 1}),
    }
    for name, answer in mine.items():
        expect(answer.status < 300, f"{name}: {answer.status} {answer.body!r}")
    for type in ("prefs", "new"):
        live.expect(type)
    for path in READS:
        now = admin(server, "rooms", "GET", path)
        expect_equal((now.status, now.body), (untouched[path].status, untouched[path].body), f"GET {path} in another app")
    before = {path: admin(server, "rounds", "GET", path).body for path in READS}
    changes = [(method, path, body) for method, path, body in administrative() if method != "GET"] + [
        ("DELETE", "/v1/events/k1", None), ("DELETE", "/v1/topics/team/members", None),
        ("DELETE", "/v1/users/sarah/devices/phone", None), ("PUT", "/v1/users/sarah/notifications/read-all", {})]
    for method, path, body in changes:
        admin(server, "rooms", method, path, body)
    live.expect_silence(0.3)
    for path in READS:
        expect_equal(admin(server, "rounds", "GET", path).body, before[path], f"GET {path} after another app's changes")
    expect_equal(rest(server, "rounds", "GET", "/api/notifications/unread-count").json()["data"]["unreadCount"], 1, "unread")


@case("a session and every call with one app's token reach that app's things alone")
def by_token(world):
    server = serve(world, "feeds: {undeclared: public}\n")
    once(server.socket, "POST", "/v1/events", EVENTS["rounds"]("sarah"))
    id = rows(server, "rounds")[0]["id"]
    for method, path, body in [
        ("DELETE", f"/api/notifications/{id}", None), ("PUT", "/api/notifications/read", {"notificationIds": [id]}),
        ("PUT", "/api/notifications/read-all", None), ("PUT", "/api/notifications/seen", None), ("DELETE", "/api/notifications", None),
        ("PUT", "/api/notifications/snooze", {"until": MORROW}), ("PUT", "/api/notifications/mutes/room:1", None),
        ("PUT", "/v1/feeds/news/viewed", None), ("PUT", "/api/devices/phone", {"provider": "fcm", "token": "token"}),
    ]:
        rest(server, "rooms", method, path, body)
    row = rows(server, "rounds")[0]
    expect_equal((row["id"], row["isRead"]), (id, False), "the row")
    expect_equal(rest(server, "rounds", "GET", "/api/devices").json()["data"], [], "devices")
    device = rest(server, "rooms", "GET", "/api/devices").json()["data"][0]
    expect_equal((device["id"], device["app"]), ("phone", "rooms"), "the device of the other app")
    refused = rest(server, "rooms", "PUT", "/api/devices/phone", {"provider": "fcm", "token": "t", "app": "rounds"})
    expect_equal(refused.status, 400, "the registration of a device for another app")
    # Feeds of one name are two; what is typed in one app is not heard in the other.
    sessions = {app: session(world, server, app) for app in ("rooms", "rounds")}
    for live in sessions.values():
        live.call("subscribe", feed="news")
        expect_equal(live.expect("feed")["feed"], "news", "the feed's name in a frame")
    for app in sessions:
        expect_equal(admin(server, app, "POST", "/v1/feeds/news/items", {"of": app}).json()["feed"], "news", "the answer's feed")
    for app, live in sessions.items():
        expect_subset(live.expect("item"), {"feed": "news", "item": {"of": app}}, f"{app}'s item")
        live.expect_silence(0.2)
        page = rest(server, app, "GET", "/v1/feeds/news/items").json()
        expect_equal(([item["item"] for item in page["data"]], page["meta"]["feed"]), ([{"of": app}], "news"), f"{app}'s page")
    for app, live in sessions.items():
        frame = live.call("read", ids=[id])
        expect_equal(frame["type"], "ok", "the answer to a frame")
    expect_equal(rest(server, "rounds", "GET", "/api/notifications/unread-count").json()["data"]["unreadCount"], 0,
                 "unread, once the person's own session has read it")


@case("a token of one app's key is no token of another, and a topic's feed asks for the app's own topic")
def keys_apart(world):
    server = serve(world)
    stranger = tokens.token("sarah", secret="a secret of no app, and of at least 32 bytes")
    expect_problem(once(server.listen, "GET", "/api/notifications", token=stranger), {"status": 401}, "a stranger's token")
    admin(server, "rounds", "PUT", "/v1/topics/room:1/members", {"users": ["sarah"]})
    live = session(world, server, "rooms")
    expect_equal(live.call("subscribe", feed="typing:1")["code"], "feed_refused", "the refusal")
    admin(server, "rooms", "PUT", "/v1/topics/room:1/members", {"users": ["sarah"]})
    expect_equal(live.call("subscribe", feed="typing:1")["type"], "ok", "the answer to a member")
    live.expect("feed")
    # Leaving the other app's topic ends nothing here.
    admin(server, "rounds", "DELETE", "/v1/topics/room:1/members")
    expect_equal(admin(server, "rooms", "POST", "/v1/feeds/typing:1/items", {"who": "tom"}).status, 202, "an item")
    live.expect("item", feed="typing:1")
    admin(server, "rooms", "DELETE", "/v1/topics/room:1/members")
    expect_subset(live.expect("unsubscribed"), {"feed": "typing:1"}, "the end of the subscription")


@case("command line tools name the app, and development tokens are an app's")
def command_line(world):
    server = serve(world)
    answer = world.run("publish", "--socket", server.socket, "--app", "rounds",
                       input='{"type": "new_follower", "key": "k", "actor": {"id": "j", "firstName": "J", "username": "j"},'
                             ' "to": {"followed": ["sarah"]}, "data": {"bio": "x"}}')
    expect_equal(answer.returncode, 0, f"belfry publish: {answer.stderr}")
    told = world.run("explain", "--socket", server.socket, "--app", "rounds", "--key", "k")
    expect(told.returncode == 0 and "new_follower" in told.stdout, f"belfry explain: {told.stdout} {told.stderr}")
    lost = world.run("explain", "--socket", server.socket, "--key", "k")
    expect(lost.returncode == 1 and "several apps" in lost.stderr, f"belfry explain without an app: {lost.stderr}")
    devices = world.run("push", "devices", "--socket", server.socket, "--app", "rounds", "--user", "sarah")
    expect_equal(devices.returncode, 0, f"belfry push devices: {devices.stderr}")
    server.terminate()
    developed = world.serve(catalogs=catalogs(world), data="dev", arguments=["--dev", "--config", str(world.folder / "belfry.yaml")],
                            AUTH_SECRET="")
    for app in ("rounds", "rooms"):
        printed = world.run("token", "--data", developed.data, "--config", str(world.folder / "belfry.yaml"), "--app", app,
                            "--user", "sarah")
        expect_equal(printed.returncode, 0, f"belfry token: {printed.stderr}")
        once(developed.socket, "POST", "/v1/events", EVENTS[app]("sarah"))
        found = once(developed.listen, "GET", "/api/notifications", token=printed.stdout.strip()).json()["data"]
        expect_equal(len(found), 1, f"what a development token of {app} shows")


@case("settings in which two apps would take the same tokens are refused at the start")
def doubled_keys(world):
    config = world.folder / "belfry.yaml"
    both = f"{{secret: {secret('x')}}}"
    config.write_text(f"auth: {{apps: {{golf: {both}, rooms: {both}}}}}\n")
    run = world.run("serve", "--config", str(config), "--data", str(world.folder / "data"), "--listen", "127.0.0.1:0",
                    "--ops", "127.0.0.1:0")
    expect(run.returncode != 0 and "auth.apps.rooms" in run.stderr, f"belfry serve: {run.stderr}")
    if secret("x") in run.stderr:
        raise Failed("the message tells the secret")
    config.write_text(f"auth: {{apps: {{golf: {{secret: {secret('x')}, issuer: a}}, rooms: {{secret: {secret('x')}, issuer: b}}}}}}\n")
    server = world.serve(catalogs=(), data="two", arguments=["--config", str(config)], AUTH_SECRET="")
    for issuer, status in (("a", 200), ("b", 200), ("c", 401)):
        answer = once(server.listen, "GET", "/api/notifications", token=tokens.token("sarah", secret=secret("x"), iss=issuer))
        expect_equal(answer.status, status, f"the status with the issuer {issuer}")


def mixed(world, extra: str = "", **settings):
    """An app without a name, and two with one."""
    config = world.folder / "belfry.yaml"
    config.write_text("auth:\n  apps:\n" + "".join(f"    {app}:\n      secret: {secret(app)}\n" for app in ("rounds", "posts")) + extra)
    names = [name for name in catalogs(world) if "rooms" not in name and "issues" not in name and "clinic" not in name]
    plain = world.folder / "plain.yaml"
    plain.write_text((ROOT / "Config/catalogs/rooms.yaml").read_text().replace("app: rooms", "# no app:"))
    return world.serve(catalogs=[*names, str(plain)], arguments=["--config", str(config)], **settings)


@case("beside named apps the app without a name is reached by an empty name, and reaches nothing of theirs")
def beside(world):
    server = mixed(world)
    once(server.socket, "POST", "/v1/events", EVENTS["rooms"]("sarah"))
    once(server.socket, "POST", "/v1/events", {**EVENTS["rounds"]("sarah"), "key": "k"})
    expect_equal(server.unread("sarah"), 1, "unread in the app without a name")
    expect_equal(len(admin(server, "", "GET", "/v1/users/sarah/trail").json()["entries"]), 1, "its trail")
    expect_equal(admin(server, "rounds", "POST", "/v1/feeds/news/items", {"n": 1}).status, 202, "an item of the other app")
    stolen = quote("\x1frounds\x1fnews")
    for method, path in (("GET", f"/v1/feeds/{stolen}/items"), ("GET", f"/v1/feeds/{stolen}/viewed")):
        answer = server.rest("sarah", method, path)
        expect(answer.status >= 400 or answer.json().get("data") in ([], {}) or answer.json()["data"].get("offset") == 0,
               f"{method} {path} shows another app's feed: {answer.body!r}")
    # A device's label is no app.
    server.rest("sarah", "PUT", "/api/devices/d1", {"provider": "fcm", "token": "t", "app": "ios"})
    expect_equal(once(server.socket, "DELETE", "/v1/users/sarah/devices/d1?app=ios").status, 204, "the removal of a labelled device")
    # A repeated event finds its first answer, whichever app it was of.
    again = once(server.socket, "POST", "/v1/events", {**EVENTS["rounds"]("sarah"), "key": "k"})
    expect(again.json().get("replayed"), f"the second time: {again.body!r}")
    ids = {"provider": "onesignal", "externalId": True}
    expect_equal(server.rest("sarah", "PUT", "/api/devices/o", ids).status, 200, "an external id of the app without a name")
    expect_equal(rest(server, "rounds", "PUT", "/api/devices/o", ids).status, 400, "one of a named app")


@case("an event whose type no app has any more finds its first answer")
def forgotten_type(world):
    server = mixed(world)
    body = {**EVENTS["rounds"]("sarah"), "key": "k"}
    first = once(server.socket, "POST", "/v1/events", body).json()
    catalog = world.folder / "rounds.yaml"
    server.terminate()
    catalog.write_text("catalog: rounds\napp: rounds\nevents: {other: {routes: [{to: a, type: OTHER}]}}\ntypes: {OTHER: {text: x}}\n")
    later = world.serve(catalogs=[str(catalog)], arguments=["--config", str(world.folder / "belfry.yaml")])
    again = once(later.socket, "POST", "/v1/events", body)
    expect_equal((again.status, again.json().get("event")), (202, first["event"]), f"the second time: {again.body!r}")
    expect_problem(once(later.socket, "POST", "/v1/events", {**body, "key": "new"}),
                   {"status": 422, "code": "unknown_event_type"}, "a new one")


@case("metrics tell each app's events, changes, sessions and pushes, and the log names the app of what it is about")
def told_apart(world):
    sink = world.sink()
    server = mixed(world, **sink.settings, PUSH_GRACE="0s")
    rest(server, "rounds", "PUT", "/api/devices/phone", {"provider": "apns", "token": "a1b2"}, user="tom")
    sessions = [server.session("sarah"), session(world, server, "rounds"), session(world, server, "rounds", "renee")]
    first = {**EVENTS["rounds"]("sarah"), "key": "k"}
    server.publish([EVENTS["rooms"]("sarah"), EVENTS["rooms"]("renee")])
    for body in (first, first, {"type": "new_follower"}):
        once(server.socket, "POST", "/v1/events?app=rounds", body)
    server.stream([json.dumps(EVENTS["rounds"]("tom")), json.dumps(EVENTS["posts"]("tom"))])
    told = server.metrics

    def by_app(name: str) -> list[float]:
        return [told()[f'belfry_app_{name}{{app="{app}"}}'] for app in ("", "posts", "rounds", "other")]

    expect_equal(by_app("events_total"), [2, 1, 3, 0], "the events, a repeated one included")
    expect_equal(by_app("changes_total"), [2, 1, 2, 0], "the changes")
    expect_equal(by_app("sessions"), [1, 0, 2, 0], "the sessions")
    for name in ("events_total", "changes_total", "sessions"):
        expect_equal(sum(by_app(name)), told()[f"belfry_{name}"], f"the sum of {name}")
    wait_until(lambda: told()['belfry_app_pushes_total{app="rounds",verdict="accepted"}'] == 1, PATIENCE, "the push")
    expect_equal(told()['belfry_app_pushes_total{app="",verdict="accepted"}'], 0, "pushes of the app without a name")
    for live in sessions:
        live.close()
    wait_until(lambda: by_app("sessions") == [0, 0, 0, 0], PATIENCE, "the sessions to be gone")
    for app in ("", "rounds"):
        admin(server, app, "DELETE", "/v1/users/sarah")
    lines = wait_until(lambda: [json.loads(line) for line in server.log if "a person was erased" in line][1:2], PATIENCE, "a line")
    expect_equal([line.get("app") for line in lines], ["rounds"], f"the app in {lines}")


@case("belfry bench loads the app that it is told, and says which name is none")
def bench(world):
    server = serve(world, "feeds: {undeclared: public}\n")
    common = ["--data", server.data, "--config", str(world.folder / "belfry.yaml"), "--duration", "1s", "--quiet", "--json", "-"]
    sessions = ["--url", f"ws://{server.listen}", "--sessions", "6"]
    for name, more in (("unicast", [*sessions, "--rate", "20", "--processes", "2"]), ("fanout", [*sessions, "--rate", "20"]),
                       ("publish", ["--stream", "--rate", "20", "--users", "3"])):
        before = server.metrics()
        done = world.run("bench", name, "--app", "rooms", *common, *more)
        expect_equal(done.returncode, 0, f"the exit code of {name}; it said {done.stderr!r} {done.stdout[-2000:]!r}")
        expect(secret("rooms") not in done.stdout + done.stderr, "a secret was shown")
        result = json.loads(done.stdout)
        expect({"name": "app", "value": "rooms"} in result["parameters"], f"the parameters: {result['parameters']}")
        stream = result["streams"][0]
        expect(stream["accepted"] > 0 and stream["refusals"] == {}, f"the stream of {name}: {stream}")
        growth = {app: server.metrics()[key] - before[key] for app in APPS for key in [f'belfry_app_events_total{{app="{app}"}}']}
        expect_equal(growth, {app: stream["accepted"] if app == "rooms" and name != "fanout" else 0 for app in APPS}, "events")
    for arguments, code, words in ((["--app", "glof"], 1, "no such app"), (["--app", "go lf"], 64, "letters and digits")):
        done = world.run("bench", "idle", *arguments, *common, *sessions)
        expect(done.returncode == code and words in done.stderr, f"what {arguments} says: {done.returncode} {done.stderr!r}")


@case("a publisher of one app sees the catalogs and the publishers of that app alone")
def seen_by_publisher(world):
    server = serve(world, f"publishers:\n  backend: {{uid: {os.getuid()}, app: rounds, calls: [publish, reload]}}\n"
                          "  other: {uid: 4001, app: posts}\n")
    publishers = once(server.socket, "GET", "/v1/publishers").json()["publishers"]
    expect_equal([publisher["name"] for publisher in publishers], ["backend"], "the publishers")
    seen = once(server.socket, "GET", "/v1/catalogs").json()["catalogs"]
    expect_equal({catalog.get("app") for catalog in seen}, {"rounds"}, "the catalogs' apps")
