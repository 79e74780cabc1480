"""What a process takes, again and again, and how fast that grows."""

import os
import re
import threading
import time
from http.client import HTTPException
from pathlib import Path

from harness.http import once
from harness.suite import Failed


class Samples(threading.Thread):
    """Looks at the nodes' processes every few seconds; begins anew for a process that has been started again."""

    def __init__(self, server, every: float = 5.0):
        super().__init__(daemon=True)
        self._server, self._every = server, every
        self._ending = threading.Event()
        #: By name: the time in hours, and the value.
        self.series: dict[str, list[tuple[float, float]]] = {}
        self._began = time.monotonic()

    def end(self):
        self._ending.set()
        self.join()

    def run(self):
        while not self._ending.wait(self._every):
            try:
                self._sample()
            except (OSError, HTTPException, Failed, IndexError, AttributeError):
                pass  # a process that is gone is no fault here

    def _sample(self):
        at = (time.monotonic() - self._began) / 3600
        for number, node in enumerate(getattr(self._server, "nodes", [self._server]), 1):
            folder = Path(f"/proc/{node.process.pid}")
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
            store = sum(file.stat().st_size for file in Path(node.data).glob("belfry.sqlite*"))
            values = {
                "memory, MiB": int(status["VmRSS"].split()[0]) / 1024, "threads": int(status["Threads"]),
                "descriptors": len(os.listdir(folder / "fd")), "store, MiB": store / (1 << 20),
                **gauges(once(node.ops, "GET", "/metrics").body.decode())}
            for name, value in values.items():
                self.series.setdefault(f"node {number}: {name}", []).append((at, value))


def gauges(metrics: str) -> dict[str, float]:
    """The program's own gauges, each as the sum of all its labels, without those that show a time."""
    names = {name for name in re.findall(r"^# TYPE (belfry_\w+) gauge$", metrics, re.M)
             if not name.endswith(("_timestamp_seconds", "_age_seconds"))}
    sums: dict[str, float] = {}
    for name, value in re.findall(r"^(belfry_\w+)(?:\{[^}]*\})? (\S+)", metrics, re.M):
        if name in names:
            sums[name] = sums.get(name, 0) + float(value)
    return sums


def slope(points: list[tuple[float, float]]) -> tuple[float, float]:
    """How fast it grows in an hour, by least squares, and the standard error of that; samples follow each other closely,
    so the error counts as many of them as there are minutes."""
    count = len(points)
    if count < 3:
        return 0.0, 0.0
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if not spread:
        return 0.0, 0.0
    rise = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    rest = sum((y - mean_y - rise * (x - mean_x)) ** 2 for x, y in points)
    minutes = max((points[-1][0] - points[0][0]) * 60, 3)
    error = (rest / count / max(minutes - 2, 1) / (spread / count)) ** 0.5
    return rise, error
