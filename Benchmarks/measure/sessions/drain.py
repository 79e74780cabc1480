"""A node leaves and another takes over, while backends publish: who comes back when, and what is lost."""

import threading
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared import machine, tokens
from ..shared.backend import Backend
from ..shared.clients import Clients
from ..shared.options import encrypted, positive
from ..shared.programs import Belfry, tls_settings
from ..shared.report import encryption, mismatches, table

HELP = "a second process takes over from a busy one"
QUIET_SECONDS = 3
# After the last one is back: what it missed is replayed.
CATCH_UP_SECONDS = 3
# Beyond the deadline that the gateway has for its own end.
PATIENCE_SECONDS = 60


def arguments(parser) -> None:
    encrypted(parser)
    parser.add_argument("--sessions", type=positive, default=5_000)
    parser.add_argument("--rate", type=float, default=10, help="events a second (default: 10)")
    parser.add_argument("--groups", type=positive, default=10, help="each event is for one of so many groups of users")
    parser.add_argument("--deadline", type=positive, default=30, help="seconds that the first one has (default: 30)")
    parser.add_argument("--drain-rate", type=positive, help="sessions told to come back a second (default: its own)")


def measure(options, folder: Path, say) -> dict:
    sessions = options.sessions
    machine.allow_descriptors(sessions + 200)
    settings = {"BELFRY_POLLER": options.poller, "BELFRY_DRAIN_DEADLINE": f"{options.deadline}s"}
    if options.drain_rate:
        settings["BELFRY_DRAIN_RATE"] = str(options.drain_rate)
    if options.shards:
        settings["BELFRY_SHARDS"] = str(options.shards)
    if options.tls:
        settings |= tls_settings(folder)
    with ExitStack() as stack:
        leaving = Belfry(options.belfry, folder, settings, None)
        stack.callback(leaving.stop)
        token_file = folder / "tokens"
        tokens.write(token_file, leaving.data, sessions, 1)
        clients = Clients(
            "returners", leaving.port,
            ["--connections", str(sessions), "--tokens", str(token_file), *(["--tls"] if options.tls else [])], None)
        stack.callback(clients.stop)
        clients.open(sessions)
        backend = Backend(leaving.data, sessions, options.groups, options.rate)
        stack.callback(backend.stop)
        backend.start()
        time.sleep(QUIET_SECONDS)

        coming = Belfry(options.belfry, folder, settings, None, takes_over=leaving)
        stack.callback(coming.stop)
        await_second_listener(leaving.port, coming)
        say("the second process listens; the first one is told to leave")
        clients.write("watch")
        told = time.monotonic()
        leaving.terminate()
        end = Watch(leaving, told)
        word = leaving.await_logged("leaving", within=10)
        coming.await_ready(within=options.deadline + PATIENCE_SECONDS)
        took_over = time.monotonic() - told
        say(f"the second process serves after {took_over:.2f} s")
        clients.expect("returned", sessions, within=options.deadline + PATIENCE_SECONDS)
        end.wait(options.deadline + PATIENCE_SECONDS)
        time.sleep(QUIET_SECONDS)
        backend.stop()
        time.sleep(CATCH_UP_SECONDS)
        said = clients.report("left")
        account = balance(clients, folder / "account", backend, sessions)
        live = coming.sessions()
    rate = int(word["rate"]) if "rate" in word else None
    return {
        "sessions": sessions,
        "poller": options.poller,
        "isEncrypted": options.tls,
        "deadlineSeconds": options.deadline,
        "events": {
            "perSecond": options.rate, "answered": backend.answered, "recipientsEach": sessions // options.groups,
            "longestWaitSeconds": round(backend.longest_wait, 3), "repeated": backend.repeated},
        "announcedRate": rate,
        "clients": said,
        "liveAfterwards": live,
        "tookOverAfterSeconds": round(took_over, 2),
        "firstEndedAfterSeconds": round(end.seconds, 2),
        "exitCode": end.code,
        **account,
        "isWell": (live == sessions and said["refused"] == 0 and account["lost"] == 0 and end.code == 0
                   and (rate is None or said["busiestSecond"] <= 1.1 * rate + 10)),
    }


def problems(result: dict) -> list[str]:
    """How fast they come back is another matter."""
    told = mismatches({
        "sessions live afterwards": (result["liveAfterwards"], result["sessions"]),
        "attempts refused": (result["clients"]["refused"], 0),
        "changes lost": (result["lost"], 0),
        "exit code of the first process": (result["exitCode"], 0),
    })
    return told if result["changes"] else [*told, "nothing was published"]


def await_second_listener(port: int, coming: Belfry) -> None:
    """Until two processes listen on the port; there may be several sockets of each."""
    first = listeners(port)
    deadline = time.monotonic() + 20
    while listeners(port) <= first:
        if coming.has_ended or time.monotonic() > deadline:
            raise Failed(f"the second process does not listen; its log ends with:\n{coming.log()}")
        # It may have been there before the first look.
        if coming.logged("waiting for the other process to leave"):
            return
        time.sleep(0.02)


def listeners(port: int) -> int:
    """How many sockets listen on the port, as /proc/net/tcp has them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "0A" for row in rows)


class Watch:
    """Notes when a process ends, so that nobody has to look at the right moment."""

    def __init__(self, process: Belfry, since: float):
        self.code: int | None = None
        self.seconds = 0.0
        self._process = process
        self._since = since
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self.code = self._process.await_end(within=600)
        self.seconds = time.monotonic() - self._since

    def wait(self, within: float) -> None:
        self._thread.join(within)
        if self._thread.is_alive():
            raise Failed(f"the first process has not ended; its log ends with:\n{self._process.log()}")


def balance(clients: Clients, file: Path, backend: Backend, sessions: int) -> dict:
    account = account_of(clients, file, [backend.events_of(user) for user in range(sessions)])
    if account["surplus"]:
        raise Failed(f"the inboxes hold {account['surplus']} changes more than were published")
    return account


def account_of(clients: Clients, file: Path, published: list[int]) -> dict:
    """Every change of every inbox against what was published for each user, all of it answered."""
    clients.write(f"write {file}")
    clients.expect("written", 1, within=10)
    lost = surplus = twice = 0
    for wanted, line in zip(published, file.read_text().splitlines(), strict=True):
        highest, missed, repeated = map(int, line.split())
        lost += missed + max(wanted - highest, 0)
        surplus += max(highest - wanted, 0)
        twice += repeated
    return {"changes": sum(published), "lost": lost, "surplus": surplus, "twice": twice}


def describe(result: dict) -> str:
    clients, events = result["clients"], result["events"]
    rows = [
        ("drain", ""),
        ("sessions", f"{result['sessions']:,}"),
        ("back, live at the end", f"{clients['back']:,}, {result['liveAfterwards']:,}"),
        ("attempts refused, cut, rejected, timed out",
         ", ".join(str(clients[key]) for key in ("refused", "cut", "rejected", "timedOut"))),
        ("changes published, lost, repeated", f"{result['changes']:,}, {result['lost']}, {result['twice']}"),
        ("resets, gaps, unrecovered", f"{clients['resets']}, {clients['gaps']}, {clients['unrecovered']}"),
        ("announced rate, busiest second", f"{result['announcedRate']}, {clients['busiestSecond']}"),
        ("last one back, longest away", f"{clients['lastBack']:.2f} s, {clients['longestAway']:.2f} s"),
        ("second process served, first ended after",
         f"{result['tookOverAfterSeconds']:.2f} s, {result['firstEndedAfterSeconds']:.2f} s"),
        ("longest wait of a publisher", f"{events['longestWaitSeconds']:.2f} s"),
        ("verdict", "well" if result["isWell"] else "NOT WELL"),
    ]
    return f"{table(rows)}\n\n{events['answered']} events{encryption(result)}. Poller: {result['poller']}."
