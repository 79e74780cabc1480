"""A wall clock that a case may set, for one server."""

import os
import shutil
import subprocess
from pathlib import Path


class MovedClock:
    def __init__(self, folder: Path):
        self._file = folder / "moved-clock"
        self.set(0)
        library = folder / "moved_clock.so"
        compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
        #: There may be no compiler where the cases run.
        self.is_possible = compiler is not None
        if not self.is_possible:
            print("no moved clock: there is no C compiler here")
            return
        source = Path(__file__).with_name("moved_clock.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True)
        #: For a server's `launcher`.
        self.launcher = ["env", f"LD_PRELOAD={library}", f"MOVED_CLOCK={self._file}"]

    def set(self, seconds: int):
        """Off by so much from now on."""
        other = self._file.with_suffix(".new")
        other.write_text(f"{seconds}\n")
        os.replace(other, self._file)
