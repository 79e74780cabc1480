"""What a result depends on: machine, kernel, program; and the limits of this process."""

import os
import platform
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .. import Failed

ROOT = Path(__file__).resolve().parents[3]
# Those of this process at the start, before it kept to one of them.
_CORES = sorted(os.sched_getaffinity(0))


def described() -> dict:
    return {
        "processor": _processor(),
        "cores": core_count(),
        "memoryGiB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "kernel": platform.release(),
        # Above 0 something else was running: only ratios are worth reading then.
        "loadBefore": round(os.getloadavg()[0], 2),
    }


def program(path: Path) -> dict:
    built = path.stat()
    return {
        "path": str(path),
        "bytes": built.st_size,
        "built": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(built.st_mtime)),
        "tree": _commit(),
    }


def allow_descriptors(count: int) -> None:
    """Raises the soft limit, which children inherit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise Failed(f"{count} open files are needed and the system allows {hard} (ulimit -Hn): take fewer sessions")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@dataclass(frozen=True)
class Cores:
    """Which cores servers may use, and which clients and this process; nothing where there is only one."""
    server: set[int] | None
    clients: set[int] | None

    def keep_to_clients(self) -> None:
        """Leaves the servers' core to them."""
        if self.clients:
            os.sched_setaffinity(0, self.clients)

    @property
    def json(self) -> dict | None:
        return {"server": sorted(self.server), "clients": sorted(self.clients)} if self.server else None


def cores() -> Cores:
    return Cores({_CORES[0]}, {_CORES[1]}) if len(_CORES) > 1 else Cores(None, None)


def core_count() -> int:
    return len(_CORES)


def use_all_cores() -> None:
    """For the next measurement, after one that stayed on a core."""
    os.sched_setaffinity(0, _CORES)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _commit() -> str | None:
    """The tree's commit, with a plus if it has changes: the program is as a rule built from it."""
    try:
        head = _git("rev-parse", "--short", "HEAD")
        return head + ("+" if _git("status", "--porcelain", "--", "Sources", "Package.swift") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "--no-optional-locks", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
