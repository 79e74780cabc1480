"""A database that is restored to a moment, by the steps of docs/cluster.md."""

import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.events import room_liked
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until
from harness.world import ROOT

sys.path.append(str(ROOT / "scripts"))

from servers import postgres  # noqa: E402


class _Archived:
    """A server that archives its log, in a folder of its own which the server's user may enter."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="belfry-restore-"))
        self.wal, self.base, self.data = self.folder / "wal", self.folder / "base", self.folder / "data"
        self.wal.mkdir()
        postgres.give(self.folder, self.wal)
        self.server = postgres.Server(self.folder)
        wal = self.wal
        self.server.make(
            f"""
            listen_addresses = ''
            archive_mode = on
            archive_command = 'cmp -s %p {wal}/%f || {{ test ! -e {wal}/%f && cp %p {wal}/%f.part && sync {wal}/%f.part && mv {wal}/%f.part {wal}/%f; }}'
            archive_timeout = '1min'
            """, "local all all trust\nlocal replication all trust\n")
        self.start()

    def start(self):
        self.server.start()
        self.server.wait()

    def stop(self):
        self.server.stop(signal.SIGINT)

    def sql(self, statement: str) -> str:
        return subprocess.run(["psql", "-qtA", "-v", "ON_ERROR_STOP=1", "-c", statement, self.server.url], check=True,
                              capture_output=True, text=True).stdout.strip()

    def back_up(self):
        postgres.run(postgres.programs() / "pg_basebackup", "-D", self.base, "-c", "fast", "-h", self.folder, "-U", "belfry")
        postgres.run(postgres.programs() / "pg_verifybackup", self.base)

    def restore(self, moment: str):
        """Puts the base backup in its place; the log that was not archived comes from the server's own folder."""
        old = self.folder / "data.old"
        self.data.rename(old)
        postgres.run("cp", "-a", self.base, self.data)
        postgres.run("sh", "-c", f"cp -n {old}/pg_wal/0* {self.data}/pg_wal/")
        lines = (f"restore_command = 'cp {self.wal}/%f %p'", f"recovery_target_time = '{moment}'",
                 "recovery_target_action = 'promote'")
        with open(self.data / "postgresql.auto.conf", "a") as file:
            file.writelines(line + "\n" for line in lines)
        postgres.run("touch", self.data / "recovery.signal")
        self.start()
        wait_until(lambda: self.sql("SELECT pg_is_in_recovery()") == "f", PATIENCE, "the end of the recovery")
        for name in ("restore_command", "recovery_target_time", "recovery_target_action"):
            self.sql(f"ALTER SYSTEM RESET {name}")

    def close(self):
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def renew_epochs(world, address: str) -> str:
    """What the command says; nothing while a node may be running."""
    done = world.run("epochs", "--store", address)
    if done.returncode == 1:
        expect("stop all nodes" in done.stderr, f"what it says: {done.stderr!r}")
    return done.stdout


@case("after a restore to a moment and belfry epochs, what came later is gone, and who has seen it starts anew")
def restore_to_a_moment(world):
    archived = _Archived()
    world.keep(archived)
    archived.sql("CREATE DATABASE belfry")
    address = archived.server.url.replace("/postgres?", "/belfry?")
    server = world.serve(data="node", STORE=address)
    server.publish(room_liked("sarah", key="before the backup"))
    archived.back_up()
    server.publish(room_liked("sarah", key="before the moment"))
    moment = archived.sql("SELECT clock_timestamp()")
    server.publish([room_liked("sarah", key=f"after the moment {number}") for number in range(2)])
    live = server.session("sarah")
    known = {"epoch": live.ready["epoch"], "seq": live.ready["seq"]}
    expect_equal((known["seq"], live.ready["unread"]), (4, 4), "what the client has seen")
    live.close()
    server.terminate()
    archived.stop()

    archived.restore(moment)
    # At that moment the node had a lease, which lasts for ten seconds.
    told = wait_until(lambda: renew_epochs(world, address), PATIENCE, "the node's lease to end")
    expect_equal(told, "OK new epochs of inboxes: 1, feeds: 0\n", "what belfry epochs says")
    server.start()
    live = server.open()
    ready = live.hello(world.token("sarah"), resume=known)
    expect(ready["epoch"] != known["epoch"] and not ready["recovered"], f"a client that has seen more: {ready}")
    expect_equal(live.expect("reset")["unread"], 2, "unread")
    expect(server.publish(room_liked("sarah", key="before the moment"))["replayed"], "a key of before the moment")
    expect(not server.publish(room_liked("sarah", key="after the moment 0")).get("replayed"), "a key of after the moment")
    live.expect("new", unread=3)
    live.close()
    expect_equal(server.drift(), 0, "the drift")
    server.check_health()
