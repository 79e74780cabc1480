"""The same numbers for people."""


def all_targets(result: dict) -> str:
    # A quick run's sizes are others than the names tell.
    verdicts = {} if result["isQuick"] else {True: "met", False: "NOT met", None: "–"}
    rows = [("work", "target", "measured", "")]
    rows += [(row["name"], row["target"], row["measured"], verdicts.get(row["isMet"], "quick")) for row in result["rows"]]
    return f"{table(rows)}\n\n{result['seconds'] / 60:.0f} minutes in all."


def idle(result: dict) -> str:
    rows = [("", "resident KiB", "anonymous KiB", "bytes a session", "bytes a further one", "cores while idle")]
    rows.append(("base", *_memory(result["base"]), "", "", ""))
    for stage in result["stages"]:
        rows.append((
            f"{stage['sessions']} sessions", *_memory(stage["memory"]), _bytes(stage["perSession"]),
            _bytes(stage["perFurtherSession"]), f"{stage['idleCores']:.4f}"))
    rows.append(("all closed", *_memory(result["afterwards"]), "", "", ""))
    return (
        f"{table(rows)}\n\nBytes are of anonymous memory, resident in parentheses. CPU: "
        f"{result['microsecondsPerSessionAndSecond']:.2f} µs a session and second, over {result['watchedSeconds']} s. "
        f"Server: {result['server']}{_encrypted(result)}. Poller: {result['poller']}.")


def fanout(result: dict) -> str:
    rows = [(
        "µs of CPU a frame", "belfry", "floor", "ratio", "lowest–highest", "without publishing", "user share",
        "frames/s")]
    for name, pace in result["paces"].items():
        belfry, floor = pace["belfry"], pace["floor"]
        rows.append((
            name, f"{belfry['median']:.2f}", f"{floor['median']:.2f}", f"{pace['ratio']:.2f}",
            f"{min(pace['ratios']):.2f}–{max(pace['ratios']):.2f}", f"{pace['ratioWithoutPublishing']:.2f}",
            f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['perSecond']:,.0f} / {floor['perSecond']:,.0f}"))
    alone = ", ".join(
        f"{pace['publishingAlone']['perFrame']:.3f} µs ({name})" for name, pace in result["paces"].items())
    return (
        f"{table(rows)}\n\n{result['sessions']:,} sessions, {result['inFlight']} in flight"
        f"{' as an array' if result['isArray'] else ''}, items of {result['itemBytes']} bytes, "
        f"{result['frameBytes']} on the wire. Poller: {result['poller']}.\n"
        f"Of a frame's cost, publishing: {alone}.")


def million(result: dict) -> str:
    rows = [(
        "without sockets", "anonymous KiB", "bytes a session", "opened/s", "µs to open one", "idle µs a session and s",
        "item to all, ms", "ns a frame", "µs an event for one")]
    for stage in result["stages"]:
        times = sorted(stage["fanout"]["milliseconds"])
        rows.append((
            f"{stage['sessions']:,} sessions", f"{stage['anonymousKiB']:,}", f"{stage['bytesPerSession']:,}",
            f"{stage['openedPerSecond']:,}", f"{stage['openingMicroseconds']:.0f}",
            f"{stage['idleMicrosecondsPerSessionAndSecond']:.2f}", f"{times[len(times) // 2]:.1f}",
            f"{stage['fanout']['nanosecondsPerFrame']:.0f}", f"{stage['unicast']['microsecondsPerEvent']:.0f}"))
    return f"{table(rows)}\n\nThe base is {result['base']['anonymousKiB']:,} KiB."


def echo(result: dict) -> str:
    rows = [(
        "µs of CPU a message", "belfry", "floor", "ratio", "lowest–highest", "user share", "messages/s", "p99 µs",
        "system calls a message")]
    for name, shape in result["shapes"].items():
        belfry, floor, calls = shape["belfry"], shape["floor"], shape["systemCalls"]
        rows.append((
            name, f"{belfry['median']:.2f}", f"{floor['median']:.2f}", f"{shape['ratio']:.2f}",
            f"{min(shape['ratios']):.2f}–{max(shape['ratios']):.2f}",
            f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['messagesPerSecond']:,} / {floor['messagesPerSecond']:,}",
            f"{belfry['p99Microseconds']:,.0f} / {floor['p99Microseconds']:,.0f}",
            f"{calls['belfry']['perMessage']:.2f} / {calls['floor']['perMessage']:.2f}"))
    calls = "\n".join(
        f"{name}: " + ", ".join(f"{call} {share}" for call, share in shape["systemCalls"]["belfry"]["byName"].items())
        for name, shape in result["shapes"].items())
    return (
        f"{table(rows)}\n\n{result['connections']} connections, messages of {result['messageBytes']} bytes. "
        f"Poller: {result['poller']}.\nBelfry's system calls a message, traced "
        f"(paced: at {result['tracedMessagesPerSecond']:,} a second):\n{calls}")


def unicast(result: dict) -> str:
    rows = [(
        "µs of CPU a notification", "belfry", "floor", "ratio", "lowest–highest", "floor with ack", "ratio", "user share",
        "events/s", "p50 / p99 ms")]
    for name, shape in result["shapes"].items():
        belfry, floor, acknowledging = shape["belfry"], shape["floor"], shape["floorWithAck"]
        rows.append((
            name, f"{belfry['median']:.1f}", f"{floor['median']:.2f}", f"{shape['ratio']:.2f}",
            f"{min(shape['ratios']):.2f}–{max(shape['ratios']):.2f}", f"{acknowledging['median']:.2f}",
            f"{shape['ratioWithAck']:.2f}", f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['perSecond']:,.0f} / {floor['perSecond']:,.0f}",
            f"{shape['belfryDelays']['p50'] / 1000:.1f} / {shape['belfryDelays']['p99'] / 1000:.1f}"))
    return (
        f"{table(rows)}\n\n{result['sessions']:,} sessions, {result['publishers']} publishers, frames of "
        f"{result['frameBytes']} bytes; paced: {result['eventsPerSecond']:g} a second. Poller: {result['poller']}.")


def publish(result: dict) -> str:
    rows = [(
        "events a second", "belfry", "floor", "ratio", "lowest–highest", "CPU µs an event", "ratio of CPU", "user share",
        "p50 / p99 ms")]
    for name, shape in result["shapes"].items():
        belfry, floor = shape["belfry"], shape["floor"]
        rows.append((
            name, f"{belfry['perSecond']:,.0f}", f"{floor['perSecond']:,.0f}", f"{shape['ratio']:.2f}",
            f"{min(shape['ratios']):.2f}–{max(shape['ratios']):.2f}", f"{belfry['median']:.1f} / {floor['median']:.1f}",
            f"{shape['cpuRatio']:.2f}", f"{belfry['userShare']:.0%} / {floor['userShare']:.0%}",
            f"{belfry['p50'] / 1000:.1f} / {belfry['p99'] / 1000:.1f}"))
    return (
        f"{table(rows)}\n\n{result['publishers']} waiting publishers; 64 in flight as arrays and in a stream; one "
        f"recipient each of {result['users']:,}. Poller: {result['poller']}.\nRows of an event: "
        f"{', '.join(result['rows']['recipient'])}.")


def crowd_rate(result: dict) -> str:
    rows = [("recipients a second", "median", "belfry's ratio to it", "lowest–highest")]
    rows.append(("belfry", f"{result['perSecond']['belfry']:,}", "", ""))
    for name, key, side in (
        ("floor, one commit an event", "inOneCommit", "floor"),
        ("floor, a commit each 1,000 rows", "inSteps", "floorInSteps"),
    ):
        ratios = result[key]["ratios"]
        rows.append((
            name, f"{result['perSecond'][side]:,}", f"{result[key]['ratio']:.2f}", f"{min(ratios):.2f}–{max(ratios):.2f}"))
    each = result["rows"]
    return (
        f"{table(rows)}\n\n{result['recipients']:,} recipients an event. CPU: {result['cpu']['belfry']['median']:.2f} / "
        f"{result['cpu']['floor']['median']:.2f} µs a recipient, ratio {result['cpu']['ratio']:.2f}. Poller: "
        f"{result['poller']}.\nRows for each recipient: {', '.join(each['recipient'])}; for each {each['pageSize']}: "
        f"{', '.join(each['page'])}; for the event: {', '.join(each['event'])}.")


def storm(result: dict) -> str:
    belfry, floor = result["belfry"], result["floor"]
    rows = [
        ("", "belfry", "floor"),
        ("µs of CPU a client", f"{belfry['median']:.1f}", f"{floor['median']:.1f}"),
        ("ratio, lowest–highest", f"{result['ratio']:.2f}", f"{min(result['ratios']):.2f}–{max(result['ratios']):.2f}"),
        ("user share", f"{belfry['userShare']:.0%}", f"{floor['userShare']:.0%}"),
        ("clients a second", f"{belfry['perSecond']:,.0f}", f"{floor['perSecond']:,.0f}"),
        ("all back after, s", f"{result['seconds']:.2f}", ""),
        ("one back after, p50 / p99, ms", f"{result['p50'] / 1000:.1f} / {result['p99'] / 1000:.1f}", ""),
        ("recovered, changes replayed", f"{result['recovered']:,.0f}, {result['changes']:,.0f}", ""),
    ]
    if "readsFromStore" in result:
        rows.append((
            "inboxes read from memory, from the store",
            f"{result.get('readsFromMemory', 0):,.0f}, {result['readsFromStore']:,.0f}", ""))
    return (
        f"{table(rows)}\n\n{result['sessions']:,} clients, at most {result['atOnce']:,} on their way; each missed "
        f"{result['missed']} changes. Poller: {result['poller']}.")


def poll(result: dict) -> str:
    belfry, nginx = result["belfry"], result["nginx"]
    rows = [
        ("unchanged, told with 304", "belfry", "nginx", "ratio", "lowest–highest"),
        ("a second", f"{belfry['perSecond']:,}", f"{nginx['perSecond']:,}", f"{result['ratio']:.2f}",
         f"{min(result['ratios']):.2f}–{max(result['ratios']):.2f}"),
        ("µs of CPU", f"{belfry['median']:.2f}", f"{nginx['median']:.2f}", f"{result['cpuRatio']:.2f}", ""),
        ("user share", f"{belfry['userShare']:.0%}", f"{nginx['userShare']:.0%}", "", ""),
    ]
    return f"{table(rows)}\n\n{result['connections']} connections, {result['users']:,} users. Poller: {result['poller']}."


def growth(result: dict) -> str:
    parts = []
    if by_sessions := result.get("bySessions"):
        few, many = (str(count) for count in result["sessions"])
        delivery, notification, idle = (by_sessions[key] for key in ("delivery", "notification", "idle"))
        rows = [("", f"{few} sessions", f"{many} sessions", "ratio")]
        for name, part, side, ratio in (
            ("µs of CPU a delivered frame", delivery, "belfry", "ratio"),
            ("the same of plain sends", delivery, "floor", "floorRatio"),
            ("µs of CPU a notification", notification, "belfry", "ratio"),
        ):
            rows.append((
                name, *(f"{part['costs'][f'{side}-{count}']['median']:.2f}" for count in (few, many)),
                f"{part[ratio]:.2f}"))
        for name, key in (("bytes an idle session", "bytes"), ("µs of CPU a second", "microsecondsPerSecond")):
            rows.append((name, f"{idle[few][key]}", f"{idle[many][key]}", f"{idle['ratios'][key]:.2f}"))
        parts.append(f"{table(rows)}\n\nA delivery beyond what plain sends grow: {delivery['ratioToFloor']:.2f}.")
    if by_rows := result.get("byRows"):
        rows = [("rows in the store", "µs of CPU a notification", "user share")]
        for name, cost in by_rows["costs"].items():
            rows.append((f"{int(name.partition('-')[2]):,}", f"{cost['median']:.1f}", f"{cost['userShare']:.0%}"))
        parts.append(f"{table(rows)}\n\nFrom the smallest to the greatest: {by_rows['ratio']:.2f}.")
    return "\n\n".join(parts)


def latency(result: dict) -> str:
    rows = [("publish → frame, ms", "p50", "p99", "longest")]
    for number, each in enumerate(result["rounds"]):
        rows.append((f"round {number + 1}", *(f"{each[key]:.2f}" for key in ("p50", "p99", "max"))))
    rows.append(("median", *(f"{result[key]:.2f}" for key in ("p50", "p99", "max"))))
    return (
        f"{table(rows)}\n\n{result['eventsPerSecond']:g} events a second, evenly spaced, for {result['secondsEach']} s, to "
        f"one of {result['sessions']:,} sessions each; times count from when an event was due. Poller: {result['poller']}.")


def slow_readers(result: dict) -> str:
    rows = [(
        "ms to the attentive", "p50 without", "p50 with", "p99 without", "p99 with", "ratio of p99", "slow ones gone",
        "after s", "told 4203")]
    for number, pair in enumerate(result["pairs"]):
        without, stuck = pair["without"], pair["with"]
        rows.append((
            f"pair {number + 1}", *(f"{each[key] / 1000:.1f}" for key in ("p50", "p99") for each in (without, stuck)),
            f"{pair['ratio']:.2f}", f"{stuck['gone']}", f"{stuck['secondsToClose']:.1f}",
            f"{stuck['closedAsSlow']} of {stuck['looked']} that looked"))
    return (
        f"{table(rows)}\n\nMedian ratio: {result['ratio']:.2f}. {result['slow']} of {result['sessions']} sessions "
        f"stop reading{_encrypted(result)}; items of {result['itemBytes']} bytes, {result['itemsPerSecond']:g} a "
        f"second. Poller: {result['poller']}.\nAnonymous memory: {result['before']['anonymousKiB']:,} KiB before, "
        f"{result['mostAnonymousKiB']['without']:,} at most without slow ones, "
        f"{result['mostAnonymousKiB']['with']:,} with, {result['afterwards']['anonymousKiB']:,} afterwards: "
        f"{result['bytesPerSlowSession']:,} bytes a slow session.")


def drain(result: dict) -> str:
    clients, events = result["clients"], result["events"]
    rows = [
        ("drain", ""),
        ("sessions", f"{result['sessions']:,}"),
        ("back, live at the end", f"{clients['back']:,}, {result['liveAfterwards']:,}"),
        ("attempts refused, cut, rejected, timed out",
         ", ".join(str(clients[key]) for key in ("refused", "cut", "rejected", "timedOut"))),
        ("changes published, lost, repeated", f"{result['changes']:,}, {result['lost']}, {result['repeated']}"),
        ("resets, gaps, unrecovered", f"{clients['resets']}, {clients['gaps']}, {clients['unrecovered']}"),
        ("announced rate, busiest second", f"{result['announcedRate']}, {clients['busiestSecond']}"),
        ("last one back, longest away", f"{clients['lastBack']:.2f} s, {clients['longestAway']:.2f} s"),
        ("second process served, first ended after",
         f"{result['tookOverAfterSeconds']:.2f} s, {result['firstEndedAfterSeconds']:.2f} s"),
        ("longest wait of a publisher", f"{events['longestWaitSeconds']:.2f} s"),
        ("verdict", "well" if result["isWell"] else "NOT WELL"),
    ]
    return f"{table(rows)}\n\n{events['answered']} events{_encrypted(result)}. Poller: {result['poller']}."


def crowd(result: dict) -> str:
    rows = [(
        "ms", "answered, median", "slowest", "others' p50 quiet", "during", "others' p99 quiet", "during", "worst")]
    for number, pair in enumerate(result["pairs"]):
        answers = sorted(pair["answers"])
        rows.append((
            f"pair {number + 1}", f"{answers[len(answers) // 2] * 1000:.0f}", f"{answers[-1] * 1000:.0f}",
            *(f"{pair[half][key]:.1f}" for key in ("p50", "p99") for half in ("quiet", "during")),
            f"{pair['during']['max']:.1f}"))
    return (
        f"{table(rows)}\n\n{result['recipients']:,} recipients an event; {result['publishers']} others publish "
        f"{result['rate']:g} events a second to one person each.\nThe first one, which makes the inboxes: "
        f"{result['firstSeconds'] * 1000:.0f} ms. Drift: {result['drift']:.0f}. "
        f"Verdict: {'well' if result['isWell'] else 'NOT WELL'}.")


def churn(result: dict) -> str:
    clients = result["clients"]
    rows = [("", "descriptors", "threads", "anonymous KiB", "connections so far")]
    for name, holding, begun in [
        ("quiet after the warm-up", result["before"], ""),
        *((f"{sample['seconds']} s", sample, f"{sample['begun']:,}") for sample in result["samples"]),
        ("quiet at the end", result["afterwards"], f"{clients['begun']:,}"),
    ]:
        rows.append((
            name, str(holding["descriptors"]), str(holding["threads"]), f"{holding['anonymousKiB']:,}", begun))
    ways = ", ".join(f"{way} {count:,}" for way, count in clients["ways"].items())
    verdict = "the same as at the start" if result["isWell"] else "NOT the same as at the start"
    return (
        f"{table(rows)}\n\n{ways}; ended unexpectedly {clients['unexpected']}, not by the server "
        f"{clients['overdue']} {clients['last']}\nVerdict: {verdict} (descriptors and threads equal, anonymous memory "
        f"within {result['toleratedKiB']:,} KiB, every client as expected){_encrypted(result)}. "
        f"Poller: {result['poller']}.")


def push(result: dict) -> str:
    rows = [("", "pushes a second", "CPU µs a push", "the service's CPU µs")]
    for name, halves in result["results"].items():
        middle = sorted(halves, key=lambda half: half["perSecond"])[len(halves) // 2]
        rows.append((
            name, f"{middle['perSecond']:,.0f}", f"{middle.get('cpuMicroseconds', 0):.1f}" if name == "belfry" else "",
            f"{middle['serverCpuMicroseconds']:.1f}"))
    return (
        f"{table(rows)}\n\nratio {result['ratio']:.2f} ({min(result['ratios']):.2f}–{max(result['ratios']):.2f}); "
        f"{result['jobs']:,} jobs for {result['devices']:,} devices. A waiting job takes "
        f"{result['bytesPerWaitingJob']:,.0f} bytes of memory: {result['before']['anonymousKiB']:,} → "
        f"{result['waiting']['anonymousKiB']:,} KiB.")


def push_faults(result: dict) -> str:
    rows = [
        ("", ""),
        ("jobs, read before they were due", f"{result['jobs']:,}, {result['readBefore']:,}"),
        ("requests", f"{result['requests']:,}"),
        ("faults", ", ".join(f"{name} {count:,}" for name, count in sorted(result["faults"].items()))),
        ("killed after", ", ".join(f"{count:,}" for count in result["kills"])),
        ("shown, lost", f"{result['shown']:,}, {result['lost']:,}"),
        ("sent again with the same collapse id", f"{result['sentAgain']:,}"),
        ("to people who had read, before they were due", f"{result['toReaders']}, {result['tooEarly']}"),
        ("jobs left", f"{result['jobsLeft']:.0f}"),
        ("seconds", f"{result['seconds']:.0f}"),
        ("verdict", "well" if result["isWell"] else "NOT WELL"),
    ]
    return table(rows)


def push_outage(result: dict) -> str:
    def milliseconds(waits: dict) -> tuple[str, ...]:
        return tuple(f"{waits[key]:,.1f}" for key in ("p50", "p99", "max"))

    rows = [
        ("publish → the healthy service, ms", "p50", "p99", "longest"),
        ("both answer", *milliseconds(result["healthyBefore"])),
        ("the other is silent", *milliseconds(result["healthyDuring"])),
    ]
    after = result["afterReturn"]
    return (
        f"{table(rows)}\n\n{result['published']:,} events at {result['rate']:.0f} a second; lost: {result['lost']}. "
        f"{result['waiting']:,.0f} jobs waited; memory {result['memoryBefore']['anonymousKiB']:,} → "
        f"{result['memoryDuring']['anonymousKiB']:,} KiB. After the return, pushes in each second: {after[:40]}; at most "
        f"{max(after, default=0):,}.\nVerdict: {'well' if result['isWell'] else 'NOT WELL'}.")


def _encrypted(result: dict) -> str:
    return ", over TLS" if result["isEncrypted"] else ""


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
