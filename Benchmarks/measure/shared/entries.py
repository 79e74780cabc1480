"""RESULTS.md: an entry for each run, the newest on top."""

import os
from pathlib import Path

from .. import Failed

HEAD = "# Results\n"


def check(file: Path) -> None:
    """Before an hour has passed: whether the file beside it that takes its place can be written."""
    try:
        part(file).touch()
        part(file).unlink()
    except OSError as error:
        raise Failed(f"--results: {file} cannot be written: {error.strerror}") from None


def add(file: Path, result: dict, tables: str) -> None:
    """Puts a run's entry before the first one that is there, behind whatever the file says before its entries."""
    text = (file.read_text("utf-8") if file.exists() else "") or HEAD
    before, mark, entries = text.partition("\n## ")
    # In its place at once: whatever ends this program meanwhile, the entries that were there are.
    part(file).write_text(f"{before.rstrip()}\n\n{entry(result, tables)}{mark}{entries}", "utf-8")
    os.replace(part(file), file)


def part(file: Path) -> Path:
    return file.with_name(f"{file.name}.part")


def entry(result: dict, tables: str) -> str:
    machine, program = result["machine"], result["program"]
    lines = [
        f"## {result['date'][:10]}, {result['date'][11:16]} UTC: {result['measurement']}",
        f"{machine['processor']}, {machine['cores']} cores, {machine['memoryGiB']} GiB, Linux {machine['kernel']}, load before "
        f"{machine['loadBefore']}. A program of {program['bytes']:,} bytes, built {program['built']} UTC; the tree: "
        f"`{program['tree']}`. `{result['command']}`",
        tables, *(f"**Failed:** {problem}" for problem in result["problems"])]
    return "\n\n".join(lines) + "\n"
