"""How many bytes of the database's file an event for one person takes, by table."""

import json
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from .. import Failed
from ..shared.options import positive
from ..shared.phones import Phones, apns_settings
from ..shared.programs import Belfry, Publisher, certificate
from ..shared.report import table

HELP = "bytes of the database's file for each event, by table"
IN_A_REQUEST = 200
# What is there only as long as a push waits.
QUEUE = "push_"


def arguments(parser) -> None:
    parser.add_argument("--events", type=positive, default=20_000)
    parser.add_argument("--users", type=positive, default=1_000, help="who get them in turn (default: 1,000)")


def measure(options, folder: Path, say) -> dict:
    shapes = {
        "phones, keys": dict(has_phones=True, has_keys=True),
        "phones": dict(has_phones=True, has_keys=False),
        "keys": dict(has_phones=False, has_keys=True),
        "neither": dict(has_phones=False, has_keys=False),
    }
    seen = {}
    for name, shape in shapes.items():
        own = folder / name.replace(", ", "-")
        own.mkdir()
        seen[name] = bytes_each(options, own, say, **shape)
        say(f"{name}: {sum(seen[name].values()):,.0f} bytes an event")
    return {"events": options.events, "users": options.users, "bytesEach": seen}


def bytes_each(options, folder: Path, say, has_phones: bool, has_keys: bool) -> dict[str, float]:
    """By table with its indexes; nothing of what each person's first event takes once."""
    phones = Phones(options.users)
    with ExitStack() as stack:
        # Nobody listens at that port: pushes wait.
        settings = apns_settings(folder, "https://localhost:9", certificate(folder)[0]) if has_phones else {}
        belfry = Belfry(options.belfry, folder, settings, None)
        stack.callback(belfry.stop)
        if has_phones:
            phones.register(belfry, say)
        publish(belfry.data, phones.users, "first", has_keys)
        before = sizes(belfry.data)
        recipients = [phones.users[number % options.users] for number in range(options.events)]
        publish(belfry.data, recipients, "other", has_keys)
        after = sizes(belfry.data)
    return {
        name: round((size - before.get(name, 0)) / options.events, 1)
        for name, size in sorted(after.items(), key=lambda each: -each[1]) if size > before.get(name, 0)}


def publish(data: Path, recipients: list[str], run: str, has_keys: bool) -> None:
    publisher = Publisher(data)
    try:
        for start in range(0, len(recipients), IN_A_REQUEST):
            part = recipients[start:start + IN_A_REQUEST]
            body = json.dumps([event(run, start + place, user, has_keys) for place, user in enumerate(part)]).encode()
            status, answer = publisher.post("/v1/events", body)
            if status != 202:
                raise Failed(f"publishing was answered with {status}: {answer[:200].decode(errors='replace')}")
    finally:
        publisher.close()


def event(run: str, number: int, user: str, has_key: bool) -> dict:
    # As long as the keys of many publishers: a kind and two numbers.
    key = {"key": f"order-{run}-{number:015}"} if has_key else {}
    return key | {
        "type": "added_to_room",
        "actor": {"id": "maker", "username": "maker", "firstName": "Maker", "avatarUrl": None},
        "to": {"added": [user]},
        "data": {"room": {"id": f"room-{number:09}", "name": f"Room {number:09}"}}}


def sizes(data: Path) -> dict[str, int]:
    """Bytes of each table's pages, with those of its indexes, also of what is still in the log."""
    with closing(sqlite3.connect(f"file:{data / 'belfry.sqlite'}?mode=ro", uri=True)) as database:
        rows = database.execute(
            "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name")
        return dict(rows.fetchall())


def describe(result: dict) -> str:
    seen = result["bytesEach"]
    names = sorted({name for each in seen.values() for name in each}, key=lambda name: -max(
        each.get(name, 0) for each in seen.values()))
    rows = [("bytes an event", *seen)]
    rows += [(name, *(f"{each.get(name, 0):,.0f}" for each in seen.values())) for name in names]
    rows.append(("**all but the queue**", *(
        f"{sum(size for name, size in each.items() if not name.startswith(QUEUE)):,.0f}" for each in seen.values())))
    return (
        f"{table(rows)}\n\n{result['events']:,} events `added_to_room` of `rooms.yaml` for one of {result['users']:,} people "
        "each. `push_…` is there as long as a push waits.")
