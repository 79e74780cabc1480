"""A wall clock that a case may set, for one server."""

import os
from pathlib import Path

from .preloaded import compiled


class MovedClock:
    def __init__(self, folder: Path):
        self._file = folder / "moved-clock"
        self.set(0)
        library = compiled("moved_clock.c", folder)
        self.is_possible = library is not None
        #: For a server's `launcher`.
        self.launcher = ["env", f"LD_PRELOAD={library}", f"MOVED_CLOCK={self._file}"]

    def set(self, seconds: int):
        """Off by so much from now on."""
        other = self._file.with_suffix(".new")
        other.write_text(f"{seconds}\n")
        os.replace(other, self._file)
