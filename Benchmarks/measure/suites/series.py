"""Several measurements, one after the other."""

import time
from pathlib import Path

from .. import Failed, Missing


def arguments(parser) -> None:
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these alone; what one of them takes must be there")


def each(runs: list[list[str]], options, folder: Path, say):
    """Each of `runs`, a measurement's arguments, with its result, as soon as it is over. One that fails ends none of the
    others."""
    if strange := set(options.only or []) - {arguments[0] for arguments in runs}:
        raise Failed(f"not among these measurements: {', '.join(sorted(strange))}")
    for number, arguments in enumerate(runs):
        if options.only and arguments[0] not in options.only:
            continue
        say(f"\n== {' '.join(arguments)}")
        own = folder / str(number)
        own.mkdir()
        began = time.monotonic()
        result = _result(arguments, options, own)
        for problem in result["problems"]:
            say(f"failed: {problem}")
        if "missing" in result:
            say(f"left out: {result['missing']}")
        seconds = round(time.monotonic() - began, 1)
        say(f"took {seconds} s")
        yield {"arguments": arguments, "seconds": seconds, "result": result}


def _result(arguments: list[str], options, folder: Path) -> dict:
    try:
        return options.run(arguments, folder)
    except Missing as problem:
        return {"missing": str(problem), "problems": [str(problem)] if options.only else []}
    except Failed as problem:
        return {"problems": [str(problem)]}
    # Whatever goes wrong with one, a server that resets a connection, too, the others' results are not lost.
    except Exception as problem:
        return {"problems": [repr(problem)]}


def problems(runs: list[dict]) -> list[str]:
    """All of theirs, each with the measurement that has it."""
    return [f"{' '.join(run['arguments'])}: {problem}" for run in runs for problem in run["result"]["problems"]]
