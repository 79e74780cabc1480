"""Compiles the two C programs, when their sources are newer."""

import subprocess
from pathlib import Path

from . import Failed

BENCHMARKS = Path(__file__).resolve().parents[1]
BUILT = BENCHMARKS / ".build"


def compile_all() -> None:
    BUILT.mkdir(exist_ok=True)
    for name, folder in (("subscribers", "client"), ("floor", "floor")):
        _compile(BUILT / name, BENCHMARKS / folder)


def _compile(program: Path, folder: Path) -> None:
    newest = max(file.stat().st_mtime for file in folder.glob("*.[ch]"))
    if program.exists() and program.stat().st_mtime > newest:
        return
    command = ["cc", "-O2", "-Wall", "-Wextra", "-o", str(program), *map(str, sorted(folder.glob("*.c")))]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed("there is no C compiler: install gcc or clang as `cc`") from None
    if done.returncode != 0:
        raise Failed(f"{folder} does not compile:\n{done.stderr}")
