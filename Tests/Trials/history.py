"""What everybody saw of a running system, as plain facts; one list for all, in the order in which things ended."""

import json
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Published:
    """A backend published an event until it was answered, or gave up."""

    key: str
    #: "like": a notification of its own. "photo": one more picture of the room `room`.
    kind: str
    people: list[str]
    room: str
    began: float
    ended: float
    #: False: whether it was stored is not known.
    is_answered: bool
    #: How many tries got no answer.
    tries_cut_off: int = 0
    #: The answer said that it had been stored before.
    is_replayed: bool = False


@dataclass
class Connected:
    """A session was told where the inbox is."""

    session: str
    user: str
    at: float
    way: str
    epoch: str
    seq: int
    unread: int
    #: The place that it came back with; 0 if it had none.
    resumed_from: int = 0
    recovered: bool = False


@dataclass
class Told:
    """A session got a frame about the inbox."""

    session: str
    user: str
    at: float
    type: str
    seq: int
    unread: int | None
    is_replay: bool = False
    #: A gap's first change; `seq` is its last.
    first: int = 0
    #: What it is about, by id.
    ids: list[str] = field(default_factory=list)
    #: Of the notification that comes with it.
    rev: int = 0
    is_read: bool = False


@dataclass
class Asked:
    """A person did something on a device: `ack` (with `seq`), `read` or `remove` (with `ids`)."""

    user: str
    what: str
    began: float
    ended: float
    #: "done", "refused" or "unknown".
    outcome: str
    seq: int = 0
    ids: list[str] = field(default_factory=list)
    #: The rooms of these notifications.
    rooms: list[str] = field(default_factory=list)
    #: Of an ack: whether the session was attentive.
    is_active: bool = False


@dataclass
class Listed:
    """The inbox over REST: the first page, or all of it."""

    user: str
    began: float
    ended: float
    epoch: str
    seq: int
    unread: int
    #: Each row: id, rev, whether it is read, the name of its room, how many pictures it counts.
    rows: list[list]
    is_whole: bool = False


@dataclass
class Pushed:
    """A phone showed a notification."""

    user: str
    notification: str
    at: float


@dataclass
class HasPhone:
    """From before the first event on."""

    user: str


@dataclass
class Fault:
    """What was done to the system: `kill`, `pause`, `cut` and others."""

    kind: str
    began: float
    ended: float


@dataclass
class Surprise:
    """Something that must not happen at all, such as an answer that nothing explains."""

    at: float
    text: str


KINDS = {kind.__name__: kind for kind in (Published, Connected, Told, Asked, Listed, Pushed, HasPhone, Fault, Surprise)}


class History:
    """Collects facts from all threads."""

    def __init__(self):
        self._facts: list = []
        self._lock = threading.Lock()

    def note(self, fact):
        with self._lock:
            self._facts.append(fact)

    @property
    def facts(self) -> list:
        with self._lock:
            return list(self._facts)

    def surprise(self, text: str):
        self.note(Surprise(time.monotonic(), text))

    def count(self, condition) -> int:
        return sum(1 for fact in self.facts if condition(fact))

    def write(self, file: Path):
        """One fact a line."""
        file.write_text("".join(
            json.dumps({"fact": type(fact).__name__, **asdict(fact)}) + "\n" for fact in self.facts))


def read(file: Path) -> list:
    facts = []
    for line in file.read_text().splitlines():
        members = json.loads(line)
        facts.append(KINDS[members.pop("fact")](**members))
    return facts
