#!/usr/bin/env python3
"""Runs cases of the suite in one process, as the client or the server that does the fuzzing.

Needs the suite's environment. Reads its task as JSON from standard input's first line and writes a line of JSON for all
that happens: `{"listening": PORT}` of a server, `{"result": …}` of a case, `{"error": …}` for an exception in the suite
itself, `{"note": …}` for why it ended early. A server ends when its standard input does.
"""

import contextlib
import json
import os
import sys
import threading

import autobahntestsuite  # installs the reactor, so before all else of Twisted
from autobahntestsuite import fuzzing
from twisted.internet import reactor
from twisted.logger import globalLogBeginner

# Where the handshake fails so often from the start on, it will for all.
HOPELESS = 5


class Reporter:
    """Writes what happens, one JSON object a line."""

    def __init__(self, stream, failures_folder: str):
        self._stream = stream
        self._folder = failures_folder
        self.current = None
        self._errors: list[tuple[str, str]] = []
        self.count = 0

    def write(self, **members):
        self._stream.write(json.dumps(members) + "\n")
        self._stream.flush()

    def observe(self, event):
        """An exception ends the connection, and so most likely fails the case.

        The peer may cause one, by compressed data that is none, or a defect of the port: the verdict tells them apart.
        """
        if event.get("isError") or event.get("log_failure") is not None:
            failure = event.get("log_failure") or event.get("failure")
            text = failure.getTraceback() if failure else str(event.get("log_format"))
            self._errors.append((self.current, text))
            self.write(error={"id": self.current, "text": text})

    def record(self, result: dict):
        for id, text in self._errors:
            if id == result["id"]:
                result["exception"] = text.strip().splitlines()[-1]
        self.count += 1
        good = ("OK", "INFORMATIONAL")
        if result["behavior"] not in good or result["behaviorClose"] not in good:
            # With the wire log, for whoever has to find out why.
            with open(os.path.join(self._folder, f"{result['id']}.json"), "w") as file:
                json.dump(result, file, indent=1, default=str)
        told = ("id", "behavior", "behaviorClose", "result", "resultClose", "remoteCloseCode", "duration", "exception")
        self.write(result={key: result[key] for key in told if key in result})


def scale_times(scale: float, case_timeout: float):
    """Stretches the cases' waits, and lets no case wait longer than `case_timeout` seconds."""

    def scaled(method, is_deadline: bool):
        def call(self, delay, *args, **kwargs):
            delay *= scale
            return method(self, min(delay, case_timeout * scale) if is_deadline else delay, *args, **kwargs)

        return call

    for name, is_deadline in [("continueLater", False), ("killAfter", True), ("closeAfter", True)]:
        setattr(fuzzing.FuzzingProtocol, name, scaled(getattr(fuzzing.FuzzingProtocol, name), is_deadline))


def limit_messages(messages: int):
    """So many messages at most in the cases that send 1,000."""
    for case in fuzzing.Cases:
        if hasattr(case, "COUNT"):
            case.COUNT = min(case.COUNT, messages)


def specification(task: dict) -> dict:
    return {"outdir": task["failures"], "cases": task["cases"], "exclude-cases": [], "exclude-agent-cases": {}}


def be_client(task: dict, reporter: Reporter):
    """Fuzzes a server: a connection a case, one after another."""

    class Client(fuzzing.FuzzingClientFactory):
        unopened = 0

        def buildProtocol(self, address):
            reporter.current = self.currentCaseId
            return super().buildProtocol(address)

        def logCase(self, result):
            reporter.record(result)
            self.unopened += result["resultClose"] == "The WebSocket opening handshake was never completed!"
            if self.unopened == reporter.count == HOPELESS:
                reporter.write(note=f"the first {HOPELESS} opening handshakes failed; the answer was:\n"
                                    + str(result["httpResponse"]).strip())
                self.specCases = []

        def clientConnectionFailed(self, connector, reason):
            reporter.write(note=f"cannot connect for case {self.currentCaseId}: {reason.getErrorMessage()}")
            reactor.stop()

        def createReports(self, *args, **kwargs):
            pass

    # The library's own deadlines, in seconds.
    options = {"closeHandshakeTimeout": 1 * task["scale"], "serverConnectionDropTimeout": 1 * task["scale"],
               "openHandshakeTimeout": 5 * task["scale"]}
    Client({**specification(task), "servers": [{"agent": "belfry", "url": task["url"], "options": options}]})


def be_server(task: dict, reporter: Reporter):
    """Fuzzes a client, which asks for each case by its place in the list, from 1 on."""

    class Protocol(fuzzing.FuzzingServerProtocol):
        def onOpen(self):
            if self.runCase:
                reporter.current = self.factory.CaseSet.caseClasstoId(self.Case)
            super().onOpen()

    class Server(fuzzing.FuzzingServerFactory):
        protocol = Protocol

        def logCase(self, result):
            reporter.record(result)

    options = {"closeHandshakeTimeout": 1 * task["scale"]}
    server = Server({**specification(task), "url": "ws://127.0.0.1:1", "options": options})
    port = reactor.listenTCP(0, server, interface="127.0.0.1").getHost().port
    # A client's Host field is compared with it.
    server.port = server.externalPort = port
    reporter.write(listening=port)

    def wait_for_end():
        sys.stdin.read()
        # The end of the last connection may be under way.
        reactor.callFromThread(reactor.callLater, 0.0 if reporter.count >= len(task["cases"]) else 3.0, reactor.stop)

    threading.Thread(target=wait_for_end, daemon=True).start()


def main():
    task = json.loads(sys.stdin.readline())
    reporter = Reporter(sys.stdout, task["failures"])
    globalLogBeginner.beginLoggingTo([reporter.observe], redirectStandardIO=False, discardBuffer=True)
    scale_times(task["scale"], task["caseTimeout"])
    limit_messages(task["messages"])
    # The suite tells its own progress.
    with contextlib.redirect_stdout(sys.stderr):
        (be_client if "url" in task else be_server)(task, reporter)
        reactor.run()


if __name__ == "__main__":
    main()
