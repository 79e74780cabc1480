"""Ten thousand elements against a plain model of the rules."""

import random
import threading
import time
from datetime import datetime, timedelta, timezone
from http.client import HTTPException

from harness.http import once
from harness.suite import case, expect, expect_equal, wait_until

ELEMENTS = 10_000
ACTORS = 50
ROOMS = 200
PEOPLE = 120
PUBLISHERS = 8
#: Rooms whose events all publishers send: what they show first depends on who was first.
SHARED_ROOMS = 40
#: Every publisher has met the kill, or not, when so many more are answered.
ANSWERS_BETWEEN_KILLS = 40
#: These read everything between the two halves: their batches end there.
READERS = 30
NOUNS = {
    "photo": ("a photo", "photos"), "video": ("a video", "videos"), "note": ("a note", "notes"),
    "audio": ("an audio recording", "audio recordings")}


class Row:
    """One notification, as the rules have it."""

    def __init__(self, actor: str, room: str):
        self.actor, self.room = actor, room
        self.is_read = False
        #: By kind: how many, and when the first one came, within an event and among events.
        self.kinds: dict[str, list] = {}
        #: All that could be shown, in the order in which it was published, where one publisher has the room.
        self.pictures: list[str] = []

    def add(self, moment: int, elements: list[dict]):
        for place, element in enumerate(elements):
            tally = self.kinds.setdefault(element["kind"], [0, (moment, place)])
            tally[0] += 1
            tally[1] = min(tally[1], (moment, place))
            if "thumbnailUrl" in element:
                self.pictures.append(element["thumbnailUrl"])

    @property
    def count(self) -> int:
        return sum(tally[0] for tally in self.kinds.values())

    @property
    def text(self) -> str:
        ordered = sorted(self.kinds.items(), key=lambda item: item[1][1])
        words = [NOUNS[kind][0] if count == 1 else f"{count} {NOUNS[kind][1]}" for kind, (count, _) in ordered]
        joined = words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
        return f"{self.actor} added {joined} to {self.room}"


class Model:
    """Every inbox, written one event after the other."""

    def __init__(self):
        self._rows: dict[str, list[Row]] = {}

    def publish(self, event: dict, moment: int):
        actor, room = event["actor"]["id"], event["data"]["room"]["id"]
        for person in set(event["to"]["participants"]) - {actor}:
            rows = self._rows.setdefault(person, [])
            row = next((row for row in rows if (row.actor, row.room) == (actor, room) and not row.is_read), None)
            if row is None:
                row = Row(actor, room)
                rows.append(row)
            row.add(moment, event["data"]["elements"])

    def read_all(self, person: str):
        for row in self._rows.get(person, []):
            row.is_read = True

    def rows(self, person: str) -> list[Row]:
        return self._rows.get(person, [])


class Stream(threading.Thread):
    """Publishes events in order, each until it is answered."""

    def __init__(self, socket: str, events: list[dict]):
        super().__init__(daemon=True)
        self._socket = socket
        self._events = events
        self.answered = 0
        self.cut_off = 0
        self.refused: list = []

    def run(self):
        for event in self._events:
            while not self._is_taken(event):
                time.sleep(0.01)
            self.answered += 1

    def _is_taken(self, event: dict) -> bool:
        try:
            answer = once(self._socket, "POST", "/v1/events", event)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except (OSError, HTTPException):
            self.cut_off += 1
            return False
        if answer.status != 202:
            self.refused.append((answer.status, answer.body[:200]))
        return answer.status == 202


def make_events(chance: random.Random) -> list[tuple[int, dict]]:
    """Events with their moments, in milliseconds from the beginning; all within one window."""
    people = [f"person-{number}" for number in range(PEOPLE)]
    members = {f"room-{number}": chance.sample(people, chance.randint(2, 8)) for number in range(ROOMS)}
    events, left = [], ELEMENTS
    while left > 0:
        size = min(left, chance.choice([1, 1, 2, 3, 6, 12]))
        left -= size
        # Actors are people too: what they do themselves they are not told.
        actor, room = people[chance.randrange(ACTORS)], f"room-{chance.randrange(ROOMS)}"
        elements = []
        for number in range(size):
            kind = chance.choice(list(NOUNS))
            element = {"kind": kind}
            if kind in ("photo", "video"):
                element["thumbnailUrl"] = f"https://img.example/{len(events)}-{number}.jpg"
            elements.append(element)
        moment = chance.randrange(299_000)
        events.append((moment, {
            "type": "element_added", "key": f"elements-{len(events)}", "actor": {"id": actor, "username": actor},
            "to": {"participants": members[room]}, "data": {"room": {"id": room, "name": room}, "elements": elements}}))
    return events


@case("ten thousand elements from eight publishers and a kill -9 leave what a plain model of the rules says")
def against_a_model(world):
    chance = random.Random(20_250_704)
    begin = datetime.now(timezone.utc) - timedelta(minutes=6)
    events = make_events(chance)
    for moment, event in events:
        event["occurredAt"] = (begin + timedelta(milliseconds=moment)).isoformat(timespec="milliseconds")
    server = world.serve()
    model = Model()
    half = len(events) // 2
    readers = [f"person-{number}" for number in range(READERS)]
    for index, part in enumerate((events[:half], events[half:])):
        shares: list[list[dict]] = [[] for _ in range(PUBLISHERS)]
        for number, (moment, event) in enumerate(part):
            room = int(event["data"]["room"]["id"].removeprefix("room-"))
            share = number if room < SHARED_ROOMS else room
            shares[share % PUBLISHERS].append(event)
            model.publish(event, moment)
        streams = [Stream(server.socket, share) for share in shares]
        for stream in streams:
            stream.start()
        wait_until(lambda: sum(stream.answered for stream in streams) > len(part) // 2, 120, "half of the answers")
        kill_during_a_publish(server, streams)
        for stream in streams:
            stream.join(120)
        expect_equal([stream.refused[:1] for stream in streams], [[]] * PUBLISHERS, "refused events")
        expect_equal(sum(stream.answered for stream in streams), len(part), "answered events")
        if index == 0:
            for person in readers:
                server.rest(person, "PUT", "/api/notifications/read-all")
                model.read_all(person)
    for number in range(PEOPLE):
        compare(server, f"person-{number}", model)
    expect_equal(server.drift(), 0, "the drift")


def kill_during_a_publish(server, streams: list[Stream]):
    """Kills and restarts until a publish was cut off: a fast server finds moments in which nobody waits for it."""
    while sum(stream.cut_off for stream in streams) == 0:
        goal = sum(stream.answered for stream in streams) + ANSWERS_BETWEEN_KILLS
        server.kill()
        server.start()
        wait_until(
            lambda: sum(stream.cut_off for stream in streams) > 0
            or sum(stream.answered for stream in streams) >= goal, 30, "a publish under way at a kill")


def compare(server, person: str, model: Model):
    found = {}
    listed = server.list_all(person)
    for row in listed:
        found.setdefault((row["actor"]["id"], row["roomName"], row["isRead"]), []).append(row)
    expected = {(row.actor, row.room, row.is_read): row for row in model.rows(person)}
    expect_equal(sorted(found), sorted(expected), f"{person}'s batches")
    for key, rows in found.items():
        expect_equal(len(rows), 1, f"how often {person} has {key}")
        row, wanted = rows[0], expected[key]
        expect_equal((row["displayText"], row["batchCount"]), (wanted.text, wanted.count), f"{person}'s {key}")
        pictures = [sample["url"] for sample in row["thumbnails"]]
        if int(wanted.room.removeprefix("room-")) < SHARED_ROOMS:
            expect_equal(len(set(pictures)), min(5, len(wanted.pictures)), f"how many pictures {person}'s {key} shows")
            expect(set(pictures) <= set(wanted.pictures), f"{person}'s {key} shows pictures of others")
        else:
            expect_equal(pictures, wanted.pictures[:5], f"{person}'s pictures of {key}")
    unread = sum(not row.is_read for row in model.rows(person))
    expect_equal((server.unread(person), sum(not row["isRead"] for row in listed)), (unread, unread),
                 f"{person}'s unread")
