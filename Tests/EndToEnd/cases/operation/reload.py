"""Files that are read again while the server runs."""

import json
import signal
import time
from pathlib import Path

from harness.events import moment, room_liked
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_subset
from harness.world import ROOMS

#: An app that no code knows.
GREETINGS = """
catalog: greetings
events:
  greeted: {routes: [{to: people, type: GREETED}]}
types:
  GREETED: {text: "{{actor}} says {{word}}"}
"""
GREETED = {"type": "greeted", "actor": {"id": "user-1", "firstName": "Pete"}, "to": {"people": ["sarah"]},
           "data": {"word": "hello"}}


def folder_with_rooms(world) -> Path:
    folder = world.folder / "catalogs"
    folder.mkdir()
    (folder / "rooms.yaml").write_text(Path(ROOMS).read_text())
    return folder


def hang_up(server, word: str) -> list[dict]:
    """Sends SIGHUP; the new lines of the log that tell what became of the catalogs."""
    before = len(server.log)
    server.process.signal(signal.SIGHUP)
    server.process.errors.wait_for_count(
        lambda line: word in line, sum(word in line for line in server.log) + 1, 10, f"{word} in the log")
    return [json.loads(line) for line in server.log[before:] if "catalogs" in line]


@case("a catalog that is put into the folder works after SIGHUP, without a restart, and open sessions stay")
def by_signal(world):
    folder = folder_with_rooms(world)
    server = world.serve(catalogs=[str(folder)])
    live = server.session("sarah")
    expect_equal(server.post("/v1/events", GREETED).status, 422, "the status before the reload")
    (folder / "greetings.yaml").write_text(GREETINGS)
    lines = hang_up(server, "catalogs read again")
    expect("greetings" in json.dumps(lines), f"the log does not tell the new catalog: {lines}")
    expect_equal(server.publish(GREETED)["created"], 1, "created")
    expect_equal(live.take(1)[0]["notification"]["displayText"], "Pete says hello", "the text")
    server.publish(room_liked("sarah"))
    expect_equal(live.take(1)[0]["notification"]["type"], "ROOM_LIKE", "the type")


@case("a broken catalog is refused at SIGHUP and by the admin call, the old ones stay, and every mistake is told")
def broken(world):
    folder = folder_with_rooms(world)
    file = folder / "greetings.yaml"
    file.write_text(GREETINGS)
    server = world.serve(catalogs=[str(folder)])
    file.write_text(GREETINGS.replace("{text:", "{txt:") + "tipes: {}\n")
    (folder / "third.yaml").write_text(GREETINGS.replace("greetings", "third"))
    lines = hang_up(server, "types.GREETED.txt")
    expect(any(f"{file}:6: types.GREETED.txt: " in json.dumps(line) for line in lines), f"the mistake's place: {lines}")
    answer = server.post("/v1/reload", b"")
    body = answer.json()
    expect_equal((answer.status, body["code"]), (422, "files_refused"), "the answer")
    places = {(mistake["file"], mistake.get("line"), mistake.get("key")) for mistake in body["mistakes"]}
    expect({(str(file), 6, "types.GREETED.txt"), (str(file), 7, "tipes")} <= places, f"the mistakes: {places}")
    expect_equal(body["catalogs"], ["greetings", "rooms"], "the catalogs that hold")
    expect_equal(server.publish(GREETED)["created"], 1, "created by the old catalog")

    file.unlink()
    answer = server.post("/v1/reload", b"")
    expect_equal((answer.status, answer.body),
                 (200, b'{"catalogs":["rooms","third"],"changed":["third"],"removed":["greetings"]}'), "put right")
    expect_equal(server.publish(GREETED)["created"], 1, "created by the new catalog")
    listed = once(server.socket, "GET", "/v1/catalogs").json()["catalogs"]
    expect_subset(listed[1], {"name": "third", "file": str(folder / "third.yaml"), "events": ["greeted"],
                              "types": ["GREETED"]}, "the third catalog")


@case("an event that was taken in is answered as before though its time has passed or no catalog knows it any more")
def repeated_too_late(world):
    folder = folder_with_rooms(world)
    file = folder / "greetings.yaml"
    file.write_text(GREETINGS)
    server = world.serve(catalogs=[str(folder)])
    gone = {**GREETED, "key": "gone"}
    late = room_liked("sarah", key="late", expiresAt=moment(2))
    answers = [{**server.publish(event), "replayed": True} for event in (gone, late)]
    file.unlink()
    expect_equal(server.post("/v1/reload", b"").status, 200, "the status of the reload")
    fresh = {**late, "key": "fresh"}
    while server.post("/v1/events?dryRun=true", fresh).status == 200:
        time.sleep(0.05)
    unread = server.unread("sarah")
    expect_equal(server.publish([gone, late]), answers, "the answers to an array")
    expect_equal([server.publish(event) for event in (gone, late)], answers, "the answers one by one")
    expect_equal(server.stream([json.dumps(event) for event in (gone, late)]), answers, "the answers to a stream")
    for events, pointer in ((fresh, "/expiresAt"), ([gone, fresh], "/0/type"), ([late, fresh], "/0/expiresAt")):
        expect_subset(server.post("/v1/events", events).json(), {"status": 422, "pointer": pointer}, "one that is new")
    for changed in ({**late, "room": {}}, {**gone, "push": False}):
        expect_equal(server.post("/v1/events", changed).status, 422, "the status of another event with that key")
    expect_equal(server.unread("sarah"), unread, "unread after all that")
    text = once(server.ops, "GET", "/metrics").body.decode()
    expect("belfry_events_total 8" in text, f"published: {[line for line in text.splitlines() if 'events_' in line]}")


@case("belfry reload prints what holds, or every mistake and exit code 1")
def command(world):
    folder = folder_with_rooms(world)
    server = world.serve(catalogs=[str(folder)])
    (folder / "greetings.yaml").write_text(GREETINGS)
    good = world.run("reload", "--socket", server.socket)
    expect_equal((good.returncode, good.stdout), (0, "greetings (changed)\nrooms\n"), "a good reload")
    (folder / "greetings.yaml").write_text(GREETINGS.replace("types:", "typs:"))
    bad = world.run("reload", "--socket", server.socket)
    expect_equal((bad.returncode, bad.stdout), (1, ""), "a refused reload")
    expect(f"{folder / 'greetings.yaml'}:5: typs: " in bad.stderr, f"the mistake: {bad.stderr}")


@case("belfry check tells what is in good catalogs, and all mistakes of a folder, clashes between files included")
def check(world):
    folder = folder_with_rooms(world)
    (folder / "greetings.yaml").write_text(GREETINGS)
    good = world.run("check", str(folder))
    expect_equal(good.returncode, 0, "the exit code of good files")
    expect_equal(good.stdout.splitlines()[0],
                 f"OK {folder / 'greetings.yaml'}: greetings, events: 1, types: 1, no translations", "the summary")
    (folder / "more.yaml").write_text(GREETINGS.replace("catalog: greetings", "catalog: more"))
    (folder / "wrong.yaml").write_text(GREETINGS.replace("greet", "welcom").replace("{text:", "{txt:"))
    bad = world.run("check", str(folder))
    expect_equal(bad.returncode, 1, "the exit code of bad files")
    expect(f"{folder / 'more.yaml'}:4: events.greeted: " in bad.stdout, f"the clash: {bad.stdout}")
    expect(f"{folder / 'wrong.yaml'}:6: types.GREETED.txt: " in bad.stdout, f"the mistake: {bad.stdout}")
    expect(f"OK {folder / 'rooms.yaml'}" in bad.stdout, f"the good one: {bad.stdout}")
