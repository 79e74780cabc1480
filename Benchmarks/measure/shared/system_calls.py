"""How many system calls a process makes, counted by strace."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .. import Failed, Missing
from .process import Child

# Calls that are rarer than one in so many messages belong to the start and the end of the trace.
RARE = 0.001


def of(process: Child, messages: int, run) -> dict:
    """System calls for each of `messages` while `run` runs, in all and by name. All threads count."""
    with tempfile.TemporaryDirectory(prefix="belfry-bench-") as folder:
        table, errors = Path(folder) / "table", Path(folder) / "errors"
        with errors.open("wb") as out:
            try:
                tracer = subprocess.Popen(
                    ["strace", "-c", "-f", "-p", str(process.pid), "-o", str(table)], stderr=out,
                    # The two take turns anyway; on the clients' core it would hold them up.
                    preexec_fn=lambda: os.sched_setaffinity(0, os.sched_getaffinity(process.pid)))
            except FileNotFoundError:
                raise Missing("there is no strace: install it to count system calls") from None
        try:
            await_attached(tracer, errors)
            run()
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.wait(10)
        counts = parse(table.read_text())
    each = {name: round(count / messages, 3) for name, count in counts.items()}
    return {
        "perMessage": round(sum(counts.values()) / messages, 3),
        "byName": {name: share for name, share in each.items() if share >= RARE},
    }


def await_attached(tracer: subprocess.Popen, errors: Path) -> None:
    deadline = time.monotonic() + 10
    while "attached" not in errors.read_text():
        if tracer.poll() is not None or time.monotonic() > deadline:
            said = errors.read_text().strip()
            # As in containers that may not trace.
            kind = Missing if "not permitted" in said else Failed
            raise kind(f"strace cannot watch: {said or 'no reason given'}")
        time.sleep(0.05)


def parse(table: str) -> dict[str, int]:
    """The column `calls` of strace's summary, by system call."""
    lines = [line.split() for line in table.splitlines()]
    if not lines or "calls" not in lines[0]:
        raise Failed(f"strace counted nothing:\n{table}")
    # The heading's "% time" is one column.
    place = lines[0].index("calls") - 1
    return {
        words[-1]: int(words[place]) for words in lines[1:]
        if len(words) > place and words[place].isdigit() and words[-1] != "total"}
