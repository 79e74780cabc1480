"""What rows Belfry writes for an event, found by looking into a store before and after it: so the floor writes the
same, whatever the store's schema is.

A value that is the event's, the recipient's or the time becomes a parameter of floor/rows.c; any other is written as it
was.
"""

import json
import math
import sqlite3
import subprocess
import time
from pathlib import Path

from .. import Failed
from .programs import Publisher

SAMPLE_USER = 17
# Make the sample's number of notifications, and the event's, differ from each other and from every other in the rows.
SAMPLE_EVENTS = 7
OTHER_EVENTS = 30
# Above any count or id of a sample, below any time.
LARGEST_NUMBER = 1 << 40
AN_HOUR = 3_600_000
LONGEST_LIFETIME = 400 * 24 * AN_HOUR

COUNTS = "SELECT id, total FROM inbox_state ORDER BY id"
CONTENT = "SELECT coalesce(max(id), 0) FROM content"


class Shape:
    """The statements for one kind of event, as floor/rows.c reads them."""

    def __init__(self, event: list[str], page: list[str], page_size: int, recipient: list[str]):
        self.event, self.page, self.page_size, self.recipient = event, page, page_size, recipient

    def write(self, file: Path) -> None:
        file.write_text("\n".join([
            "-- counts", COUNTS, "-- content", CONTENT, "-- event", *self.event, f"-- page {self.page_size}",
            *self.page, "-- recipient", *self.recipient]) + "\n")

    @property
    def described(self) -> dict:
        """Which tables get how many rows."""
        def names(statements: list[str]) -> list[str]:
            words = [statement.split() for statement in statements]
            return [" ".join(each[:3 if each[0] == "INSERT" else 2]) for each in words]

        return {"event": names(self.event), "page": names(self.page), "pageSize": self.page_size,
                "recipient": names(self.recipient)}


class Sample:
    """Publishes to a store that nobody else uses, `users` people, and tells what it became."""

    def __init__(self, data: Path, users: int):
        self._data = data
        self._users = [f"user-{number}" for number in range(users)]
        self._number = 0

    def shapes(self) -> tuple[Shape, Shape]:
        """Of an event for one person, and of one for all of them; the first event makes the inboxes."""
        self._publish(self._users)
        sample = self._users[SAMPLE_USER]
        for user, events in ((self._users[0], OTHER_EVENTS), (sample, SAMPLE_EVENTS)):
            for _ in range(events):
                self._publish([user])
        return self._shape([sample], SAMPLE_EVENTS + 2), self._shape(self._users, SAMPLE_EVENTS + 3)

    def _shape(self, recipients: list[str], count: int) -> Shape:
        before = self._snapshot()
        key, event = self._publish(recipients)
        changes = differences(before, self._snapshot())
        with self._database() as database:
            inbox = database.execute("SELECT id FROM inbox WHERE user = ?", (self._users[SAMPLE_USER],)).fetchone()[0]
            # An event for many may have a content for each page.
            contents = database.execute("SELECT id FROM content WHERE event = ?", (event,)).fetchall()
        numbers = [inbox, count, *(content for content, in contents)]
        if not contents or len({*numbers, 0, 1, 2}) < len(numbers) + 3:
            raise Failed("the sample's numbers cannot be told apart")
        known = {event: ":event", key: ":key", inbox: ":inbox", count: ":count"}
        known |= {content: ":content" for content, in contents}
        if len(recipients) == 1:
            return Shape([], [], 1, [change.statement(known) for change in changes])
        return divided(changes, known, inbox, len(recipients))

    def _publish(self, recipients: list[str]) -> tuple[str, str]:
        """The event's key and id."""
        self._number += 1
        key = f"sample-{time.monotonic_ns()}"
        body = json.dumps({
            "type": "added_to_room", "key": key,
            "actor": {"id": "maker", "username": "maker", "firstName": "Maker", "avatarUrl": None},
            "to": {"added": recipients},
            "data": {"room": {"id": f"room-{self._number:09}", "name": f"Room {self._number:09}"}}}).encode()
        publisher = Publisher(self._data)
        try:
            status, answer = publisher.post("/v1/events", body)
        finally:
            publisher.close()
        if status != 202 or json.loads(answer).get("created") != len(recipients):
            raise Failed(f"a sample was answered with {status}: {answer[:200]!r}")
        return key, json.loads(answer)["event"]

    def _database(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._data / 'belfry.sqlite'}?mode=ro", uri=True)

    def _snapshot(self) -> dict[str, "Table"]:
        with self._database() as database:
            names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            return {name: Table(database, name) for name, in names.fetchall()}


def copy(data: Path, file: Path) -> None:
    """A store whose server has stopped, with what is still in its log."""
    source, target = sqlite3.connect(data / "belfry.sqlite"), sqlite3.connect(file)
    source.backup(target)
    source.close()
    target.close()


def seal(program: Path, data: Path) -> None:
    """Has a server take rows of another program as its own: it keeps a checksum with each page."""
    database = sqlite3.connect(data / "belfry.sqlite")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    told = subprocess.run([program, "verify", "--data", data, "--rewrite-checksums"], capture_output=True, text=True)
    # 1: the rows of a measurement need not be those of a whole store.
    if told.returncode not in (0, 1):
        raise Failed(f"belfry verify: {told.stderr}")


def count(file: Path) -> int:
    """How many notifications a store has."""
    with sqlite3.connect(file) as database:
        return database.execute("SELECT coalesce(sum(total), 0) FROM inbox_state").fetchone()[0]


class Table:
    def __init__(self, database: sqlite3.Connection, name: str):
        info = database.execute(f"PRAGMA table_info({name})").fetchall()
        self.name = name
        self.columns = [row[1] for row in info]
        self.key = [place for place, row in enumerate(info) if row[5]] or list(range(len(info)))
        # SQLite draws the number itself if it is left out.
        self.draws_key = len(self.key) == 1 and info[self.key[0]][2] == "INTEGER"
        self.rows = {
            tuple(row[place] for place in self.key): row for row in database.execute(f"SELECT * FROM {name}")}


class Change:
    """One row that is new, or another than before."""

    def __init__(self, table: Table, before: tuple | None, after: tuple):
        self.table, self._before, self.after = table, before, after

    def statement(self, known: dict) -> str:
        table = self.table
        values = [literal(value, known) for value in self.after]
        if self._before is None:
            if table.draws_key and self.after[table.key[0]] not in known:
                values[table.key[0]] = "NULL"
            return f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({', '.join(values)})"
        pairs = [f"{column} = {value}" for column, value in zip(table.columns, values)]
        changed = [pairs[place] for place in range(len(pairs)) if self.after[place] != self._before[place]]
        return f"UPDATE {table.name} SET {', '.join(changed)} WHERE {' AND '.join(pairs[place] for place in table.key)}"


def differences(before: dict[str, Table], after: dict[str, Table]) -> list[Change]:
    return [
        Change(table, before[name].rows.get(key), row) for name, table in after.items()
        for key, row in table.rows.items() if before[name].rows.get(key) != row]


def divided(changes: list[Change], known: dict, inbox: int, recipients: int) -> Shape:
    """What an event for many writes once, for each page of them, and for each."""
    event, page, recipient, sizes = [], [], [], []
    for name in dict.fromkeys(change.table.name for change in changes):
        rows = [change for change in changes if change.table.name == name]
        if len(rows) >= recipients:
            recipient += [change.statement(known) for change in rows if inbox in change.after[:1]]
        elif len(rows) > 1:
            last = max(rows, key=lambda change: [str(value).zfill(20) for value in change.after[:3]])
            numbered = {len(rows) - 1: ":page"} if "page" in last.table.columns else {}
            page.append(last.statement({**known, **numbered}))
            # The trail has one more than there are pages: for the event itself.
            sizes.append(math.ceil(recipients / len(rows)))
        else:
            event += [change.statement(known) for change in rows]
    return Shape(event, page, max(sizes, default=recipients), recipient)


def literal(value, known: dict) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if value in known and not isinstance(value, float):
        return known[value]
    if isinstance(value, str):
        quoted = value.replace("'", "''")
        return f"CAST(X'{value.encode().hex()}' AS TEXT)" if "\n" in value else f"'{quoted}'"
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        ahead = value - round(time.time() * 1000)
        if abs(ahead) < LONGEST_LIFETIME:
            return ":now" if abs(ahead) < AN_HOUR else f":now + {round(ahead / AN_HOUR) * AN_HOUR}"
        return ":random"
    return str(value)
