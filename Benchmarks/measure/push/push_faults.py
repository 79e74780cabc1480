"""A hundred thousand pushes through a service that errs and a server that is killed: each shown once, none lost."""

import http.client
import json
import random
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import tokens
from ..shared.options import positive
from ..shared.phones import Backend, Phones
from ..shared.programs import Belfry
from ..shared.report import mismatches, table
from .push_sink import PushSink

HELP = "a service that errs and a server that is killed"
# Every kind that the sink knows, about 5 % of the requests together. The 410 is of a time before the devices were
# registered here: a device that came back.
FAULT_PERCENT = 5.0
FAULTS = [
    {"fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 1_500_000_000_000},
    {"fault": "answer", "status": 429, "reason": "TooManyRequests", "retryAfter": 2},
    {"fault": "answer", "status": 500, "reason": "InternalServerError"},
    {"fault": "answer", "status": 503, "reason": "ServiceUnavailable"},
    {"fault": "answer", "status": 403, "reason": "ExpiredProviderToken"},
    {"fault": "noAnswer"},
    {"fault": "goAway"},
    {"fault": "reset"},
    {"fault": "refuseStream"},
    {"fault": "drop"},
    {"fault": "delay", "milliseconds": 3_000},
]
# What ends a whole connection hits hundreds of other requests as well: so it has to be rare.
RARE = {"goAway": 0.05, "drop": 0.05}
# One person in so many reads everything before it is due.
READERS_AMONG = 20


def arguments(parser) -> None:
    parser.add_argument("--jobs", type=positive, default=100_000)
    parser.add_argument("--devices", type=positive, default=10_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--without", nargs="*", default=[], metavar="FAULT", help="faults that do not happen")
    parser.add_argument("--lead", type=positive, default=30, help="seconds before the first push is due (default: 30)")
    parser.add_argument("--minutes", type=positive, default=15, help="to wait for the last one (default: 15)")


def measure(options, folder: Path, say) -> dict:
    phones = Phones(options.devices)
    reading = options.devices // READERS_AMONG
    with ExitStack() as stack:
        sink = PushSink(options.belfry, folder, _script(options.without))
        stack.callback(sink.stop)
        belfry = Belfry(options.belfry, folder, sink.settings, None)
        stack.callback(lambda: belfry.stop())
        phones.register(belfry, say)
        backend = Backend(belfry.data, phones)
        # Whole seconds, as it is told.
        due = round(time.time()) + options.lead
        began = time.monotonic()
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(due))
        backend.publish(options.jobs, notBefore=stamp)
        readers = set(phones.tokens[:reading])
        _read_all(belfry, phones.users[:reading])
        if time.time() > due - 1:
            raise Failed(f"publishing took too long: give more time with --lead (it is {options.lead} s)")
        say(f"{options.jobs:,} jobs queued in {time.monotonic() - began:.1f} s; {reading} people have read theirs; due in "
            f"{due - time.time():.0f} s")
        read = _of_readers(options.jobs, options.devices, reading)
        expected = options.jobs - read
        kills, record = [], Record()
        deadline = time.monotonic() + options.lead + options.minutes * 60
        marks = sorted(random.Random(4).uniform(0.1, 0.9) for _ in range(options.kills))
        told = 0.0
        while len(record.accepted) < expected:
            record.read(sink.record)
            if marks and len(record.accepted) >= marks[0] * expected:
                kills.append(len(record.accepted))
                marks.pop(0)
                belfry.kill()
                say(f"killed after {kills[-1]:,} were accepted")
                belfry = Belfry(options.belfry, folder, sink.settings, None, port=belfry.port)
            if time.monotonic() - told > 5:
                told = time.monotonic()
                say(f"{record.requests:,} requests, {len(record.accepted):,} of {expected:,} accepted")
            if time.monotonic() > deadline:
                break
            time.sleep(0.1)
        # What comes too much comes now.
        time.sleep(5)
        record.read(sink.record)
        left = belfry.metric("belfry_push_jobs")
    again = {pair: count for pair, count in record.accepted.items() if count > 1}
    return {
        "jobs": options.jobs, "devices": options.devices, "readBefore": read,
        "expected": expected, "shown": len(record.accepted), "requests": record.requests,
        "faults": dict(record.faults), "kills": kills, "lost": expected - len(record.accepted), "jobsLeft": left,
        "sentAgain": sum(count - 1 for count in again.values()), "toReaders": record.to(readers),
        "tooEarly": record.before(due * 1_000),
        "seconds": time.monotonic() - began - options.lead,
        "killsWanted": options.kills,
    }


def problems(result: dict) -> list[str]:
    told = mismatches({
        "pushes shown": (result["shown"], result["expected"]),
        "pushes to people who had read": (result["toReaders"], 0),
        "pushes before they were due": (result["tooEarly"], 0),
        "times that the server was killed": (len(result["kills"]), result["killsWanted"]),
    })
    return told if result["faults"] else [*told, "the service made no mistake"]


class Record:
    """What the sink wrote down, read on as it grows."""

    def __init__(self):
        self.requests = 0
        self.faults: Counter = Counter()
        # By device and collapse id, which is what a phone shows once.
        self.accepted: Counter = Counter()
        self._times: list[float] = []
        self._offset = 0

    def read(self, file: Path) -> None:
        with file.open("rb") as source:
            source.seek(self._offset)
            for line in source:
                if not line.endswith(b"\n"):
                    break
                self._offset += len(line)
                self._take(json.loads(line))

    def _take(self, entry: dict) -> None:
        self.requests += 1
        if "fault" in entry:
            self.faults[f"{entry['fault']} {entry.get('status', '')}".strip()] += 1
        if entry.get("shown"):
            self.accepted[entry["device"], entry["collapse"]] += 1
        self._times.append(entry["at"])

    def to(self, devices: set[str]) -> int:
        return sum(count for (device, _), count in self.accepted.items() if device in devices)

    def before(self, moment: float) -> int:
        return sum(at < moment for at in self._times)


def _script(without: list[str]) -> list[dict]:
    share = (FAULT_PERCENT - sum(RARE.values())) / (len(FAULTS) - len(RARE))
    return [
        {"percent": round(RARE.get(fault["fault"], share), 3), **fault} for fault in FAULTS
        if fault["fault"] not in without]


def _of_readers(jobs: int, devices: int, readers: int) -> int:
    """How many of the jobs are for those who read: each event goes to the first users."""
    whole, rest = divmod(jobs, devices)
    return whole * readers + min(rest, readers)


def _read_all(belfry: Belfry, users: list[str]) -> None:
    secret = tokens.secret(belfry.data)
    connection = http.client.HTTPConnection("127.0.0.1", belfry.port, timeout=30)
    for user in users:
        connection.request(
            "PUT", "/api/notifications/read-all", headers={"Authorization": f"Bearer {tokens.token(user, secret)}"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise Failed(f"reading all was answered with {answer.status}")
    connection.close()


def describe(result: dict) -> str:
    rows = [
        ("", ""),
        ("jobs, read before they were due", f"{result['jobs']:,}, {result['readBefore']:,}"),
        ("requests", f"{result['requests']:,}"),
        ("faults", ", ".join(f"{name} {count:,}" for name, count in sorted(result["faults"].items()))),
        ("killed after", ", ".join(f"{count:,}" for count in result["kills"])),
        ("shown, lost", f"{result['shown']:,}, {result['lost']:,}"),
        ("sent again with the same collapse id", f"{result['sentAgain']:,}"),
        ("to people who had read, before they were due", f"{result['toReaders']}, {result['tooEarly']}"),
        ("jobs left", f"{result['jobsLeft']:.0f}"),
        ("seconds", f"{result['seconds']:.0f}"),
        ("verdict", "NOT WELL" if problems(result) else "well"),
    ]
    return table(rows)
