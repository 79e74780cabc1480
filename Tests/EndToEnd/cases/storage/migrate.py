"""Stores that move to PostgreSQL, and back: `belfry migrate`."""

import random
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from harness.events import room_liked
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal


@contextmanager
def database(world):
    """The address of an empty database; servers keep their stores in their folders, unless they are told."""
    databases, world.databases = world.databases, None
    try:
        yield databases.url("database")
    finally:
        world.databases = databases


def interrupted(world, *arguments):
    """Runs the command to its end, after it was killed a few times on its way."""
    for _ in range(4):
        process = world.start("migrate", *arguments)
        time.sleep(random.uniform(0.01, 0.3))
        process.kill()
        if process.exit_code == 0:
            return
    done = world.run("migrate", *arguments)
    # One that was killed behind its last commit had ended.
    if "has a store already" in done.stderr:
        done = world.run("migrate", "--verify", *arguments)
    # One that was killed while it made the tables goes on with them, and says so.
    told = [line for line in done.stderr.splitlines() if "up to date with this version" not in line]
    expect_equal((done.returncode, told), (0, []), "belfry migrate")
    expect("rows are equal in both stores" in done.stdout, f"what it says: {done.stdout!r}")


@case("belfry migrate moves a store to PostgreSQL and back, killed on its way: clients resume, keys hold, lists are equal")
def moves(world):
    with database(world) as address:
        server = world.serve()
        server.register_device("sarah")
        once(server.socket, "PUT", "/v1/topics/room:1/members", {"users": ["sarah", "tom"]})
        for number in range(30):
            server.publish([room_liked("sarah", "tom", key=f"like-{number}-{part}") for part in range(50)])
        server.rest("tom", "PUT", "/api/notifications/read-all")
        item = server.publish_item("posts", {"id": "p1", "tags": ["a"]})
        live = server.session("sarah")
        epoch, seq = live.ready["epoch"], live.ready["seq"]
        live.close()
        server.publish(room_liked("sarah", key="missed"))
        lists = {user: server.list_all(user) for user in ("sarah", "tom")}
        running = world.run("migrate", "--from", server.data, "--to", address)
        expect_equal(running.returncode, 1, "the exit code while the server runs")
        expect("in use" in running.stderr, f"what it says: {running.stderr!r}")
        server.terminate()

        def check(server):
            for user, rows in lists.items():
                expect_equal(server.list_all(user), rows, f"{user}'s list")
            live = server.open()
            live.hello(world.token("sarah"), resume={"epoch": epoch, "seq": seq})
            live.expect("new")
            live.close()
            expect(server.publish(room_liked("sarah", key="missed"))["replayed"], "a key of before is not known")
            page = server.get("sarah", "/v1/feeds/posts/items")
            expect_equal((page["meta"]["epoch"], len(page["data"])), (item["epoch"], 1), "the feed")
            expect_equal(server.drift(), 0, "the drift")
            server.terminate()

        interrupted(world, "--from", server.data, "--to", address)
        check(world.serve(data="node", STORE=address))
        back = str(world.folder / "back")
        interrupted(world, "--from", address, "--to", back)
        compared = world.run("migrate", "--verify", "--from", back, "--to", address)
        expect_equal((compared.returncode, compared.stderr), (0, ""), "--verify")
        check(world.serve(data="back"))
        compared = world.run("migrate", "--verify", "--from", address, "--to", back)
        expect_equal(compared.returncode, 1, "the exit code of --verify, where a publish was repeated")
        expect("differ in" in compared.stderr and "trail_event" in compared.stderr, f"what it says: {compared.stderr!r}")


@case("belfry migrate refuses two stores of one kind, a folder without a store, and a node that runs; serve an unfinished copy")
def refused(world):
    with database(world) as address:
        for places, code, words in (
            (("./a", "./b"), 64, "expected a data folder for one of them"), ((address, address), 64, "expected a data folder"),
            (("mysql://x", address), 64, "expected a data folder, or an address"),
            (("./none", address), 1, "expected the file belfry.sqlite"), ((address, "./none"), 1, "tables that Belfry has made"),
        ):
            found = world.run("migrate", "--from", places[0], "--to", places[1])
            expect_equal((found.returncode, found.stdout), (code, ""), f"the exit code of {places}")
            expect(words in found.stderr, f"what it says of {places}: {found.stderr!r}")
        expect(not Path(world.folder, "none").exists(), "a folder was made")
        node = world.serve(data="node", STORE=address)
        node.publish(room_liked("sarah"))
        for places in (("--from", address, "--to", "./other"), ("--from", "./other", "--to", address)):
            if places[1] == "./other":
                world.serve(data="other").terminate()
            found = world.run("migrate", *places)
            expect_equal(found.returncode, 1, "the exit code while a node runs")
            expect("stop all nodes" in found.stderr, f"what it says: {found.stderr!r}")
        node.terminate()
        subprocess.run(["psql", "-q", "-c", "CREATE TABLE migration (name text)", address], check=True)
        node.begin()
        expect_equal(node.process.wait(PATIENCE), 1, "the exit code of serve with an unfinished copy")
        expect("unfinished copy" in node.process.errors.all[-1], f"what serve says: {node.process.errors.all}")
        node.terminate()
