"""The same numbers for people."""


def idle(result: dict) -> str:
    rows = [("", "resident KiB", "anonymous KiB", "bytes a session", "bytes a further one", "cores while idle")]
    rows.append(("base", *_memory(result["base"]), "", "", ""))
    for stage in result["stages"]:
        rows.append((
            f"{stage['sessions']} sessions", *_memory(stage["memory"]), _bytes(stage["perSession"]),
            _bytes(stage["perFurtherSession"]), f"{stage['idleCores']:.4f}"))
    rows.append(("all closed", *_memory(result["afterwards"]), "", "", ""))
    return f"{table(rows)}\n\nBytes are of anonymous memory, resident in parentheses. Poller: {result['poller']}."


def fanout(result: dict) -> str:
    rows = [(
        "µs of CPU a frame", "belfry", "floor", "ratio", "lowest–highest", "without publishing", "user share",
        "rounds/s")]
    for name, pace in result["paces"].items():
        belfry, floor = pace["belfry"], pace["floor"]
        rows.append((
            name, f"{belfry['median']:.2f}", f"{floor['median']:.2f}", f"{pace['ratio']:.2f}",
            f"{min(pace['ratios']):.2f}–{max(pace['ratios']):.2f}", f"{pace['ratioWithoutPublishing']:.2f}",
            f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['roundsPerSecond']:.0f} / {floor['roundsPerSecond']:.0f}"))
    alone = ", ".join(
        f"{pace['publishingAlone']['microsecondsPerItem']:.0f} µs ({name})" for name, pace in result["paces"].items())
    return (
        f"{table(rows)}\n\n{result['sessions']} sessions, items of {result['itemBytes']} bytes, "
        f"{result['frameBytes']} on the wire. Poller: {result['poller']}.\n"
        f"Publishing an item that nobody gets: {alone}.")


def table(rows: list[tuple[str, ...]]) -> str:
    """Markdown, so that it can go into RESULTS.md as it is."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _memory(memory: dict) -> tuple[str, str]:
    return f"{memory['residentKiB']:,}", f"{memory['anonymousKiB']:,}"


def _bytes(per_session: dict) -> str:
    return f"{per_session['anonymous']:,} ({per_session['resident']:,})"
