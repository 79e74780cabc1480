"""A disk without room."""

import os
import subprocess
from pathlib import Path

from harness.events import room_liked
from harness.http import once
from harness.suite import Failed, case, expect, expect_equal

MEGABYTE = 1 << 20


class SmallDisk:
    """A server whose data folder is a disk of its own, which goes when the server ends. Nobody else sees it, so it needs no
    rights."""

    def __init__(self, world, megabytes: int):
        folder = world.folder / "data"
        folder.mkdir()
        mount = f"mount -t tmpfs -o size={megabytes}m,mode=700 tmpfs {folder} && exec \"$@\""
        launcher = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
        #: Some systems let nobody but root make a name space.
        self.is_possible = subprocess.run([*launcher, "true"], capture_output=True).returncode == 0
        if not self.is_possible:
            print("no full disk: unshare is not allowed here")
            return
        self.server = world.serve(launcher=launcher, BELFRY_SOCKET=str(world.folder / "belfry.sock"))
        self._path = Path(f"/proc/{self.server.process.pid}/root{folder}")

    def bytes(self, name: str) -> int:
        return (self._path / name).stat().st_size

    def leave(self, number: int):
        """Takes all room but so many bytes."""
        free = os.statvfs(self._path)
        with (self._path / "others").open("ab") as file:
            os.posix_fallocate(file.fileno(), file.tell(), free.f_bavail * free.f_frsize - number)

    def free(self):
        (self._path / "others").unlink()

    def put_user(self, user: str, number: int):
        return once(self.server.socket, "PUT", f"/v1/users/{user}", {"about": f"{number} " * (8_000 // len(f"{number} "))})


@case("a log that takes the last room of a disk gives it back by itself, and nobody is refused")
def outgrown_log(world):
    disk = SmallDisk(world, 40)
    if not disk.is_possible:
        return
    expect_equal(disk.put_user("sarah", 0).status, 204, "the status of the first write")
    disk.leave(5 * MEGABYTE)
    longest = 0
    for number in range(1_200):
        answer = disk.put_user("sarah", number)
        expect_equal(answer.status, 204, f"the status of write {number}, with a log of {disk.bytes('belfry.sqlite-wal')}")
        longest = max(longest, disk.bytes("belfry.sqlite-wal"))
    expect(longest > 4.5 * MEGABYTE, f"the log has never taken all room, but {longest} bytes")
    told = [line for line in disk.server.log if "the store failed" in line]
    expect_equal(told, [], "what the log tells")
    disk.server.check_health()


@case("on a full disk what is there is served, a newcomer is told to come back, and with room all goes on")
def full(world):
    disk = SmallDisk(world, 40)
    if not disk.is_possible:
        return
    server = disk.server
    server.publish(room_liked("sarah"))
    live = server.session("sarah")
    disk.leave(MEGABYTE)
    expect_equal(server.metrics()["belfry_store_free_bytes"], MEGABYTE, "the free bytes among the metrics")
    answers = (disk.put_user(f"user-{number}", number) for number in range(4_000))
    refused = next((answer for answer in answers if answer.status != 204), None)
    expect(refused, "nothing was refused")
    expect_equal((refused.status, refused.json()["code"]), (507, "disk_full"), "the answer to a write without room")
    expect("retry-after" in refused.headers, "nobody is told when to come again")
    expect_equal(server.unread("sarah"), 1, "what can be read")
    for number in range(100):
        newcomer = server.open()
        newcomer.send({"type": "hello", "token": world.token(f"newcomer-{number}"), "active": True})
        try:
            newcomer.expect("ready")
        except Failed:
            newcomer.expect_close(4100)
            break
    else:
        raise Failed("all newcomers found room")
    disk.free()
    server.publish(room_liked("sarah", key="later"))
    expect_equal(live.expect("new")["unread"], 2, "what is told once there is room")
    server.session(f"newcomer-{number}")
    server.check_health()


@case("the store of a stopped server is one file, which may be copied alone")
def stopped(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    expect_equal(server.terminate(), 0, "the exit code")
    files = sorted(path.name for path in Path(server.data).glob("belfry.sqlite*"))
    expect_equal(files, ["belfry.sqlite"], "the store's files")
    restored = world.run("restore", str(Path(server.data, "belfry.sqlite")), "--data", str(world.folder / "copy"))
    expect_equal((restored.returncode, restored.stderr), (0, ""), "belfry restore of the file")
    expect_equal(world.serve(data="copy").unread("sarah"), 1, "what is in the copy")
