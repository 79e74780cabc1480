"""What a connection that does nothing costs: user memory, and CPU for heartbeats."""

import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import machine, tokens
from ..shared.clients import Subscribers
from ..shared.cost import Meter
from ..shared.options import beyond_heartbeat, encrypted, heartbeat, heartbeat_setting, per_user, positive
from ..shared.process import Memory
from ..shared.programs import Belfry, Echo, certificate, tls_settings
from ..shared.report import bytes_with_resident, encryption, memory, table

HELP = "memory of connections that do nothing"
# An echo has no heartbeats.
ECHO_SETTLE_SECONDS = 3
# What counts as unchanged over five readings: thirteen bytes a session of ten thousand. The allocator goes on giving pages back
# while sessions beat.
STEADY_KIB = 128
# Of a million sessions' memory some pages come and go.
STEADY_SHARE = 1e-4
STEADY_READINGS = 5
# What a process holds without sessions, after it has had some.
AFTERWARDS_SECONDS = 5
BASE_SECONDS = 3


def arguments(parser) -> None:
    per_user(parser)
    encrypted(parser)
    heartbeat(parser)
    parser.add_argument("--sessions", type=positive, help="default: 10,000; 15,000 with --echo")
    parser.add_argument("--echo", action="store_true", help="of `belfry echo`: the engine without the gateway")
    parser.add_argument("--watch", type=positive, default=55, help="seconds to watch their CPU (default: 55)")


def measure(options, folder: Path, say) -> dict:
    sessions = options.sessions or (15_000 if options.echo else 10_000)
    machine.allow_descriptors(sessions + 200)
    seconds = min(ECHO_SETTLE_SECONDS, beyond_heartbeat(options)) if options.echo else beyond_heartbeat(options)
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        start = started_echo if options.echo else started_server
        belfry = start(options, folder, cores.server)
        stack.callback(belfry.stop)
        base = settled(belfry, min(BASE_SECONDS, seconds))
        say(f"base: {base.resident} KiB, {base.anonymous} KiB of it anonymous")
        clients = Subscribers(belfry.port, sessions, client_options(options, belfry, folder, sessions), cores.clients)
        stack.callback(clients.stop)
        # The first sessions also pay for what exists once: buffers, caches, code that runs for the first time.
        few = opened(belfry, clients, min(max(sessions // 10, 1), 1_000), base, 0, base, seconds, say)
        all_of_them = opened(belfry, clients, sessions, base, few["sessions"], few["memory"], seconds, say)
        work = Meter(belfry, cores.server).of(lambda: watched(options.watch))
        await_sessions(belfry, sessions)
        say(f"{work.microseconds / sessions:.2f} µs of CPU a session and second, over {options.watch} s")
        clients.stop()
        await_sessions(belfry, 0)
        after = settled(belfry, min(AFTERWARDS_SECONDS, seconds))
    stages = [few, all_of_them]
    for stage in stages:
        stage["memory"] = stage["memory"].json
    return {
        "sessions": sessions,
        "server": "echo" if options.echo else "serve",
        "isEncrypted": options.tls,
        "sessionsPerUser": None if options.echo else options.sessions_per_user,
        "poller": options.poller,
        "base": base.json,
        "stages": stages,
        "afterwards": after.json,
        "bytesPerSession": all_of_them["perSession"],
        "watchedSeconds": options.watch,
        "microsecondsPerSessionAndSecond": round(work.microseconds / sessions, 3),
        "cores": cores.json,
    }


def watched(seconds: float) -> tuple[float, dict]:
    """Nothing happens but heartbeats."""
    began = time.monotonic()
    time.sleep(seconds)
    return time.monotonic() - began, {}


def started_server(options, folder: Path, cores: set[int] | None) -> Belfry:
    settings = {"BELFRY_POLLER": options.poller, "BELFRY_SHARDS": str(options.shards or 1), **heartbeat_setting(options)}
    if options.tls:
        settings |= tls_settings(folder)
    return Belfry(options.belfry, folder, settings, cores)


def started_echo(options, folder: Path, cores: set[int] | None) -> Echo:
    flags = ["--poller", options.poller, "--shards", str(options.shards or 1)]
    if options.tls:
        chain, key = certificate(folder)
        flags += ["--tls-certificate", str(chain), "--tls-key", str(key)]
    return Echo(options.belfry, folder, flags, cores)


def client_options(options, belfry, folder: Path, sessions: int) -> list[str]:
    flags = ["--tls"] if options.tls else []
    if options.echo:
        return [*flags, "--echo"]
    token_file = folder / "tokens"
    tokens.write(token_file, belfry.data, sessions, options.sessions_per_user)
    return [*flags, "--tokens", str(token_file)]


def opened(
    belfry, clients, count: int, base: Memory, before: int, memory_before: Memory, settle_seconds: float, say,
) -> dict:
    began = time.monotonic()
    clients.open(count)
    seconds = time.monotonic() - began
    await_sessions(belfry, count)
    cpu, since = belfry.cpu_seconds(), time.monotonic()
    memory = settled(belfry, settle_seconds)
    idle_cpu = (belfry.cpu_seconds() - cpu) / (time.monotonic() - since)
    # Whoever was lost has told by now, and the server knows.
    clients.write("count")
    clients.expect("frames", 0, within=5)
    await_sessions(belfry, count)
    say(f"{count} sessions: {memory.resident} KiB, {memory.anonymous} KiB of it anonymous")
    return {
        "sessions": count,
        "openedPerSecond": round((count - before) / seconds),
        "memory": memory,
        "perSession": per_session(memory, base, count),
        "perFurtherSession": per_session(memory, memory_before, count - before),
        "idleCores": round(idle_cpu, 4),
    }


def per_session(memory: Memory, base: Memory, sessions: int) -> dict:
    return {
        "resident": round((memory.resident - base.resident) * 1024 / sessions),
        "anonymous": round((memory.anonymous - base.anonymous) * 1024 / sessions),
    }


def settled(belfry: Belfry | Echo, seconds: float) -> Memory:
    """The memory once it has been steady, `seconds` from now at the earliest; looks are a second apart, or closer."""
    time.sleep(seconds)
    deadline = time.monotonic() + 60
    readings = [belfry.memory()]
    while time.monotonic() < deadline:
        time.sleep(min(seconds, 1))
        readings = [*readings, belfry.memory()][-STEADY_READINGS:]
        sizes = [reading.anonymous for reading in readings]
        if len(sizes) == STEADY_READINGS and max(sizes) - min(sizes) <= max(STEADY_KIB, sizes[-1] * STEADY_SHARE):
            return readings[-1]
    raise Failed(f"belfry's memory does not settle: {sizes} KiB")


def await_sessions(belfry: Belfry | Echo, count: int) -> None:
    deadline = time.monotonic() + 20
    while (live := belfry.sessions()) != count:
        if time.monotonic() > deadline:
            raise Failed(f"belfry has {live} sessions instead of {count}; its log ends with:\n{belfry.log()}")
        time.sleep(0.1)


def describe(result: dict) -> str:
    rows = [("", "resident KiB", "anonymous KiB", "bytes a session", "bytes a further one", "cores while idle")]
    rows.append(("base", *memory(result["base"]), "", "", ""))
    for stage in result["stages"]:
        rows.append((
            f"{stage['sessions']} sessions", *memory(stage["memory"]), bytes_with_resident(stage["perSession"]),
            bytes_with_resident(stage["perFurtherSession"]), f"{stage['idleCores']:.4f}"))
    rows.append(("all closed", *memory(result["afterwards"]), "", "", ""))
    return (
        f"{table(rows)}\n\nBytes are of anonymous memory, resident in parentheses. CPU: "
        f"{result['microsecondsPerSessionAndSecond']:.2f} µs a session and second, over {result['watchedSeconds']} s. "
        f"Server: {result['server']}{encryption(result)}. Poller: {result['poller']}.")
