"""Which servers the comparison knows, whether they are here, and which versions."""

import re
import shutil
import subprocess
from pathlib import Path

from . import Failed
from .build import BENCHMARKS
from .compare_daemons import NCHAN_MODULE, start_mosquitto, start_nats, start_nchan
from .compare_servers import NIO_BUILD, NIO_PROGRAM, start_belfry, start_nio

NIO_PACKAGE = BENCHMARKS / "peers/nio"

STARTERS = {
    "belfry": start_belfry, "nio": start_nio, "nchan": start_nchan, "nats": start_nats, "mosquitto": start_mosquitto}
PEERS = tuple(name for name in STARTERS if name != "belfry")

_PROGRAMS = {"nchan": "nginx", "nats": "nats-server", "mosquitto": "mosquitto"}
_PACKAGES = {"nchan": "nginx libnginx-mod-nchan", "nats": "nats-server", "mosquitto": "mosquitto"}


def installed(names: list[str], say) -> list[str]:
    """Those that can be started; the others are told of."""
    return [name for name in names if _is_there(name, say)]


def versions(names: list[str]) -> dict[str, str]:
    return {name: _version(name) for name in names}


def _is_there(name: str, say) -> bool:
    if name == "nio":
        return _build_nio(say)
    if shutil.which(_PROGRAMS[name]) and (name != "nchan" or NCHAN_MODULE.exists()):
        return True
    say(f"{name} is left out, as it is not installed: apt-get install {_PACKAGES[name]}")
    return False


def _build_nio(say) -> bool:
    sources = [NIO_PACKAGE / "Package.swift", *NIO_PACKAGE.glob("Sources/**/*.swift")]
    newest = max(file.stat().st_mtime for file in sources)
    if NIO_PROGRAM.exists() and NIO_PROGRAM.stat().st_mtime > newest:
        return True
    if not shutil.which("swift"):
        say("nio is left out, as it has to be built and there is no Swift: https://www.swift.org/install")
        return False
    say("building the SwiftNIO server, which takes some minutes the first time")
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", str(NIO_PACKAGE), "--scratch-path", str(NIO_BUILD)],
        capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"the SwiftNIO server does not build:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    # The linker leaves a program alone that would be the same.
    NIO_PROGRAM.touch()
    return True


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
