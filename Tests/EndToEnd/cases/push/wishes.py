"""Pushes that wait: what people want when they leave, what they say then, and when quiet hours end."""

import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from harness.stand_ins.apns_receiver import ApnsReceiver
from harness.apps import GRACE, expect_quiet, register, shown_to, start, wait_for_push
from harness.events import PETE, RENEE, elements_added, moment, room_liked
from harness.http import expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

LIST = "/api/notifications"


def steps(server, event: str) -> list[tuple]:
    """What became of the event's only push: each step, and why."""
    report = once(server.socket, "GET", f"/v1/trail/{event}").json()
    return [(step["step"], step.get("because"), step.get("subject")) for step in report["recipients"][0]["steps"]]


def choose(server, method: str, path: str, body=None):
    expect_equal(server.rest("sarah", method, f"{LIST}/{path}", body).status, 200, f"the status of {method} {path}")


@case("what people have muted or switched off while a push waited is not sent, and explain says why")
def unwanted(world):
    server, sink = start(world, "rooms")
    register(server, "sarah", "phone", "apns", "a1b2", app="rooms")
    later = moment(2)
    answers = server.publish([
        room_liked("sarah", notBefore=later, actor=PETE), room_liked("sarah", notBefore=later, actor=RENEE),
        elements_added("sarah", photos=1, notBefore=later), room_liked(
            "sarah", notBefore=later, actor={"id": "user-9", "username": "tom", "firstName": "Tom"},
            room={"id": "attic", "name": "Attic"})])
    choose(server, "PUT", f"mutes/actor:{PETE['id']}", {})
    choose(server, "PUT", "mutes/room:attic", {})
    choose(server, "PUT", "mutes/room:room-789", {})
    choose(server, "DELETE", "mutes/room:room-789")
    choose(server, "PUT", "preferences", {"types": {"ELEMENT_ADDED": {"push": False}}})
    expect_equal(wait_for_push(sink, "a1b2")["body"], "Renee liked your room", "the push")
    expect_quiet(sink, "a1b2", 1)
    told = [steps(server, answer["event"]) for answer in answers]
    expect_equal(told, [[("dropped", "muted", f"actor:{PETE['id']}")], [("sent", None, None)],
                        [("dropped", "preferenceOff", None)], [("dropped", "muted", "room:attic")]], "the steps")
    said = world.run("explain", answers[0]["event"], "--socket", server.socket).stdout
    expect(f"dropped: they have muted actor:{PETE['id']} since" in said, said)
    expect("1 dropped" in said, said)


@case("explain and the trail say whose choice each part was: the person's, the app's default, or the catalog's")
def whose_choice(world):
    catalog = world.folder / "choices.yaml"
    catalog.write_text("""\
catalog: choices
categories: {talk: {title: Talk}}
events:
  said: {routes: [{to: people, type: SAID}]}
  secret: {routes: [{to: people, type: SECRET}]}
  warned: {routes: [{to: people, type: WARNED}]}
types:
  SAID: {category: talk, text: said, push: {when: always, title: Said, body: hello}}
  SECRET: {text: secret, preferences: {inApp: off}, push: {title: Secret, body: hello}}
  WARNED: {text: warned, preferences: {required: true}, push: {when: never, title: Warned, body: hello}}
""")
    server = world.serve(catalogs=[str(catalog)])
    server.register_device("sarah", "phone-1")

    def decided(type: str, **more) -> tuple[dict, str]:
        event = server.publish({"type": type, "to": {"people": ["sarah"]}, **more})["event"]
        said = world.run("explain", event, "--user", "sarah", "--socket", server.socket)
        expect_equal(said.returncode, 0, f"the exit code of explain: {said.stderr}")
        return once(server.socket, "GET", f"/v1/trail/{event}?user=sarah").json(), said.stdout

    told, said = decided("said")
    channels = told["choices"]["types"][0]
    expect_subset(channels, {"name": "SAID", "inApp": {"isOn": True, "chosenBy": "app"},
                             "push": {"isOn": True, "chosenBy": "app"}}, "what nobody has chosen")
    expect("SAID as a push: yes, the app's default" in said, said)
    told, said = decided("secret")
    expect_subset(told["recipients"][0], {"decision": "preferenceOff", "chosenBy": "app"}, "what the app has off")
    expect("nothing, it is off by the app's default" in said, said)
    told, said = decided("said", push={"when": "never"})
    expect_subset(told["recipients"][0]["push"], {"decision": "never", "chosenBy": "event"}, "the publisher's word")
    expect("push: none, as the publisher asked" in said, said)
    told, said = decided("warned")
    expect_subset(told["recipients"][0]["push"], {"decision": "never", "chosenBy": "catalog"}, "the catalog's word")
    expect_subset(told["choices"]["types"][0]["inApp"], {"isOn": True, "chosenBy": "catalog"}, "what is required")
    expect("WARNED in the app: yes, set by the catalog for everybody" in said, said)

    choose(server, "PUT", "preferences", {"categories": {"talk": {"push": False}}})
    told, said = decided("said")
    expect_subset(told["recipients"][0]["push"], {"decision": "preferenceOff", "chosenBy": "person", "choice": "category"},
                  "a choice for the category")
    expect("push: none, they have switched its category off" in said, said)
    choose(server, "PUT", "preferences", {"types": {"SAID": {"inApp": False}}})
    told, said = decided("said")
    expect_subset(told["recipients"][0], {"decision": "preferenceOff", "chosenBy": "person", "choice": "type"},
                  "a choice for the type")
    expect("nothing, they have switched this type off" in said, said)

    choose(server, "PUT", "mutes/actor:pete", {})
    choose(server, "PUT", "quiet-hours", {"windows": [{"days": ["mon"], "from": "22:00", "to": "07:00"}]})
    choose(server, "PUT", "snooze", {"hours": 1})
    profile = once(server.socket, "PUT", "/v1/users/sarah", {"locale": "de", "zone": "Europe/Berlin"})
    expect_equal(profile.status, 204, "the status of a profile")
    choices = once(server.socket, "GET", "/v1/users/sarah/trail").json()["choices"]
    expect_equal([mute["subject"] for mute in choices["mutes"]], ["actor:pete"], "the mutes")
    expect_equal(choices["quietZone"], {"is": "Europe/Berlin", "chosenBy": "backend"}, "whose clocks count")
    expect_equal(choices["types"][0]["language"], {"is": "de", "chosenBy": "backend"}, "the language")
    said = world.run("explain", "--user", "sarah", "--socket", server.socket).stdout
    for line in ("settings in effect:", "muted by themselves: actor:pete", "snoozed by themselves until",
                 "quiet hours of their own, by the clocks of Europe/Berlin: set by the backend",
                 "language of texts: de, set by the backend", "SAID in the app: no, their own choice for the type"):
        expect(line in said, f"{line!r} is missing: {said}")


@case("a session snoozes its person's pushes until a time, and ends that, and all of their sessions are told")
def snoozed(world):
    server, sink = start(world, "rooms")
    register(server, "sarah", "phone", "apns", "a1b2", app="rooms")
    live, other = (server.session("sarah", active=False) for _ in range(2))
    until = (datetime.now(timezone.utc) + timedelta(hours=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    expect_subset(live.call("snooze", until=until), {"type": "ok"}, "the answer to a snooze")
    for session in (live, other):
        session.expect("prefs", rev=1, snooze={"until": until})
    quiet = server.rest("sarah", "GET", f"{LIST}/quiet-hours").json()["data"]
    expect_equal(quiet["snooze"], {"until": until}, "the snooze over REST")
    server.publish(room_liked("sarah"))
    expect_quiet(sink, "a1b2", 0)

    for wrong in (moment(-1), moment(31 * 86_400), "tomorrow"):
        refused = live.call("snooze", until=wrong)
        expect_subset(refused, {"type": "error", "code": "invalid_value", "temporary": False}, f"a snooze until {wrong}")
        rest = server.rest("sarah", "PUT", f"{LIST}/snooze", {"until": wrong})
        expect_problem(rest, {"status": 422, "code": "invalid_value"}, "the same over REST")
        expect_equal(refused["message"], f"until: {rest.json()['detail']}", "the words of the refusal")
    expect_subset(live.call("snooze"), {"type": "error", "code": "missing_field"}, "a snooze without a time")

    expect_subset(live.call("snooze", until=None), {"type": "ok"}, "the answer to the end of a snooze")
    wait_for_push(sink, "a1b2")


@case("a digest counts only what is wanted when it leaves; pushes of one kind leave with their type's own words")
def held(world):
    server, sink = start(world, "rounds")
    register(server, "sarah", "phone", "apns", "a1b2", app="rounds")
    post = {"post": {"id": "p9", "text": "Hole in one!"}}

    def upvoted(name: str) -> dict:
        return {"type": "post_upvoted", "actor": {"id": name, "firstName": name.title()}, "to": {"author": ["sarah"]},
                "data": post}

    def wake(count: int) -> tuple:
        choose(server, "DELETE", "snooze")
        push = wait_for_push(sink, "a1b2", count)
        return push["title"], push["body"]

    choose(server, "PUT", "snooze", {"hours": 1})
    server.publish([upvoted(name) for name in ("ann", "ben", "cleo", "ann")])
    expect_equal(wake(1), ("New upvotes", "3 people upvoted your post"), "four upvotes by three people")
    choose(server, "PUT", "snooze", {"hours": 1})
    requested = [{"type": "round_requested", "actor": {"id": name, "firstName": name.title()},
                  "to": {"host": ["sarah"]},
                  "data": {"round": {"id": "r7", "name": "Saturday Nine", "course": "Pebble Beach"}}}
                 for name in ("ann", "ben", "cleo")]
    server.publish(requested)
    expect_equal(wake(2), ("Golf", "3 new round requests"), "three requests for one round")
    choose(server, "PUT", "snooze", {"hours": 1})
    server.publish([*requested, {"type": "member_left", "actor": {"id": "tom", "firstName": "Tom"},
                                 "to": {"host": ["sarah"]}, "data": {"round": {"id": "r7", "name": "Saturday Nine"}}}])
    choose(server, "PUT", "mutes/actor:ben", {})
    expect_equal(wake(3), ("Golf", "3 new notifications"), "three of two types, one of four having been muted")
    expect_quiet(sink, "a1b2", 3)


@case("four uploads while somebody is away make one sound; the later pushes take the first one's place in silence")
def quiet_growth(world):
    apple = world.keep(ApnsReceiver(world.folder, world.apns_key))
    server = world.serve(
        **apple.settings, **GRACE, APNS_KEY_ID="KEY1234567", APNS_TEAM_ID="TEAM123456", APNS_KEY_PATH=world.apns_key,
        APNS_BUNDLE_ID="com.example.rooms")
    server.register_device("sarah", "phone-1", "a1b2c3")
    for number in range(4):
        server.publish(elements_added("sarah", photos=1, first=number))
        apple.wait_for(number + 1)
    pushes = apple.wait_for(4)
    expect_equal([push.payload["aps"].get("sound") for push in pushes], ["default", None, None, None], "the sounds")
    expect_equal(len({push.headers["apns-collapse-id"] for push in pushes}), 1, "places on the screen")
    expect_equal(pushes[-1].payload["aps"]["alert"]["body"], "Renee added 4 photos in Awesome Fun", "the last text")


@case("two hundred on the screen, then all are read: every one of them is withdrawn", slow=True)
def all_withdrawn(world):
    server, sink = start(world, "rooms", PUSH_BADGE_DELAY="1s")
    register(server, "sarah", "phone", "apns", "a1b2", app="rooms")
    server.publish([room_liked("sarah", key=f"like-{number}") for number in range(200)])
    wait_until(lambda: len(shown_to(sink, "a1b2")) == 200, 60, "200 pushes")
    shown = {push["collapseID"] for push in shown_to(sink, "a1b2")}
    expect_equal(len(shown), 200, "places on the screen")
    expect_equal(server.rest("sarah", "PUT", f"{LIST}/read-all").status, 200, "read-all")

    def withdrawn() -> set[str]:
        return {id for push in sink.pushes for id in push.get("withdrawn", [])}

    wait_until(lambda: withdrawn() == shown, PATIENCE, "the withdrawal of all 200")


@case("a backend marks a person's notifications as seen or read: their sessions and their icon follow")
def for_a_person(world):
    server, sink = start(world, "rounds", PUSH_BADGE_DELAY="1s")
    register(server, "sarah", "phone", "apns", "a1b2", app="rounds")
    live = server.session("sarah", active=False)
    server.publish([{"type": "new_follower", "actor": {"id": name, "firstName": name.title()},
                     "to": {"followed": ["sarah"]}, "data": {}} for name in ("ann", "ben", "cleo")])
    live.take(3)
    wait_for_push(sink, "a1b2")
    base = "/v1/users/sarah/notifications"
    answer = once(server.socket, "PUT", f"{base}/seen")
    expect_equal((answer.status, answer.json()["data"]),
                 (200, {"message": "Notifications marked as seen", "count": 3, "unreadCount": 3}), "seen")
    live.expect("seen", unseen=0, unread=3)
    wait_until(lambda: sink.pushes[-1].get("badge") == 0, PATIENCE, "the icon's number going to 0")
    first = server.get("sarah")["data"][0]["id"]
    answer = once(server.socket, "PUT", f"{base}/read", {"notificationIds": [first]})
    expect_subset(answer.json()["data"], {"count": 1, "unreadCount": 2}, "read")
    live.expect("read", unread=2)
    answer = once(server.socket, "PUT", f"{base}/read-all", {"upTo": 1})
    expect_subset(answer.json()["data"], {"count": 1, "unreadCount": 1}, "read-all up to the first")
    answer = once(server.socket, "PUT", f"{base}/read-all")
    expect_subset(answer.json()["data"], {"count": 1, "unreadCount": 0}, "read-all")
    expect_problem(once(server.socket, "PUT", f"{base}/read", {"ids": [first]}),
                   {"status": 400, "code": "missing_field", "pointer": "/notificationIds"}, "a read of nothing")
    expect_equal(once(server.socket, "PUT", f"{base}/seen?upto=3").status, 400, "the status of a misspelt query")
    expect_equal(once(server.socket, "GET", f"{base}/seen").status, 405, "the status of another method")
    stranger = "/v1/users/nobody/notifications"
    for path, body in (("seen?upTo=-1", None), ("read-all", {"upTo": "1"}), ("read", {"ids": [first]})):
        expect_equal(once(server.socket, "PUT", f"{stranger}/{path}", body).status, 400, f"{path} of a person without an inbox")
    expect_subset(once(server.socket, "PUT", f"{stranger}/seen").json()["data"], {"message": "The person has no inbox"},
                  "the same without a mistake")


@case("where a read counts as a look, a tap on one notification makes all of them seen")
def read_is_a_look(world):
    server, sink = start(world, "rounds", INBOX_READ_COUNTS_AS_LOOK="true")
    register(server, "sarah", "phone", "apns", "a1b2", app="rounds")

    def follow(name: str):
        server.publish({"type": "new_follower", "actor": {"id": name, "firstName": name.title()},
                        "to": {"followed": ["sarah"]}, "data": {}, "push": {"urgency": "urgent"}})

    for count, name in enumerate(("ann", "ben", "cleo"), 1):
        follow(name)
        expect_equal(wait_for_push(sink, "a1b2", count)["badge"], count, "the number on the icon")
    # What names nothing of the list is no look at it.
    server.publish({"type": "new_follower", "actor": {"id": "eve", "firstName": "Eve"}, "to": {"followed": ["tom"]},
                    "data": {}})
    foreign = server.get("tom")["data"][0]["id"]
    for named in ([], [foreign], ["n99-1"]):
        server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": named})
        expect_equal(server.get("sarah")["meta"]["unseen"], 3, f"what is unseen after a read of {named}")
    tapped = server.get("sarah")["data"][0]["id"]
    server.rest("sarah", "PUT", f"{LIST}/read", {"notificationIds": [tapped]})
    follow("dora")
    push = wait_for_push(sink, "a1b2", 4)
    expect_equal((push["badge"], server.unread("sarah")), (1, 3), "the icon's next number, and what is unread")


#: Zones with changes by half an hour, by two hours, at midnight, at odd times and in the wrong half of the year.
ZONES = ["Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Casablanca", "Africa/Cairo", "Asia/Beirut",
         "America/Santiago", "America/Havana", "America/Nuuk", "America/Scoresbysund", "Pacific/Chatham", "Asia/Gaza",
         "Europe/Dublin", "America/New_York", "Pacific/Easter", "Atlantic/Azores", "America/St_Johns",
         "Australia/Adelaide", "Asia/Kathmandu", "UTC"]


def next_change(zone: ZoneInfo) -> datetime:
    """When its clocks are changed next, if that is as soon as a push may wait; else some moment then."""
    low = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=3)
    for _ in range(24):
        high = low + timedelta(days=1)
        if low.astimezone(zone).utcoffset() == high.astimezone(zone).utcoffset():
            low = high
            continue
        while high - low > timedelta(seconds=1):
            middle = (low + (high - low) / 2).replace(microsecond=0)
            same = middle.astimezone(zone).utcoffset() == low.astimezone(zone).utcoffset()
            low, high = (middle, high) if same else (low, middle)
        return high
    return low.replace(minute=0, second=0)


def quiet_end(zone: ZoneInfo, start: int, end: int, at: datetime) -> datetime | None:
    """When daily quiet hours from `start` to `end`, in minutes, that hold at a moment end; by looking at all of them."""
    def comes_to(day: datetime, minute: int, fold: int) -> datetime:
        local = (day + timedelta(minutes=minute)).replace(tzinfo=zone, fold=fold)
        found = local.astimezone(timezone.utc)
        back = found.astimezone(zone).replace(tzinfo=None)
        if back == local.replace(tzinfo=None, fold=0):
            return found
        # Clocks skip it: the moment at which they do is where the offset changes.
        low, high = found - timedelta(days=1), found + timedelta(days=1)
        while high - low > timedelta(seconds=1):
            middle = (low + (high - low) / 2).replace(microsecond=0)
            same = middle.astimezone(zone).utcoffset() == low.astimezone(zone).utcoffset()
            low, high = (middle, high) if same else (low, middle)
        return high

    today = at.astimezone(zone).replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
    ends = []
    for step in (-2, -1, 0, 1):
        day = today + timedelta(days=step)
        last = end if end > start else end + 24 * 60
        if comes_to(day, start, 0) <= at < comes_to(day, last, 1):
            ends.append(comes_to(day, last, 1))
    return max(ends, default=None)


@case("what would leave in quiet hours is due when an independent calendar says that they end")
def due_times(world):
    server, _ = start(world, "rooms")
    chance, checked = random.Random(7), 0
    for number, name in enumerate(ZONES):
        zone, user = ZoneInfo(name), f"user-{number}"
        change = next_change(zone)
        shown = change.astimezone(zone)
        edges = sorted({(one.hour * 60 + one.minute) for one in (shown, (change - timedelta(seconds=1)).astimezone(zone)
                                                               + timedelta(seconds=1))})
        register(server, user, "phone", "apns", f"{number:02x}", app="rooms")
        for start_minute, end_minute in [(22 * 60, edge) for edge in edges] + [(edge, 9 * 60) for edge in edges]:
            if start_minute == end_minute:
                continue
            hours = {"zone": name, "windows": [{
                "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
                "from": f"{start_minute // 60:02}:{start_minute % 60:02}",
                "to": f"{end_minute // 60:02}:{end_minute % 60:02}"}]}
            expect_equal(server.rest(user, "PUT", f"{LIST}/quiet-hours", hours).status, 200, f"quiet hours in {name}")
            moments = [change + timedelta(milliseconds=step) for step in (-1, 0)]
            moments += [change + timedelta(minutes=chance.randrange(-720, 720)) for _ in range(6)]
            moments += [change + timedelta(minutes=step) for step in (-120, -60, -30, 30, 60, 120)]
            events = [room_liked(user, notBefore=at.isoformat(timespec="milliseconds")) for at in moments]
            answers = server.post("/v1/events?dryRun=true", events).json()
            for at, answer in zip(moments, answers):
                push = answer["recipients"][0]["push"]
                expected = quiet_end(zone, start_minute, end_minute, at)
                expect_equal((push["hold"], datetime.fromisoformat(push["due"])),
                             ("quietHours", expected) if expected else ("notBefore", at),
                             f"due in {name}, quiet from {start_minute} to {end_minute}, at {at}")
                checked += 1
    expect(checked > 500, f"only {checked} due times were compared")
