"""The Python environment that the suite runs in: made once, and again when what it is made of changes."""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from .suite import CASE_COUNT, in_order

PORT = Path(__file__).resolve().parents[1] / "port"

_LIST_CASES = """
from autobahntestsuite import case, caseset
every = caseset.CaseSet(case.CaseSetname, case.CaseBasename, case.Cases, case.CaseCategories, case.CaseSubCategories)
print(*every.CasesIndices)
"""


class InstallFailed(Exception):
    """The environment could not be made; says why."""


def install(folder: Path) -> Path:
    """Returns the environment's interpreter. Takes half a minute the first time, and needs a network then."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Of two runs that begin together one installs, and the other waits for it.
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python, stamp, digest = folder / "bin" / "python", folder / "belfry-conformance", _digest()
        if not (python.exists() and stamp.exists() and stamp.read_text() == digest):
            print(f"installing the conformance suite into {os.path.relpath(folder)}", file=sys.stderr, flush=True)
            _make(folder, python)
            stamp.write_text(digest)
        return python


def _make(folder: Path, python: Path):
    # Clears what is there: only pristine sources can be ported.
    _call([sys.executable, "-m", "venv", "--clear", folder])
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"]
    _call([*pip, "--requirement", PORT / "requirements.txt"])
    # Sources of Python 2: no bytecode before they are ported.
    _call([*pip, "--require-hashes", "--no-build-isolation", "--no-compile",
           "--requirement", PORT / "requirements-source.txt"])
    _call([python, PORT / "port.py"])
    found = len(case_ids(python))
    if found != CASE_COUNT:
        raise InstallFailed(f"the suite has {found} cases, expected {CASE_COUNT}")


def case_ids(python: Path) -> list[str]:
    """All cases of the installed suite, in order."""
    return in_order(_call([python, "-c", _LIST_CASES]).split())


def _digest() -> str:
    """Of all that decides what the environment is."""
    hash = hashlib.sha256(sys.version.encode())
    for path in [Path(__file__), *sorted(PORT.glob("*.py")), *sorted(PORT.glob("*.txt"))]:
        hash.update(path.read_bytes())
    return hash.hexdigest()


def _call(command: list) -> str:
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise InstallFailed(f"{' '.join(str(word) for word in command)}\n{done.stdout[-4000:]}")
    return done.stdout
