"""A publisher of few events at fixed times, one at a time on one connection: `python3 -m measure.publishing.steady`.

It begins at once and ends with the first line or the end of its input. Then it says what became of each event:
{"published":N,"refused":N,"refusal":"…","times":[[due,sent,answered],…]}, times in µs of the monotonic clock.
"""

import argparse
import gc
import json
import select
import sys
import time

from .. import Failed
from . import wire

NAME = b"steady"


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--socket", "--key"):
        parser.add_argument(name, required=True)
    parser.add_argument("--people", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True)
    options = parser.parse_args()
    # A pause to collect what nobody has thrown away would look like one of the server's.
    gc.disable()
    try:
        print(json.dumps(published(options)), flush=True)
    except (OSError, Failed) as problem:
        print(json.dumps({"error": str(problem)}), flush=True)


def published(options) -> dict:
    connection, answers = wire.connected(options.socket), wire.Answers()
    times, refusals = [], []
    began = microseconds()
    while not waits_until(due := began + int(len(times) * 1e6 / options.rate)):
        request = wire.single(options.key, wire.event(NAME, len(times), options.people))
        sent = microseconds()
        connection.sendall(request)
        while not (whole := answers.take(piece := connection.recv(65_536))):
            if not piece:
                raise Failed("the server ended the connection")
        times.append((due, sent, microseconds()))
        status, body = whole[0]
        if status != 202 or json.loads(body)["created"] != 1:
            refusals.append(f"{status} {body[:200].decode(errors='replace')}")
    return {"published": len(times), "refused": len(refusals), "refusal": (refusals or [None])[0], "times": times}


def waits_until(due: int) -> bool:
    """Sleeps until then; True at once when there is input."""
    return bool(select.select([sys.stdin], [], [], max(due - microseconds(), 0) / 1e6)[0])


def microseconds() -> int:
    return time.monotonic_ns() // 1_000


if __name__ == "__main__":
    main()
