"""One event to very many people: how long it takes, and what it does to everybody else's publishes."""

import http.client
import json
import statistics
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared.options import positive
from ..shared.programs import Belfry, Publisher
from ..shared.report import table

HELP = "one event to very many, beside others' publishes"
# Between two of them the store has time to take a breath, as after any announcement.
PAUSE_SECONDS = 0.5
# What this measurement demands: the answer within a second, others' p99 within 50 ms.
LONGEST_ANSWER = 1.0
LONGEST_P99 = 0.05


def arguments(parser) -> None:
    parser.add_argument("--recipients", type=positive, default=10_000, help="at most 10,000 (default: 10,000)")
    parser.add_argument("--events", type=positive, default=10, help="such events in each pair (default: 10)")
    parser.add_argument("--publishers", type=positive, default=8, help="others (default: 8)")
    parser.add_argument("--rate", type=float, default=400, help="their events a second, all together (default: 400)")
    parser.add_argument("--seconds", type=positive, default=5, help="without such events, in each pair (default: 5)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")


def measure(options, folder: Path, say) -> dict:
    with ExitStack() as stack:
        belfry = Belfry(options.belfry, folder, {"BELFRY_POLLER": options.poller}, None)
        stack.callback(belfry.stop)
        crowd = Crowd(belfry.data, options.recipients)
        stack.callback(crowd.close)
        # The first one also makes the inboxes.
        first = crowd.publish()
        say(f"the first one, which makes the inboxes: {first * 1000:.0f} ms")
        pairs = []
        for number in range(options.pairs):
            others = Others(belfry.data, options.publishers, options.rate)
            others.start()
            began = time.monotonic()
            time.sleep(options.seconds)
            quiet = others.between(began, time.monotonic())
            answers, during = [], []
            for _ in range(options.events):
                began = time.monotonic()
                answers.append(crowd.publish())
                ended = time.monotonic()
                time.sleep(PAUSE_SECONDS)
                during.append((began, ended))
            others.stop()
            waits = [wait for span in during for wait in others.between(*span)]
            if not waits:
                raise Failed("nobody published during the fan-outs: give a greater --rate")
            pairs.append({
                "answers": [round(answer, 4) for answer in answers], "quiet": spread(quiet), "during": spread(waits)})
            say(f"pair {number + 1}: answered in {statistics.median(answers) * 1000:.0f} ms, others' p99 "
                f"{pairs[-1]['quiet']['p99']:.1f} ms quiet, {pairs[-1]['during']['p99']:.1f} ms during")
        drift = belfry.drift()
    slowest = max(answer for pair in pairs for answer in pair["answers"])
    p99 = statistics.median(pair["during"]["p99"] for pair in pairs)
    return {
        "recipients": options.recipients, "publishers": options.publishers, "rate": options.rate, "firstSeconds": first,
        "pairs": pairs, "slowestAnswer": slowest, "p99During": p99,
        "p99Quiet": statistics.median(pair["quiet"]["p99"] for pair in pairs), "drift": drift,
        "isWell": slowest < LONGEST_ANSWER and p99 < LONGEST_P99 * 1000 and drift == 0,
    }


def problems(result: dict) -> list[str]:
    """How long it took is another matter."""
    return [f"the unread counts are off by {result['drift']:.0f}"] if result["drift"] else []


def spread(waits: list[float]) -> dict:
    """In ms."""
    ordered = sorted(wait * 1000 for wait in waits)
    return {
        "count": len(ordered), "p50": round(statistics.median(ordered), 3),
        "p99": round(ordered[int(len(ordered) * 0.99)], 3), "max": round(ordered[-1], 3)}


class Crowd:
    """Publishes to everybody by name, and waits for the answer."""

    def __init__(self, data: Path, recipients: int):
        self._publisher = Publisher(data)
        self._recipients = [f"user-{number}" for number in range(recipients)]
        self._number = 0

    def publish(self) -> float:
        self._number += 1
        room = {"id": f"room-{self._number}", "name": f"Room {self._number}"}
        body = event("crowd", self._number, self._recipients, room)
        began = time.monotonic()
        status, answer = self._publisher.post("/v1/events", body)
        seconds = time.monotonic() - began
        if status != 202 or json.loads(answer)["created"] != len(self._recipients):
            raise Failed(f"the event was answered with {status}: {answer[:200]!r}")
        return seconds

    def close(self) -> None:
        self._publisher.close()


def event(name: str, number: int, recipients: list[str], room: dict) -> bytes:
    return json.dumps({
        "type": "added_to_room", "key": f"{name}-{number}",
        "actor": {"id": "maker", "username": "maker", "firstName": "Maker", "avatarUrl": None},
        "to": {"added": recipients}, "data": {"room": room}}).encode()


class Others:
    """Publishers that each tell one person something, at fixed times; a wait counts from the time that was due."""

    def __init__(self, data: Path, publishers: int, rate: float):
        self._data = data
        self._interval = publishers / rate
        self._is_over = threading.Event()
        self._waits: list[tuple[float, float]] = []
        self._problems: list[str] = []
        self._threads = [
            threading.Thread(target=self._run, args=(number, number / rate), daemon=True)
            for number in range(publishers)]
        self._name = f"others-{time.monotonic_ns()}"

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join(30)
        if self._problems:
            raise Failed(self._problems[0])

    def between(self, began: float, ended: float) -> list[float]:
        """The waits of those that were under way in this span."""
        return [answered - due for due, answered in list(self._waits) if due < ended and answered > began]

    def _run(self, part: int, offset: float) -> None:
        publisher = Publisher(self._data)
        began, number = time.monotonic() + offset, 0
        try:
            while not self._is_over.is_set():
                due = began + number * self._interval
                time.sleep(max(due - time.monotonic(), 0))
                body = event(
                    f"{self._name}-{part}", number, [f"single-{part}-{number % 100}"], {"id": "r", "name": "Room"})
                status, answer = publisher.post("/v1/events", body)
                self._waits.append((due, time.monotonic()))
                if status != 202:
                    raise Failed(f"an event was answered with {status}: {answer[:200]!r}")
                number += 1
        except (OSError, http.client.HTTPException, Failed) as problem:
            self._problems.append(f"publishing beside the crowd: {problem}")
        finally:
            publisher.close()


def describe(result: dict) -> str:
    rows = [(
        "ms", "answered, median", "slowest", "others' p50 quiet", "during", "others' p99 quiet", "during", "worst")]
    for number, pair in enumerate(result["pairs"]):
        answers = sorted(pair["answers"])
        rows.append((
            f"pair {number + 1}", f"{answers[len(answers) // 2] * 1000:.0f}", f"{answers[-1] * 1000:.0f}",
            *(f"{pair[half][key]:.1f}" for key in ("p50", "p99") for half in ("quiet", "during")),
            f"{pair['during']['max']:.1f}"))
    return (
        f"{table(rows)}\n\n{result['recipients']:,} recipients an event; {result['publishers']} others publish "
        f"{result['rate']:g} events a second to one person each.\nThe first one, which makes the inboxes: "
        f"{result['firstSeconds'] * 1000:.0f} ms. Drift: {result['drift']:.0f}. "
        f"Verdict: {'well' if result['isWell'] else 'NOT WELL'}.")
