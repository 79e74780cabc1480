"""What people would pick instead of Belfry, put to the same work: server CPU for a delivered message, and memory of an
idle subscriber."""

import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..delivery.fanout import SETTLING_ROUNDS
from ..shared import machine
from ..shared.core_time import CoreClock, is_hidden_from_processes
from ..shared.options import beyond_heartbeat, heartbeat, heartbeat_setting, positive
from ..shared.programs import item
from . import compare_idle, compare_report
from .compare_peers import PEERS, STARTERS, LeftOut, absence, versions
from .compare_servers import CHANNEL, SILENT_CHANNEL, Contender, Work, start_floor

HELP = "fan-out and idle memory, against other servers"
WARM_UP_ITEMS = 30
# Servers ping those who have just come; and their last answers are under way.
SETTLE_SECONDS = 3
# What a half delivers unless `--items` says otherwise: a second or two of the server's time.
DELIVERIES = {"lockstep": 300_000, "in flight": 600_000}


class Cost:
    """Of one half."""

    def __init__(self, process: float, daemons: float, softirq: float, ticks: list[int], frames: int, seconds: float):
        """Seconds of the server's processes, of the core's ksoftirqd, and of softirq work wherever it ran."""
        self.process, self.daemons, self.softirq = (each / frames * 1e6 for each in (process, daemons, softirq))
        self.user_ticks, self.system_ticks = ticks
        self.frames_a_second = frames / seconds

    @property
    def microseconds(self) -> float:
        """What a delivered message costs the server's core."""
        return self.process + self.daemons


def arguments(parser) -> None:
    heartbeat(parser)
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=PEERS)
    parser.add_argument("--sessions", type=positive, nargs="+", default=[1_000, 10_000], help="default: 1000 10000")
    parser.add_argument(
        "--in-flight", type=positive, nargs="+", default=[], help="for each of the sizes (default: 16, 4 above 1,000)")
    parser.add_argument("--items", type=positive, help="in each half (default: as many as take about a second)")
    parser.add_argument("--rounds", type=positive, default=5, help="how often all take turns (default: 5)")
    parser.add_argument("--item-bytes", type=positive, default=200)
    parser.add_argument("--idle-connections", type=int, default=10_000, help="0 leaves the memory out (default: 10,000)")


def measure(options, folder: Path, say) -> dict:
    left_out = LeftOut(say)
    names = [name for name in ("belfry", *options.peers) if not left_out.is_because(name, absence(name, say))]
    most = max([*options.sessions, options.idle_connections])
    machine.allow_descriptors(most + 300)
    cores = machine.cores()
    cores.keep_to_clients()
    payload = item(options.item_bytes)
    # One core for the server, so one shard: a second one would only take turns with the first.
    settings = {
        "BELFRY_POLLER": options.poller, "BELFRY_SHARDS": str(options.shards or 1), **heartbeat_setting(options)}

    def work(sessions: int, in_flight: int) -> Work:
        return Work(options.belfry.resolve(), settings, folder, sessions, in_flight, payload, cores)

    fanouts = []
    for number, sessions in enumerate(options.sessions):
        in_flight = options.in_flight[number] if number < len(options.in_flight) else default_in_flight(sessions)
        fanouts.append(fan_out(options, names, work(sessions, in_flight), left_out, say))
    idle = None
    if options.idle_connections:
        idle = compare_idle.measure(
            names, work(options.idle_connections, 1), beyond_heartbeat(options), left_out, say)
    return {
        "itemBytes": options.item_bytes,
        "poller": options.poller,
        "rounds": options.rounds,
        "servers": versions(names),
        "leftOut": left_out.reasons,
        "failed": left_out.failures,
        "cores": cores.json,
        "isSoftirqHiddenFromProcesses": is_hidden_from_processes(),
        "fanOut": fanouts,
        "idle": idle,
    }


def problems(result: dict) -> list[str]:
    return result["failed"]


def default_in_flight(sessions: int) -> int:
    """Fewer for many, so that as much waits in all."""
    return 16 if sessions <= 1_000 else 4


def fan_out(options, names: list[str], work: Work, left_out: LeftOut, say) -> dict:
    with ExitStack() as stack:
        contenders = []
        for name in names:
            with left_out.if_failed(name, f"with {work.sessions:,} sessions"), ExitStack() as own:
                contenders.append(warmed(STARTERS[name](work, own), work))
                stack.push(own.pop_all())
                say(f"{work.sessions:,} sessions: {name} is ready")
        # The floor sends as many bytes as Belfry does; the offset's digits are all that varies there.
        belfry = contenders[0].clients
        contenders.insert(1, warmed(start_floor(work, stack, round(belfry.bytes / belfry.frames)), work))
        time.sleep(SETTLE_SECONDS)
        clock = CoreClock(work.cores.server)
        paces = {}
        for pace, at_once in (("lockstep", 1), ("in flight", work.in_flight)):
            items = options.items or max(DELIVERIES[pace] // work.sessions, 1)
            bursts = max(items // at_once, 1)
            rounds = []
            for number in range(options.rounds):
                rounds.append(one_round(
                    contenders, number, clock, bursts, at_once, work, left_out, lambda text: say(f"{pace}: {text}")))
                contenders = [each for each in contenders if each.name in rounds[-1]]
            paces[pace] = {"items": bursts * at_once, "atOnce": at_once} | summary(contenders, rounds)
            for contender in contenders:
                if contender.is_answered:
                    paces[pace]["servers"][contender.name]["publishingMicroseconds"] = round(
                        publishing_alone(contender, bursts, at_once), 1)
    return {"sessions": work.sessions, "inFlight": work.in_flight, "paces": paces}


def warmed(contender: Contender, work: Work) -> Contender:
    """With all its subscribers, and code and caches that were used."""
    contender.open(work.sessions)
    deliver(contender, WARM_UP_ITEMS, 1, work.sessions)
    return contender


def deliver(contender: Contender, bursts: int, at_once: int, sessions: int) -> int:
    """Each burst after the one before has arrived everywhere; returns how many messages came."""
    first = contender.clients.frames
    for number in range(bursts):
        contender.publish(CHANNEL, at_once)
        contender.clients.await_frames(first + (number + 1) * at_once * sessions)
    frames = contender.clients.frames - first
    if frames != bursts * at_once * sessions:
        raise Failed(f"{contender.name}: {frames} messages came instead of {bursts * at_once * sessions}")
    return frames


def one_round(
    contenders: list[Contender], number: int, clock: CoreClock, bursts: int, at_once: int, work: Work,
    left_out: LeftOut, say,
) -> dict[str, Cost]:
    """All of them in turn, another one first each time: what else the machine does meets all alike."""
    first = number % len(contenders)
    costs = {}
    for contender in contenders[first:] + contenders[:first]:
        with left_out.if_failed(contender.name, f"with {work.sessions:,} sessions"):
            contender.begin()
            deliver(contender, SETTLING_ROUNDS, 1, work.sessions)
            costs[contender.name] = half(contender, clock, bursts, at_once, work.sessions)
    say(f"round {number + 1}, µs a message: " + ", ".join(
        f"{each.name} {costs[each.name].microseconds:.2f}" for each in contenders if each.name in costs))
    return costs


def half(contender: Contender, clock: CoreClock, bursts: int, at_once: int, sessions: int) -> Cost:
    family = contender.family
    cpu, core, ticks, began = family.cpu_seconds(), clock.read(), family.user_and_system_ticks(), time.monotonic()
    frames = deliver(contender, bursts, at_once, sessions)
    seconds = time.monotonic() - began
    spent = clock.read() - core
    return Cost(
        family.cpu_seconds() - cpu, spent.daemons, spent.softirq,
        [after - before for after, before in zip(family.user_and_system_ticks(), ticks)], frames, seconds)


def publishing_alone(contender: Contender, bursts: int, at_once: int) -> float:
    """Microseconds of server CPU for a publication that nobody gets."""
    contender.begin()
    cpu = contender.family.cpu_seconds()
    for _ in range(bursts):
        contender.publish(SILENT_CHANNEL, at_once)
    return (contender.family.cpu_seconds() - cpu) / (bursts * at_once) * 1e6


def summary(contenders: list[Contender], rounds: list[dict[str, Cost]]) -> dict:
    servers = {}
    for contender in contenders:
        name, clients = contender.name, contender.clients
        costs = [each[name] for each in rounds]
        # To the floor's of the same round: what slowed one down slowed the other down.
        ratios = [each[name].microseconds / each["floor"].microseconds for each in rounds]
        user, system = (sum(getattr(cost, kind) for cost in costs) for kind in ("user_ticks", "system_ticks"))
        servers[name] = {
            "microseconds": [round(cost.microseconds, 4) for cost in costs],
            "median": round(statistics.median(cost.microseconds for cost in costs), 4),
            "ratios": [round(ratio, 4) for ratio in ratios],
            "ratio": round(statistics.median(ratios), 4),
            "ksoftirqd": round(statistics.median(cost.daemons for cost in costs), 4),
            "softirq": round(statistics.median(cost.softirq for cost in costs), 4),
            # How much of it the program itself ran, and not the kernel for it.
            "userShare": round(user / max(user + system, 1), 3),
            "bytesPerMessage": round(clients.bytes / clients.frames, 1),
            "messagesPerSecond": round(statistics.median(cost.frames_a_second for cost in costs)),
        }
    return {"servers": servers}


describe = compare_report.describe
