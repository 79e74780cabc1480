"""`<belfry-preferences>` in a page without a server."""

from browser.elements import Elements
from browser.tab import PATIENCE
from harness.suite import case, expect_equal, wait_until


def opened(world, **query) -> Elements:
    tab = Elements(world, preferences=1, **query)
    tab.element = tab.page.locator("belfry-preferences")
    tab.element.get_by_role("switch").first.wait_for()
    return tab


@case("types and categories are switched by channel: required ones cannot be, and the defaults come back")
def choices(world):
    tab = opened(world)

    def switch(name):
        return tab.element.get_by_role("switch", name=name, exact=True)

    expect_equal(switch("Rooms: Push").evaluate("node => node.indeterminate"), True, "a category whose types differ")
    expect_equal(switch("Sign-ins from new devices: Push").is_disabled(), True, "a required type")
    expect_equal(switch("A room is created with you: In app").count(), 0, "the list's switch of what is only pushed")
    switch("Likes of your rooms: In app").click()
    expect_equal(tab.until_called("prefs", 2)[-1], [{"types": {"ROOM_LIKE": {"inApp": False, "push": True}}}], "the change")
    expect_equal((switch("Likes: In app").is_checked(), switch("Likes: Push").is_checked()), (False, True), "the category")
    expect_equal(tab.evaluate("document.activeElement.shadowRoot.activeElement.ariaLabel"), "Likes of your rooms: In app", "the focus")
    switch("Rooms: Push").click()
    expect_equal(tab.until_called("prefs", 3)[-1],
                 [{"categories": {"room": {"push": True, "inApp": True}},
                   "types": {"ELEMENT_ADDED": {"inApp": True, "push": True}}}], "the category's change")
    expect_equal(switch("Rooms: Push").is_checked(), True, "the category")
    tab.element.get_by_role("button", name="Use the defaults").click()
    expect_equal(tab.until_called("prefs", 4)[-1],
                 [{"categories": {"room": None}, "types": {"ELEMENT_ADDED": None, "ROOM_LIKE": None}}], "the defaults")


@case("quiet hours, the snooze, mutes and pushes are set and given up, and a failure is told and leaves what holds")
def times(world):
    tab = opened(world)
    quiet = tab.element.get_by_role("switch", name="Quiet hours")
    quiet.click()
    week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    expect_equal(tab.until_called("quietHours", 2)[-1][0]["windows"], [{"days": week, "from": "22:00", "to": "07:00"}], "usual hours")
    tab.element.locator("[part=day] input").first.uncheck()
    expect_equal(len(tab.until_called("quietHours", 3)[-1][0]["windows"][0]["days"]), 6, "the days")
    tab.element.get_by_label("From", exact=True).fill("21:30")
    expect_equal(tab.until_called("quietHours", 4)[-1][0]["windows"][0]["from"], "21:30", "the time")
    tab.element.get_by_role("button", name="Add other times").click()
    expect_equal([one["days"] for one in tab.until_called("quietHours", 5)[-1][0]["windows"]], [week[1:], week[:1]], "two windows")
    tab.evaluate("window.failing = true")
    quiet.click()
    tab.element.get_by_role("alert").wait_for()
    wait_until(quiet.is_checked, PATIENCE, "the switch to show what holds")
    tab.evaluate("window.failing = 'permission_denied'")
    device = tab.element.get_by_role("switch", name="Notifications on this device")
    device.click()
    tab.element.get_by_role("alert").get_by_text("You have not allowed notifications for this page.").wait_for()
    wait_until(lambda: not device.is_checked(), PATIENCE, "the switch to show that pushes are off")
    tab.evaluate("window.failing = false")
    quiet.click()
    expect_equal(tab.until_called("quietHours", 7)[-1], [None], "no quiet hours")
    tab.element.get_by_role("alert").wait_for(state="hidden")
    tab.element.get_by_role("button", name="8 hours").click()
    expect_equal(tab.until_called("snooze"), [[{"hours": 8}]], "the snooze")
    tab.element.get_by_role("button", name="Resume").click()
    expect_equal(tab.until_called("snooze", 2)[-1], [None], "the end of the snooze")
    tab.element.get_by_role("button", name="Unmute: Tom Okafor").click()
    expect_equal(tab.until_called("unmute"), [["actor:Tom Okafor"]], "what is muted no more")
    device.click()
    tab.until_called("enable", 2)
    wait_until(device.is_checked, PATIENCE, "pushes to be on")
    device.click()
    tab.until_called("disable")


@case("what was chosen elsewhere shows at once, and axe has nothing to say in either theme")
def shown(world):
    for theme in ("light", "dark"):
        tab = opened(world, theme=theme, width=390)
        tab.page.emulate_media(reduced_motion="reduce")
        tab.evaluate("""() => {
          chosen.quiet = { rev: 2, snooze: null, quietHours: { zone: 'Europe/Berlin', windows: [{ days: ['mon'], from: '20:00', to: '06:00' }] } }
          tell('prefs', { rev: 2 })
        }""")
        tab.element.get_by_text("Europe/Berlin").wait_for()
        tab.expect_accessible(f"preferences in {theme}")
