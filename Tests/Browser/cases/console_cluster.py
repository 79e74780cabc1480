"""The operators' console of one of three nodes that share a database, and what it tells of the other two."""

import signal

from browser.console import PAGES, Console, liked
from browser.tab import PATIENCE
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import CATALOGS


def state(console: Console, node: str) -> str:
    """What the page Now says of a node; empty if it does not list it."""
    rows = console.page.get_by_role("group", name="Nodes").locator("tbody tr", has_text=node)
    return rows.locator("td").nth(1).inner_text() if rows.count() else ""


def until_state(console: Console, node: str, *expected: str):
    """Until the page says one of these: the later ones come by themselves, if the browser was too slow to see the first."""
    wait_until(lambda: console.button("Read again").click() or state(console, node) in expected, PATIENCE,
               f"{node} to be {expected}")


@case("the console in a cluster: all nodes, a session and an event of another one, one that leaves and one that has died")
def cluster(world):
    sink = world.sink()
    store = world.databases.url(str(world.folder / "shared"))
    north, south, west = (
        world.serve(data=name, NODE=name, STORE=store, catalogs=CATALOGS, PUSH_GRACE="1s", DRAIN_RATE="1", **sink.settings)
        for name in ("north", "south", "west"))
    console = Console(world, north).until_ready()
    # The browser minds a socket that is closed while it connects.
    wait_until(lambda: "Live" in console.text, PATIENCE, "the live page")
    for page in PAGES:
        console.go(f"#/{page}")
    console.go("#/now")
    for node in ("north (this one)", "south", "west"):
        until_state(console, node, "alive")
    wait_until(lambda: "All plots are of this node, north." in console.text, PATIENCE, "whose plots they are")
    console.expect_accessible_everywhere("now, with three nodes")
    # The person is at one node, and the event comes by another one.
    session = south.session("sarah", active=True)
    south.register_device("sarah")
    event = west.publish(liked("sarah", "like-1"))["event"]
    session.expect("new")
    sink.wait_for_shown(1)
    console.go("#/person/sarah")
    wait_until(lambda: console.button("Read again").click() or "Push sent to phone-1 (APNs)" in console.text, PATIENCE,
               "the reason")
    for words in ("on a screen now", "on another node", "1 unread"):
        expect(words in console.text, f"the words {words!r} in {console.text}")
    console.expect_accessible_everywhere("a person at another node")
    console.button("Send a test push").click()
    console.page.get_by_role("group", name="Answers of the push services").get_by_text("accepted").wait_for()
    console.button("End all sessions").click()
    wait_until(lambda: "1 session ended" in console.said, PATIENCE, "what was done")
    session.expect_close(4200)
    console.go(f"#/event/{event}")
    expect("sarah" in console.text and "Push sent to phone-1" in console.page.locator("main").text_content(), "the event")
    console.go("#/quality")
    expect("exact" in console.text, "the drift of the whole store")
    console.expect_quiet()
    # One node leaves while its sessions wait for their turns, and the other one dies at once.
    console.go("#/now")
    leaving = Console(world, south, "#/drain").until_ready()
    expect("If this node left now" in leaving.text, "no leaving")
    sessions = [south.session(f"user-{number}") for number in range(8)]
    west.kill()
    south.process.signal(signal.SIGTERM)
    wait_until(lambda: leaving.button("Read again").click() or "This node is leaving" in leaving.text, PATIENCE,
               "the node to leave")
    until_state(console, "south", "leaving", "has left")
    leaving.expect_accessible_everywhere("a node that leaves")
    for one in sessions:
        one.expect("drain")
        one.expect_close(4200)
    expect_equal(south.process.wait(PATIENCE), 0, "the exit code")
    south.earlier.append(south.process)
    south.process = None
    until_state(console, "west", "gone", "")
    console.expect_accessible_everywhere("now, with a dead node")
    expect_equal(state(console, "north (this one)"), "alive", "the state of the node itself")
    console.expect_quiet()
