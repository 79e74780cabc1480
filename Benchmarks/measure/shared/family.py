"""A server's processes, taken together: some are a master with workers."""

import time
from dataclasses import dataclass
from pathlib import Path

from .. import Failed
from .process import Child, cpu_clock


@dataclass(frozen=True)
class FamilyMemory:
    """KiB, of all processes."""
    # RssAnon: what no file stands behind. Pages that two processes share are counted twice.
    anonymous: int
    # The same with shared pages split between those that share them, and with shared memory (Pss_Anon, Pss_Shmem).
    proportional: int

    @property
    def json(self) -> dict:
        return {"anonymousKiB": self.anonymous, "proportionalKiB": self.proportional}


class Family:
    """`first` and all that it has started by now."""

    def __init__(self, first: Child):
        self.pids = [first.pid]
        parents = _parents()
        for pid in self.pids:  # grows on the way
            self.pids += [child for child, parent in parents.items() if parent == pid]
        self._clocks = [cpu_clock(pid) for pid in self.pids]

    def cpu_seconds(self) -> float:
        return sum(map(time.clock_gettime, self._clocks))

    def user_and_system_ticks(self) -> tuple[int, int]:
        ticks = [_stat(Path(f"/proc/{pid}"))[11:13] for pid in self.pids]
        return sum(int(user) for user, _ in ticks), sum(int(system) for _, system in ticks)

    def memory(self) -> FamilyMemory:
        anonymous = proportional = 0
        for pid in self.pids:
            anonymous += _kib(f"/proc/{pid}/status", "RssAnon")
            for key in ("Pss_Anon", "Pss_Shmem"):
                proportional += _kib(f"/proc/{pid}/smaps_rollup", key)
        return FamilyMemory(anonymous, proportional)


def _parents() -> dict[int, int]:
    parents = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                parents[int(process.name)] = int(_stat(process)[1])
            except OSError:
                pass  # ended meanwhile
    return parents


def _stat(process: Path) -> list[str]:
    # The name in parentheses may hold spaces: fields count from behind it (proc(5)).
    return (process / "stat").read_text().rpartition(")")[2].split()


def _kib(file: str, key: str) -> int:
    for line in Path(file).read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise Failed(f"{file} does not tell of {key}")
