#!/usr/bin/env python3
"""A judge that finds nothing shows nothing: each promise, broken on purpose in a small history, has to be found."""

import sys
import unittest
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from history import Asked, Connected, Fault, HasPhone, History, Listed, Published, Pushed, Told, read  # noqa: E402
from judge import judge  # noqa: E402


def like(key: str, began: float, *, is_answered: bool = True, people=("ann",)) -> Published:
    return Published(key, "like", list(people), key, began, began + 1, is_answered)


def told(seq: int, at: float, type: str, id: str, unread: int, *, rev: int = 1, is_read: bool = False, session: str = "ann/1",
         is_replay: bool = False) -> Told:
    return Told(session, "ann", at, type, seq, unread, is_replay, 0, [id], rev, is_read)


def row(id: str, room: str, *, rev: int = 1, is_read: bool = False, count: int = 1) -> list:
    return [id, rev, is_read, room, count]


#: Ann's phone shows the first like, she reads it on her tablet; the tablet acknowledges the second one.
READY = Connected("ann/1", "ann", 1, "WebSocket", "e", 0, 0)
FIRST, SECOND = like("one", 2), like("two", 10)
NEW_FIRST, NEW_SECOND = told(1, 3, "new", "n1", 1), told(3, 11, "new", "n2", 1)
PUSH = Pushed("ann", "n1", 4)
READ = Asked("ann", "read", 5, 6, "done", ids=["n1"], rooms=["one"])
IS_READ = told(2, 6, "read", "n1", 0)
ACK = Asked("ann", "ack", 12, 13, "done", seq=3, is_active=True)
END = Listed("ann", 90, 91, "e", 3, 1, [row("n2", "two"), row("n1", "one", is_read=True)], is_whole=True)
GOOD = [HasPhone("ann"), READY, FIRST, NEW_FIRST, PUSH, READ, IS_READ, SECOND, NEW_SECOND, ACK, END]


class JudgeTests(unittest.TestCase):
    def assert_broken(self, words: str, *without, add=(), facts=None):
        """`without`: facts that are left out."""
        history = [fact for fact in facts or GOOD if all(fact is not one for one in without)] + list(add)
        broken = judge(history).broken
        self.assertTrue(any(words in text for text in broken), f"expected {words!r} in {broken}")

    def test_a_history_as_promised_breaks_nothing(self):
        verdict = judge(GOOD)
        self.assertEqual(verdict.broken, [])
        self.assertEqual(verdict.counts["devices that were told everything"], 1)
        self.assertEqual(verdict.counts["pushes that were needed"], 1)
        self.assertEqual(verdict.counts["pushes that were not needed"], 1)

    def test_an_answered_event_is_lost(self):
        self.assert_broken("was answered and is not there", add=[like("three", 20)])

    def test_an_event_without_an_answer_may_be_lost(self):
        self.assertEqual(judge([*GOOD, like("three", 20, is_answered=False)]).broken, [])

    def test_an_event_is_there_twice(self):
        twice = replace(END, unread=2, rows=[*END.rows, row("n3", "two")])
        self.assert_broken("is there 2 times", END, add=[twice])

    def test_an_event_without_an_answer_is_there_for_half_of_its_people(self):
        half = like("half", 20, is_answered=False, people=("ann", "bob"))
        bob = Listed("bob", 90, 91, "f", 1, 1, [row("n9", "half")], is_whole=True)
        self.assert_broken("and not for all of", add=[half, bob])

    def test_something_is_there_that_nobody_published(self):
        self.assert_broken("was never published", SECOND)

    def test_a_picture_is_counted_twice(self):
        picture = Published("p", "photo", ["ann"], "photos of b", 20, 21, True)
        end = replace(END, unread=2, rows=[*END.rows, row("n3", "photos of b", count=2)])
        self.assert_broken("has 2 pictures: 1 were answered", END, add=[picture, end])

    def test_unread_is_not_the_number_of_unread_rows(self):
        self.assert_broken("unread is 2, and 1 rows are unread", END, add=[replace(END, unread=2)])

    def test_a_confirmed_read_is_undone(self):
        end = replace(END, unread=2, rows=[row("n2", "two"), row("n1", "one")])
        self.assert_broken("was read before", END, add=[end])

    def test_a_removed_row_comes_back(self):
        self.assert_broken("was removed before", add=[Asked("ann", "remove", 20, 21, "done", ids=["n2"], rooms=["two"])])

    def test_something_is_read_by_itself(self):
        end = replace(END, unread=0, rows=[row("n2", "two", is_read=True), row("n1", "one", is_read=True)])
        self.assert_broken("nobody has read it", END, add=[end])

    def test_a_session_misses_a_change(self):
        self.assert_broken("the change 3 came behind 1", IS_READ)

    def test_a_session_hears_of_a_change_twice(self):
        self.assert_broken("the change 3 came behind 3", add=[replace(NEW_SECOND, at=11.5)])

    def test_a_gap_that_says_so_is_no_miss(self):
        gap = Told("ann/1", "ann", 6, "gap", 2, 0, first=2)
        facts = [gap if fact is IS_READ else fact for fact in GOOD]
        self.assertEqual(judge(facts).broken, [])

    def test_a_change_is_repeated_that_the_session_had(self):
        again = Connected("ann/2", "ann", 14, "WebSocket", "e", 3, 1, resumed_from=1, recovered=True)
        self.assert_broken("is repeated behind", add=[again, told(1, 15, "new", "n1", 1, session="ann/2", is_replay=True)])

    def test_two_sessions_hear_different_counts(self):
        self.assert_broken("for one and", add=[
            Connected("ann/2", "ann", 1, "WebSocket", "e", 0, 0), told(1, 3, "new", "n1", 2, session="ann/2")])

    def test_two_sessions_hear_different_changes(self):
        self.assert_broken("for one and", add=[
            Connected("ann/2", "ann", 1, "WebSocket", "e", 0, 0), told(1, 3, "new", "n7", 1, session="ann/2")])

    def test_a_list_is_older_than_what_was_seen(self):
        self.assert_broken("had been seen", add=[Listed("ann", 14, 15, "e", 1, 1, [row("n1", "one", is_read=True)])])

    def test_the_inbox_begins_anew(self):
        self.assert_broken("2 epochs", add=[Connected("ann/2", "ann", 30, "WebSocket", "g", 3, 1)])

    def test_a_device_shows_other_rows(self):
        end = replace(END, rows=[row("n8", "two"), row("n1", "one", is_read=True)])
        self.assert_broken("shows other rows", END, add=[end])

    def test_a_device_shows_an_older_version(self):
        end = replace(END, rows=[row("n2", "two", rev=2), row("n1", "one", is_read=True)])
        self.assert_broken("shows other rows", END, add=[end])

    def test_a_push_leaves_again_and_again(self):
        self.assert_broken("was pushed 3 times", add=[
            Fault("kill", 4, 5), Pushed("ann", "n1", 4.1), Pushed("ann", "n1", 4.2)])

    def test_a_push_leaves_after_an_acknowledgement(self):
        self.assert_broken("which was acknowledged before", add=[Pushed("ann", "n2", 20)])

    def test_a_push_leaves_after_a_read(self):
        self.assert_broken("which was read or removed before", add=[Pushed("ann", "n1", 20)])

    def test_a_push_that_was_under_way_while_all_stood_still_breaks_nothing(self):
        self.assertEqual(judge([*GOOD, Fault("pause", 12.5, 20), Pushed("ann", "n2", 20.5)]).broken, [])

    def test_a_push_is_missing(self):
        self.assert_broken("nobody acknowledged or read it", ACK)

    def test_an_acknowledgement_in_the_background_makes_no_push_needless(self):
        self.assert_broken("nobody acknowledged or read it", ACK, add=[replace(ACK, is_active=False)])

    def test_a_history_can_be_kept_and_judged_again(self):
        import tempfile
        history = History()
        for fact in GOOD:
            history.note(fact)
        with tempfile.TemporaryDirectory() as folder:
            history.write(Path(folder) / "history")
            self.assertEqual(read(Path(folder) / "history"), GOOD)


if __name__ == "__main__":
    unittest.main()
