"""Events for very many people, which reach them page by page."""

import threading
import time
from http.client import HTTPException

from harness.events import event
from harness.http import once
from harness.suite import case, expect, expect_equal, expect_subset, wait_until

PEOPLE = 6_000
KILLS = 3
#: Whose inboxes are looked at, one by one.
LOOKED_AT = range(0, PEOPLE, 97)
ROOM = {"room": {"id": "room-1", "name": "Everywhere"}}


def people_of(server) -> list[str]:
    people = [f"person-{number}" for number in range(PEOPLE)]
    answer = once(server.socket, "PUT", "/v1/topics/everywhere/members", {"users": people})
    expect_equal(answer.status, 200, f"the status of the topic's members ({answer.body[:200]!r})")
    return people


def progress(server, name: str) -> dict:
    answer = once(server.socket, "GET", f"/v1/events/{name}")
    expect_equal(answer.status, 200, "the status of the event's progress")
    return answer.json()


@case("an event for everybody is told at once, worked off through kill -9 by kill -9, and reaches each one once")
def everybody(world):
    server = world.serve()
    people_of(server)
    answer = server.publish(event("added_to_room", {"added": {"all": True}}, ROOM, key="all"))
    expect_subset(answer, {"state": "working", "total": PEOPLE}, "the answer")
    for _ in range(KILLS):
        server.kill()
        server.start()
    wait_until(lambda: progress(server, answer["event"])["state"] == "done", 60, "everybody to be told")
    expect_subset(progress(server, answer["event"]), {"created": PEOPLE, "updated": 0}, "what was done")
    expect_subset(server.publish(event("added_to_room", {"added": {"all": True}}, ROOM, key="all")),
                  {"replayed": True, "created": PEOPLE}, "the answer to the same event again")
    for number in LOOKED_AT:
        rows = server.list_all(f"person-{number}")
        expect_equal([row["roomName"] for row in rows], ["Everywhere"], f"what person-{number} has")
        expect_equal(server.unread(f"person-{number}"), 1, f"unread of person-{number}")
    expect_equal(server.drift(), 0, "the drift")


class Persistent(threading.Thread):
    """Publishes one event until it is answered."""

    def __init__(self, socket: str, body: dict):
        super().__init__(daemon=True)
        self._socket, self._body = socket, body
        self.answer: dict | None = None

    def run(self):
        while self.answer is None:
            try:
                answer = once(self._socket, "POST", "/v1/events", self._body)
                if answer.status == 202:
                    self.answer = answer.json()
            except (OSError, HTTPException):
                pass
            time.sleep(0.02)


@case("an event for a topic is answered when everybody has it; its publisher is cut off by kill -9 and asks again")
def topic_cut_off(world):
    server = world.serve()
    people_of(server)
    # Whoever is named twice, or did it, is no second time or not at all among the recipients.
    body = event("added_to_room", {"added": {"topic": "everywhere", "users": ["person-0", "stranger"]}}, ROOM,
                 actor={"id": "person-1", "username": "one"}, key="topic")
    publisher = Persistent(server.socket, body)
    publisher.start()
    for _ in range(KILLS):
        time.sleep(0.1)
        server.kill()
        server.start()
    publisher.join(60)
    expect(publisher.answer is not None, "the publisher got no answer")
    expect_subset(publisher.answer, {"recipients": PEOPLE, "created": PEOPLE, "updated": 0, "suppressed": 1},
                  "the answer")
    for name, count in [("person-0", 1), ("person-1", 0), ("stranger", 1), (f"person-{PEOPLE - 1}", 1)]:
        expect_equal(len(server.list_all(name)), count, f"how many {name} has")
    expect_equal(server.drift(), 0, "the drift")
