"""A disk that takes only so many writes a second: Linux holds the processes of a control group to that."""

import os
from contextlib import suppress
from pathlib import Path

from .. import Failed

_GROUPS = Path("/sys/fs/cgroup")
_NAME = "belfry-slow-disk"
_CONTROLLERS = _GROUPS / "cgroup.subtree_control"
# Where the groups are, which file has the limit, and how a line of it reads.
_VERSION_2 = (_GROUPS, "io.max", "{device} wiops={writes}")
_VERSION_1 = (_GROUPS / "blkio", "blkio.throttle.write_iops_device", "{device} {writes}")


class SlowDisk:
    """A control group of its own, in version 2 of Linux's groups or in 1, while it is entered. Takes root."""

    def __init__(self, folder: Path, writes_per_second: int):
        """`folder`: what is on the disk that is meant."""
        groups, self._limit, form = _VERSION_2 if (_GROUPS / "cgroup.controllers").exists() else _VERSION_1
        self._group = groups / f"{_NAME}-{os.getpid()}"
        self._rule = form.format(device=_device(folder), writes=writes_per_second)
        # Those that this group takes and that no other had: they go with it.
        self._controllers: list[str] = []

    def __enter__(self) -> "SlowDisk":
        try:
            if self._limit == "io.max":
                # With the memory's controller alone a group answers for what the kernel writes later.
                present = _CONTROLLERS.read_text().split()
                self._controllers = [name for name in ("io", "memory") if name not in present]
                if self._controllers:
                    _CONTROLLERS.write_text(" ".join(f"+{name}" for name in self._controllers))
            self._group.mkdir()
            (self._group / self._limit).write_text(self._rule)
        except OSError as error:
            self.__exit__()
            raise Failed(
                f"no control group that slows the disk down could be made ({error}): it takes root, and a kernel with "
                "blk-throttle and the controllers io and memory; leave --writes-per-second out") from None
        return self

    def hold(self, pid: int) -> None:
        """From now on, all of this process's threads and what it starts."""
        (self._group / "cgroup.procs").write_text(str(pid))

    def __exit__(self, *_) -> None:
        """When its processes have ended."""
        if self._group.exists():
            self._group.rmdir()
        if self._controllers:
            # Another group may have come to need them.
            with suppress(OSError):
                _CONTROLLERS.write_text(" ".join(f"-{name}" for name in self._controllers))


def _device(folder: Path) -> str:
    """major:minor of the whole disk: a partition has no limits of its own."""
    number = folder.stat().st_dev
    device = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not device.exists():
        raise Failed(f"{folder} is on no disk of its own (device {os.major(number)}:{os.minor(number)}): set TMPDIR")
    if (device / "partition").exists():
        device = device.resolve().parent
    return (device / "dev").read_text().strip()
