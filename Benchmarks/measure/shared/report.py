"""How results are shown to people."""


def table(rows: list[tuple[str, ...]]) -> str:
    """Markdown, so that it can go into RESULTS.md as it is."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def mismatches(counted: dict[str, tuple[int, int]]) -> list[str]:
    """A line for each count that is not what it has to be."""
    return [f"{name}: {count} instead of {wanted}" for name, (count, wanted) in counted.items() if count != wanted]


def memory(memory: dict) -> tuple[str, str]:
    return f"{memory['residentKiB']:,}", f"{memory['anonymousKiB']:,}"


def bytes_with_resident(per_session: dict) -> str:
    return f"{per_session['anonymous']:,} ({per_session['resident']:,})"


def encryption(result: dict) -> str:
    return ", over TLS" if result["isEncrypted"] else ""
