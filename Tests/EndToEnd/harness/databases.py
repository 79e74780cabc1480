"""The databases of servers that keep their store in PostgreSQL: one for each data folder."""

import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

from .world import ROOT

#: The URL of a server that `scripts/postgres-for-tests` has started.
VARIABLE = "BELFRY_TEST_POSTGRES"


def ensure_server():
    """Runs this program again under the script that starts a server, unless one is there."""
    if VARIABLE not in os.environ:
        script = str(ROOT / "scripts/postgres-for-tests")
        os.execv(script, [script, sys.executable, *sys.argv])


class Databases:
    """Those of one world, which reaches the server by a link of its own."""

    _last_number = 0
    _lock = threading.Lock()

    def __init__(self, folder: Path):
        self._server = os.environ[VARIABLE]
        self._sockets = re.search(r"host=([^&]+)", self._server).group(1)
        self._link = folder / "postgres"
        self._link.symlink_to(self._sockets)
        self._names: dict[str, str] = {}
        self._roles: list[str] = []

    def url(self, data: str) -> str:
        """Of the database for a data folder; it is made at the first call."""
        with self._lock:
            if data not in self._names:
                Databases._last_number += 1
                self._make(data, f"e2e_{os.getpid()}_{Databases._last_number}")
        return self._url(self._names[data])

    def guarded(self, password: str) -> str:
        """The URL of a database that asks for this password; for one case at a time."""
        self._make_role("e2e_guarded", f"PASSWORD '{password}'")
        self._make("guarded", "guarded", "OWNER e2e_guarded")
        return self._url("guarded").replace("user=belfry", "user=e2e_guarded")

    def role(self, data: str) -> str:
        """The URL of the database for a data folder, as another user, who owns nothing there."""
        url = self.url(data)
        name = f"app_{self._names[data]}"
        if name not in self._roles:
            self._make_role(name)
        return url.replace("user=belfry", f"user={name}")

    def _make_role(self, name: str, more: str = ""):
        self.sql(f"CREATE ROLE {name} LOGIN {more}")
        self._roles.append(name)

    def _make(self, data: str, name: str, more: str = ""):
        self._names[data] = name
        self.sql(f"CREATE DATABASE {name} {more}")

    def _url(self, name: str) -> str:
        return self._server.replace("/postgres?", f"/{name}?").replace(self._sockets, str(self._link))

    def sql(self, statement: str) -> str:
        """Runs a statement in the server's own database, and returns what psql prints of the rows."""
        return subprocess.run(["psql", "-qtA", "-v", "ON_ERROR_STOP=1", "-c", statement, self._server],
                              check=True, capture_output=True, text=True).stdout.strip()

    def hide(self):
        """Ends all of the world's sessions with the server, which nobody there finds any more."""
        self._link.unlink()
        names = ", ".join(f"'{name}'" for name in self._names.values())
        self.sql(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname IN ({names})")

    def show(self):
        self._link.symlink_to(self._sockets)

    @contextmanager
    def frozen(self):
        """Meanwhile the server's processes for the world's sessions stand still, and answer nothing."""
        names = ", ".join(f"'{name}'" for name in self._names.values())
        told = self.sql(f"SELECT pid FROM pg_stat_activity WHERE datname IN ({names})")
        processes = [int(line) for line in told.splitlines()]

        def tell(what):
            for process in processes:
                with suppress(ProcessLookupError):
                    os.kill(process, what)

        tell(signal.SIGSTOP)
        try:
            yield
        finally:
            tell(signal.SIGCONT)

    def dump(self, data: str) -> bytes:
        """All rows of a data folder's database, as SQL, and the octets of values that SQL has as digits."""
        text = subprocess.run(["pg_dump", "--inserts", self.url(data)], check=True, capture_output=True).stdout
        values = re.findall(rb"\\x([0-9a-f]+)'", text)
        return text + b"\n".join(bytes.fromhex(value.decode()) for value in values)

    def end(self):
        for name in self._names.values():
            self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        for name in self._roles:
            self.sql(f"DROP ROLE {name}")
