"""A disk that becomes read-only while a server runs."""

import os
import shutil
import subprocess
from pathlib import Path


class FailingDisk:
    """For a server's `launcher`: its data folder lies on a file system that nobody else sees."""

    def __init__(self, world):
        self._image = world.folder / "disk"
        folder = world.folder / "data"
        folder.mkdir()
        with self._image.open("wb") as file:
            file.truncate(64 << 20)
        mount = f"mount -o loop,errors=remount-ro {self._image} {folder} && chmod 700 {folder} && exec \"$@\""
        self.launcher = ["unshare", "--mount", "sh", "-c", mount, "sh"]
        #: Only root may mount a file system, and many machines have no loop devices.
        self.is_possible = (
            os.geteuid() == 0 and shutil.which("mkfs.ext4") is not None
            and subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", self._image],
                               capture_output=True).returncode == 0
            and subprocess.run([*self.launcher, "true"], capture_output=True).returncode == 0)
        if not self.is_possible:
            print("no failing disk: this user may not mount one")

    def fail(self):
        """As after a fault: from now on it can only be read."""
        told = subprocess.run(["losetup", "--noheadings", "--output", "NAME", "--associated", self._image],
                              capture_output=True, text=True, check=True).stdout
        Path("/sys/fs/ext4", Path(told.split()[0]).name, "trigger_fs_error").write_text("1\n")
