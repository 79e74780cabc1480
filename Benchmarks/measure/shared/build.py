"""Compiles the C programs whose sources are newer."""

import subprocess
from pathlib import Path

from .. import Failed

BENCHMARKS = Path(__file__).resolve().parents[2]
BUILT = BENCHMARKS / ".build"
LIBRARIES = ["-lssl", "-lcrypto", "-lsqlite3"]

CLIENTS = ("subscribers", "echoers", "readers", "returners", "churners", "publishers", "storm", "listeners")
FLOORS = {
    "sends": ["sends"], "echo": ["echo", "text", "websocket"], "unicast": ["unicast", "websocket"],
    "upgrade": ["upgrade", "websocket"], "rows": ["rows", "../lib/report"],
    "disk": ["disk", "../lib/delays", "../lib/report"]}


def compile_all() -> None:
    BUILT.mkdir(exist_ok=True)
    for name in CLIENTS:
        _compile(BUILT / name, [BENCHMARKS / "client" / f"{name}.c", *sorted((BENCHMARKS / "lib").glob("*.c"))])
    for name, parts in FLOORS.items():
        _compile(BUILT / f"{name}-floor", [BENCHMARKS / f"floor/{part}.c" for part in parts])
    _compile(
        BUILT / "simulation.so",
        [*sorted((BENCHMARKS / "simulation").glob("*.c")), BENCHMARKS / "lib/frames.c"], ["-shared", "-fPIC"])


def _compile(program: Path, sources: list[Path], options: list[str] = []) -> None:
    headers = [header for folder in {source.parent for source in sources} for header in folder.glob("*.h")]
    newest = max(file.stat().st_mtime for file in [*sources, *headers])
    if program.exists() and program.stat().st_mtime > newest:
        return
    command = ["cc", "-O2", "-Wall", "-Wextra", *options, "-o", str(program), *map(str, sources), *LIBRARIES]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed("there is no C compiler: install gcc or clang as `cc`") from None
    if done.returncode != 0:
        raise Failed(f"{program.name} does not compile:\n{done.stderr}")
    if done.stderr:
        raise Failed(f"{program.name} compiles with warnings:\n{done.stderr}")
