"""Compiles the C programs whose sources are newer."""

import subprocess
from pathlib import Path

from . import Failed

BENCHMARKS = Path(__file__).resolve().parents[1]
BUILT = BENCHMARKS / ".build"
LIBRARIES = ["-lssl", "-lcrypto"]

CLIENTS = ("subscribers", "echoers", "readers", "returners", "churners", "listeners")


def compile_all() -> None:
    BUILT.mkdir(exist_ok=True)
    for name in CLIENTS:
        _compile(BUILT / name, [BENCHMARKS / "client" / f"{name}.c", *sorted((BENCHMARKS / "lib").glob("*.c"))])
    _compile(BUILT / "sends-floor", [BENCHMARKS / "floor/sends.c"])
    _compile(BUILT / "echo-floor", [BENCHMARKS / "floor/echo.c", BENCHMARKS / "floor/text.c"])


def _compile(program: Path, sources: list[Path]) -> None:
    headers = [header for folder in {source.parent for source in sources} for header in folder.glob("*.h")]
    newest = max(file.stat().st_mtime for file in [*sources, *headers])
    if program.exists() and program.stat().st_mtime > newest:
        return
    command = ["cc", "-O2", "-Wall", "-Wextra", "-o", str(program), *map(str, sources), *LIBRARIES]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed("there is no C compiler: install gcc or clang as `cc`") from None
    if done.returncode != 0:
        raise Failed(f"{program.name} does not compile:\n{done.stderr}")
    if done.stderr:
        raise Failed(f"{program.name} compiles with warnings:\n{done.stderr}")
