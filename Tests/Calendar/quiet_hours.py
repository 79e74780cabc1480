#!/usr/bin/env python3
"""Writes quiet_hours.tsv: when quiet hours end, in every time zone and where its clocks are changed, by Python's zoneinfo.

Each line is one window and the moments that were asked about it:

    zone  days (Monday is 1, Sunday 64, summed)  from  to (minutes since midnight)  moment=wait …

A moment is in milliseconds since 1970. The wait is how many milliseconds later the quiet time ends, or "-" outside of it.

    Tests/Calendar/quiet_hours.py           writes the file anew
    Tests/Calendar/quiet_hours.py --check   tells whether zoneinfo still says what the file says
"""

import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

#: Of each zone, with five moments each.
WINDOWS = 4
FILE = Path(__file__).with_name("quiet_hours.tsv")
EPOCH = datetime(1970, 1, 1)
DAY = 86_400

#: Changes are looked for in these years. From 1970 on ICU and the files that Python reads (2025b) say the same of every
#: zone; before that the files have one zone's past in the place of several others', and ICU has each zone's own.
YEARS = range(1970, 2061)

#: Names that stand for no place's clocks.
NO_ZONES = {"Factory", "localtime", "posixrules"}


class Zone:
    """A zone's clocks, in seconds of UTC and seconds of their own."""

    def __init__(self, name: str):
        self.name, self.info = name, ZoneInfo(name)

    def offset(self, moment: int) -> int:
        aware = (EPOCH + timedelta(seconds=moment)).replace(tzinfo=timezone.utc)
        return round(aware.astimezone(self.info).utcoffset().total_seconds())

    def moment(self, reading: int, fold: int) -> int:
        local = (EPOCH + timedelta(seconds=reading)).replace(tzinfo=self.info, fold=fold)
        return round((local.astimezone(timezone.utc).replace(tzinfo=None) - EPOCH).total_seconds())

    def comes_to(self, reading: int, last: bool) -> int:
        """When clocks come to a reading, the first or the last time; if they skip it, when they do."""
        moment = self.moment(reading, int(last))
        if moment + self.offset(moment) == reading:
            return moment
        return self.change(reading - 16 * 3_600, reading + 16 * 3_600)

    def change(self, low: int, high: int) -> int:
        before = self.offset(low)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.offset(middle) == before else (low, middle)
        return high

    def changes(self, start: int, end: int) -> list[int]:
        """The moments at which its clocks are changed; no two are closer together than two days."""
        steps = range(start, end, 2 * DAY)
        offsets = [self.offset(step) for step in steps]
        return [self.change(low, low + 2 * DAY)
                for low, one, next_one in zip(steps, offsets, offsets[1:]) if one != next_one]


def quiet_end(zone: Zone, days: int, start: int, end: int, milliseconds: int) -> int | None:
    """When the quiet ends that holds at a moment, in milliseconds; None outside of it."""
    today = (milliseconds // 1_000 + zone.offset(milliseconds // 1_000)) // DAY
    spans = []
    for day in range(today - 3, today + 12):
        if days >> (day + 3) % 7 & 1:  # 1970-01-01 was a Thursday
            first = zone.comes_to(day * DAY + start * 60, last=False)
            until = zone.comes_to(day * DAY + end * 60 + (DAY if end <= start else 0), last=True)
            spans.append((first * 1_000, until * 1_000))
    spans.sort()
    reached = None
    for first, until in spans:
        if first <= milliseconds < until or (reached is not None and first <= reached):
            reached = max(reached or until, until)
    return reached


def windows(zone: Zone, change: int, chance: random.Random):
    """Windows that begin or end where clocks are changed, or right beside: days, from, to."""
    shown = sorted({(change + zone.offset(change - 1)) % DAY, (change + zone.offset(change)) % DAY})
    edges = [minute for at in shown for minute in (at // 60 - 1, at // 60, at // 60 + 1)]
    edges.append(chance.randrange(shown[0] // 60, shown[-1] // 60 + 1))
    edge = chance.choice(edges) % 1_440
    other = chance.choice([22 * 60, 7 * 60, 0, chance.randrange(1_440)])
    days = chance.choice([127, 127, chance.randrange(1, 127)])
    if chance.random() < 0.7:
        return days, other, edge
    return days, edge, other


def moments(zone: Zone, change: int, start: int, end: int, chance: random.Random) -> list[int]:
    """The ends of a window near a change, the change itself, a millisecond to either side, and some moment of that day."""
    day = (change + zone.offset(change)) // DAY
    marks = [change] + [
        zone.comes_to((day + step) * DAY + minute * 60, last) for step in (-1, 0, 1) for minute in (start, end)
        for last in (False, True)]
    marks = sorted(set(marks))
    exact = [mark * 1_000 + step for mark in marks for step in (-1, 0)]
    return sorted(chance.sample(exact, min(4, len(exact)))) + [(change + chance.randrange(-DAY, DAY)) * 1_000]


def seconds(year: int) -> int:
    return round((datetime(year, 1, 1) - EPOCH).total_seconds())


def chosen(zone: Zone, chance: random.Random) -> list[int]:
    """Changes of a zone's clocks: half of them in years to come, where there are such; any moments in a zone without any."""
    changes = zone.changes(seconds(YEARS[0]), seconds(YEARS[-1] + 1))
    changes = changes or [chance.randrange(seconds(1970), seconds(2038)) for _ in range(4)]
    coming = [one for one in changes if one >= seconds(2026)] or changes
    return chance.choices(coming, k=WINDOWS // 2) + chance.choices(changes, k=WINDOWS - WINDOWS // 2)


def lines() -> list[str]:
    found = []
    for name in sorted(available_timezones() - NO_ZONES):
        chance, zone = random.Random(name), Zone(name)
        for change in chosen(zone, chance):
            days, start, end = windows(zone, change, chance)
            cases = []
            for moment in moments(zone, change, start, end, chance):
                quiet = quiet_end(zone, days, start, end, moment)
                # Where windows leave no gap, there is no end to compare.
                if quiet is None or quiet - moment <= 7 * DAY * 1_000:
                    cases.append(f"{moment}={'-' if quiet is None else quiet - moment}")
            if cases:
                found.append("\t".join([name, str(days), str(start), str(end), *cases]))
    return found


def main() -> int:
    text = "".join(line + "\n" for line in lines())
    if "--check" in sys.argv[1:]:
        return int(text != FILE.read_text())
    FILE.write_text(text)
    print(sum(line.count("=") for line in text.splitlines()), "cases in", text.count("\n"), "windows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
