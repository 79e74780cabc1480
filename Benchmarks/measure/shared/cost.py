"""What work costs a server: its own CPU clock, and the kernel's threads that finish work for it."""

import statistics
import time
from dataclasses import dataclass, replace

from .core_time import CoreClock, CoreTime
from .process import Child

# A commit's last steps, or an acknowledgement that is still on its way, belong to the work before.
TAIL_SECONDS = 0.1


@dataclass(frozen=True)
class Spent:
    """CPU seconds, and the clock ticks that tell who ran."""
    process: float
    core: CoreTime
    user_ticks: int
    system_ticks: int

    @property
    def seconds(self) -> float:
        """The process and the kernel's threads. Other softirq work is on the process' clock already."""
        return self.process + self.core.daemons

    def __sub__(self, before: "Spent") -> "Spent":
        return Spent(*(getattr(self, name) - getattr(before, name) for name in self.__dataclass_fields__))


class Meter:
    """Reads what a server has spent so far; `cores` are those that it is pinned to, nothing where it has all."""

    def __init__(self, server: Child, cores: set[int] | None):
        self._server = server
        self._clock = CoreClock(cores)

    def read(self) -> Spent:
        return Spent(self._server.cpu_seconds(), self._clock.read(), *self._server.user_and_system_ticks())

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

    def without(self, idle: float) -> "Cost":
        """As if the server had done nothing else meanwhile; `idle`: cores that it takes anyway."""
        return replace(self, spent=replace(self.spent, process=self.spent.process - idle * self.seconds))


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
    user, system, process = (
        sum(getattr(cost.spent, name) for cost in costs) for name in ("user_ticks", "system_ticks", "process"))
    return {
        "microseconds": [round(cost.microseconds, 3) for cost in costs],
        "median": round(statistics.median(cost.microseconds for cost in costs), 3),
        # How much of it the program itself ran, and not the kernel for it.
        "userShare": round(user / max(user + system, 1), 3),
        # Of the kernel's threads, which are in the cost; of all softirq work, most of which is on the process' clock.
        "daemonShare": round(sum(cost.spent.core.daemons for cost in costs) / max(process, 1e-9), 4),
        "softirqShare": round(sum(cost.spent.core.softirq for cost in costs) / max(process, 1e-9), 4),
        "perSecond": round(statistics.median(cost.count / cost.seconds for cost in costs), 1),
    }
