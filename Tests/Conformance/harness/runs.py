"""One run: the chosen cases against the program in one role, over one poller, plain or encrypted."""

import json
import os
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from .program import EchoClient, EchoServer, ProgramFailed
from .suite import Verdict, judge

FUZZ = Path(__file__).resolve().parent / "fuzz.py"


@dataclass(frozen=True)
class Setting:
    """What distinguishes one run from another."""

    role: str
    poller: str
    transport: str

    def __str__(self):
        return f"{self.role}-{self.poller}-{self.transport}"


@dataclass(frozen=True)
class Plan:
    """What all runs have in common. Times are in seconds."""

    python: Path
    belfry: str
    folder: Path
    cases: list[str]
    messages: int
    jobs: int
    scale: float
    case_timeout: float
    timeout: float


@dataclass
class Outcome:
    setting: Setting
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    # What went wrong besides the cases: any of these fails the run.
    problems: list[str] = field(default_factory=list)
    errors: list[dict] = field(default_factory=list)
    seconds: float = 0

    def count(self, word: str) -> int:
        return sum(verdict.word == word for verdict in self.verdicts.values())

    @property
    def bad(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts.values() if not verdict.is_good]


class Fuzzer:
    """A process of the suite with a part of the cases; tells each result to `took`."""

    def __init__(self, plan: Plan, cases: list[str], folder: Path, url: str | None, took: Callable[[dict], None]):
        task = {"cases": cases, "messages": plan.messages, "scale": plan.scale, "caseTimeout": plan.case_timeout,
                "failures": str(folder)} | ({"url": url} if url else {})
        with open(folder / f"fuzz-{cases[0]}.log", "w") as log:
            self._process = subprocess.Popen(
                [plan.python, FUZZ], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        self._port = None
        self._listens = threading.Event()
        self._took = took
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            message = json.loads(line)
            if "listening" in message:
                self._port = message["listening"]
                self._listens.set()
            else:
                self._took(message)
        self._listens.set()

    def port(self) -> int:
        """Where it listens, if it is a server."""
        self._listens.wait(30)
        if self._port is None:
            raise ProgramFailed("the suite's server did not start; its log tells more")
        return self._port

    def end_input(self):
        """No more cases will be asked for."""
        self._process.stdin.close()

    def finish(self, within: float):
        try:
            code = self._process.wait(max(within, 0.1))
        except subprocess.TimeoutExpired:
            self.kill()
            raise ProgramFailed("the suite was not done in time (--timeout)") from None
        self._reader.join(10)
        if code != 0:
            raise ProgramFailed(f"the suite's process ended with {code}; its log tells more")

    def kill(self):
        self._process.kill()
        self._process.wait()


def perform(plan: Plan, setting: Setting, told: Callable[[Verdict, dict], None]) -> Outcome:
    """Runs the cases. `told` hears of each as it is done, perhaps on several threads, one at a time."""
    outcome = Outcome(setting)
    began = time.monotonic()
    folder = plan.folder / str(setting)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    lock = threading.Lock()

    def took(message: dict):
        with lock:
            if "result" in message:
                verdict = judge(message["result"])
                outcome.verdicts[verdict.id] = verdict
                told(verdict, message["result"])
            elif "error" in message:
                outcome.errors.append(message["error"])
            else:
                outcome.problems.append(message["note"])

    parts = [part for part in (plan.cases[start::plan.jobs] for start in range(plan.jobs)) if part]
    try:
        (_test_server if setting.role == "server" else _test_client)(plan, setting, parts, folder, took)
    except ProgramFailed as failure:
        outcome.problems.append(str(failure))
    with lock:
        for id in plan.cases:
            outcome.verdicts.setdefault(id, Verdict(id, "failed", "did not run"))
        # An exception in the suite that did not fail its case is a defect of the suite as it is here.
        for error in outcome.errors:
            verdict = outcome.verdicts.get(error["id"])
            if verdict is None or verdict.is_good:
                outcome.problems.append(f"exception in the suite in case {error['id']}:\n{error['text'].strip()}")
    outcome.seconds = time.monotonic() - began
    return outcome


def _test_server(plan: Plan, setting: Setting, parts: list, folder: Path, took):
    arguments = ["--poller", setting.poller]
    if setting.transport == "tls":
        certificate, key = _certificate(plan.folder)
        arguments += ["--tls-certificate", certificate, "--tls-key", key]
    server = EchoServer(plan.belfry, arguments, folder / "belfry.log")
    scheme = "wss" if setting.transport == "tls" else "ws"
    fuzzers = [Fuzzer(plan, part, folder, f"{scheme}://{server.address}/", took) for part in parts]
    deadline = time.monotonic() + plan.timeout
    try:
        for fuzzer in fuzzers:
            fuzzer.finish(deadline - time.monotonic())
    finally:
        for fuzzer in fuzzers:
            fuzzer.kill()
        server.stop()


def _test_client(plan: Plan, setting: Setting, parts: list, folder: Path, took):
    fuzzers = [Fuzzer(plan, part, folder, None, took) for part in parts]
    clients: list[EchoClient] = []
    deadline = time.monotonic() + plan.timeout
    try:
        for fuzzer, part in zip(fuzzers, parts):
            base = f"ws://127.0.0.1:{fuzzer.port()}/runCase?agent=belfry&case="
            urls = [f"{base}{place}" for place in range(1, len(part) + 1)]
            log = folder / f"belfry-{part[0]}.log"
            clients.append(EchoClient(plan.belfry, ["--poller", setting.poller], urls, log))
        for fuzzer, client in zip(fuzzers, clients):
            client.finish(max(deadline - time.monotonic(), 0.1))
            fuzzer.end_input()
            fuzzer.finish(10)
    finally:
        for process in [*clients, *fuzzers]:
            process.kill()


def _certificate(folder: Path) -> tuple[str, str]:
    """A self-signed one of an elliptic curve, for two days."""
    certificate, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", certificate,
         "-keyout", key], check=True, capture_output=True)
    return certificate, key
