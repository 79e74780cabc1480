"""Files that are damaged at random: each is noticed, or does no harm."""

import json
import os
import random
import shutil
import sqlite3
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from harness.events import comment_added, room_liked
from harness.http import once
from harness.suite import Failed, case, expect_equal

#: How many damages a run tries; `make damage-long` has many more.
DAMAGES = int(os.environ.get("DAMAGES", "10"))
SEED = int(os.environ.get("DAMAGE_SEED", "1"))
USERS = [f"user-{number}" for number in range(12)]
#: What the log says of damage, whether at the start or later.
TOLD = ("is damaged", "the last commits are lost", "a commit that is not whole", "damaged rows")
PAGE = 4096


def fill(server, chance: random.Random):
    """People with inboxes, devices, choices, topics, feeds and events of all kinds, some longer than a page."""
    for number, user in enumerate(USERS[:6]):
        server.register_device(user, device=f"phone-{number}", push_token=f"a1b2c3d4{number}")
        server.rest(user, "PUT", "/api/notifications/preferences", {"types": {"ROOM_LIKE": {"push": False}}})
    once(server.socket, "PUT", "/v1/topics/room:1/members", {"users": USERS[:8]})
    for number in range(60):
        to = chance.sample(USERS, chance.randint(1, 8))
        text = f"comment {number} " + "word " * chance.choice((1, 5, 30, 1_500))
        server.publish(comment_added(*to, text=text, key=f"comment-{number}"))
        if number % 4 == 0:
            server.publish(room_liked(*to, key=f"like-{number}"))
            server.publish_item("posts", {"id": f"p{number}", "text": text, "tags": ["a", f"t{number % 3}"]})
    for user in USERS[::3]:
        ids = [row["id"] for row in server.get(user)["data"]]
        server.rest(user, "PUT", "/api/notifications/read", {"notificationIds": ids[::2]})
        server.rest(user, "DELETE", f"/api/notifications/{ids[1]}")


def answers(server) -> dict[str, str]:
    """What everybody is told, call by call."""
    told = {}
    for user in USERS:
        told[f"list of {user}"] = json.dumps(server.list_all(user))
        told[f"unread of {user}"] = json.dumps(server.unread(user))
        for path in ("preferences", "../v1/feeds/posts/items"):
            answer = server.rest(user, "GET", "/v1/feeds/posts/items" if path[0] == "." else f"/api/notifications/{path}")
            told[f"{path} of {user}"] = f"{answer.status} {answer.body.decode()}"
        for path in ("devices", "trail"):
            answer = once(server.socket, "GET", f"/v1/users/{user}/{path}")
            told[f"{path} of {user}"] = f"{answer.status} {answer.body.decode()}"
    answer = once(server.socket, "GET", "/v1/topics/room:1/members")
    told["topic"] = f"{answer.status} {answer.body.decode()}"
    return told


@dataclass
class Damage:
    """One way to damage a file. `change` gets its bytes, and returns others, or None if it cannot be done to it."""
    name: str
    file: str

    def apply(self, folder: Path, pages: list[int], chance: random.Random) -> bool:
        path = folder / self.file
        content = bytearray(path.read_bytes()) if path.exists() else bytearray()
        if self.file.endswith("-wal"):
            frames = valid_frames(content)
            if not frames:
                return False
            start, size = 32 + (24 + PAGE) * chance.randrange(frames), 24 + PAGE
            end = 32 + (24 + PAGE) * frames
        else:
            start, size, end = (chance.choice(pages) - 1) * PAGE, PAGE, len(content)
        if self.name == "a flipped bit":
            content[start + chance.randrange(size)] ^= 1 << chance.randrange(8)
        elif self.name == "a sector of zeros":
            sector = start + chance.randrange(size // 512) * 512
            if not any(content[sector:sector + 512]):
                return False
            content[sector:sector + 512] = bytes(512)
        elif self.name == "a page of zeros":
            content[start:start + size] = bytes(size)
        elif self.name == "a page in another's place":
            other = (chance.choice(pages) - 1) * PAGE
            if content[other:other + PAGE] == content[start:start + PAGE]:
                return False
            content[start:start + PAGE] = content[other:other + PAGE]
        elif self.name == "a torn file":
            # Where something was written: behind that lies room for more.
            content = content[:chance.randrange(start + 1, min(end, start + size))]
        path.write_bytes(content)
        return True


DAMAGE = [Damage("a flipped bit", "belfry.sqlite")] * 6 + [
    Damage("a sector of zeros", "belfry.sqlite"), Damage("a page of zeros", "belfry.sqlite"),
    Damage("a page in another's place", "belfry.sqlite"), Damage("a torn file", "belfry.sqlite"),
    Damage("a flipped bit", "belfry.sqlite-wal"), Damage("a flipped bit", "belfry.sqlite-wal"),
    Damage("a sector of zeros", "belfry.sqlite-wal"), Damage("a torn file", "belfry.sqlite-wal"),
]


def valid_frames(log: bytes) -> int:
    """How many frames a log has that belong to it, by their salts (sqlite.org/fileformat2.html §4.1)."""
    frames = 0
    while len(log) >= 32 + (24 + PAGE) * (frames + 1):
        start = 32 + (24 + PAGE) * frames
        if log[start + 8:start + 16] != log[16:24] or struct.unpack(">I", log[start:start + 4])[0] == 0:
            break
        frames += 1
    return frames


def used_pages(path: Path) -> list[int]:
    """The pages that hold something, without the free ones."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        return [page for page, in database.execute("SELECT pageno FROM dbstat")]
    finally:
        database.close()


def outcome(world, server, folder: Path, sound: dict[str, str]) -> tuple[str, str]:
    """How the damage in a folder was noticed, or that it was not, and what is told wrongly."""
    server.data, begun = str(folder), len(server.earlier)

    def told() -> bool:
        log = [line for process in [*server.earlier[begun:], server.process] if process for line in process.errors.all]
        return any(word in line for line in log for word in TOLD)

    if world.run("verify", "--data", server.data).returncode:
        return "noticed by belfry verify", ""
    try:
        server.start()
    except Failed as failure:
        server.kill()
        return ("noticed at the start", "") if told() else ("unnoticed", f"the start: {failure}")
    found = answers(server)
    server.terminate()
    if told():
        return "noticed by the server", ""
    different = [call for call, answer in found.items() if answer != sound[call]]
    return ("unnoticed", ", ".join(different)) if different else ("harmless", "")


@case("of files that are damaged at random, none gives a wrong answer that nobody notices")
def random_damage(world):
    chance = random.Random(SEED)
    server = world.serve()
    fill(server, chance)
    expect_equal(server.terminate(), 0, "the exit code")
    world.damaged.add(server.data)
    ended = world.folder / "ended"
    shutil.copytree(server.data, ended)
    # A store whose process was killed has what was written last in its log.
    server.start()
    server.publish([comment_added(*chance.sample(USERS, 3), text=f"later {number}") for number in range(20)])
    sound = {"belfry.sqlite-wal": answers(server)}
    server.kill()
    killed = world.folder / "killed"
    shutil.copytree(server.data, killed, ignore=shutil.ignore_patterns("*.sock"))
    shutil.copytree(ended, world.folder / "sound")
    server.data = str(world.folder / "sound")
    server.start()
    sound["belfry.sqlite"] = answers(server)
    expect_equal(server.terminate(), 0, "the exit code")
    counts: Counter[str] = Counter()
    for number in range(DAMAGES):
        damage = DAMAGE[number % len(DAMAGE)]
        folder = world.folder / f"damaged-{number}"
        shutil.copytree(killed if damage.file.endswith("-wal") else ended, folder)
        world.damaged.add(str(folder))
        if damage.apply(folder, used_pages(ended / "belfry.sqlite"), chance):
            found, wrong = outcome(world, server, folder, sound[damage.file])
            counts[f"{damage.name} in {damage.file}: {found}"] += 1
            if found == "unnoticed":
                print(f"  damage {number} of seed {SEED}: {damage}: {wrong}")
        shutil.rmtree(folder)
    for name, count in sorted(counts.items()):
        print(f"  {count} times {name}")
    expect_equal([name for name in counts if "unnoticed" in name], [], "damages that nobody noticed")
