"""What a process takes of memory, in MiB, by the kernel's account."""

import os
from pathlib import Path

from .suite import expect


def resident(process) -> int:
    return _of(process, "VmRSS")


def peak(process) -> int:
    """The most that it has ever had."""
    return _of(process, "VmHWM")


def expect_memory(taken: int, limit: int):
    """With a sanitizer nothing is judged: it keeps what is freed, and notes about each byte."""
    expect(taken < limit or "SANITIZER" in os.environ, f"it took {taken} MiB")


def _of(process, name: str) -> int:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) >> 10
