"""Many questions, each with four devices that answer at once, while the server is killed."""

import http.client
import os
import threading
import time

from harness.events import room_liked
from harness.http import Http, once
from harness.suite import PATIENCE, Failed, case, expect, expect_equal

ACTIONS = [{"id": name, "label": name.upper()} for name in ("one", "two", "three", "four")]
PEOPLE = 50
#: `make answers-long` sets 10,000.
QUESTIONS = int(os.environ.get("QUESTIONS", "100"))
#: How often the server is killed meanwhile.
KILLS = 2 if QUESTIONS < 1_000 else 5


class Device(threading.Thread):
    """Answers every question with its own action, and asks again where the server went away."""

    def __init__(self, server, action: str, questions: list[tuple[str, str]], tokens: dict[str, str]):
        super().__init__()
        self._server, self._action, self._questions, self._tokens = server, action, questions, tokens
        self._connection = None
        #: By question: the answer that this device was told to stand, or None for "another one".
        self.told: dict[str, str | None] = {}

    @property
    def count(self) -> int:
        return len(self.told)

    def run(self):
        for user, notification in self._questions:
            self.told[notification] = self._answer(user, notification)

    def _answer(self, user: str, notification: str) -> str | None:
        deadline = time.monotonic() + 3 * PATIENCE
        while time.monotonic() < deadline:
            try:
                self._connection = self._connection or Http(self._server.listen)
                answer = self._connection.request(
                    "PUT", f"/api/notifications/{notification}/answer", {"action": self._action}, token=self._tokens[user])
            except (OSError, http.client.HTTPException):
                # Killed: whether the answer was stored is not known.
                self._connection = None
                time.sleep(0.02)
                continue
            if answer.status == 200:
                return answer.json()["answer"]["action"]
            if answer.status == 409:
                return None
            if answer.status != 503:
                raise Failed(f"an answer was answered with {answer.status}: {answer.body!r}")
        raise Failed("the server did not come back")


@case("of four devices that answer each of many questions at once, one is first, the same everywhere, also through kill -9")
def races(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="1000000", LIMITS_REQUESTS_PER_ADDRESS_PER10S="1000000")
    users = [f"person-{number}" for number in range(PEOPLE)]
    events = [server.publish(room_liked(*users, question={"actions": ACTIONS}))["event"] for _ in range(QUESTIONS // PEOPLE)]
    questions = [(user, row["id"]) for user in users for row in server.list_all(user)]
    expect_equal(len(questions), PEOPLE * len(events), "the questions")
    tokens = {user: world.token(user) for user in users}
    devices = [Device(server, action["id"], questions, tokens) for action in ACTIONS]
    for device in devices:
        device.start()
    for kill in range(1, KILLS + 1):
        while any(device.is_alive() for device in devices) and max(device.count for device in devices) < kill * len(
                questions) // (KILLS + 1):
            time.sleep(0.002)
        server.kill()
        server.start()
    for device in devices:
        device.join()
        expect_equal(device.count, len(questions), "how many questions a device has had answered")
    standing = {row["id"]: row["question"]["answer"]["action"] for user in users for row in server.list_all(user)}
    told = {person["notification"]: person["action"] for event in events
            for person in once(server.socket, "GET", f"/v1/events/{event}/answers?limit=1000").json()["people"]}
    expect(told == standing, "publishers are told other answers than people see")
    for device, action in zip(devices, ACTIONS):
        for notification, answer in device.told.items():
            expected = action["id"] if standing[notification] == action["id"] else None
            expect_equal(answer, expected, f"what the device of {action['id']} was told of {notification}")
    expect(len(set(standing.values())) > 1, "one device was always first")
