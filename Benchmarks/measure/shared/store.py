"""A store with everybody's inbox in it, for Belfry and for a bare SQLite program that writes the same rows."""

from pathlib import Path

from . import rows
from .build import BUILT
from .process import Child
from .programs import Belfry


class BareRows(Child):
    """`floor/rows.c` on a copy of the store."""

    def __init__(self, database: Path, shape: rows.Shape, folder: Path, cores: set[int] | None):
        statements = folder / f"{database.stem}.statements"
        shape.write(statements)
        super().__init__("rows floor", [str(BUILT / "rows-floor"), str(database), str(statements)], cores)
        self._wrote = 0
        self.inboxes = self.expect("inboxes", 1, within=60)["inboxes"]

    def run(self, events: int, recipients: int, per_commit: int) -> dict:
        """Events of so many recipients, a commit whenever there are `per_commit` of them."""
        return self._written(f"write {events} {recipients} {per_commit}", events)

    def fill(self, events: int, recipients: int) -> dict:
        """As fast as it can, not durable."""
        return self._written(f"fill {events} {recipients}", events)

    def _written(self, command: str, events: int) -> dict:
        self.write(command)
        self._wrote += events
        return self.expect("wrote", self._wrote, within=900)


def prepared(options, folder: Path, users: int) -> tuple[Path, rows.Shape, rows.Shape]:
    """Makes `users` inboxes in `folder`/data; a copy of that store; the rows of an event for one, and for all."""
    belfry = Belfry(options.belfry, folder, {"BELFRY_POLLER": options.poller}, None)
    try:
        one, many = rows.Sample(belfry.data, users).shapes()
    finally:
        belfry.stop()
    copy = folder / "floor.sqlite"
    rows.copy(belfry.data, copy)
    return copy, one, many
