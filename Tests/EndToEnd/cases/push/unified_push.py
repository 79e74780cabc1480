"""UnifiedPush: a phone whose pushes come through a server of the person's choice, such as ntfy."""

from harness.events import room_liked
from harness.http import expect_problem
from harness.stand_ins.ntfy import Ntfy
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

from .web_push import GRACE, subscribe


def with_phone(world, **settings):
    """A phone with a distributor, and a server that may use the distributor's push server."""
    phone = world.keep(Ntfy(world.folder))
    server = world.serve(**{**GRACE, **phone.settings, **settings})
    return server, phone


@case("a phone with ntfy as its distributor gets pushes of every length, which ntfy takes as they are")
def through_ntfy(world):
    server, phone = with_phone(world)
    expect_equal(subscribe(server, phone.subscription(phone.endpoint)).status, 200, "the status of the registration")
    for number, name in enumerate(["Italy Trip", "Ö" * 5_000], 1):
        server.publish(room_liked("sarah", room={"id": f"room-{number}", "name": name}))
        phone.wait_for(number)
    first, second = phone.wait_for(2)
    expect_subset(first.payload, {"title": "Italy Trip", "body": "Pete liked your room", "badge": 1}, "the first push")
    expect_equal(first.path, f"/{phone.topic}?up=1", "the path")
    expect(second.payload["title"].endswith("…"), "a title that is not cut")
    expect_equal(phone.statuses, [200, 200], "the answers")
    accepted = 'belfry_pushes_total{provider="webpush",verdict="accepted"}'
    wait_until(lambda: server.metrics().get(accepted) == 2, PATIENCE, "both to count as accepted")
    expect_equal(world.run("push", "test", "--user", "sarah", "--socket", server.socket).returncode, 0, "a test push")


@case("a push for a phone that has not connected lately is tried again and comes; one beyond a limit is told as busy")
def tried_again(world):
    server, phone = with_phone(world)
    subscribe(server, phone.subscription(phone.endpoint))
    phone.has_subscriber = False
    server.publish(room_liked("sarah"))
    wait_until(lambda: phone.statuses == [507], PATIENCE, "the first answer")
    phone.has_subscriber = True
    # Ten to twenty seconds later.
    phone.wait_for(1, within=2 * PATIENCE)
    phone.quota = 0
    tested = world.run("push", "test", "--user", "sarah", "--socket", server.socket)
    expect("busy" in tested.stdout, f"a test push beyond the limit: {tested.stdout}")
    expect_equal(phone.statuses, [507, 200, 429], "the answers")
    expect_equal(len(server.get("sarah", "/api/devices")["data"]), 1, "how many devices are left")


@case("a topic that ntfy closes to everybody is told with its remedy, and other people's pushes go on")
def closed_topic(world):
    server, phone = with_phone(world)
    subscribe(server, phone.subscription(phone.endpoint))
    phone.is_open = False
    tested = world.run("push", "test", "--user", "sarah", "--socket", server.socket)
    text = " ".join(tested.stdout.split())
    expect('HTTP 403, ntfy 40301' in text and 'topics that begin with "up"' in text, f"push test says {text}")
    phone.is_open = True
    server.publish(room_liked("sarah"))
    phone.wait_for(1)


@case("a push server that is not on the list is refused, and so is one without TLS; one of the own network may be listed")
def listed_servers(world):
    server, phone = with_phone(world, PUSH_WEB_PUSH_HOSTS="ntfy.sh,ntfy.lan:8443,10.0.0.5")
    for endpoint, status in (
        ("https://ntfy.sh/upAbCdEfGh1234?up=1", 200), ("https://ntfy.lan:8443/upAbCdEfGh1234?up=1", 200),
        ("https://10.0.0.5/index.php/apps/uppush/push/0e98c9f6-2d1b", 200), ("https://ntfy.lan/upAbCdEfGh1234?up=1", 400),
        ("http://ntfy.sh/upAbCdEfGh1234?up=1", 400), (phone.endpoint, 400), ("https://10.0.0.6/up1", 400),
        ("https://other.ntfy.sh/up1", 400),
    ):
        answer = subscribe(server, phone.subscription(endpoint))
        if status == 200:
            expect_equal(answer.status, 200, f"the status for {endpoint}")
        else:
            expect_problem(answer, {"status": 400, "pointer": "/endpoint"}, endpoint)
