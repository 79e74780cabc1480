"""Three nodes under load while nodes and the database die, stop, lose each other and restart: what is lost, and for how
long something is late."""

import http.client
import json
import signal
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from .. import Failed
from ..push.push_faults import Record
from ..push.push_sink import PushSink
from ..sessions.drain import account_of
from ..shared import machine, tokens
from ..shared.clients import Clients
from ..shared.options import positive
from ..shared.phones import Phones
from ..shared.report import mismatches, table
from .namespace import Namespace
from .nodes import Cluster
from .steady_backend import SteadyBackend

HELP = "three nodes on one PostgreSQL, under load and faults"
SAMPLE_SECONDS = 0.1
#: HAProxy takes a node in again after two answers of it, a second apart at most.
ROLLING_PAUSE_SECONDS = 3
#: Caught up: so many seconds' worth of changes, or fewer, are on their way. Those of one group of commits always are.
ON_THE_WAY_SECONDS = 0.1


def arguments(parser) -> None:
    parser.add_argument("--sessions", type=positive, default=9_000)
    parser.add_argument("--rate", type=float, default=2_000, help="events a second (default: 2,000)")
    parser.add_argument("--phones", type=positive, default=500, help="people who are away (default: 500)")
    parser.add_argument("--push-every", type=positive, default=40, help="every so many-th event is for them (default: 40)")
    parser.add_argument("--calm", type=positive, default=15, help="seconds between faults (default: 15)")
    parser.add_argument("--stop", type=positive, default=20, help="seconds for which a node is stopped (default: 20)")
    parser.add_argument("--cut", type=positive, default=60, help="seconds without the way to the database (default: 60)")
    parser.add_argument("--without", nargs="*", default=[], metavar="FAULT", help="faults that do not happen")
    parser.add_argument("--polling", action="store_true", help="nodes poll and do not listen")


@dataclass
class Fault:
    name: str
    #: Each does its part and returns when it is done; `mend` returns when what was broken is back.
    strike: object
    mend: object
    #: Seconds from one to the other.
    lasts: float = 0
    began: float = 0
    mended: float = 0
    #: Everybody had everything, after it was back.
    recovered: float = 0


def measure(options, folder: Path, say) -> dict:
    machine.allow_descriptors(2 * options.sessions + 1_000)
    with ExitStack() as stack:
        namespace = None if "cut" in options.without else Namespace()
        if namespace:
            stack.callback(namespace.close)
        sink = PushSink(options.belfry, folder, [])
        stack.callback(sink.stop)
        settings = {**sink.settings, "BELFRY_PROXY_TRUSTED": "127.0.0.1", "BELFRY_DRAIN_DEADLINE": "10s"}
        if options.polling:
            settings["BELFRY_STORE_POLL_INTERVAL"] = "50ms"
        cluster = Cluster(options, folder, stack, 3, settings, namespace)
        phones = Phones(options.phones, first_user=options.sessions)
        phones.register(cluster.nodes[0], say)
        token_file = folder / "tokens"
        tokens.write(token_file, cluster.nodes[0].data, options.sessions, 1)
        clients = Clients(
            "returners", cluster.front(stack), ["--connections", str(options.sessions), "--tokens", str(token_file)], None)
        stack.callback(clients.stop)
        began = time.monotonic()
        clients.open(options.sessions)
        clients.write("watch")
        say(f"{options.sessions:,} sessions are open after {time.monotonic() - began:.1f} s")
        backend = SteadyBackend(
            [node.socket for node in cluster.nodes], options.rate, options.sessions, phones.users, options.push_every)
        stack.callback(backend.stop)
        faults = [fault for fault in _faults(options, cluster, namespace) if fault.name not in options.without]
        backend.start()
        samples = Samples(backend, clients)
        _run(options, faults, samples, backend, say)
        backend.stop()
        samples.stop()
        _settle(backend, clients)
        pushes = Record()
        deadline = time.monotonic() + 60
        while len(pushes.accepted) < backend.to_phones and time.monotonic() < deadline:
            time.sleep(0.2)
            pushes.read(sink.record)
        # What comes too much comes now.
        time.sleep(3)
        pushes.read(sink.record)
        said = clients.report("left")
        account = account_of(clients, folder / "account", backend.published)
        wrong = wrong_counts(cluster, backend.published, phones, backend.of_phones)
    return {
        "sessions": options.sessions, "rate": options.rate, "hears": "polling" if options.polling else "listening",
        "seconds": round(samples.all[-1][0]), "answered": backend.to_users + backend.to_phones,
        "perSecond": round((backend.to_users + backend.to_phones) / samples.all[-1][0]),
        "repeated": backend.repeated, "clients": said, **account,
        "pushes": {
            "expected": backend.to_phones, "shown": len(pushes.accepted),
            "again": sum(count - 1 for count in pushes.accepted.values())},
        "behindEachSecond": [answered - came for _, answered, came in samples.all[:: round(1 / SAMPLE_SECONDS)]],
        "wrongCounts": wrong,
        "faults": [_told(fault, samples.all, backend, options.rate) for fault in faults],
    }


def _faults(options, cluster: Cluster, namespace: Namespace | None) -> list[Fault]:
    nodes = cluster.nodes

    def restart_all():
        for number in (1, 2, 3):
            nodes[number - 1].terminate()
            nodes[number - 1].await_end(within=60)
            cluster.start_again(number)
            # As whoever restarts them one by one does: the next one leaves when this one takes part.
            time.sleep(ROLLING_PAUSE_SECONDS)

    return [
        Fault("kill a node", lambda: nodes[1].kill(), lambda: cluster.start_again(2), lasts=3),
        Fault("kill PostgreSQL", cluster.database.kill, cluster.database.start),
        Fault("stop a node", lambda: nodes[0].signal(signal.SIGSTOP), lambda: nodes[0].signal(signal.SIGCONT),
              lasts=options.stop),
        Fault("cut", lambda: namespace.cut(), lambda: namespace.mend(), lasts=options.cut),
        Fault("rolling restart", restart_all, lambda: None),
    ]


def _run(options, faults: list[Fault], samples: "Samples", backend: SteadyBackend, say) -> None:
    """In the main thread: what a thread has started is killed when that thread ends."""
    for fault in faults:
        time.sleep(options.calm)
        fault.began = time.monotonic() - backend.began
        say(f"{fault.began:5.1f} s  {fault.name}; {samples.told()}")
        fault.strike()
        time.sleep(fault.lasts)
        fault.mend()
        fault.mended = time.monotonic() - backend.began
        say(f"{fault.mended:5.1f} s  over: {fault.name}; {samples.told()}")
    time.sleep(options.calm)
    say(f"{time.monotonic() - backend.began:5.1f} s  the end; {samples.told()}")


class Samples:
    """(Seconds, events answered for people who are there, changes that came), all the while, in a thread of its own."""

    def __init__(self, backend: SteadyBackend, clients: Clients):
        self.all: list[tuple[float, int, int]] = []
        self._backend, self._clients = backend, clients
        self._problem: Failed | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._over.wait(SAMPLE_SECONDS):
                came = changes(self._clients)
                self.all.append((time.monotonic() - self._backend.began, self._backend.to_users, came))
        except Failed as problem:
            self._problem = problem

    def told(self) -> str:
        _, answered, came = self.all[-1]
        return f"{answered:,} answered, {came:,} came"

    def stop(self) -> None:
        self._over.set()
        self._thread.join()
        if self._problem:
            raise self._problem


def changes(clients: Clients) -> int:
    clients.write("changes")
    return clients.expect("changes", 0, within=20)["changes"]


def _settle(backend: SteadyBackend, clients: Clients, within: float = 60) -> None:
    """Until all that was answered has come; what is lost shows in the account."""
    deadline = time.monotonic() + within
    while changes(clients) < backend.to_users and time.monotonic() < deadline:
        time.sleep(SAMPLE_SECONDS)


def wrong_counts(cluster: Cluster, published: list[int], phones: Phones, of_phones: list[int]) -> int:
    """How many people have another unread count than what was published for them, by any node's answer."""
    wanted = {f"user-{user}": count for user, count in enumerate(published)} | dict(zip(phones.users, of_phones))
    secret = tokens.secret(cluster.nodes[0].data)
    wrong = 0
    connections = [http.client.HTTPConnection(*node.listen.split(":"), timeout=30) for node in cluster.nodes]
    for place, (user, count) in enumerate(wanted.items()):
        connection = connections[place % len(connections)]
        connection.request(
            "GET", "/api/notifications/unread-count", headers={"Authorization": f"Bearer {tokens.token(user, secret)}"})
        wrong += json.loads(connection.getresponse().read())["data"]["unreadCount"] != count
    for connection in connections:
        connection.close()
    return wrong


def _told(fault: Fault, samples, backend: SteadyBackend, rate: float) -> dict:
    after = [(at, answered - came) for at, answered, came in samples if at >= fault.mended]
    recovered = next((at for at, behind in after if behind <= rate * ON_THE_WAY_SECONDS), None)
    before = [answered - came for at, answered, came in samples if fault.began <= at <= (recovered or samples[-1][0])]
    return {
        "fault": fault.name, "began": round(fault.began, 1), "lasted": round(fault.mended - fault.began, 1),
        "caughtUpAfter": None if recovered is None else round(recovered - fault.mended, 2),
        "mostBehind": max(before, default=0),
        "longestWait": round(backend.longest_wait(fault.began - 1, (recovered or samples[-1][0]) + 1), 2),
    }


def problems(result: dict) -> list[str]:
    pushes = result["pushes"]
    told = mismatches({
        "changes lost": (result["lost"], 0), "changes that came twice": (result["twice"], 0),
        "changes that nobody published": (result["surplus"], 0), "resets": (result["clients"]["resets"], 0),
        "pushes shown": (pushes["shown"], pushes["expected"]),
        "people with a wrong count": (result["wrongCounts"], 0),
    })
    return told + [f"after '{fault['fault']}' nobody caught up" for fault in result["faults"] if fault["caughtUpAfter"] is None]


def describe(result: dict) -> str:
    clients, pushes = result["clients"], result["pushes"]
    rows = [
        ("", ""),
        ("events answered, a second", f"{result['answered']:,}, {result['perSecond']:,}"),
        ("sent again by the backend", f"{result['repeated']:,}"),
        ("changes, lost, twice, too many",
         f"{result['changes']:,}, {result['lost']}, {result['twice']}, {result['surplus']}"),
        ("pushes expected, shown, again with the same collapse id",
         f"{pushes['expected']:,}, {pushes['shown']:,}, {pushes['again']}"),
        ("people with a wrong unread count", f"{result['wrongCounts']}"),
        ("sessions that left and came back", f"{clients['left']:,}, {clients['back']:,}"),
        ("resets, gaps, longest away", f"{clients['resets']}, {clients['gaps']}, {clients['longestAway']:.1f} s"),
        ("verdict", "NOT WELL" if problems(result) else "well"),
    ]
    faults = [("fault", "lasted, then caught up after; changes behind at most; longest wait of a publisher")] + [
        (fault["fault"], f"{fault['lasted']} s, {fault['caughtUpAfter']} s; {fault['mostBehind']:,}; {fault['longestWait']} s")
        for fault in result["faults"]]
    return f"{table(rows)}\n\n{table(faults)}\n\n{result['sessions']:,} sessions, nodes hear by {result['hears']}."
