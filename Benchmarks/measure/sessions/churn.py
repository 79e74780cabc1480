"""Thousands of connections a minute that vanish in every way: whether the server lets go of all they took."""

import http.client
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..delivery.fanout import Sender
from ..shared import machine, tokens
from ..shared.clients import Clients
from ..shared.options import encrypted, positive
from ..shared.process import Memory
from ..shared.programs import Belfry, Publisher, item, tls_settings
from ..shared.report import encryption, mismatches, table

HELP = "connections that vanish in every way"
FEED = "churn"
USERS = 2_000
REPORT_SECONDS = 30
PUBLISH_SECONDS = 0.2
# More than a feed keeps.
FEED_ITEMS, FEED_ITEMS_AT_ONCE = 12_000, 100
READERS, READS = 16, 100
# So that the server's timers run out within the measurement, many times.
TIMERS = {
    "BELFRY_LIVE_HEARTBEAT": "2s", "BELFRY_LIVE_PONG_TIMEOUT": "1s", "BELFRY_LIVE_HELLO_TIMEOUT": "3s",
    "BELFRY_LIMITS_HEAD_TIMEOUT": "3s", "BELFRY_LIMITS_IDLE_TIMEOUT": "3s",
}
PATIENCE_SECONDS = 12
# Longer than any client is there, in seconds: so much of a minute's clients may be there at the same time.
MOST_STAY_SECONDS = 100
# Idle, a server has two to six threads: Dispatch ends workers and starts others for its timers. The fewest count.
THREAD_LOOKS = 20
# What the allocator may keep more than after the warm-up: the larger of the two.
TOLERATED_SHARE = 0.05
TOLERATED_KIB = 2048


def arguments(parser) -> None:
    encrypted(parser)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--warm-up", type=float, default=5, help="minutes before the start is looked at (default: 5)")
    parser.add_argument("--per-minute", type=positive, default=6_000, help="new connections (default: 6,000)")
    # Closing handshakes, timers, and the server's giving back of memory, 30 s after the last.
    parser.add_argument("--quiet", type=positive, default=45, help="seconds after the last client is gone (default: 45)")


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(options.per_minute * MOST_STAY_SECONDS // 60)
    settings = {"BELFRY_POLLER": options.poller, **TIMERS}
    if options.shards:
        settings["BELFRY_SHARDS"] = str(options.shards)
    flags = ["--patience", str(PATIENCE_SECONDS)]
    if options.tls:
        settings |= tls_settings(folder) | {"BELFRY_TLS_HANDSHAKE_TIMEOUT": "3s"}
        flags.append("--tls")
    with ExitStack() as stack:
        belfry = Belfry(options.belfry, folder, settings, None)
        stack.callback(belfry.stop)
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, USERS, 1)
        clients = Clients("churners", belfry.port, ["--tokens", str(token_file), *flags], None)
        stack.callback(clients.stop)
        churn = Churn(belfry, clients, options, say)
        # The first ones also pay for what exists once: threads, the store's page caches, code that runs for the first
        # time; the feed grows until it is as long as it may be, and the store opens as many readers as it may.
        churn.fill_feed()
        churn.read_at_once()
        churn.run(options.warm_up * 60)
        before = churn.quiet()
        say(f"after the warm-up: {before}")
        churn.run(options.minutes * 60)
        after = churn.quiet()
        said = clients.report("begun")
    tolerated = max(TOLERATED_KIB, round(before.memory.anonymous * TOLERATED_SHARE))
    return {
        "warmUpMinutes": options.warm_up,
        "minutes": options.minutes,
        "perMinute": options.per_minute,
        "isEncrypted": options.tls,
        "poller": options.poller,
        "timers": TIMERS,
        "samples": churn.samples,
        "before": before.json,
        "afterwards": after.json,
        "toleratedKiB": tolerated,
        "clients": said,
        "isWell": (
            after.descriptors == before.descriptors and after.threads == before.threads
            and after.memory.anonymous - before.memory.anonymous <= tolerated
            and said["unexpected"] == 0 and said["overdue"] == 0),
    }


def problems(result: dict) -> list[str]:
    """Threads and memory take longer than some measurements to be what they were."""
    before, after = (result[key]["descriptors"] for key in ("before", "afterwards"))
    told = mismatches({
        "descriptors": (after, before),
        "clients that ended otherwise than they should": (result["clients"]["unexpected"], 0),
        "clients that were not ended": (result["clients"]["overdue"], 0),
    })
    return told + [f"nobody left by way of {way}" for way, count in result["clients"]["ways"].items() if not count]


class Holding:
    """What the server has of the system."""

    def __init__(self, belfry: Belfry):
        self.descriptors = belfry.descriptors()
        self.threads = belfry.threads()
        self.memory: Memory = belfry.memory()

    @property
    def json(self) -> dict:
        return {"descriptors": self.descriptors, "threads": self.threads, **self.memory.json}

    def __str__(self) -> str:
        return f"{self.descriptors} descriptors, {self.threads} threads, {self.memory.anonymous} KiB anonymous"


class Churn:
    def __init__(self, belfry: Belfry, clients: Clients, options, say):
        self._belfry = belfry
        self._clients = clients
        self._per_minute = options.per_minute
        self._quiet_seconds = options.quiet
        self._say = say
        self._body = item(200)
        self._began = time.monotonic()
        self.samples: list[dict] = []

    def fill_feed(self) -> None:
        sender = Sender(self._belfry.data, FEED_ITEMS_AT_ONCE, True, self._body)
        for _ in range(FEED_ITEMS // FEED_ITEMS_AT_ONCE):
            sender.publish(FEED)
        sender.close()

    def read_at_once(self) -> None:
        token = tokens.token("user-0", tokens.secret(self._belfry.data))
        problems = []
        readers = [threading.Thread(target=self._read, args=(token, problems)) for _ in range(READERS)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        if problems:
            raise Failed(f"reading the feed: {problems[0]}")

    def _read(self, token: str, problems: list) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._belfry.port, timeout=30)
        try:
            for _ in range(READS):
                connection.request(
                    "GET", f"/v1/feeds/{FEED}/items?after=0&limit=500", headers={"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    problems.append(answer.status)
                    return
        except (OSError, http.client.HTTPException) as problem:
            problems.append(problem)
        finally:
            connection.close()

    def run(self, seconds: float) -> None:
        """Clients come and go all the while, and what is published reaches those who are there."""
        # A new one each time: the server's shortened timers end a connection that waits, a backend's too.
        publisher = Publisher(self._belfry.data)
        self._clients.write(f"start {self._per_minute}")
        end = time.monotonic() + seconds
        next_report = time.monotonic() + REPORT_SECONDS
        while time.monotonic() < end:
            publisher.publish(FEED, self._body)
            time.sleep(PUBLISH_SECONDS)
            if time.monotonic() >= next_report:
                next_report += REPORT_SECONDS
                self._report()
        publisher.close()

    def quiet(self) -> Holding:
        """What the server holds once everybody is gone and nothing is under way."""
        self._clients.write("stop")
        self._clients.expect("gone", 0, within=2 * PATIENCE_SECONDS + 10)
        deadline = time.monotonic() + 60
        while self._belfry.sessions():
            if time.monotonic() > deadline:
                raise Failed(f"belfry still has {self._belfry.sessions()} sessions")
            time.sleep(0.2)
        time.sleep(self._quiet_seconds)
        holding = Holding(self._belfry)
        for _ in range(THREAD_LOOKS):
            time.sleep(min(self._quiet_seconds / THREAD_LOOKS, 1))
            holding.threads = min(holding.threads, self._belfry.threads())
        return holding

    def _report(self) -> None:
        holding, said = Holding(self._belfry), self._clients.report("begun")
        seconds = round(time.monotonic() - self._began)
        self._say(f"{seconds} s: {said['begun']} came, {said['here']} there, {holding}; "
                  f"{said['unexpected']} ended unexpectedly, {said['overdue']} not at all "
                  f"{said['last']}")
        self.samples.append({"seconds": seconds, **holding.json, "begun": said["begun"], "here": said["here"]})


def describe(result: dict) -> str:
    clients = result["clients"]
    rows = [("", "descriptors", "threads", "anonymous KiB", "connections so far")]
    for name, holding, begun in [
        ("quiet after the warm-up", result["before"], ""),
        *((f"{sample['seconds']} s", sample, f"{sample['begun']:,}") for sample in result["samples"]),
        ("quiet at the end", result["afterwards"], f"{clients['begun']:,}"),
    ]:
        rows.append((
            name, str(holding["descriptors"]), str(holding["threads"]), f"{holding['anonymousKiB']:,}", begun))
    ways = ", ".join(f"{way} {count:,}" for way, count in clients["ways"].items())
    verdict = "the same as at the start" if result["isWell"] else "NOT the same as at the start"
    return (
        f"{table(rows)}\n\n{ways}; ended unexpectedly {clients['unexpected']}, not by the server "
        f"{clients['overdue']} {clients['last']}\nVerdict: {verdict} (descriptors and threads equal, anonymous memory "
        f"within {result['toleratedKiB']:,} KiB, every client as expected){encryption(result)}. "
        f"Poller: {result['poller']}.")
