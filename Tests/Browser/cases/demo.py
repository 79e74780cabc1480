"""The demo of `belfry serve --dev`, as somebody who opens it sees it."""

from browser.tab import PATIENCE, Tab
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import CATALOGS


class Demo(Tab):
    def __init__(self, profile, server):
        super().__init__(profile.context.new_page())
        self.page.goto(f"http://{server.listen}/demo")
        self.page.locator(".events button").first.wait_for()

    def phone(self, name: str):
        return self.page.locator(f".person[aria-label^={name}]")

    def app(self, name: str):
        return self.phone(name).frame_locator("iframe")

    def rows(self, name: str) -> list[str]:
        return self.app(name).locator("body > belfry-inbox [part~=text]").all_text_contents()

    def cards(self, name: str) -> list[str]:
        return self.phone(name).locator(".card-body").all_text_contents()

    def publish(self, event: str, to: str):
        self.page.locator("#to button", has_text=to).click()
        self.page.locator(".events button", has_text=event).first.click()

    def until_open(self, *names: str):
        for name in names:
            self.app(name).locator("body > belfry-inbox").wait_for()
        # A wait by Playwright, which tells of new sockets only while it is called.
        wait_until(lambda: self.page.wait_for_timeout(20) or sum(not one.is_closed() for one in self.sockets) == len(names),
                   PATIENCE, "a session for each open phone")


@case("the demo: who has the app open sees it there and gets no push, a locked phone gets the push, and its app has it later")
def open_and_locked(world):
    server = world.serve(arguments=["--dev"], catalogs=CATALOGS, PUSH_GRACE="5s")
    demo = Demo(world.profile(), server)
    demo.until_open("Maya", "Tom")
    demo.phone("Tom").get_by_role("button", name="Locked").click()
    demo.publish("Room renamed", "Both")
    wait_until(lambda: demo.cards("Tom"), PATIENCE, "the push on the lock screen")
    wait_until(lambda: [row for row in demo.rows("Maya") if "renamed" in row], PATIENCE, "the row in the open app")
    wait_until(lambda: server.ask("/console/quality").json()["pushes"]["saved"] == 1, PATIENCE, "the push that is not needed")
    expect_equal(demo.cards("Maya"), [], "the pushes of whoever saw it")
    demo.phone("Tom").get_by_role("button", name="App open").click()
    wait_until(lambda: demo.rows("Tom") == demo.rows("Maya"), PATIENCE, "the row after unlocking")
    expect_equal(demo.cards("Tom"), [], "what is left of the lock screen")
    expect("curl --unix-socket" in demo.page.locator("#call").inner_text(), "the line for a shell")
    demo.app("Maya").get_by_role("button", name="Settings").click()
    demo.app("Maya").locator("belfry-preferences").get_by_text("Comments and mentions").first.wait_for()
    expect_equal(demo.minded, [], "what the browser minds")


@case("the demo in the background is not looked at: its pushes come, and stand on the screens of the phones")
def background(world):
    server = world.serve(arguments=["--dev"], catalogs=CATALOGS, PUSH_GRACE="1s")
    profile = world.profile()
    demo = Demo(profile, server)
    demo.until_open("Maya", "Tom")
    profile.look_elsewhere()
    wait_until(lambda: demo.evaluate("document.visibilityState") == "hidden", PATIENCE, "the page to be hidden")
    server.publish({"type": "room_liked", "to": {"owner": ["maya"]}, "actor": {"id": "pete", "username": "pete"},
                    "data": {"room": {"id": "r", "name": "Italy"}}})
    demo.page.wait_for_timeout(2_500)
    demo.page.bring_to_front()
    wait_until(lambda: demo.cards("Maya"), PATIENCE, "the push that came meanwhile")
    expect_equal(demo.cards("Tom"), [], "the pushes of somebody else")


@case("the demo on a phone: a tap on an event brings the phone of whoever is told into view, and its banner passes")
def on_a_phone(world):
    server = world.serve(arguments=["--dev"], catalogs=CATALOGS, PUSH_GRACE="1s")
    demo = Demo(world.profile(), server)
    demo.page.set_viewport_size({"width": 390, "height": 844})
    demo.until_open("Maya", "Tom")
    for name in ("Tom", "Maya"):
        # Playwright scrolls to what it clicks, as a person does.
        demo.publish("Room renamed", name)
        wait_until(lambda: demo.evaluate("""name => {
            const box = document.querySelector(`.person[aria-label^=${name}] .phone`).getBoundingClientRect()
            return box.left >= 0 && box.right <= innerWidth && box.top >= -1 && box.top < innerHeight / 2
        }""", name), PATIENCE, f"{name}'s phone to come into view")
        wait_until(lambda: [row for row in demo.rows(name) if "renamed" in row], PATIENCE, "the row")
    # Some types are pushes alone: whoever has the app open sees a banner, for as long as phones show one.
    demo.publish("Room created", "Maya")
    wait_until(lambda: demo.cards("Maya"), PATIENCE, "the banner")
    wait_until(lambda: not demo.cards("Maya"), PATIENCE, "the banner to pass")
    demo.phone("Maya").get_by_role("button", name="Locked").click()
    wait_until(lambda: demo.cards("Maya"), PATIENCE, "the push among those of the lock screen")


@case("the demo in light and dark, on a desk and on a phone: axe has nothing to say")
def accessible(world):
    server = world.serve(arguments=["--dev"], catalogs=CATALOGS, PUSH_GRACE="1s")
    demo = Demo(world.profile(), server)
    demo.until_open("Maya", "Tom")
    demo.phone("Tom").get_by_role("button", name="Locked").click()
    for event in ("Room liked", "User followed", "Element added"):
        demo.publish(event, "Both")
    wait_until(lambda: len(demo.rows("Maya")) >= 3 and demo.cards("Tom"), PATIENCE, "rows and pushes")
    demo.expect_accessible_everywhere("the demo")
