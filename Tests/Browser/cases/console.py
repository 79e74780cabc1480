"""The operators' console: its pages empty and loaded, by keyboard alone, and who may use it."""

from browser.console import CATALOGS, Console, liked
from browser.tab import PATIENCE
from harness.http import once
from harness.suite import case, expect, expect_equal, wait_until


def load(world, **settings):
    """A server with a person who has a session and a phone, and to whom things have happened."""
    sink = world.sink()
    server = world.serve(catalogs=CATALOGS, PUSH_GRACE="1s", **sink.settings, **settings)
    server.register_device("sarah")
    for number in range(3):
        server.publish(liked("sarah", f"like-{number}"))
    sink.wait_for_shown(1)
    return server


@case("the console: now, on a server that has done nothing, and live on one that is used")
def now(world):
    server = world.serve(catalogs=CATALOGS)
    console = Console(world, server).until_ready()
    wait_until(lambda: "Live" in console.text, PATIENCE, "the socket")
    console.expect_accessible("now, empty")
    sessions = console.page.locator(".tile", has_text="Sessions").locator("strong")
    wait_until(lambda: sessions.inner_text() == "0", PATIENCE, "no session")
    session = server.session("sarah")
    wait_until(lambda: sessions.inner_text() == "1", PATIENCE, "the session")
    for number in range(20):
        server.publish(liked("sarah"))
    latency = console.page.locator(".tile", has_text="Publish p99").locator("strong")
    wait_until(lambda: "M" in console.page.locator("figure", has_text="Publish latency").locator("path.line-1").nth(1).get_attribute("d"),
               PATIENCE, "the plot of latencies")
    expect(latency.inner_text(), "a percentile")
    console.button("5 min").click()
    console.expect_accessible("now, in use")
    session.close()
    console.expect_quiet()


@case("the console: a person nobody knows, and one with a trail, sessions, devices and an inbox")
def person(world):
    server = load(world)
    session = server.session("sarah", active=True)
    console = Console(world, server, "#/person").until_ready()
    console.expect_accessible("no person")
    console.page.keyboard.type("nobody")
    console.page.keyboard.press("Enter")
    console.until_ready("#/person/nobody")
    expect("Nothing was decided about this person" in console.text, "that nobody knows them")
    console.expect_accessible("an unknown person")
    console.go("#/person/sarah")
    expect("Push sent to phone-1 (APNs): the service accepted it." in console.text, "the answer in words")
    expect("on a screen now" in console.text, "the session")
    expect("127.0.0.1" in console.text, "where the session comes from")
    console.page.locator("belfry-inbox article").first.wait_for()
    console.expect_accessible("a person")
    console.button("Send a test push").click()
    console.page.get_by_role("group", name="Answers of the push services").get_by_text("accepted").wait_for()
    session.close()
    console.expect_quiet()


@case("the console: the badge goes out again, and a session is ended")
def actions(world):
    sink = world.sink()
    server = world.serve(catalogs=CATALOGS, **sink.settings)
    server.register_device("sarah")
    session = server.session("sarah", active=True)
    console = Console(world, server, "#/person/sarah").until_ready()
    console.button("Resend the icon’s number").click()
    wait_until(lambda: [push for push in sink.pushes if push["title"] is None], PATIENCE, "a push without a text")
    console.button("End all sessions").click()
    wait_until(lambda: "1 session ended" in console.said, PATIENCE, "what was done")
    session.expect_close(4200)
    lines = once(server.ops, "GET", "/console/audit").json()["entries"]
    expect_equal([line["action"] for line in lines],
                 ["POST /v1/users/{user}/disconnect", "POST /v1/users/{user}/resend-badge"], "what the audit log has")
    expect_equal([line["about"] for line in lines], [["sarah"], ["sarah"]], "about whom")
    console.expect_quiet()


@case("the console: with a password, nothing without a login; with one, all of it; and out again")
def password(world):
    server = world.serve(catalogs=CATALOGS, CONSOLE_PASSWORD="a long enough password")
    expect_equal(once(server.ops, "GET", "/v1/push").status, 401, "the status without a login")
    console = Console(world, server)
    console.page.get_by_label("Password").wait_for()
    console.expect_accessible("the login")
    console.page.get_by_label("Your name, for the audit log").fill("Ana")
    console.page.get_by_label("Password").fill("not the password")
    console.page.keyboard.press("Enter")
    console.page.get_by_text("this is not the password").wait_for()
    console.page.get_by_label("Password").fill("a long enough password")
    console.page.keyboard.press("Enter")
    console.until_ready()
    wait_until(lambda: "Live" in console.text, PATIENCE, "the socket")
    console.go("#/person/sarah")
    console.button("End all sessions").click()
    wait_until(lambda: "0 sessions ended" in console.said, PATIENCE, "what was done")
    console.button("Log out").click()
    console.page.get_by_label("Password").wait_for()
    line = (world.folder / "data/audit.log").read_text()
    expect('"who":"Ana"' in line and '"by":"password"' in line, "who has done it")
    expect(not any("long enough" in line for line in server.log), "no password in the log")


@case("the console: pages of other sites change nothing, and other names of this machine get nothing")
def foreign(world):
    server = world.serve(catalogs=CATALOGS)
    expect_equal(once(server.ops, "POST", "/v1/users/sarah/disconnect", {}).status, 403, "without the header")
    own = {"Belfry_Console": "x", "Origin": f"http://{server.ops}"}
    expect_equal(once(server.ops, "POST", "/v1/users/sarah/disconnect", {}, **own).status, 200, "of the console")
    expect_equal(once(server.ops, "POST", "/v1/users/sarah/disconnect", {}, **{**own, "Origin": "http://evil.example"}).status, 403, "of another site")
    expect_equal(once(server.ops, "GET", "/v1/push", Host="evil.example").status, 403, "by another name")
    expect_equal(once(server.ops, "GET", "/v1/push", X_Forwarded_For="10.0.0.1").status, 403, "by a proxy")
    expect_equal(once(server.ops, "POST", "/v1/events", liked("sarah"), **own).status, 403, "a publish")
    expect_equal(once(server.ops, "POST", "/v1/events?dryRun=true", liked("sarah"), **own).status, 200, "a dry run")
    expect_equal(once(server.ops, "GET", "/metrics").status, 200, "metrics, as ever")
