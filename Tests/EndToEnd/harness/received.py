"""What a receiver got, for cases to wait for."""

import threading
import time

from .suite import PATIENCE, Failed


class Received:
    """A list that one thread fills and another waits for; or why something that came was not as it should be."""

    def __init__(self):
        self._items: list = []
        self._problems: list[str] = []
        self._news = threading.Condition()

    def add(self, item):
        with self._news:
            self._items.append(item)
            self._news.notify_all()

    def fail(self, problem: str):
        with self._news:
            self._problems.append(problem)
            self._news.notify_all()

    @property
    def all(self) -> list:
        with self._news:
            return list(self._items)

    def wait_for(self, count: int, within: float = PATIENCE) -> list:
        """The first so many; fails as soon as there is a problem."""
        deadline = time.monotonic() + within
        with self._news:
            while True:
                if self._problems:
                    raise Failed("; ".join(self._problems))
                if len(self._items) >= count:
                    return self._items[:count]
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Failed(f"expected {count} pushes within {within} s, found {len(self._items)}")
                self._news.wait(left)
