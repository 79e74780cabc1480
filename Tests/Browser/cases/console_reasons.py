"""From "she says she got no push" to the reason, each of them made to happen, in three steps."""

from datetime import UTC, datetime, timedelta

from browser.console import Console, liked
from browser.tab import PATIENCE
from harness.http import once
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import CATALOGS


def at(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Story:
    """What has happened, each thing to a person of their own."""

    def __init__(self, world, server):
        self.world = world
        self.server = server
        #: By person, what the console has to say.
        self.expected: dict[str, str] = {}

    def person(self, user: str, reason: str, *, phone: bool = True) -> str:
        self.expected[user] = reason
        if phone:
            # Each has a token of their own, and those that a provider refuses or has forgotten say so.
            answer = self.server.register_device(user, f"{user}-phone", user.encode().hex())
            expect_equal(answer.status, 200, "the status of a registered device")
        return user

    def choose(self, user: str, path: str, body, method: str = "PUT"):
        answer = self.server.rest(user, method, f"/api/notifications/{path}", body)
        expect(answer.status < 300, f"{path}: {answer.status} {answer.body[:200]!r}")

    def like(self, user: str, **more):
        return self.server.publish(liked(user, f"like-{user}", **more))


def tell(story: Story):
    server, like, choose, person = story.server, story.like, story.choose, story.person
    # Nothing came at all.
    person("pete", "Nothing came: they did it themselves.")
    like("pete")
    person("lost", "no route of the catalog names the list")
    server.publish({**liked("lost"), "to": {"owner": ["somebody"], "strangers": ["lost"]}})
    person("muting", "Nothing came: they have muted room:room-1.")
    choose("muting", "mutes/room:room-1", {})
    like("muting")
    person("off", "Nothing came: they have switched its kind off.")
    choose("off", "preferences", {"types": {"ROOM_LIKE": {"inApp": False, "push": False}}})
    like("off")
    person("category", "Nothing came: they have switched its category off.")
    choose("category", "preferences", {"categories": {"like": {"inApp": False, "push": False}}})
    like("category")
    # No push was planned.
    person("quiet-kind", "No push: they have switched its kind off.")
    choose("quiet-kind", "preferences", {"types": {"ROOM_LIKE": {"push": False}}})
    like("quiet-kind")
    person("never", "No push: the publisher asked for none.")
    like("never", push={"when": "never"})
    person("phoneless", "No push: they have no device that shows one.", phone=False)
    like("phoneless")
    person("denied", "No push: they have no device that shows one.", phone=False)
    server.rest("denied", "PUT", "/api/devices/d", {"provider": "apns", "token": "d0", "app": "rooms", "permission": "denied"})
    like("denied")
    person("late", "No push: it would have come after its expiry.")
    choose("late", "snooze", {"hours": 1})
    like("late", expiresAt=at(600))
    # It waits.
    person("snoozing", "A push to one device was planned: they have a snooze.")
    choose("snoozing", "snooze", {"hours": 1})
    like("snoozing")
    person("sleeping", "A push to one device was planned: they have quiet hours.")
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    now = datetime.now(UTC)
    window = {"days": days, "from": (now - timedelta(hours=2)).strftime("%H:%M"), "to": (now + timedelta(hours=2)).strftime("%H:%M")}
    choose("sleeping", "quiet-hours", {"zone": "UTC", "windows": [window]})
    like("sleeping")
    person("later", "A push to one device was planned: the publisher asked for that time.")
    like("later", notBefore=at(3_600))
    # It was not needed any more.
    person("looking", "No push to looking-phone (APNs): they had it on a screen.")
    session = server.session("looking", active=True)
    like("looking")
    seq = session.expect("new")["seq"]
    expect_equal(session.call("ack", seq=seq)["type"], "ok", "the answer to ack")
    for user, reason in (("reader", "they had read it"), ("remover", "it had been removed from the inbox"), ("taken", "the publisher took the event back")):
        person(user, f"No push to {user}-phone (APNs): {reason}.")
        like(user, notBefore=at(3_600))
    choose("reader", "read-all", {})
    choose("remover", server.get("remover")["data"][0]["id"], None, "DELETE")
    once(server.socket, "DELETE", "/v1/events/like-taken")
    # It could not be delivered.
    person("refused", "APNs refused the push to refused-phone (APNs): BadTopic.")
    like("refused")
    person("gone", "APNs does not know gone-phone any more.")
    like("gone")
    person("busy", "The push to busy-phone (APNs) waits: the push service takes nothing for this device at the moment.")
    like("busy")
    # It came.
    person("lucky", "Push sent to lucky-phone (APNs): the service accepted it.")
    like("lucky")
    story.expected["nobody"] = "Nothing was decided about this person lately."


@case("the console: from 'she says she got no push' to the reason in three steps, for more than twenty reasons that happen")
def reasons(world):
    def fault(user: str, status: int, reason: str) -> dict:
        return {"provider": "apns", "device": user.encode().hex(), "fault": "answer", "status": status, "reason": reason}

    sink = world.sink(fault("refused", 400, "BadTopic"), fault("gone", 410, "Unregistered"), fault("busy", 429, "TooManyRequests"))
    server = world.serve(catalogs=CATALOGS, PUSH_GRACE="5s", **sink.settings)
    story = Story(world, server)
    tell(story)
    expect(len(story.expected) > 20, f"reasons: {len(story.expected)}")
    console = Console(world, server)
    for user, reason in story.expected.items():
        console.go("#/now")
        steps = 0
        # One: the page. Two: the person. The reason stands there.
        console.page.get_by_role("link", name="A person", exact=True).click()
        console.until_ready("#/person")
        steps += 1
        console.page.get_by_label("User id").fill(user)
        console.button("Look up").click()
        console.until_ready(f"#/person/{user}")
        steps += 1
        if reason not in console.text:
            # What is still on its way comes with a third one.
            wait_until(lambda: console.button("Read again").click() or reason in console.text, PATIENCE, f"for {user}: {reason}; the page says {console.text[:1500]}")
            steps += 1
        expect(steps <= 3, f"steps: {steps}")
