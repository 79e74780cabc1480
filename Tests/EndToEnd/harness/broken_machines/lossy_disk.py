"""A disk that loses what was not synced, as disks do when the power fails."""

import os
import random
import struct
from dataclasses import dataclass
from pathlib import Path

from .preloaded import compiled

FILES = ("belfry.sqlite", "belfry.sqlite-wal")
#: What a disk writes as a whole.
SECTOR = 512
HEAD = struct.Struct("<cBQQQ")


@dataclass
class Change:
    """A write, or another size, that was not synced when the power failed."""
    kind: bytes
    #: Where it changes the file.
    place: int
    #: What was there.
    before: bytes
    #: The file's size before and after it.
    sizes: tuple[int, int]


class LossyDisk:
    """For a server's `launcher`. `cut` changes the files of a killed server to what a disk may have of them."""

    def __init__(self, folder: Path):
        self._notes = folder / "lossy-disk"
        library = compiled("lossy_disk.c", folder)
        self.is_possible = library is not None
        self.launcher = ["env", f"LD_PRELOAD={library}", f"LOSSY_DISK={self._notes}"]
        #: How many sectors were lost in all.
        self.lost = 0

    def cut(self, data: str, chance: random.Random, *, is_lying=False):
        """Of each sector, some version since its last sync stays.

        `is_lying`: the disk has taken nothing since the server's start, whatever it said of syncs.
        """
        for file, name in enumerate(FILES):
            path = Path(data, name)
            changes = self._unsynced(file, is_lying)
            if path.exists() and changes:
                with path.open("r+b") as content:
                    self._lose(content, changes, chance)
        # It would be made anew.
        Path(data, "belfry.sqlite-shm").unlink(missing_ok=True)
        self._notes.unlink(missing_ok=True)

    def _unsynced(self, file: int, is_lying: bool) -> list[Change]:
        # A process that was killed at once has changed nothing.
        notes = self._notes.read_bytes() if self._notes.exists() else b""
        place, changes = 0, []
        #: How many changes there were when a sync began, by its number.
        begun: dict[int, int] = {}
        synced = 0
        while place + HEAD.size <= len(notes):
            kind, of, one, count, three = HEAD.unpack_from(notes, place)
            place += HEAD.size
            if kind == b"B":
                begun[one] = len(changes)
            elif kind == b"S":
                synced = max(synced, begun[one] if of == file else 0)
            else:
                before = notes[place:place + count]
                place += count
                if len(before) < count:
                    break
                if of == file:
                    after = one if kind == b"T" else max(three, one + count)
                    changes.append(Change(kind, one, before, (three, after)))
        return changes if is_lying else changes[synced:]

    def _lose(self, content, changes: list[Change], chance: random.Random):
        touched: dict[int, list[int]] = {}
        for number, change in enumerate(changes):
            for sector in range(change.place // SECTOR, -(-(change.place + len(change.before)) // SECTOR)):
                touched.setdefault(sector, []).append(number)
        # A file system takes a new size as a whole, and before what is written behind it: that goes to other places of the
        # disk. With a size that is lost, all that was cut off is there again, and nothing that was written since.
        sizes = [number for number, change in enumerate(changes) if change.kind == b"T"]
        end = chance.choice([*sizes, len(changes)])
        #: From which change on each sector has lost all.
        kept = {}
        for sector, numbers in touched.items():
            last_size = max((number for number in numbers if number in sizes and number < end), default=-1)
            kept[sector] = chance.choice([*(number for number in numbers if last_size < number < end), end])
        self.lost += sum(number < len(changes) for number in kept.values())
        for number in range(len(changes) - 1, -1, -1):
            change = changes[number]
            for sector in range(change.place // SECTOR, -(-(change.place + len(change.before)) // SECTOR)):
                if kept[sector] <= number:
                    start = max(change.place, sector * SECTOR)
                    end = min(change.place + len(change.before), (sector + 1) * SECTOR)
                    content.seek(start)
                    content.write(change.before[start - change.place:end - change.place])
        # A file may not have become longer yet. It never has bytes that were cut off and are lost.
        size = chance.choice([changes[0].sizes[0], *(change.sizes[1] for change in changes)])
        if size < os.fstat(content.fileno()).st_size and all(change.kind == b"W" for change in changes):
            content.truncate(size)
