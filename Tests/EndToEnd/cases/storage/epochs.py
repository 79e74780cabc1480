"""Stores that were put back to an earlier moment: `belfry epochs`."""

import subprocess

from cases.storage.migrate import database
from harness.events import room_liked
from harness.suite import case, expect, expect_equal


@case("after belfry epochs a client that has seen all, or more, starts anew, with either engine; a server that runs is refused")
def epochs(world):
    with database(world) as address:
        for data, settings, place in (("folder", {}, None), ("node", {"STORE": address}, ("--store", address))):
            server = world.serve(data=data, **settings)
            place = place or ("--data", server.data)
            server.publish([room_liked("sarah", key=f"like-{number}") for number in range(3)])
            item = server.publish_item("posts", {"id": "p1", "tags": ["a"]})
            live = server.session("sarah")
            known = {"epoch": live.ready["epoch"], "seq": live.ready["seq"]}
            live.close()
            rows = server.list_all("sarah")
            running = world.run("epochs", *place)
            expect_equal((running.returncode, running.stdout), (1, ""), "while the server runs")
            expect("in use" in running.stderr or "another process" in running.stderr, f"what it says: {running.stderr!r}")
            server.terminate()

            done = world.run("epochs", *place)
            expect_equal((done.returncode, done.stderr), (0, ""), "belfry epochs")
            expect_equal(done.stdout, "OK new epochs of inboxes: 1, feeds: 1\n", "what it says")
            server.start()
            live = server.open()
            ready = live.hello(world.token("sarah"), resume=known)
            expect_equal(ready["recovered"], False, "recovered")
            expect(ready["epoch"] != known["epoch"], "the old epoch")
            expect_equal(live.expect("reset")["unread"], 3, "unread of the reset")
            server.publish(room_liked("sarah", key="later"))
            live.expect("new", unread=4)
            live.close()
            expect_equal(server.list_all("sarah")[1:], rows, "the list")
            page = server.get("sarah", "/v1/feeds/posts/items")
            expect(page["meta"]["epoch"] != item["epoch"], "the feed's old epoch")
            expect_equal((len(page["data"]), server.drift()), (1, 0), "items, and the drift")
            server.terminate()


@case("belfry epochs wants one store, and what it has begun keeps servers away")
def refused(world):
    with database(world) as address:
        for places, code, words in (
            ((), 64, "either --store or --data"), (("--data", "x", "--store", address), 64, "either --store or --data"),
            (("--store", "./data"), 64, "begins with postgres://"), (("--data", address), 64, "an address is for --store"),
            (("--data", "./none"), 1, "expected the file belfry.sqlite"), (("--store", address), 1, "tables that Belfry has made"),
        ):
            found = world.run("epochs", *places)
            expect_equal((found.returncode, found.stdout), (code, ""), f"the exit code of {places}")
            expect(words in found.stderr, f"what it says of {places}: {found.stderr!r}")
        node = world.serve(data="node", STORE=address)
        node.publish(room_liked("sarah"))
        node.terminate()
        subprocess.run(["psql", "-q", address, "-c", "CREATE TABLE epoch_renewal AS SELECT false AS is_at_feeds, "
                        "0::int8 AS last, 0::int8 AS inboxes, 0::int8 AS feeds"], check=True)
        node.begin()
        expect_equal(node.process.wait(10), 1, "the exit code of serve")
        expect("run `belfry epochs` again" in node.process.errors.all[-1], f"what serve says: {node.process.errors.all}")
        node.terminate()
        expect_equal(world.run("epochs", "--store", address).returncode, 0, "the exit code of the run that continues")
        node.start()
        node.check_health()
