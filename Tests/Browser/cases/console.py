"""The operators' console: its pages empty and loaded, by keyboard alone, and who may use it."""

from browser.console import PAGES, Console, liked
from browser.tab import PATIENCE
from harness.http import once
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import CATALOGS


def load(world, **settings):
    """A server with a person who has a session and a phone, and to whom things have happened."""
    sink = world.sink()
    server = world.serve(catalogs=CATALOGS, PUSH_GRACE="5s", **sink.settings, **settings)
    server.register_device("sarah")
    for number in range(3):
        server.publish(liked("sarah", f"like-{number}"))
    sink.wait_for_shown(1)
    return server


#: What each page says on a server that has done nothing.
EMPTY = {"now": "One node, with a store of its own.", "person": "Enter the id", "event": "Event, as JSON",
         "failures": "Nothing has failed", "catalogs": "ROOM_LIKE", "feeds": "Who is in it?", "quality": "exact",
         "drain": "0 sessions are told", "audit": "Nobody has done anything yet"}


@case("the console: each page on a server that has done nothing")
def empty(world):
    console = Console(world, world.serve(catalogs=CATALOGS)).until_ready()
    expect_equal(tuple(EMPTY), PAGES, "the pages")
    for page, words in EMPTY.items():
        console.go(f"#/{page}")
        wait_until(lambda: words in console.page.locator("main").text_content(), PATIENCE, f"{page}: {words}")
        # Catalogs are there from the beginning, and have a case of their own.
        if page != "catalogs":
            console.expect_accessible_everywhere(f"{page}, empty")
    console.expect_quiet()


@case("the console: now, live on a server that is used")
def now(world):
    server = world.serve(catalogs=CATALOGS)
    console = Console(world, server).until_ready()
    wait_until(lambda: "Live" in console.text, PATIENCE, "the socket")
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
    console.expect_accessible_everywhere("now, in use")
    session.close()
    console.expect_quiet()


@case("the console: a person nobody knows, and one with a trail, sessions, devices and an inbox")
def person(world):
    server = load(world)
    session = server.session("sarah", active=True)
    console = Console(world, server, "#/person").until_ready()
    console.page.keyboard.type("nobody")
    console.page.keyboard.press("Enter")
    console.until_ready("#/person/nobody")
    expect("Nothing was decided about this person" in console.text, "that nobody knows them")
    console.expect_accessible_everywhere("an unknown person")
    console.go("#/person/sarah")
    expect("Push sent to phone-1 (APNs): the service accepted it." in console.text, "the answer in words")
    expect("on a screen now" in console.text, "the session")
    expect("127.0.0.1" in console.text, "where the session comes from")
    console.page.locator("belfry-inbox article").first.wait_for()
    console.expect_accessible_everywhere("a person")
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
    lines = server.ask("/console/audit").json()["entries"]
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
    console.expect_accessible_everywhere("the login")
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


@case("the console: pages of other sites and plain requests get nothing, nor do other names of this machine")
def foreign(world):
    server = world.serve(catalogs=CATALOGS)
    server.publish(liked("sarah"))
    own, other = {"Origin": f"http://{server.ops}"}, {"Origin": "http://evil.example"}
    for call in (("/v1/users/sarah/trail",), ("/v1/users/sarah/export",), ("/console/failures",), ("/console/audit",),
                 ("/v1/users/sarah/disconnect", "POST", {})):
        path, method, body = (*call, "GET", None)[:3] if len(call) == 1 else call
        # What a form, a link or a program can send that fetches any address that it is given.
        refused = once(server.ops, method, path, body)
        expect_equal((refused.status, refused.json()["code"]), (403, "header_required"), f"{path} without the header")
        expect_equal(server.ask(*call, **own).status, 200, f"{path} of the console")
        expect_equal(server.ask(*call, **other).status, 403, f"{path} of another site")
        expect_equal(server.ask(*call, Host="evil.example").status, 403, f"{path} by another name")
        expect_equal(server.ask(*call, X_Forwarded_For="10.0.0.1").status, 403, f"{path} by a proxy")
    expect_equal(server.ask("/v1/events", "POST", liked("sarah"), **own).status, 403, "a publish")
    expect_equal(server.ask("/v1/events?dryRun=true", "POST", liked("sarah"), **own).status, 200, "a dry run")
    for path in ("/metrics", "/healthz", "/openapi.yaml", "/console", "/console/console.js", "/console/who"):
        expect_equal(once(server.ops, "GET", path).status, 200, f"{path}, open as ever")


@case("the console: an event, and everybody whom it reached or not; it is taken back")
def event(world):
    server = load(world)
    console = Console(world, server, "#/event").until_ready()
    told = server.publish({**liked("sarah", "k-1"), "to": {"owner": ["sarah", "pete", "renee"]}})
    console.go(f"#/event/{told['event']}")
    for words in ("Their own doing", "they have no device", "3"):
        expect(words in console.text, f"the words {words!r} in {console.text}")
    console.expect_accessible_everywhere("an event")
    console.page.locator("summary", has_text="renee").click()
    console.page.get_by_role("link", name="This person").locator("visible=true").click()
    console.until_ready("#/person/renee")
    expect("they have no device" in console.text, "the reason on the person's page")
    # By its key, as a support person may know it.
    publisher = server.get("sarah") and server.ask(f"/v1/trail/{told['event']}").json()["event"]["publisher"]
    console.go(f"#/event/k-1/{publisher.replace(':', '%3A')}")
    console.page.on("dialog", lambda dialog: dialog.accept())
    console.button("Take it back…").click()
    wait_until(lambda: "Taken back" in console.said, PATIENCE, "what was done")
    wait_until(lambda: "no longer in the inbox" in console.page.locator("main").text_content(), PATIENCE, "the new state")
    console.go("#/event/evt_unknown")
    expect("unknown_event" in console.text, "that nobody knows it")
    console.expect_accessible_everywhere("an unknown event")
    console.expect_quiet()


@case("the console: a dry run shows who would get what, in each language, and changes nothing")
def dry_run(world):
    server = load(world)
    console = Console(world, server, "#/event").until_ready()
    box = console.page.get_by_label("Event, as JSON")
    choice = console.page.get_by_label("Start with")
    wait_until(lambda: choice.locator("option").count() > 5, PATIENCE, "the catalogs' events")
    choice.select_option(label="room_liked")
    expect("room_liked" in box.input_value(), "an example")
    console.button("Try it out").click()
    console.page.locator(".lock-card").first.wait_for()
    expect("1 person" in console.text or "people" in console.text, "how many")
    console.expect_accessible_everywhere("a dry run")
    box.fill('{"type": "room_likd", "to": {"owner": ["sarah"]}}')
    console.button("Try it out").click()
    console.page.locator(".wrong", has_text="room_liked").wait_for()
    box.fill("{")
    console.button("Try it out").click()
    console.page.get_by_text("This is not JSON").wait_for()
    expect_equal(len(server.list_all("sarah")), 3, "notifications, as before")
    told = [line for line in console.console if "404" not in line and "422" not in line and line.startswith("error")]
    expect_equal(told, [], "what the browser minds")


@case("the console: pushes that failed stand by their reason with advice, and are sent once the reason is gone")
def failures(world):
    sink = world.sink({"provider": "apns", "times": 2, "fault": "answer", "status": 400, "reason": "BadTopic"})
    server = world.serve(catalogs=CATALOGS, PUSH_GRACE="1s", **sink.settings)
    console = Console(world, server, "#/failures").until_ready()
    server.register_device("sarah")
    server.publish(liked("sarah"))
    server.publish(liked("sarah"))
    sink.wait_for(2)
    wait_until(lambda: console.button("Read again").click() or console.button("Try all 2 again").count() == 1, PATIENCE,
               "both failures")
    expect("BadTopic" in console.text, "the reason")
    expect("Look at APNS_BUNDLE_ID" in console.text, "the advice")
    console.expect_accessible_everywhere("failures")
    console.button("Try all 2 again").click()
    wait_until(lambda: "2 pushes accepted of 2 tries" in console.said, PATIENCE, "the new verdicts")
    expect_equal(len(sink.wait_for(4)), 4, "pushes")
    console.go("#/person/sarah")
    expect("Push sent again to phone-1 (APNs): the service accepted it." in console.text, "what the trail tells of it")
    console.expect_quiet()


@case("the console: catalogs with every type in each language, and the mistakes of one that cannot be read")
def catalogs(world):
    folder = world.folder / "catalogs"
    folder.mkdir()
    for path in CATALOGS:
        name = path.rsplit("/", 1)[1]
        (folder / name).write_text(open(path).read())
    server = world.serve(catalogs=[str(folder)])
    console = Console(world, server, "#/catalogs").until_ready()
    expect("ROOM_LIKE" in console.text and "liked your room" in console.text, "a type and its text")
    console.expect_accessible_everywhere("the catalogs")
    console.page.get_by_label("Only types with").fill("room_like")
    expect("COMMENT_LIKE" not in console.text, "the other types")
    console.button("Read the files again").click()
    wait_until(lambda: "Nothing has changed" in console.said, PATIENCE, "the report")
    rooms = folder / "rooms.yaml"
    rooms.write_text(rooms.read_text().replace("text:", "txt:", 1))
    console.button("Read the files again").click()
    console.page.get_by_text("the old catalogs stay in use").wait_for()
    expect("which MENTION shows" in console.text, "the mistake")
    console.expect_accessible_everywhere("mistakes")


@case("the console: feeds and topics, quality, drain, and what was done")
def others(world):
    server = load(world)
    # A push that was not needed: read within a minute.
    server.rest("sarah", "PUT", "/api/notifications/read-all")
    once(server.socket, "PUT", "/v1/topics/room:789/members", {"users": ["sarah", "renee"]})
    console = Console(world, server, "#/feeds").until_ready()
    console.page.get_by_label("Topic", exact=True).fill("room:789")
    console.button("Who is in it?").click()
    console.page.get_by_text("2 members").wait_for()
    console.page.get_by_label("User id").fill("sarah")
    console.button("Which topics?").click()
    console.page.get_by_text("sarah is in 1 topic").wait_for()
    console.expect_accessible_everywhere("feeds and topics")
    # One that was saved: acknowledged by a screen.
    session = server.session("renee", active=True)
    server.register_device("renee", "phone-2", "d4c3b2")
    server.publish(liked("renee"))
    new = session.expect("new")
    session.send({"type": "ack", "seq": new["seq"], "id": "1"})
    session.expect("ok")
    console.go("#/quality")
    figures = server.ask("/console/quality").json()
    expect_equal(figures["drift"]["value"], 0, "the drift")
    expect_equal((figures["pushes"]["saved"], figures["pushes"]["unneeded"], figures["seen"]["count"]), (1, 1, 1), "the figures")
    expect("exact" in console.text, "that counts are exact")
    console.expect_accessible_everywhere("quality")
    console.go("#/drain")
    expect("If this node left now" in console.text and "1 session is told" in console.text, "the plan")
    console.expect_accessible_everywhere("the drain")
    console.go("#/audit")
    server.ask("/v1/users/renee/test-push", "POST", {}, Belfry_Console="Ana%20L")
    console.button("Read again").click()
    console.page.get_by_text("Ana L").wait_for()
    console.expect_accessible_everywhere("the audit log")
    session.close()
    console.expect_quiet()


@case("the console: everything about a person as one file, and nothing of them once they are erased")
def rights(world):
    server = load(world)
    server.rest("sarah", "PUT", "/api/notifications/preferences", {"types": {"ROOM_LIKE": {"push": False}}})
    console = Console(world, server, "#/person/sarah").until_ready()
    with console.page.expect_response(lambda answer: answer.url.endswith("/export")) as answer:
        console.button("Export").click()
    data = answer.value.json()
    expect_equal(len(data["notifications"]), 3, "notifications")
    expect_equal(len(data["trail"]), 3, "events of the trail")
    expect_equal(data["settings"]["preferences"]["types"], {"ROOM_LIKE": {"push": False}}, "the choices")
    expect_equal([device["id"] for device in data["devices"]], ["phone-1"], "the devices")
    expect("a1b2c3" not in answer.value.text(), "no push token")
    console.button("Erase…").click()
    box = console.page.get_by_label("To confirm, type sarah")
    box.fill("Sarah")
    console.button("Erase everything").click()
    wait_until(lambda: "Type the user id exactly" in console.said, PATIENCE, "the refusal")
    console.expect_accessible_everywhere("the confirmation")
    box.fill("sarah")
    console.button("Erase everything").click()
    wait_until(lambda: "Erased: 3 notifications" in console.said, PATIENCE, "the report")
    wait_until(lambda: "Nothing was decided about this person" in console.text, PATIENCE, "nobody")
    log = (world.folder / "data/audit.log").read_text().splitlines()
    expect("/export" in log[0] and "sarah" in log[0], "the export in the audit log")
    expect("sha256:" in log[1] and "sarah" not in log[1], "the erasure, without a name")
    console.expect_quiet()


@case("the console by the keyboard alone: from the first page to the reason, a test push and the event, each with a visible focus")
def keyboard(world):
    server = load(world)
    console = Console(world, server).until_ready()
    keys = console.page.keyboard

    def focused() -> str:
        return console.evaluate("document.activeElement.textContent.trim()")

    def tab_to(what: str, is_there=None, most: int = 60):
        for _ in range(most):
            keys.press("Tab")
            if is_there() if is_there else focused() == what:
                outline = console.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                expect(outline not in ("none", ""), f"a visible focus on {what}")
                return
        raise AssertionError(f"no way by Tab to {what}")

    keys.press("Tab")
    expect_equal(focused(), "Skip to the page", "the first stop")
    tab_to("A person")
    keys.press("Enter")
    console.until_ready("#/person")
    # The page before counts as ready, too, until this one takes its place.
    wait_until(lambda: console.evaluate("document.activeElement.name") == "user", PATIENCE, "the focus in the field")
    keys.type("sarah")
    keys.press("Enter")
    console.until_ready("#/person/sarah")
    expect("Push sent to phone-1" in console.text, "the reason")
    tab_to("Send a test push")
    keys.press("Enter")
    answers = console.page.get_by_role("group", name="Answers of the push services")
    answers.get_by_text("accepted").wait_for()
    expect_equal(focused(), "Send a test push", "where the focus still is")
    # On to each step of the second decision, and to its event.
    summary = console.page.locator("summary").nth(1)
    tab_to("the second decision", lambda: summary.evaluate("node => node === document.activeElement"))
    keys.press("Enter")
    expect(console.page.locator("details").nth(1).get_attribute("open") is not None, "an open decision")
    keys.press("Tab")
    keys.press("Enter")
    wait_until(lambda: console.evaluate("location.hash").startswith("#/event/"), PATIENCE, "the event")
    console.until_ready()
    console.page.emulate_media(forced_colors="active")
    console.expect_accessible_everywhere("an event with forced colours")
    console.expect_quiet()
