"""What is done to a running system, and how it is made whole again."""

import random
import signal
import time

from harness.suite import Failed
from history import Fault, History


class Faults:
    """`server`: one node or several; `relay`: the network between clients and nodes."""

    def __init__(self, server, relay, history: History, chance: random.Random):
        self._server, self._relay, self._history, self._chance = server, relay, history, chance

    @property
    def _nodes(self) -> list:
        return getattr(self._server, "nodes", [self._server])

    def happen(self, kind: str):
        began = time.monotonic()
        name = getattr(self, f"_{kind}")()
        self._history.note(Fault(name or kind, began, time.monotonic()))

    def _kill(self):
        """A node dies, and is started again; sometimes it dies once more while it starts."""
        node = self._chance.choice(self._nodes)
        node.process.kill()
        node.begin()
        if self._chance.random() < 0.2:
            time.sleep(self._chance.random() * 0.3)
            node.process.kill()
            node.begin()
            self._history.note(Fault("kill at the start", time.monotonic(), time.monotonic()))
        node.await_serving()

    def _pause(self):
        """A node's process stands still, as a virtual machine does while it is moved."""
        node = self._chance.choice(self._nodes)
        node.process.signal(signal.SIGSTOP)
        time.sleep(self._chance.choice((0.05, 0.5, 1.5, 3.0)))
        node.process.signal(signal.SIGCONT)

    def _cut(self):
        """The network to all clients fails: heard by both sides, or by none; or that to the database does."""
        kinds = ["cut", "silence"] + (["cut from the database"] if self._databases else [])
        kind = self._chance.choice(kinds)
        if kind == "silence":
            self._relay.silence(True)
            time.sleep(self._chance.choice((0.3, 2.0, 4.0)))
            self._relay.silence(False)
        if kind == "cut from the database":
            self._databases.hide()
            time.sleep(self._chance.choice((0.1, 1.0, 2.0)))
            self._databases.show()
        else:
            self._relay.cut()
        return kind

    @property
    def _databases(self):
        return self._server.world.databases

    def check_alive(self):
        for node in self._nodes:
            if node.process.exit_code is not None:
                raise Failed(f"a node ended by itself with code {node.process.exit_code}: {node.log[-5:]}")
