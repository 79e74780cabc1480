"""PostgreSQL in a folder of its own, reached over a Unix socket there."""
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import time


def programs():
    """The folder with PostgreSQL's programs, of the newest version."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda file: int(file.parts[-3]))
    if found:
        return found[-1].parent
    if name := shutil.which("postgres"):
        return pathlib.Path(name).parent
    sys.exit("There is no PostgreSQL server: scripts/install-packages cluster")


def user():
    """Who runs the servers; None for who runs this."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    sys.exit("PostgreSQL does not run as root, and there is neither a user postgres nor nobody.")


OWNER = user()
# The server is ended at once when this script is, even by SIGKILL.
PREFIX = ["setpriv", "--pdeathsig", "QUIT"]
if OWNER:
    PREFIX += [f"--reuid={OWNER.pw_uid}", f"--regid={OWNER.pw_gid}", "--clear-groups"]


def run(*words):
    done = subprocess.run([*PREFIX, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/")
    if done.returncode:
        sys.exit(f"{words[0]} failed:\n{done.stdout.decode()}")


def give(*folders):
    """Lets the servers' user have these folders."""
    for folder in folders if OWNER else ():
        os.chown(folder, OWNER.pw_uid, OWNER.pw_gid)


class Server:
    """One server: its files are in `data` of the folder, its log is `log`, and its socket lies beside."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.url = f"postgres:///postgres?host={folder}&user=belfry"
        self.process = None

    def make(self, settings, access):
        """Makes the files, where they are missing.

        `settings`: lines of postgresql.conf. `access`: those of pg_hba.conf.
        """
        data = self.folder / "data"
        if (data / "PG_VERSION").exists():
            return
        run(programs() / "initdb", "-D", data, "-U", "belfry", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        with open(data / "postgresql.conf", "a") as file:
            file.write(settings)
        (data / "pg_hba.conf").write_text(access)

    def start(self):
        log = open(self.folder / "log", "ab")
        command = [programs() / "postgres", "-D", self.folder / "data", "-k", self.folder]
        # A group of its own, so that Ctrl-C reaches it by its script alone.
        self.process = subprocess.Popen(
            [*PREFIX, *map(str, command)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
            start_new_session=True)

    def wait(self):
        deadline = time.monotonic() + 60
        ready = [programs() / "pg_isready", "-q", "-h", self.folder, "-U", "belfry", "-d", "postgres"]
        while subprocess.run(ready).returncode:
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"The server did not start:\n{(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def stop(self, how=signal.SIGQUIT):
        """Ends it: at once by SIGQUIT, with all in its files by SIGINT."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait()
