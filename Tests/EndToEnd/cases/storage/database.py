"""A store in PostgreSQL whose database comes and goes."""

from harness.events import room_liked
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_told, wait_until


@case("without its database a node says so, is not ready, and goes on by itself: nothing that was answered is lost")
def database_goes(world):
    server = world.serve()
    session = server.session("sarah")
    server.publish(room_liked("sarah", key="before"))
    session.expect("new", unread=1)

    world.databases.hide()
    for method, path, body in (("POST", "/v1/events", room_liked("sarah", key="during")), ("GET", "/v1/users/sarah", None)):
        answer = once(server.socket, method, path, body)
        expect_equal((answer.status, answer.json()["code"]), (503, "store_unreachable"), f"the answer to {path}")
        expect(answer.headers.get("retry-after"), "no Retry-After")
    wait_until(lambda: once(server.ops, "GET", "/readyz").status == 503, PATIENCE, "/readyz to fail")
    expect_equal(once(server.ops, "GET", "/healthz").status, 200, "the status of /healthz")

    world.databases.show()
    wait_until(lambda: once(server.ops, "GET", "/readyz").status == 200, PATIENCE, "/readyz to be back")
    server.publish(room_liked("sarah", key="during"))
    session.expect("new", unread=2)
    expect_equal(server.unread("sarah"), 2, "unread")
    expect_told(server, "accepts writes again")


@case("a node tells figures of its database, and while that is away those of its own")
def figures(world):
    def caretakers(told):
        return told["belfry_store_is_caretaker"]

    server = world.serve()
    server.publish(room_liked("sarah"))
    told = wait_until(lambda: _with(server, lambda told: "belfry_store_bytes" in told), PATIENCE, "the figures")
    expect_equal(caretakers(told), 1, "caretakers")
    expect(told["belfry_store_nodes"] >= 1, "no node lives")
    expect(told["belfry_store_oldest_transaction_seconds"] < 60, "somebody holds a transaction")
    expect(told["belfry_store_connections"] < told["belfry_store_connections_max"], "too many connections")
    for name in ("belfry_store_bytes", 'belfry_store_live_rows{table="inbox"}', 'belfry_store_dead_rows{table="push_job"}',
                 "belfry_store_notify_queue_ratio", "belfry_store_lock_waiters", "belfry_lost_wakeups_total",
                 'belfry_store_retries_total{reason="deadlock"}'):
        expect(told.get(name, -1) >= 0, f"{name} is {told.get(name)}")
    wait_until(lambda: _with(server, lambda told: told["belfry_listener_lag_seconds_count"] > 0), PATIENCE, "hearing itself")
    expect(server.metrics()["belfry_store_commit_seconds_count"] > 0, "no commit was measured")

    world.databases.hide()
    told = wait_until(lambda: _with(server, lambda told: caretakers(told) == 0), PATIENCE, "no caretaker")
    expect(not any(name.startswith("belfry_store_bytes") for name in told), "figures of a database that is away")
    expect_equal(told["belfry_events_total"], 1, "events")

    world.databases.show()
    wait_until(lambda: _with(server, lambda told: caretakers(told) == 1), PATIENCE, "a caretaker again")
    server.check_health()


@case("a node whose database stands still answers /metrics all the same, with what the process knows")
def database_stands_still(world):
    server = world.serve()
    server.publish(room_liked("sarah"))
    expect("belfry_push_jobs" in server.metrics(), "no figures of the store")
    with world.databases.frozen():
        told = server.metrics()
    expect("belfry_push_jobs" not in told and "belfry_inboxes" not in told, "figures of a database that does not answer")
    expect_equal(told["belfry_events_total"], 1, "events")
    server.check_health()


def _with(server, holds):
    """The metrics, if they are so; else None."""
    told = server.metrics()
    return told if holds(told) else None


@case("a start waits for a database that cannot be reached yet, and says so once")
def database_is_late(world):
    server = world.serve()
    server.terminate()
    world.databases.hide()
    server.begin()
    server.process.errors.wait_for(lambda line: "waiting for the database" in line, PATIENCE, "waiting")
    world.databases.show()
    server.await_serving()
    expect_equal(len([line for line in server.log if "waiting for the database" in line]), 1, "lines about the wait")


@case("a password from a file opens the database and is told nowhere; a wrong one ends the start at once, with advice")
def password_file(world):
    password = "a-password-of-the-tests"
    file = world.folder / "password"
    file.write_text(f"{password}\n")
    server = world.serve(STORE=world.databases.guarded(password), STORE_PASSWORD_FILE=str(file))
    server.check_health()
    server.terminate()
    expect(not any(password in line for line in server.log), "the log tells the password")

    file.write_text("a-wrong-password\n")
    server.begin()
    expect_equal(server.process.wait(PATIENCE), 1, "the exit code with a wrong password")
    told = server.process.errors.all[-1]
    expect("28P01" in told and "store.passwordFile" in told, f"no advice: {told}")
    expect("a-wrong-password" not in "".join(server.process.errors.all), "the error tells the password")
    server.terminate()
