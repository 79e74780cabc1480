"""How a case is declared, and how it says what it expects."""

import time
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Case:
    name: str
    body: Callable
    has_pollers: bool = False
    is_slow: bool = False
    runs_alone: bool = False


CASES: list[Case] = []


def case(name: str, *, pollers: bool = False, slow: bool = False, alone: bool = False):
    """Declares a case: a function of one `World`, named by a sentence.

    `pollers`: a run with --poller has it, too. `slow`: only with --slow. `alone`: nothing runs beside it, because it
    measures time or takes the whole machine.
    """

    def declare(body):
        CASES.append(Case(name, body, pollers, slow, alone))
        return body

    return declare


class Failed(AssertionError):
    """Something is not as it should be."""


def expect(condition, message: str):
    if not condition:
        raise Failed(message)


def expect_equal(found, expected, what: str):
    if found != expected:
        raise Failed(f"{what}: expected {expected!r}, found {found!r}")


def expect_subset(found: dict, expected: dict, what: str):
    """All members of `expected` are in `found` with these values."""
    for key, value in expected.items():
        if found.get(key, ...) != value:
            raise Failed(f"{what}: expected {key} = {value!r} in {found!r}")


#: How long a case waits for what comes at once unless the machine is busy with something else, in seconds.
PATIENCE = 60


def wait_until(condition: Callable, within: float, what: str):
    """Asks again and again until the condition holds, and returns its value; for what nobody announces.

    More and more seldom: a server refuses the hundred and first request of a person within ten seconds."""
    deadline = time.monotonic() + within
    pause = 0.01
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failed(f"waited {within} s in vain: {what}")
        time.sleep(pause)
        pause = min(pause * 1.2, 0.25)


def expect_told(server, *words: str, count: int = 1) -> list[str]:
    """The lines of the log that hold all the words, once there are as many: a log may be read later than an answer."""

    def found():
        lines = [line for line in server.log if all(word in line for word in words)]
        return lines if len(lines) >= count else None

    return wait_until(found, PATIENCE, f"{count} lines of the log with {' and '.join(words)}")
