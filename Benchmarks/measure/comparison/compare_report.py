"""The comparison as Markdown, for RESULTS.md."""

from ..shared.report import table

LABELS = {
    "floor": "bare `send` in C", "belfry": "**Belfry**", "nio": "SwiftNIO", "nchan": "nginx, nchan",
    "nats": "nats-server", "mosquitto": "mosquitto"}


def describe(result: dict) -> str:
    parts = [fan_out(each, result) for each in result["fanOut"]]
    if result["idle"]:
        parts.append(idle(result["idle"]))
    parts.append("Against " + ", ".join(result["servers"].values()) + "." if result["servers"] else "Against nobody.")
    for name, reason in result["leftOut"].items():
        parts.append(f"**Left out: {LABELS[name]}**: {reason}")
    if result["isSoftirqHiddenFromProcesses"] is not False:
        parts.append(
            "**The kernel may take softirq work off the processes' clocks (CONFIG_IRQ_TIME_ACCOUNTING): add the column "
            "of all softirq work.**")
    return "\n\n".join(parts)


def fan_out(part: dict, result: dict) -> str:
    tables = []
    for name, pace in part["paces"].items():
        title = "one at a time" if name == "lockstep" else f"{pace['atOnce']} in flight"
        rows = [(
            f"{title}: µs a message", "median", "lowest–highest", "of the floor", "lowest–highest", "ksoftirqd",
            "all softirq", "user share", "bytes on the wire", "µs to publish")]
        for server, cost in by_cost(pace["servers"]):
            publishing = cost.get("publishingMicroseconds")
            rows.append((
                LABELS[server], f"{cost['median']:.2f}", span(cost["microseconds"]), f"{cost['ratio']:.2f}",
                span(cost["ratios"]), f"{cost['ksoftirqd']:.2f}", f"{cost['softirq']:.2f}", f"{cost['userShare']:.0%}",
                f"{cost['bytesPerMessage']:,.0f}", "" if publishing is None else f"{publishing:,.0f}"))
        tables.append(f"{table(rows)}\n\n{verdict(pace['servers'])}")
    return (
        f"A message of {result['itemBytes']} bytes to {part['sessions']:,} subscribers, {result['rounds']} rounds\n\n"
        + "\n\n".join(tables))


def by_cost(servers: dict) -> list[tuple[str, dict]]:
    return sorted(servers.items(), key=lambda each: each[1]["median"])


def span(values: list[float]) -> str:
    return f"{min(values):.2f}–{max(values):.2f}"


def verdict(servers: dict) -> str:
    """In how many of the rounds Belfry was cheaper than each peer."""
    ours = servers["belfry"]["microseconds"]
    against = {
        name: sum(mine < theirs for mine, theirs in zip(ours, cost["microseconds"]))
        for name, cost in servers.items() if name not in ("belfry", "floor")}
    if not against:
        return "No peers."
    return "Rounds in which Belfry was cheaper: " + ", ".join(
        f"than {LABELS[name]} {count} of {len(ours)}" for name, count in against.items()) + "."


def idle(part: dict) -> str:
    rows = [(
        "bytes a subscriber", "anonymous", "proportional", f"after {part['messages']} messages", "proportional",
        "process before, KiB")]
    for name, memory in sorted(part["servers"].items(), key=lambda each: anonymous(each[1])):
        subscribed, told = (memory[key]["bytesPerConnection"] for key in ("subscribed", "afterMessages"))
        rows.append((
            LABELS[name], f"{subscribed['anonymous']:,}", f"{subscribed['proportional']:,}", f"{told['anonymous']:,}",
            f"{told['proportional']:,}", f"{memory['base']['anonymousKiB']:,}"))
    return f"{part['connections']:,} idle subscribers\n\n{table(rows)}"


def anonymous(memory: dict) -> int:
    return memory["subscribed"]["bytesPerConnection"]["anonymous"]
