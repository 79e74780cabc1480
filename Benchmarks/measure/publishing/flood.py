"""A publisher that publishes more than it may, or all that it can: `python3 -m measure.publishing.flood`.

With `--rate` it sends single events at that pace, and is told 202 or 429. Without, each of its connections is a stream
that it writes as fast as the server reads. Lines of input, and what it says:
  begin   {"flooding":N}, N connections
  end     {"ended":N,"seconds":…,"accepted":…,"refused":…,"inAll":…,"inAllSeconds":…}: N floods so far, what had been
          answered by the time of this line, and what was accepted once everything had its answer
"""

import argparse
import json
import os
import selectors
import sys
import time

from .. import Failed
from . import wire

NAME = b"flood"
# 64 KiB, as of a file that is read in blocks. The server takes in no more at a time either. With smaller chunks it takes
# in less beyond a quota.
LINES_AT_ONCE = 192
# Another publisher shares this core: it has to be let in at once, or it would seem to wait for the server.
NICENESS = 10


class Stream:
    """A connection with a request without end."""

    ACCEPTED, REFUSED = b'"created":1', b'"code":'

    def __init__(self, flood: "Flood"):
        self._flood = flood
        self.connection = wire.connected(flood.options.socket)
        self.connection.setblocking(False)
        self._unsent = wire.head(flood.options.key, "application/x-ndjson", "Transfer-Encoding: chunked")
        self._rest = b""
        self.waits_for = 0
        self.is_writing = True

    @property
    def is_over(self) -> bool:
        return self.waits_for == 0 and not self._unsent

    def write(self) -> None:
        if not self._unsent and not self._flood.is_ending:
            lines = b"".join(self._flood.next_event() + b"\n" for _ in range(LINES_AT_ONCE))
            self._unsent = b"%x\r\n%b\r\n" % (len(lines), lines)
            self.waits_for += LINES_AT_ONCE
        try:
            self._unsent = self._unsent[self.connection.send(self._unsent):]
        except BlockingIOError:
            pass
        # What has begun is finished: the last block is not cut off.
        self.is_writing = bool(self._unsent) or not self._flood.is_ending

    def read(self, piece: bytes) -> None:
        text = self._rest + piece
        # A stream waits for its quota. Nothing else refuses it.
        if self.REFUSED in text:
            raise Failed(f"a line was refused: {text[-300:].decode(errors='replace')}")
        accepted = text.count(self.ACCEPTED)
        # It may be cut in two; so much holds no whole one.
        self._rest = text[1 - len(self.ACCEPTED):]
        self.waits_for -= accepted
        self._flood.note(accepted)


class Single:
    """A connection with one event at a time."""

    def __init__(self, flood: "Flood"):
        self._flood = flood
        self.connection = wire.connected(flood.options.socket)
        self._answers = wire.Answers()
        self.waits_for = 0
        self.is_writing = False

    @property
    def is_over(self) -> bool:
        return self.waits_for == 0

    def publish(self) -> None:
        self.waits_for = 1
        self.connection.sendall(wire.single(self._flood.options.key, self._flood.next_event()))

    def read(self, piece: bytes) -> None:
        for status, body in self._answers.take(piece):
            if status not in (202, 429):
                raise Failed(f"an event was answered with {status}: {body[:200].decode(errors='replace')}")
            self.waits_for = 0
            self._flood.note(status == 202, status == 429)


class Flood:
    def __init__(self, options):
        self.options = options
        self.is_ending = False
        self._accepted = self._refused = self._number = self._floods = 0

    def next_event(self) -> bytes:
        self._number += 1
        return wire.event(NAME, self._number, self.options.people)

    def note(self, accepted: int, refused: int = 0) -> None:
        self._accepted += accepted
        self._refused += refused

    def run(self) -> dict:
        """Until there is input, and everything is answered."""
        self.is_ending, self._accepted, self._refused = False, 0, 0
        kind = Single if self.options.rate else Stream
        connections = [kind(self) for _ in range(self.options.connections)]
        print(json.dumps({"flooding": len(connections)}), flush=True)
        began, sent, result = time.monotonic(), 0, {}
        with selectors.DefaultSelector() as selector:
            selector.register(sys.stdin, selectors.EVENT_READ)
            for each in connections:
                selector.register(each.connection, self._interest(each), each)
            while not self.is_ending or not all(each.is_over for each in connections):
                if self.options.rate and not self.is_ending:
                    sent += self._publish_due(connections, began, sent)
                for key, mask in selector.select(0.001 if self.options.rate else 1):
                    if key.data is None:
                        if os.read(0, 4_096) == b"":
                            raise SystemExit
                        selector.unregister(sys.stdin)
                        self.is_ending = True
                        result = {"seconds": time.monotonic() - began, "accepted": self._accepted,
                                  "refused": self._refused}
                    else:
                        self._serve(selector, key.data, mask)
        for each in connections:
            each.connection.close()
        self._floods += 1
        return {"ended": self._floods, **result, "inAll": self._accepted, "inAllSeconds": time.monotonic() - began}

    def _publish_due(self, connections: list[Single], began: float, sent: int) -> int:
        """Those that are due, as far as connections wait for nothing."""
        due = int((time.monotonic() - began) * self.options.rate) - sent
        free = [each for each in connections if each.is_over][:max(due, 0)]
        for each in free:
            each.publish()
        return len(free)

    def _serve(self, selector, each, mask: int) -> None:
        if mask & selectors.EVENT_READ:
            if not (piece := each.connection.recv(1 << 18)):
                raise Failed("the server ended the connection")
            each.read(piece)
        if mask & selectors.EVENT_WRITE:
            each.write()
            if not each.is_writing:
                selector.modify(each.connection, self._interest(each), each)

    @staticmethod
    def _interest(each) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if each.is_writing else 0)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--socket", "--key"):
        parser.add_argument(name, required=True)
    for name in ("--people", "--connections"):
        parser.add_argument(name, type=int, required=True)
    parser.add_argument("--rate", type=float)
    flood = Flood(parser.parse_args())
    os.nice(NICENESS)
    try:
        # Not by lines: what waits in a buffer of Python's, no selector tells.
        while os.read(0, 4_096):
            print(json.dumps(flood.run()), flush=True)
    except (OSError, Failed) as problem:
        print(json.dumps({"error": str(problem)}), flush=True)


if __name__ == "__main__":
    main()
