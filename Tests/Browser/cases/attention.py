"""Who looks at which tab, and what that means for the phone: a page that nobody looks at must not hold pushes back."""

from browser.tab import PATIENCE
from cases.live import publish, room
from cases.tabs import sessions
from harness.events import room_liked
from harness.http import once
from harness.suite import case, expect_equal, wait_until

#: Longer than a page takes to acknowledge, on the slowest machine.
GRACE = "5s"


def with_phone(world, **settings):
    sink = world.sink()
    server = world.serve(**sink.settings, PUSH_GRACE=GRACE, **settings)
    expect_equal(server.register_device("sarah").status, 200, "the status of the registration")
    return server, sink


def expect_attention(server, is_active: bool):
    """Waits until the server knows whether somebody looks."""
    active = lambda: [session["active"] for session in sessions(server)]
    wait_until(lambda: active() == [is_active], PATIENCE, f"one session with active {is_active}")


def expect_seen(server, number: int):
    """Publishes something that a page acknowledges."""
    event = server.publish(room_liked("sarah", room=room(number)))["event"]
    # Its own acknowledgement: one of what the page has shown before may come just now.
    summary = lambda: once(server.socket, "GET", f"/v1/trail/{event}").json()["summary"]
    wait_until(lambda: summary()["acknowledged"] == 1, PATIENCE, "an acknowledgement")


def expect_pushed(server, sink, *numbers: int):
    """Publishes the last of them, which reaches the phone; the others are all that did before."""
    publish(server, [numbers[-1]], "sarah")
    sink.wait_for_shown(len(numbers), PATIENCE)
    expect_equal([push["title"] for push in sink.shown], [f"Room {number}" for number in numbers], "what the phone shows")


@case("what a person sees in a page is not pushed; what comes to a page that is hidden is, and the page has it all the same")
def looked_at(world):
    server, sink = with_phone(world)
    profile = world.profile()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    expect_attention(server, True)
    expect_seen(server, 1)
    profile.look_elsewhere()
    expect_attention(server, False)
    expect_pushed(server, sink, 2)
    tab.look()
    expect_attention(server, True)
    expect_seen(server, 3)
    profile.look_elsewhere()
    expect_attention(server, False)
    expect_pushed(server, sink, 2, 4)
    expect_equal(tab.until_synced(unread=4).new, [1, 2, 3, 4], "what the page was told")


@case("of many tabs one that somebody looks at is enough, whether it has the connection or not; none is not enough")
def any_tab(world):
    # A tab that crashed is forgotten at the second beat.
    server, sink = with_phone(world, LIVE_HEARTBEAT="5s")
    profile = world.profile()
    first, second = (profile.open(server, "sarah") for _ in range(2))
    for tab in (first, second):
        tab.until_synced(unread=0)
    for number, tab in enumerate((second, first, second), 1):
        tab.look()
        expect_attention(server, True)
        expect_seen(server, number)
    profile.look_elsewhere()
    expect_attention(server, False)
    expect_pushed(server, sink, 4)
    # A tab that crashes while somebody looks at it takes that along.
    second.look()
    expect_attention(server, True)
    second.crash()
    expect_attention(server, False)
    expect_pushed(server, sink, 4, 5)
    first.look()
    expect_attention(server, True)
    expect_seen(server, 6)
    profile.look_elsewhere()
    first.until_hidden()
    expect_pushed(server, sink, 4, 5, 7)


@case("a page that comes back into sight acknowledges what it shows, and holds its pushes back")
def back_in_sight(world):
    server, sink = with_phone(world)
    profile = world.profile()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    profile.look_elsewhere()
    expect_attention(server, False)
    acks = server.metrics()["belfry_acks_total"]
    publish(server, [1], "sarah")
    tab.until_synced(unread=1)
    tab.look()
    wait_until(lambda: server.metrics()["belfry_acks_total"] > acks, PATIENCE, "an acknowledgement")
    profile.look_elsewhere()
    expect_attention(server, False)
    expect_pushed(server, sink, 2)
