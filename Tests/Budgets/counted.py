"""A server under callgrind, and how many instructions it has run, all threads together."""

import re
import subprocess
from pathlib import Path

from harness.suite import Failed
from harness.world import Server

HERE = Path(__file__).resolve().parent


def wrapper(belfry: str, folder: Path) -> str:
    """A program that runs `belfry` under callgrind.

    Valgrind 3.19 gives up at this compiler's debug information, so it gets a copy without; symbols are not needed.
    """
    program, library, script = folder / "belfry-bare", folder / "sigsuspend.so", folder / "belfry"
    _run("objcopy", "--strip-debug", belfry, program)
    _run("cc", "-shared", "-fPIC", "-O2", "-o", library, HERE / "sigsuspend.c")
    # Hashes that are seeded anew in each run would move the counts.
    script.write_text(
        "#!/bin/sh\n"
        f"export LD_PRELOAD='{library}' SWIFT_DETERMINISTIC_HASHING=1\n"
        f"exec valgrind --tool=callgrind --quiet --callgrind-out-file='{folder}/counts' '{program}' \"$@\"\n")
    script.chmod(0o755)
    return str(script)


class Counter:
    """Counts from one question to the next."""

    def __init__(self, server: Server, folder: Path):
        self._process = server.process
        self._folder = folder
        self._dumps = 0

    def since_last(self, functions: tuple[str, ...] = ()) -> int:
        """`functions`: counts these and all that they call, and nothing else; how their symbols begin. Each has to have
        run."""
        _run("callgrind_control", "--dump", str(self._process.pid))
        self._dumps += 1
        # Threads are not told apart, so there is one file a dump.
        dump = self._folder / f"counts.{self._dumps}"
        if functions:
            return self._within(functions, dump)
        totals = re.search(r"^(?:totals|summary): (\d+)", dump.read_text(), re.MULTILINE)
        if not totals:
            raise Failed(f"callgrind's dump {dump.name} has no totals")
        return int(totals[1])

    def _within(self, functions: tuple[str, ...], dump: Path) -> int:
        lines = _run("callgrind_annotate", "--inclusive=yes", "--threshold=100", dump).splitlines()
        counted = {name: 0 for name in functions}
        for line in lines:
            # As in ` 1,234 ( 0.5%)  ???:$s5Inbox… [/path/belfry-bare]`.
            found = re.match(r"\s*([\d,]+) \(.*?\)\s+\S*?:(\$s\w+)", line)
            for name in functions:
                if found and found[2].startswith(name):
                    counted[name] = max(counted[name], int(found[1].replace(",", "")))
        if missing := [name for name, count in counted.items() if not count]:
            raise Failed(f"callgrind saw no function whose symbol begins with {', '.join(missing)}")
        return sum(counted.values())


def _run(*command) -> str:
    try:
        return subprocess.run(
            [str(part) for part in command], check=True, capture_output=True, text=True, errors="replace").stdout
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not installed: it takes valgrind, binutils and a C compiler") from None
    except subprocess.CalledProcessError as problem:
        raise Failed(f"{command[0]} failed: {problem.stderr.strip() or problem.stdout.strip()}") from None
