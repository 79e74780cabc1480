"""What work costs a server: its own CPU clock, and the kernel's threads that finish work for it."""

import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from .process import Child

# A commit's last steps, or an acknowledgement that is still on its way, belong to the work before.
TAIL_SECONDS = 0.1


@dataclass(frozen=True)
class Spent:
    """CPU seconds, and the clock ticks that tell who ran."""
    process: float
    # The threads that run what a core's soft interrupts did not get done: in no process' clock.
    kernel_threads: float
    user_ticks: int
    system_ticks: int
    # Soft interrupts on the server's cores, ticks of /proc/stat. Most ran inside the process' calls or the kernel's
    # threads and so are in these clocks already: told, not added.
    softirq_ticks: int

    @property
    def seconds(self) -> float:
        return self.process + self.kernel_threads

    def __sub__(self, before: "Spent") -> "Spent":
        return Spent(*(getattr(self, name) - getattr(before, name) for name in self.__dataclass_fields__))


class Meter:
    """Reads what a server has spent so far; `cores` are those that it is pinned to, nothing where it has all."""

    def __init__(self, server: Child, cores: set[int] | None):
        self._server = server
        self._cores = cores
        self._threads = _soft_interrupt_threads(cores)

    def read(self) -> Spent:
        user, system = self._server.user_and_system_ticks()
        return Spent(
            self._server.cpu_seconds(), sum(map(_running_seconds, self._threads)), user, system,
            _softirq_ticks(self._cores))

    def of(self, work) -> "Cost":
        """What it spends while `work` runs; `work` returns how many things it did, and what else is to be told."""
        before, began = self.read(), time.monotonic()
        count, said = work()
        seconds = time.monotonic() - began
        time.sleep(TAIL_SECONDS)
        return Cost(self.read() - before, count, seconds, said)


@dataclass(frozen=True)
class Cost:
    spent: Spent
    count: int
    seconds: float
    said: dict

    @property
    def microseconds(self) -> float:
        """CPU for each."""
        return self.spent.seconds / self.count * 1e6


def alternate(ours, plain, pairs: int, say) -> dict:
    """Belfry, floor, Belfry, floor, …: what else the machine does meets both alike. Each side returns a ``Cost``."""
    costs = []
    for number in range(pairs):
        pair = ours(), plain()
        costs.append(pair)
        belfry, floor = (cost.microseconds for cost in pair)
        say(f"pair {number + 1}: belfry {belfry:.2f} µs, floor {floor:.2f} µs, {belfry / floor:.2f}")
    return compared([pair[0] for pair in costs], [pair[1] for pair in costs])


def compared(ours: list[Cost], plain: list[Cost]) -> dict:
    ratios = [belfry.microseconds / floor.microseconds for belfry, floor in zip(ours, plain)]
    return {
        "belfry": summary(ours),
        "floor": summary(plain),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "ratio": round(statistics.median(ratios), 3),
    }


def summary(costs: list[Cost]) -> dict:
    def total(name: str):
        return sum(getattr(cost.spent, name) for cost in costs)

    ticks = max(total("user_ticks") + total("system_ticks"), 1)
    return {
        "microseconds": [round(cost.microseconds, 3) for cost in costs],
        "median": round(statistics.median(cost.microseconds for cost in costs), 3),
        # How much of it the program itself ran, and not the kernel for it.
        "userShare": round(total("user_ticks") / ticks, 3),
        "kernelThreadShare": round(total("kernel_threads") / max(total("process"), 1e-9), 4),
        "softirqTicks": total("softirq_ticks"),
        "perSecond": round(statistics.median(cost.count / cost.seconds for cost in costs), 1),
    }


def _soft_interrupt_threads(cores: set[int] | None) -> list[Path]:
    names = None if cores is None else {f"ksoftirqd/{core}" for core in cores}
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            name = (process / "comm").read_text().strip()
        except OSError:
            continue  # it has ended meanwhile
        if name in names if names else name.startswith("ksoftirqd/"):
            found.append(process / "schedstat")
    return found


def _running_seconds(schedstat: Path) -> float:
    # Nanoseconds on a core, then of waiting for one (Linux, Documentation/scheduler/sched-stats.rst).
    return int(schedstat.read_text().split()[0]) / 1e9


def _softirq_ticks(cores: set[int] | None) -> int:
    """The seventh number of a core's line (proc(5))."""
    lines = [line.split() for line in Path("/proc/stat").read_text().splitlines()]
    names = {"cpu"} if cores is None else {f"cpu{core}" for core in cores}
    return sum(int(line[7]) for line in lines if line[0] in names)
