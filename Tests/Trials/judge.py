"""Holds a history against the promises. Pure: facts in, broken promises out, in time linear in their number.

The history is of people whose inboxes were empty when it began, and it ends with a whole list of each inbox, taken when
everything had come to rest.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from history import Asked, Connected, Fault, HasPhone, Listed, Published, Pushed, Surprise, Told

#: What is under way to a phone when an acknowledgement is confirmed may still arrive, for so many seconds.
UNDER_WAY = 3.0


@dataclass
class Verdict:
    broken: list[str] = field(default_factory=list)
    #: What has happened, and how often.
    counts: Counter = field(default_factory=Counter)


def judge(facts: list) -> Verdict:
    verdict = Verdict()
    by_person = defaultdict(list)
    for fact in facts:
        verdict.counts[type(fact).__name__] += 1
        if isinstance(fact, Surprise):
            verdict.broken.append(fact.text)
        elif hasattr(fact, "user"):
            by_person[fact.user].append(fact)
    published = [fact for fact in facts if isinstance(fact, Published)]
    faults = [fact for fact in facts if isinstance(fact, Fault)]
    for fault in faults:
        verdict.counts[fault.kind] += 1
    phones = {fact.user for fact in facts if isinstance(fact, HasPhone)}
    people = {user for event in published for user in event.people} | set(by_person)
    for user in sorted(people):
        _Inbox(user, by_person[user], [event for event in published if user in event.people], faults, verdict).judge(user in phones)
    _judge_wholeness(published, by_person, verdict)
    return verdict


def _judge_wholeness(published: list[Published], by_person: dict, verdict: Verdict):
    """An event without an answer is there for all of its people, or for none."""
    rooms = {user: {row[3] for fact in facts if isinstance(fact, Listed) and fact.is_whole for row in fact.rows}
             for user, facts in by_person.items()}
    removed = {user: _rooms(facts, "remove") for user, facts in by_person.items()}
    for event in published:
        verdict.counts["tries without an answer"] += event.tries_cut_off
        verdict.counts["stored before its answer was lost"] += event.is_replayed
        if event.is_answered or event.kind != "like":
            continue
        steady = [user for user in event.people if event.room not in removed.get(user, ())]
        found = [user for user in steady if event.room in rooms.get(user, ())]
        if found and len(found) < len(steady):
            verdict.broken.append(f"{event.key} is there for {found}, and not for all of {steady}")


def _rooms(facts: list, what: str) -> set[str]:
    """What somebody has asked to read or to remove."""
    return {room for fact in facts if isinstance(fact, Asked) and fact.what == what for room in fact.rooms}


class _Inbox:
    """One person's part of a history."""

    def __init__(self, user: str, facts: list, events: list[Published], faults: list[Fault], verdict: Verdict):
        self._user = user
        self._events = events
        self._faults = faults
        self._verdict = verdict
        self._told = [fact for fact in facts if isinstance(fact, Told)]
        self._connected = [fact for fact in facts if isinstance(fact, Connected)]
        self._asked = [fact for fact in facts if isinstance(fact, Asked)]
        self._lists = [fact for fact in facts if isinstance(fact, Listed)]
        self._pushes = [fact for fact in facts if isinstance(fact, Pushed)]

    def _broken(self, text: str):
        self._verdict.broken.append(f"{self._user}: {text}")

    def judge(self, has_phone: bool):
        whole = [fact for fact in self._lists if fact.is_whole]
        if not whole:
            return self._broken("the history has no whole list of this inbox") if self._events else None
        self._end = max(whole, key=lambda fact: fact.ended)
        self._rows = {row[0]: row for row in self._end.rows}
        self._judge_epochs()
        self._judge_sessions()
        self._judge_agreement()
        self._judge_freshness()
        self._judge_events()
        self._judge_reads()
        self._judge_devices()
        if has_phone:
            self._judge_pushes()
        return None

    def _judge_epochs(self):
        epochs = {fact.epoch for fact in (*self._connected, *self._lists)}
        if len(epochs) > 1:
            self._broken(f"the inbox had {len(epochs)} epochs")

    def _judge_sessions(self):
        """Each session hears of each change once and in order."""
        steps = defaultdict(list)
        for fact in sorted((*self._connected, *self._told), key=lambda fact: fact.at):
            steps[fact.session].append(fact)
        for session, facts in steps.items():
            if not isinstance(facts[0], Connected):
                self._broken(f"{session} was told of something before it was told where the inbox is")
                continue
            ready = facts[0]
            self._verdict.counts[f"sessions by {ready.way}"] += 1
            self._verdict.counts["sessions that came back"] += ready.recovered
            replayed, place = ready.resumed_from, ready.seq
            for fact in facts[1:]:
                if fact.is_replay:
                    if not replayed < fact.seq <= ready.seq:
                        self._broken(f"{session}: the change {fact.seq} is repeated behind {replayed}, and {ready.seq} is the last")
                    replayed = fact.seq
                    continue
                first = fact.first or fact.seq
                if first != place + 1:
                    self._broken(f"{session}: the change {first} came behind {place}")
                self._verdict.counts["gaps"] += fact.type == "gap"
                place = fact.seq

    def _judge_agreement(self):
        """Whoever hears of a change hears the same."""
        unread, subjects = {ready.seq: ready.unread for ready in self._connected}, {}
        for fact in (*self._connected, *self._lists, *self._told):
            if isinstance(fact, Told) and (fact.is_replay or fact.unread is None):
                continue
            if unread.setdefault(fact.seq, fact.unread) != fact.unread:
                self._broken(f"unread at {fact.seq} is {unread[fact.seq]} for one and {fact.unread} for another")
            if isinstance(fact, Told) and fact.type not in ("gap", "reset"):
                subject = (fact.type, fact.rev, tuple(fact.ids))
                if subjects.setdefault(fact.seq, subject) != subject:
                    self._broken(f"the change {fact.seq} is {subjects[fact.seq]} for one and {subject} for another")

    def _judge_freshness(self):
        """What somebody has seen, whoever asks later sees, too."""
        seen = sorted([(fact.at, fact.seq) for fact in (*self._told, *self._connected)]
                      + [(fact.ended, fact.seq) for fact in self._lists])
        times = [at for at, _ in seen]
        newest, highest = [], 0
        for _, seq in seen:
            highest = max(highest, seq)
            newest.append(highest)
        for fact in self._lists:
            before = bisect_left(times, fact.began)
            if before and fact.seq < newest[before - 1]:
                self._broken(f"a list at {fact.seq} was asked for after {newest[before - 1]} had been seen")

    def _judge_events(self):
        """Each answered event is there once. What got no answer is there once at most."""
        likes, pictures = Counter(), Counter()
        for _, _, _, room, count in self._end.rows:
            if is_of_pictures(room):
                pictures[room] += count
            else:
                likes[room] += 1
        maybe_removed = _rooms(self._asked, "remove")
        answered, maybe = Counter(), Counter()
        for event in self._events:
            self._verdict.counts["notifications"] += 1
            if event.kind == "photo":
                (answered if event.is_answered else maybe)[event.room] += 1
                continue
            found = likes.pop(event.room, 0)
            if found > 1:
                self._broken(f"{event.key} is there {found} times")
            if not found and event.is_answered and event.room not in maybe_removed:
                self._broken(f"{event.key} was answered and is not there")
        for room, number in likes.items():
            self._broken(f"{room} is there {number} times and was never published")
        for room in sorted(answered | maybe | pictures):
            if not answered[room] <= pictures[room] <= answered[room] + maybe[room]:
                self._broken(
                    f"{room} has {pictures[room]} pictures: {answered[room]} were answered, and {maybe[room]} more may be there")

    def _judge_reads(self):
        """What was read or removed stays so, and nothing else is."""
        unread = sum(not row[2] for row in self._end.rows)
        if self._end.unread != unread:
            self._broken(f"unread is {self._end.unread}, and {unread} rows are unread")
        asked = {id for fact in self._asked if fact.what == "read" for id in fact.ids}
        for id, _, is_read, _, _ in self._end.rows:
            if is_read and id not in asked:
                self._broken(f"{id} is read, and nobody has read it")
        self._confirmed: dict[str, float] = {}
        removed: dict[str, float] = {}
        for fact in self._asked:
            if fact.outcome == "done" and fact.what in ("read", "remove"):
                self._verdict.counts[f"confirmed: {fact.what}"] += len(fact.ids)
                for id in fact.ids:
                    self._confirmed[id] = min(self._confirmed.get(id, fact.ended), fact.ended)
                    if fact.what == "remove":
                        removed[id] = min(removed.get(id, fact.ended), fact.ended)
        for fact in self._lists:
            for id, _, is_read, _, _ in fact.rows:
                if self._confirmed.get(id, fact.began) < fact.began and not is_read:
                    self._broken(f"{id} is unread in a list, and was read before")
                if removed.get(id, fact.began) < fact.began:
                    self._broken(f"{id} is in a list, and was removed before")

    def _judge_devices(self):
        """A device in step shows what the inbox holds: all that it was told, one after the other, makes these rows."""
        steps = defaultdict(list)
        for fact in sorted((*self._connected, *self._told), key=lambda fact: fact.at):
            steps[fact.session.rpartition("/")[0]].append(fact)
        held = {row[0]: (row[1], row[2]) for row in self._end.rows}
        for device, facts in steps.items():
            first, *rest = facts
            if not isinstance(first, Connected) or first.seq > 0 or any(isinstance(fact, Told) and fact.type == "gap" for fact in rest):
                self._verdict.counts["devices that were not told everything"] += 1
                continue
            self._verdict.counts["devices that were told everything"] += 1
            shown: dict[str, tuple[int, bool]] = {}
            for fact in rest:
                if isinstance(fact, Told):
                    _show(fact, shown)
            if shown != held:
                different = sorted(id for id in shown.keys() | held.keys() if shown.get(id) != held.get(id))[:3]
                self._broken(f"{device} shows other rows than the inbox holds: {[(id, shown.get(id), held.get(id)) for id in different]}")

    def _judge_pushes(self):
        """A push leaves if nobody acknowledged or read, and none leaves after that."""
        new = {fact.ids[0]: fact.seq for fact in self._told if fact.type == "new"}
        room_of = {row[0]: row[3] for fact in self._lists for row in fact.rows}
        pushed = Counter(fact.notification for fact in self._pushes)
        for id, number in pushed.items():
            if number > 1 and not is_of_pictures(room_of.get(id, "photos")):
                self._verdict.counts["pushed once more"] += number - 1
                if number > 1 + len(self._faults):
                    self._broken(f"{id} was pushed {number} times, and only {len(self._faults)} things went wrong")
        acks = sorted((fact.ended, fact.seq) for fact in self._asked
                      if fact.what == "ack" and fact.is_active and fact.outcome == "done")
        times, highest = [at for at, _ in acks], []
        for _, seq in acks:
            highest.append(max(seq, highest[-1] if highest else 0))
        for push in self._pushes:
            moment = self._handed_out(push.at)
            if self._confirmed.get(push.notification, moment) < moment:
                self._broken(f"a push of {push.notification}, which was read or removed before")
            before = bisect_left(times, moment)
            # Pictures make their notification new again: an older acknowledgement says nothing about them.
            if before and not is_of_pictures(room_of.get(push.notification, "photos")) and (
                    new.get(push.notification, highest[before - 1] + 1) <= highest[before - 1]):
                self._broken(f"a push of {push.notification}, which was acknowledged before")
        said = max((fact.seq for fact in self._asked if fact.what == "ack" and fact.is_active), default=0)
        maybe_read = {id for fact in self._asked if fact.what in ("read", "remove") for id in fact.ids}
        for id, _, _, room, _ in self._end.rows:
            if pushed[id]:
                self._verdict.counts["pushes that were needed"] += 1
            elif id in maybe_read or new.get(id, said + 1) <= said:
                self._verdict.counts["pushes that were not needed"] += 1
            else:
                self._broken(f"no push of {id} ({room}) has left, though nobody acknowledged or read it")

    def _handed_out(self, at: float) -> float:
        """The latest moment at which a push that arrived at `at` may have been handed out: not while all stood still."""
        moment = at - UNDER_WAY
        for fault in reversed(self._faults):
            if fault.kind.startswith("pause") and fault.began - UNDER_WAY < at < fault.ended + UNDER_WAY:
                moment = min(moment, fault.began - UNDER_WAY)
        return moment


def _show(fact: Told, shown: dict[str, tuple[int, bool]]):
    """What a client does with a frame: by id, the newest rev and whether it is read."""
    for id in fact.ids:
        if fact.type in ("new", "update"):
            if fact.rev >= shown.get(id, (0, False))[0]:
                shown[id] = (fact.rev, fact.is_read)
        elif fact.type == "read" and id in shown:
            shown[id] = (shown[id][0], True)
        elif fact.type == "removed":
            shown.pop(id, None)


def is_of_pictures(room: str) -> bool:
    return room.startswith("photos")
