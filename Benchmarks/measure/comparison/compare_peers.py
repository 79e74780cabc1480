"""Which servers the comparison knows, whether they are here, and which versions."""

import re
import shutil
import subprocess
from contextlib import contextmanager

from .. import Failed
from ..shared.build import BENCHMARKS
from .compare_daemons import NCHAN_MODULE, start_mosquitto, start_nats, start_nchan
from .compare_servers import NIO_BUILD, NIO_PROGRAM, start_belfry, start_nio

NIO_PACKAGE = BENCHMARKS / "peers/nio"

STARTERS = {
    "belfry": start_belfry, "nio": start_nio, "nchan": start_nchan, "nats": start_nats, "mosquitto": start_mosquitto}
PEERS = tuple(name for name in STARTERS if name != "belfry")

_PROGRAMS = {"nchan": "nginx", "nats": "nats-server", "mosquitto": "mosquitto"}
_PACKAGES = {"nchan": "nginx libnginx-mod-nchan", "nats": "nats-server", "mosquitto": "mosquitto"}


class LeftOut:
    """The peers that some part of the comparison does without, and why: their trouble ends nothing but that part."""

    def __init__(self, say):
        self.reasons: dict[str, str] = {}
        #: Of those that are here, and did not do what was asked.
        self.failures: list[str] = []
        self._say = say

    def is_because(self, name: str, reason: str | None) -> bool:
        if reason:
            self.reasons[name] = reason
            self._say(f"{name} is left out: {reason}")
        return reason is not None

    @contextmanager
    def if_failed(self, name: str, where: str):
        """Ends what is done within when it fails, and takes note of it."""
        try:
            yield
        except Failed as problem:
            if name not in PEERS:
                raise  # nothing can be compared without Belfry and the floor
            self.is_because(name, f"{where}: {problem}")
            self.failures.append(f"{name}, {where}: {problem}")


def absence(name: str, say) -> str | None:
    """Why it cannot be started, and what to do about it; None if it can."""
    if name == "belfry":
        return None
    if name == "nio":
        return _build_nio(say)
    if shutil.which(_PROGRAMS[name]) and (name != "nchan" or NCHAN_MODULE.exists()):
        return None
    return f"not installed: apt-get install {_PACKAGES[name]}"


def versions(names: list[str]) -> dict[str, str]:
    """Belfry's is told by the result itself."""
    return {name: _version(name) for name in names if name != "belfry"}


def _build_nio(say) -> str | None:
    sources = [NIO_PACKAGE / "Package.swift", *NIO_PACKAGE.glob("Sources/**/*.swift")]
    newest = max(file.stat().st_mtime for file in sources)
    if NIO_PROGRAM.exists() and NIO_PROGRAM.stat().st_mtime > newest:
        return None
    if not shutil.which("swift"):
        return "it has to be built, and there is no Swift: https://www.swift.org/install"
    say("building the SwiftNIO server, which takes some minutes the first time")
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", str(NIO_PACKAGE), "--scratch-path", str(NIO_BUILD)],
        capture_output=True, text=True)
    if done.returncode != 0:
        return f"it does not build:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    # The linker leaves a program alone that would be the same.
    NIO_PROGRAM.touch()
    return None


def _version(name: str) -> str:
    if name == "nio":
        pinned = re.search(r'swift-nio\.git", exact: "([\d.]+)"', (NIO_PACKAGE / "Package.swift").read_text())
        return f"SwiftNIO {pinned[1]}" if pinned else "SwiftNIO"
    ask = {"nchan": ["nginx", "-v"], "nats": ["nats-server", "--version"], "mosquitto": ["mosquitto", "-h"]}[name]
    done = subprocess.run(ask, capture_output=True, text=True)
    found = re.search(r"\d+\.\d+\.\d+", done.stdout + done.stderr)
    number = found[0] if found else "of unknown version"
    return f"nginx {number} with nchan {_nchan_version()}" if name == "nchan" else f"{_PROGRAMS[name]} {number}"


def _nchan_version() -> str:
    try:
        done = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", "libnginx-mod-nchan"], capture_output=True, text=True, check=True)
        return done.stdout
    except (OSError, subprocess.CalledProcessError):
        return "of unknown version"
