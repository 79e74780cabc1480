"""Several measurements, one after the other, or a few at a time."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from .. import Failed, Missing


def arguments(parser) -> None:
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these alone; what one of them takes must be there")


def each(runs: list[list[str]], options, folder: Path, say, jobs: int = 1):
    """Each of `runs`, a measurement's arguments, with its result, as soon as it is over. One that fails ends none of the
    others. More than one job at a time only shows whether they run: what they measure is worth nothing."""
    if strange := set(options.only or []) - {arguments[0] for arguments in runs}:
        raise Failed(f"not among these measurements: {', '.join(sorted(strange))}")
    chosen = [arguments for arguments in runs if not options.only or arguments[0] in options.only]

    def one(number: int) -> dict:
        arguments = chosen[number]
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
        say(f"{arguments[0]} took {seconds} s")
        return {"arguments": arguments, "seconds": seconds, "result": result}

    if jobs == 1:
        yield from map(one, range(len(chosen)))
        return
    # Processes, since a measurement keeps its process to some cores. They are forked when the first run is handed in,
    # and know this function from then.
    global _one
    _one = one
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        yield from pool.map(_forked, range(len(chosen)))


_one = None


def _forked(number: int) -> dict:
    return _one(number)


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
