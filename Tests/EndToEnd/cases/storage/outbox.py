"""Applications that publish by SQL, in the database that they share with Belfry."""

import json
import re
import subprocess
import threading

from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.publishers import serve_publishers
from harness.suite import PATIENCE, case, expect, expect_equal, expect_told, wait_until
from harness.world import ROOT

USERS = ("sarah", "tom", "ulf")
#: How long until another process has the duty of one that was killed, and then some.
TAKEOVER = 10 + PATIENCE


class Application:
    """A role that owns a table, and may call one function of Belfry's."""

    def __init__(self, world):
        data = str(world.folder / "data")
        self._owner = world.databases.url(data)
        self._url = world.databases.role(data)
        self.role = re.search(r"user=(\w+)", self._url).group(1)
        self.own(f"CREATE SCHEMA belfry; CREATE SCHEMA shop AUTHORIZATION {self.role}")
        self.run("CREATE TABLE shop.orders (id int)")

    def admit(self):
        """As docs/outbox.md says; Belfry has made its tables by then."""
        self.own(f"GRANT USAGE ON SCHEMA belfry TO {self.role};"
                 f"GRANT EXECUTE ON FUNCTION belfry.publish(jsonb) TO {self.role}")

    def run(self, *statements: str) -> str:
        """Runs statements, each for itself unless they say otherwise, and returns what psql prints of the rows."""
        done = self.attempt(*statements)
        expect_equal(done.stderr, "", "psql's complaints")
        return done.stdout.strip()

    def attempt(self, *statements: str) -> subprocess.CompletedProcess:
        return self._psql(self._url, statements)

    def own(self, *statements: str) -> str:
        """As the owner of Belfry's tables."""
        done = self._psql(self._owner, statements)
        expect_equal(done.stderr, "", "psql's complaints")
        return done.stdout.strip()

    @staticmethod
    def _psql(url: str, statements) -> subprocess.CompletedProcess:
        return subprocess.run(["psql", "-qtA", "-v", "ON_ERROR_STOP=1", url], input=";\n".join(statements) + ";\n",
                              capture_output=True, text=True, timeout=PATIENCE)

    def lock_rows(self) -> subprocess.Popen:
        """Locks all rows of the outbox until the session's input ends."""
        session = subprocess.Popen(["psql", "-qtA", self._owner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        session.stdin.write("BEGIN; SELECT count(*) FROM (SELECT FROM belfry.outbox FOR UPDATE) AS locked;\n")
        session.stdin.flush()
        session.stdout.readline()
        return session

    def rows(self) -> int:
        return int(self.own("SELECT count(*) FROM belfry.outbox"))


def publish(event: dict) -> str:
    return f"SELECT belfry.publish($event${json.dumps(event)}$event$)"


def liked(name: str, *users: str, **more) -> dict:
    return room_liked(*(users or ("sarah",)), room={"id": name, "name": name}, **more)


def names(server, user: str) -> list[str]:
    """The rooms of somebody's notifications, the oldest first."""
    return [row["roomName"] for row in reversed(server.list_all(user))]


@case("what an application publishes by SQL comes after its commit, in order, and never if it is undone")
def committed_and_undone(world):
    application = Application(world)
    server = world.serve()
    application.admit()
    session = server.session("sarah")
    keys = application.run("BEGIN", "INSERT INTO shop.orders VALUES (1)", publish(liked("one", key="order-1")),
                           publish(liked("two")), publish(liked("three")), "COMMIT").splitlines()
    expect_equal(keys[0], "order-1", "the key of an event that has one")
    expect(re.fullmatch(r"outbox-\d+", keys[1]), f"the key of another: {keys}")
    frames = session.take(3)
    expect_equal([frame["notification"]["roomName"] for frame in frames], ["one", "two", "three"], "the order of frames")

    application.run("BEGIN", "INSERT INTO shop.orders VALUES (2)", publish(liked("undone")), "ROLLBACK")
    application.run("BEGIN", publish(liked("four")), "COMMIT")
    session.expect("new", seq=4, unread=4)
    # The same event under its key again, which changes nothing.
    application.run(publish(liked("one", key="order-1")))
    wait_until(lambda: application.rows() == 0, PATIENCE, "an empty outbox")
    expect_equal(names(server, "sarah"), ["one", "two", "three", "four"], "the inbox")
    expect_equal(application.run("SELECT count(*) FROM shop.orders"), "1", "the application's rows")
    trail = once(server.socket, "GET", f"/v1/trail?key={keys[1]}&publisher=outbox")
    expect_equal(trail.status, 200, "the status of the trail of an event from the outbox")
    for statement in ("SELECT count(*) FROM belfry.outbox", "SELECT count(*) FROM belfry.inbox", "DELETE FROM belfry.outbox"):
        expect("permission denied" in application.attempt(statement).stderr, f"{statement} is allowed")
    # What can be no event is told to the application at once.
    failed = application.attempt("BEGIN", "INSERT INTO shop.orders VALUES (3)", "SELECT belfry.publish('[]')", "COMMIT")
    expect("expected an event as a JSON object, not array" in failed.stderr, f"no reason: {failed.stderr}")
    expect_equal(application.run("SELECT count(*) FROM shop.orders"), "1", "the application's rows after a failure")


@case("an event of the outbox that is refused stays with its reason, blocks none, and is told; mended, it is published")
def refused(world):
    application = Application(world)
    server = world.serve()
    application.admit()
    wrong = {**liked("wrong"), "type": "room_hated", "data": {"text": "a-text-of-a-notification"}}
    application.run(publish(liked("one")), publish(wrong), publish(liked("two")))
    wait_until(lambda: names(server, "sarah") == ["one", "two"], PATIENCE, "the others")
    metrics = wait_until(lambda: (told := server.metrics())["belfry_outbox_refused_rows"] == 1 and told, PATIENCE, "the metric")
    expect_equal([metrics[f"belfry_outbox_{name}"] for name in ("rows", "refused_total", "published_total")], [0, 1, 2],
                 "the metrics of the outbox")
    told = expect_told(server, "events of the outbox were refused")
    expect(len(told) == 1 and "unknown_event_type" in told[0], f"the log tells no code: {told}")
    expect(not any("a-text-of-a-notification" in line for line in server.log), "the log tells a text")
    reason = application.own("SELECT refusal FROM belfry.outbox")
    expect(reason.startswith("unknown_event_type (/type)"), f"the reason: {reason}")

    application.own("UPDATE belfry.outbox SET refusal = NULL WHERE refusal IS NOT NULL")
    wait_until(lambda: server.metrics()["belfry_outbox_refused_total"] == 2, PATIENCE, "the second refusal")
    mended = json.dumps(liked("mended"))
    application.own(f"UPDATE belfry.outbox SET event = $event${mended}$event$, refusal = NULL WHERE refusal IS NOT NULL")
    wait_until(lambda: names(server, "sarah") == ["one", "two", "mended"], PATIENCE, "the mended event")
    wait_until(lambda: server.metrics()["belfry_outbox_refused_rows"] == 0, PATIENCE, "no refused row")


@case("kill -9 during a stream of 500 events in the outbox: everybody has each of them exactly once")
def killed(world):
    application = Application(world)
    server = world.serve()
    application.admit()
    server.terminate()
    expected = [f"event-{number}" for number in range(500)]

    # The rows of the first events cannot go before the process ends, though these are stored.
    application.run("BEGIN", *(publish(liked(name, *USERS)) for name in expected[:200]), "COMMIT")
    locked = application.lock_rows()
    server.start()
    wait_until(lambda: server.unread("ulf") > 0, TAKEOVER, "the first events")
    server.kill()
    # The database would remove the rows without the process, which has sent the statement.
    application.own("SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND wait_event_type = 'Lock'")
    locked.communicate()
    expect_equal(application.rows(), 200, "the rows after the first kill")

    server.start()

    def stream():
        for first in range(200, 500, 10):
            application.run("BEGIN", *(publish(liked(name, *USERS)) for name in expected[first:first + 10]), "COMMIT")

    wait_until(lambda: application.rows() < 200, TAKEOVER, "the first rows to go")
    streaming = threading.Thread(target=stream)
    streaming.start()
    wait_until(lambda: server.unread("ulf") >= 250, PATIENCE, "half of the events")
    server.kill()
    server.start()
    streaming.join(PATIENCE)
    wait_until(lambda: application.rows() == 0, TAKEOVER, "an empty outbox")
    for user in USERS:
        expect_equal(sorted(names(server, user)), sorted(expected), f"{user}'s events")
        expect_equal(server.unread(user), 500, f"{user}'s unread")
    expect_equal(server.drift(), 0, "the drift")


@case("where publishers have rights, the outbox has those of the one that the settings name, and waits without one")
def rights(world):
    application = Application(world)
    publishers = "shop:\n  events: [room_liked]\n"
    server = serve_publishers(world, "somebody:\n  uid: 4001\n")
    application.admit()
    expect_told(server, "store.outboxPublisher")
    application.run(publish(liked("one")), publish({**liked("other"), "type": "room_renamed"}))
    metrics = server.metrics()
    expect_equal(metrics["belfry_outbox_rows"], 2, "the rows that wait")
    expect(metrics["belfry_outbox_oldest_seconds"] > 0, "the first one has waited for no time")
    server.terminate()

    server = serve_publishers(world, publishers, STORE_OUTBOX_PUBLISHER="shop")
    wait_until(lambda: names(server, "sarah") == ["one"], PATIENCE, "the event that is allowed")
    wait_until(lambda: application.own("SELECT refusal FROM belfry.outbox").startswith("event_not_allowed"), PATIENCE,
               "the refusal of the other")
    expect_equal(server.metrics()['belfry_publisher_events_total{publisher="shop"}'], 1, "the publisher's events")


@case("events of several apps in one transaction reach each app in order")
def several_apps(world):
    application = Application(world)
    apps = ("rooms", "rounds")
    catalogs = [str(ROOT / f"Config/catalogs/{app}.yaml") for app in apps]
    secrets = {app: f"the secret of the app {app} in the end-to-end tests" for app in apps}
    config = world.folder / "belfry.yaml"
    config.write_text("auth:\n  apps:\n" + "".join(f"    {app}: {{secret: {secret}}}\n" for app, secret in secrets.items()))
    server = world.serve(catalogs=catalogs, arguments=["--config", str(config)], AUTH_SECRET="")
    application.admit()
    sessions = {app: server.open() for app in apps}
    for app, session in sessions.items():
        session.hello(tokens.token("sarah", secret=secrets[app]))
    followed = {"type": "new_follower", "to": {"followed": ["sarah"]}, "data": {"bio": "Golfer"}}
    actors = [{"id": name, "username": name, "firstName": name, "name": name, "avatarUrl": None} for name in USERS[1:]]
    events = [event for actor in actors for event in (liked(actor["id"], actor=actor), {**followed, "actor": actor})]
    application.run("BEGIN", *map(publish, events), "COMMIT")
    for app, session in sessions.items():
        frames = session.take(2)
        expect_equal([frame["notification"]["actor"]["id"] for frame in frames], list(USERS[1:]), f"the order in {app}")


@case("the outbox goes on by itself when its database is back")
def outage(world):
    application = Application(world)
    server = world.serve()
    application.admit()
    application.run(publish(liked("before")))
    wait_until(lambda: names(server, "sarah") == ["before"], PATIENCE, "the event before")
    world.databases.hide()
    wait_until(lambda: once(server.ops, "GET", "/readyz").status == 503, PATIENCE, "/readyz to fail")
    world.databases.show()
    application.run(publish(liked("after")))
    wait_until(lambda: application.rows() == 0, TAKEOVER, "an empty outbox")
    expect_equal(names(server, "sarah"), ["before", "after"], "the inbox")
