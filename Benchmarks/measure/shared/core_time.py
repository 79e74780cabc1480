"""What the kernel does on a core besides running processes.

A packet that is sent to this machine is received by the sender's core: as a rule within the sender's own `send`, and so
on its clock, but when much arrives at once, in the core's kernel thread ksoftirqd, which is on nobody's.
"""

import gzip
import os
import time
from dataclasses import dataclass
from pathlib import Path

from .process import cpu_clock

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class CoreTime:
    """Seconds of all the cores that were asked about, since the machine started."""
    # Of the ksoftirqd threads, in nanoseconds.
    daemons: float
    # Softirq work as /proc/stat has it, sampled a few hundred times a second: also what processes were charged for.
    softirq: float

    def __sub__(self, earlier: "CoreTime") -> "CoreTime":
        return CoreTime(self.daemons - earlier.daemons, self.softirq - earlier.softirq)


class CoreClock:
    def __init__(self, cores: set[int] | None):
        """Of these cores, or of all."""
        self._cores = cores if cores is not None else os.sched_getaffinity(0)
        names = {f"ksoftirqd/{core}" for core in self._cores}
        self._daemons = [
            cpu_clock(int(process.name))
            for process in Path("/proc").iterdir() if process.name.isdigit() and _name(process) in names]

    def read(self) -> CoreTime:
        softirq = 0
        for line in Path("/proc/stat").read_text().splitlines():
            name, *fields = line.split()
            if name.startswith("cpu") and name[3:].isdigit() and int(name[3:]) in self._cores:
                softirq += int(fields[6])
        return CoreTime(sum(map(time.clock_gettime, self._daemons)), softirq / _TICKS_A_SECOND)


def is_hidden_from_processes() -> bool | None:
    """Whether this kernel takes softirq work off the clock of the process that it interrupted, None if that is not known.

    Then a process' clock is no measure of what its sends cost, and only /proc/stat is.
    """
    try:
        settings = gzip.decompress(Path("/proc/config.gz").read_bytes()).decode().splitlines()
    except OSError:
        return None
    return "CONFIG_IRQ_TIME_ACCOUNTING=y" in settings


def _name(process: Path) -> str | None:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return None  # ended meanwhile
