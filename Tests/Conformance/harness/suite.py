"""What the suite consists of, and what its words mean."""

import fnmatch
from dataclasses import dataclass

CASE_COUNT = 517

# Cases for which the suite gives no verdict, since each behaviour is allowed: an answer after a close frame, and two
# ranges of close codes that no standard has defined.
INFORMATIONAL = {"7.1.6", "7.13.1", "7.13.2"}

_GOOD = ("OK", "NON-STRICT", "INFORMATIONAL")
_NEVER_OPEN = "The WebSocket opening handshake was never completed!"


class UnknownCase(Exception):
    """A pattern that fits no case."""


def in_order(ids) -> list[str]:
    return sorted(ids, key=lambda id: [int(number) for number in id.split(".")])


def group(id: str) -> str:
    return id.split(".")[0]


def choose(ids: list[str], patterns: list[str]) -> list[str]:
    """Cases by id (6.4.2), group (6, 6.4) or pattern ('1?.*'); all of them where none is named."""
    chosen = set() if patterns else set(ids)
    for pattern in patterns:
        found = {id for id in ids
                 if id == pattern or id.startswith(f"{pattern}.") or fnmatch.fnmatchcase(id, pattern)}
        if not found:
            raise UnknownCase(pattern)
        chosen |= found
    return [id for id in ids if id in chosen]


@dataclass(frozen=True)
class Verdict:
    """`word`: ok, non-strict, informational, unimplemented or failed. `reason`: empty for a good case."""

    id: str
    word: str
    reason: str = ""

    @property
    def is_good(self) -> bool:
        """Non-strict is conformant, and still less than we ask of ourselves."""
        return self.word == "ok" or self.word == "informational" and self.id in INFORMATIONAL


def judge(result: dict) -> Verdict:
    """Of one case, as the suite has recorded it.

    The suite judges the behaviour and how the connection was closed apart, and shows a wrong close as a warning. Here
    it is a failure.
    """
    id, behavior, close = result["id"], result["behavior"], result["behaviorClose"]
    if behavior == "UNIMPLEMENTED":
        return Verdict(id, "unimplemented", "permessage-deflate was not negotiated")
    if behavior not in _GOOD:
        if "exception" in result:
            return Verdict(id, "failed", f"exception in the suite: {result['exception']}")
        return Verdict(id, "failed", _NEVER_OPEN if result["resultClose"] == _NEVER_OPEN else result["result"])
    if close not in _GOOD:
        reason = f"close is {close}: {result['resultClose']} (code {result['remoteCloseCode']})"
        return Verdict(id, "failed", reason)
    word = behavior.lower()
    if word == "informational" and id not in INFORMATIONAL:
        return Verdict(id, word, "the suite gives no verdict here")
    if word == "non-strict":
        return Verdict(id, word, result["result"])
    return Verdict(id, word)
