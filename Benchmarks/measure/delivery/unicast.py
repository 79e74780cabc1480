"""What it costs to tell one of many: server CPU for a notification, durable and acknowledged, against a plain server
that reads a message and writes a frame."""

import statistics
from contextlib import ExitStack
from pathlib import Path

from ..shared import machine, tokens
from ..shared.clients import Publishers
from ..shared.cost import Cost, Meter, compared
from ..shared.options import positive
from ..shared.process import Child
from ..shared.programs import Floor, started
from ..shared.report import table

HELP = "CPU per notification to one of many, against a send"
WARM_UP_EVENTS = 5_000


class Side:
    """A server, and who publishes to it and takes what comes."""

    def __init__(self, server: Child, cores: set[int] | None, publishers: Publishers):
        self._meter = Meter(server, cores)
        self._publishers = publishers

    def run(self, events: int, rate: float | None) -> Cost:
        return self._meter.of(lambda: (events, self._publishers.run(events, rate)))


def opened(server: Child, socket: Path, credentials: Path, flags: list[str], options, cores, stack: ExitStack) -> Side:
    """With all of its sessions, until the stack unwinds."""
    publishers = Publishers(
        socket, options.sessions,
        ["--connections", str(options.sessions), "--tokens", str(credentials), "--publishers", str(options.publishers),
         *flags], cores.clients, server.port)
    stack.callback(publishers.stop)
    publishers.open(options.sessions)
    return Side(server, cores.server, publishers)


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=10_000, help="at most 18,000 (default: 10,000)")
    parser.add_argument("--publishers", type=positive, default=8, help="(default: 8)")
    parser.add_argument(
        "--window", type=positive, default=1,
        help="events that each publisher has under way: one at a time as a request each, more on a stream (default: 1)")
    parser.add_argument("--events", type=positive, default=20_000, help="in each half of a pair (default: 20,000)")
    parser.add_argument("--rate", type=float, default=2_000, help="events a second of the paced shape (default: 2,000)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often they alternate (default: 5)")
    parser.add_argument(
        "--commit-interval", default="0s", metavar="TIME", help="Belfry's store.commitInterval (default: 0s)")
    parser.add_argument("--shape", choices=["in-flight", "paced", "both"], default="both")


def measure(options, folder: Path, say) -> dict:
    sessions, warm_up = options.sessions, min(WARM_UP_EVENTS, options.events)
    window = ["--window", str(options.window)] if options.window > 1 else []
    machine.allow_descriptors(sessions + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        belfry = started(
            options, folder, stack, cores.server, {"BELFRY_STORE_COMMIT_INTERVAL": options.commit_interval})
        token_file = folder / "tokens"
        tokens.write(token_file, belfry.data, sessions, 1)
        # The floor believes a name.
        name_file = folder / "names"
        name_file.write_text("".join(f"user-{number}\n" for number in range(sessions)))

        def floor(name: str, flags: list[str]) -> Side:
            socket = folder / f"{name}.sock"
            server = Floor("unicast", [str(socket), str(frame_bytes)], cores.server)
            stack.callback(server.stop)
            return opened(server, socket, name_file, ["--floor", *window, *flags], options, cores, stack)

        ours = opened(
            belfry, belfry.data / "belfry.sock", token_file, ["--stream", *window] if window else [], options, cores,
            stack)
        # Each user's first notification makes the inbox.
        frame_bytes = ours.run(max(sessions, warm_up), None).said["frameBytes"]
        sides = {"belfry": ours, "floor": floor("silent", ["--no-ack"]), "floorWithAck": floor("acknowledging", [])}
        for each in sides.values():
            each.run(warm_up, None)
        shapes = {
            name: alternate(sides, options.events, rate, options.pairs, lambda text: say(f"{name}: {text}"))
            for name, option, rate in (("inFlight", "in-flight", None), ("paced", "paced", options.rate))
            if options.shape in (option, "both")}
    return {
        "sessions": sessions,
        "publishers": options.publishers,
        "window": options.window,
        "commitInterval": options.commit_interval,
        "events": options.events,
        "eventsPerSecond": options.rate,
        "frameBytes": frame_bytes,
        "poller": options.poller,
        "cores": cores.json,
        "shapes": shapes,
    }


def alternate(sides: dict[str, Side], events: int, rate: float | None, pairs: int, say) -> dict:
    costs: dict[str, list[Cost]] = {name: [] for name in sides}
    for number in range(pairs):
        for name, side in sides.items():
            costs[name].append(side.run(events, rate))
        belfry, silent, acknowledging = (each[-1].microseconds for each in costs.values())
        say(f"pair {number + 1}: belfry {belfry:.1f} µs, floor {silent:.2f} µs, with ack {acknowledging:.2f} µs, "
            f"{belfry / silent:.2f}, {belfry / acknowledging:.2f}")
    with_ack = compared(costs["belfry"], costs["floorWithAck"])
    return compared(costs["belfry"], costs["floor"]) | {
        "floorWithAck": with_ack["floor"], "ratiosWithAck": with_ack["ratios"], "ratioWithAck": with_ack["ratio"],
        "belfryDelays": {
            key: statistics.median(cost.said[key] for cost in costs["belfry"]) for key in ("p50", "p99", "max")}}


def describe(result: dict) -> str:
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
        f"{table(rows)}\n\n{result['sessions']:,} sessions, {result['publishers']} publishers with {result['window']} under "
        f"way each, frames of {result['frameBytes']} bytes; paced: {result['eventsPerSecond']:g} a second, commits "
        f"{result['commitInterval']} apart. Poller: {result['poller']}.")
