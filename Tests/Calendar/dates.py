#!/usr/bin/env python3
"""Writes dates.tsv: moments of the years 1 to 9999 and how RFC 3339 writes them, by Python's datetime.

Python counts all years by the Gregorian calendar, as RFC 3339 does. Each line is one moment:

    milliseconds since 1970  time in UTC

    Tests/Calendar/dates.py           writes the file anew
    Tests/Calendar/dates.py --check   tells whether datetime still says what the file says
"""

import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

FILE = Path(__file__).with_name("dates.tsv")
EPOCH = datetime(1970, 1, 1)

#: Around these days calendars and their programs differ: the first year, leap days of whole centuries, and the days that
#: the Julian calendar lost in October 1582.
CORNERS = [datetime(1, 1, 1), datetime(4, 2, 29), datetime(100, 2, 28), datetime(300, 2, 28), datetime(1000, 2, 28),
           datetime(1500, 2, 28), datetime(1582, 10, 4), datetime(1582, 10, 5), datetime(1582, 10, 14),
           datetime(1582, 10, 15), datetime(1600, 2, 29), datetime(1900, 2, 28), datetime(1970, 1, 1),
           datetime(2000, 2, 29), datetime(9999, 12, 31)]


def moments() -> list[datetime]:
    chance = random.Random(1582)
    found = set(CORNERS)
    found |= {corner.replace(hour=23, minute=59, second=59, microsecond=999_000) for corner in CORNERS}
    for year in [*range(1, 10_000, 11), *range(1570, 1595)]:
        day = datetime(year, 1, 1) + timedelta(days=chance.randrange(365))
        found.add(day + timedelta(milliseconds=chance.randrange(86_400_000)))
    return sorted(found)


def text() -> str:
    lines = []
    for moment in moments():
        milliseconds = (moment - EPOCH) // timedelta(milliseconds=1)
        lines.append(f"{milliseconds}\t{moment.isoformat(timespec='milliseconds')}Z\n")
    return "".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != text():
            sys.exit(f"{FILE} is not what datetime says")
    elif not sys.argv[1:]:
        FILE.write_text(text())
    else:
        sys.exit(__doc__)
