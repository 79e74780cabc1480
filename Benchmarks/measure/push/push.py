"""How fast queued pushes leave, against what `h2load` sends to the same server; and what waiting ones take."""

import shutil
import statistics
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .. import Failed, Missing
from ..shared.options import positive
from ..shared.phones import Backend, Phones, apns_settings
from ..shared.process import Child
from ..shared.programs import Belfry, certificate, free_ports
from ..shared.report import table

HELP = "pushes a second to a service, against h2load"
# A payload as the example catalog makes one, and the headers that come with it.
BODY_BYTES = 360
HEADERS = [
    "authorization: bearer " + "x" * 220, "apns-topic: com.example.rooms", "apns-push-type: alert", "apns-priority: 10",
    "apns-expiration: 1800000000", "apns-collapse-id: n10000-10000",
]
# What is under way at once in each, over as many connections.
CONNECTIONS, STREAMS = 2, 100
# The first and the last tenth also hold the way up to full speed, and the last jobs of slow devices.
STEADY = (0.1, 0.9)


class Nghttpd(Child):
    """nghttp2's own server, which takes each push and says nothing: the address of a device is an empty file."""

    def __init__(self, folder: Path, files: tuple[Path, Path], port: int, devices: list[str]):
        for program in ("nghttpd", "h2load"):
            if not shutil.which(program):
                raise Missing(f"{program} is not installed: apt-get install nghttp2-server nghttp2-client")
        root = folder / "service"
        (root / "3/device").mkdir(parents=True, exist_ok=True)
        for device in devices:
            (root / "3/device" / device).touch()
        super().__init__(
            "nghttpd", ["nghttpd", "-m", str(STREAMS), "-d", str(root), str(port), str(files[1]), str(files[0])], None,
            errors=subprocess.DEVNULL)


def arguments(parser) -> None:
    parser.add_argument("--jobs", type=positive, default=100_000)
    parser.add_argument("--devices", type=positive, default=5_000)
    parser.add_argument(
        "--shown", type=int, default=0, help="pushes that each device shows already, before it begins (default: 0)")
    parser.add_argument("--lead", type=positive, default=10, help="seconds before the first push is due (default: 10)")
    parser.add_argument("--concurrency", type=positive, default=200, help="Belfry's push.concurrency (default: 200)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")


def measure(options, folder: Path, say) -> dict:
    files = certificate(folder)
    phones = Phones(options.devices)
    results, memory = {"belfry": [], "h2load": []}, None
    for pair in range(options.pairs):
        # A store of its own: what earlier pairs have left on the devices makes later ones slower.
        own = folder / f"pair-{pair + 1}"
        own.mkdir()
        ours, theirs, taken = _pair(options, own, files, phones, say)
        results["belfry"].append(ours)
        results["h2load"].append(theirs)
        memory = memory or taken
        say("pair {}: {:,.0f} pushes a second, h2load {:,.0f}".format(
            pair + 1, ours["perSecond"], theirs["perSecond"]))
    ratios = [ours["perSecond"] / theirs["perSecond"] for ours, theirs in zip(results["belfry"], results["h2load"])]
    return {
        "jobs": options.jobs, "devices": options.devices, "shown": options.shown, "results": results,
        "ratio": statistics.median(ratios), "ratios": ratios,
        "ratioInStep": statistics.median(
            ours["perSecond"] / theirs["perSecondInStep"] for ours, theirs in zip(results["belfry"], results["h2load"])),
        **memory,
    }


def problems(result: dict) -> list[str]:
    return [
        f"{half['accepted']:.0f} of {result['jobs']} pushes were accepted"
        for half in result["results"]["belfry"] if half["accepted"] != result["jobs"]]


def _pair(options, folder: Path, files: tuple[Path, Path], phones: Phones, say) -> tuple[dict, dict, dict]:
    """How fast Belfry is, how fast h2load, and what the first one's waiting jobs take."""
    (port,) = free_ports(1)
    settings = apns_settings(folder, f"https://localhost:{port}", files[0]) | {
        "BELFRY_POLLER": options.poller, "BELFRY_PUSH_CONCURRENCY": str(options.concurrency)}
    with ExitStack() as stack:
        belfry = Belfry(options.belfry, folder, settings, None)
        stack.callback(lambda: belfry.stop())
        phones.register(belfry, say)
        backend = Backend(belfry.data, phones)
        if options.shown:
            say(f"each device is shown {options.shown:,} pushes")
            _show(options.shown * options.devices, belfry, backend, Nghttpd(folder, files, port, phones.tokens))
        before = belfry.memory()
        # Late enough for the servers to be there: a push that fails would hold its device back.
        due = round(time.time()) + options.lead
        backend.publish(options.jobs, notBefore=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(due)))
        waiting, loaded = belfry.metric("belfry_push_jobs"), belfry.memory()
        say(f"{waiting:,.0f} jobs wait; memory {before.anonymous:,} -> {loaded.anonymous:,} KiB")
        belfry.kill()
        server = Nghttpd(folder, files, port, phones.tokens)
        stack.callback(server.stop)
        time.sleep(0.5)
        belfry = Belfry(options.belfry, folder, settings, None, port=belfry.port)
        if time.time() > due:
            raise Failed(f"publishing took too long: give more time with --lead (it is {options.lead} s)")
        ours = _drained(belfry, server, options.jobs)
        theirs = _loaded(folder, server, port, phones.tokens, options.jobs)
    return ours, theirs, {
        "before": before.json, "waiting": loaded.json,
        "bytesPerWaitingJob": (loaded.anonymous - before.anonymous) * 1024 / waiting,
    }


def _show(pushes: int, belfry: Belfry, backend: Backend, server: Nghttpd) -> None:
    """Has so many leave at once, before anything is measured."""
    try:
        backend.publish(pushes)
        deadline = time.monotonic() + 300
        while belfry.metric("belfry_push_jobs") > 0:
            if time.monotonic() > deadline:
                raise Failed(f"{belfry.metric('belfry_push_jobs'):.0f} of the pushes before did not leave")
            time.sleep(0.1)
    finally:
        server.stop()


def _drained(belfry: Belfry, server: Nghttpd, jobs: int) -> dict:
    """How fast the jobs that wait are accepted, over the steady part."""
    looks = []
    deadline = time.monotonic() + 300
    while not looks or looks[-1].accepted <= STEADY[1] * jobs:
        if time.monotonic() > deadline:
            raise Failed(
                f"only {looks[-1].accepted:.0f} of {jobs} pushes were accepted; the log ends with:\n{belfry.log()}")
        if looks:
            time.sleep(0.1)
        looks.append(_Look.at(belfry, server))
    # A look behind the steady part may come after the last push, when nothing has been left to do for a while.
    steady = [look for look in looks if STEADY[0] * jobs <= look.accepted <= STEADY[1] * jobs]
    if len(steady) < 3:
        raise Failed(f"{jobs} jobs are too few to tell: they were gone after {len(steady)} looks; try more with --jobs")
    first, last = steady[0], steady[-1]
    while belfry.metric("belfry_push_jobs") > 0:
        if time.monotonic() > deadline:
            raise Failed(f"{belfry.metric('belfry_push_jobs'):.0f} jobs are left")
        time.sleep(0.1)
    sent, seconds = last.accepted - first.accepted, last.time - first.time
    return {
        "perSecond": sent / seconds, "seconds": seconds, "accepted": _Look.at(belfry, server).accepted,
        "cpuMicroseconds": (last.cpu - first.cpu) / sent * 1e6,
        "serverCpuMicroseconds": (last.server_cpu - first.server_cpu) / sent * 1e6,
    }


@dataclass(frozen=True)
class _Look:
    """How far it had come, and what it had taken until then."""

    time: float
    accepted: float
    cpu: float
    server_cpu: float

    @classmethod
    def at(cls, belfry: Belfry, server: Nghttpd) -> "_Look":
        accepted = belfry.metric('belfry_pushes_total{provider="apns",verdict="accepted"}', or_else=0)
        return cls(time.monotonic(), accepted, belfry.cpu_seconds(), server.cpu_seconds())


def _loaded(folder: Path, server: Nghttpd, port: int, devices: list[str], requests: int) -> dict:
    """As many requests of h2load, over connections of which each goes through the devices from a place of its own.

    All connections of one h2load ask for the same addresses at the same time, and nghttpd then has all but the first from
    its cache of open files. No two pushes under way are to one device, so Belfry's never are.
    """
    body = folder / "body"
    body.write_bytes(b"x" * BODY_BYTES)
    each = max(requests // CONNECTIONS, 1)
    commands = []
    for number in range(CONNECTIONS):
        start = number * len(devices) // CONNECTIONS
        urls = folder / f"urls-{number}"
        urls.write_text("".join(
            f"https://localhost:{port}/3/device/{device}\n" for device in devices[start:] + devices[:start]))
        commands.append(_h2load(each, 1, urls, body))
    before = server.cpu_seconds()
    rates = _rates(commands, each)
    apart = {
        "perSecond": each * CONNECTIONS / max(each / rate for rate in rates),
        "serverCpuMicroseconds": (server.cpu_seconds() - before) / (each * CONNECTIONS) * 1e6,
    }
    (in_step,) = _rates([_h2load(requests, CONNECTIONS, folder / "urls-0", body)], requests)
    return apart | {"perSecondInStep": in_step}


def _rates(commands: list[list[str]], requests: int) -> list[float]:
    """Requests a second of each, which run at the same time and send so many."""
    with ExitStack() as stack:
        running = []
        for command in commands:
            one = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            stack.callback(one.kill)
            running.append(one)
        said = [one.communicate() for one in running]
    return [_rate(requests, *words) for words in said]


def _h2load(requests: int, connections: int, urls: Path, body: Path) -> list[str]:
    headers = [word for header in HEADERS for word in ("-H", header)]
    return [
        "h2load", f"-n{requests}", f"-c{connections}", f"-m{STREAMS}", "-i", str(urls), "-d", str(body), *headers]


def _rate(requests: int, out: str, errors: str) -> float:
    """Requests a second, by h2load's own words."""
    line = next((line for line in out.splitlines() if line.startswith("finished in")), "")
    if not line or f"{requests} succeeded" not in out:
        raise Failed(f"h2load did not get an answer to every request:\n{out[-500:]}{errors[-500:]}")
    return float(line.split(",")[1].split()[0])


def describe(result: dict) -> str:
    rows = [("", "pushes a second", "CPU µs a push", "the service's CPU µs")]
    for name, halves in result["results"].items():
        middle = sorted(halves, key=lambda half: half["perSecond"])[len(halves) // 2]
        rows.append((
            name, f"{middle['perSecond']:,.0f}", f"{middle.get('cpuMicroseconds', 0):.1f}" if name == "belfry" else "",
            f"{middle['serverCpuMicroseconds']:.1f}"))
    said = (
        f"{table(rows)}\n\nratio {result['ratio']:.2f} ({min(result['ratios']):.2f}–{max(result['ratios']):.2f}); "
        f"{result['jobs']:,} jobs for {result['devices']:,} devices that show {result['shown']:,} pushes each. "
        f"To an h2load whose connections ask for the same addresses at the same time {result['ratioInStep']:.2f}.")
    # What went before has left memory behind that the waiting jobs then take.
    if result["shown"]:
        return said
    return (
        f"{said} A waiting job takes {result['bytesPerWaitingJob']:,.0f} bytes of memory: "
        f"{result['before']['anonymousKiB']:,} → {result['waiting']['anonymousKiB']:,} KiB.")
