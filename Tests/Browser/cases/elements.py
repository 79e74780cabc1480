"""`<belfry-inbox>` and `<belfry-bell>` in a page without a server: its inbox is one that the case plays."""

import time

from browser.elements import Elements
from browser.tab import PATIENCE
from harness.suite import case, expect, expect_equal, wait_until

DAY = 86_400
#: How long three round trips of ten thousand rows through JSON take where the limits were set, in milliseconds.
RECKONED = 110


def ago(seconds: float) -> str:
    return f"createdAt: new Date(Date.now() - {seconds} * 1000).toISOString()"


@case("the list has dates, initials, pictures, dots and buttons, and takes a text for nothing but a text")
def rendering(world):
    tab = Elements(world)
    pictures = "thumbnails: [1, 2, 3, 4].map(() => ({url: '/picture.svg', type: 'PHOTO'})), batchCount: 9"
    tab.fill("1, {displayText: '<img src=x onerror=alert(1)> & more', " + pictures + "}",
             "2, {isFollowingBack: false, isRead: true}",
             "3, {cta: {label: 'View', action: 'open'}, preview: 'A preview'}",
             "4, {" + ago(1.01 * DAY) + "}", "5, {" + ago(40 * DAY) + ", actor: null}")
    tab.until_all_shown(5)
    texts = [row.locator("[part~=text]").inner_text() for row in tab.rows.all()]
    expect_equal(texts[0], "<img src=x onerror=alert(1)> & more", "a text with markup")
    dates = tab.list.locator("[part=date]").all_inner_texts()
    expect(dates[0] == "Today" and dates[-1] == "Earlier" and len(dates) >= 2, f"the dates {dates}")
    expect_equal(tab.rows.nth(0).locator("[part=thumbnail] img").count(), 4, "pictures")
    expect_equal(tab.rows.nth(0).locator("[part=more-pictures]").inner_text(), "… and 5 more", "what is left out")
    expect_equal(tab.rows.nth(1).locator("[part~=avatar]").inner_text(), "SK", "the initials")
    expect_equal([row.locator("[part=dot]").is_visible() for row in tab.rows.all()][:3], [True, False, True], "the dots")
    expect_equal(tab.list.locator("[part~=action]").all_inner_texts(), ["Follow back", "View"], "the buttons")
    expect_equal(tab.rows.nth(2).locator("[part=preview]").inner_text(), "A preview", "the preview")
    expect_equal(tab.rows.evaluate_all("rows => rows.map(row => [row.ariaPosInSet, row.ariaSetSize])"),
                 [[str(index), "5"] for index in range(1, 6)], "the places")


@case("a question has a button for each of its answers, and shows the one that was given")
def questions(world):
    tab = Elements(world)
    actions = "actions: [{id: 'yes', label: 'Approve'}, {id: 'no', label: 'Reject'}]"
    tab.fill("1, {question: {" + actions + ", answer: null}}",
             "2, {question: {" + actions + ", answer: null, answerBy: '2020-01-01T00:00:00.000Z'}}",
             "3, {question: {" + actions + ", answer: {action: 'no', by: 'push'}}}")
    buttons = tab.list.locator("[part~=action]")
    expect_equal(buttons.all_inner_texts(), ["Approve", "Reject"], "the buttons")
    expect_equal(tab.list.locator("[part=answer]").all_inner_texts(), ["✓ Reject"], "the answer that was given")
    buttons.first.click()
    expect_equal(tab.until_called("answer"), [["n1", "yes"]], "what was answered")
    wait_until(lambda: buttons.count() == 0, PATIENCE, "no more buttons")
    expect_equal(tab.rows.nth(0).locator("[part=answer]").inner_text(), "✓ Approve", "the answer")
    expect_equal(tab.calls("read"), [], "what was marked as read")


@case("the dates change with the day of the reader's zone, without anything that comes")
def midnight(world):
    tab = Elements(world)
    tab.fill("1", "2")
    tab.pass_time(1.0 * DAY)
    # What a minute does.
    tab.evaluate("document.querySelector('#list').schedule()")
    wait_until(lambda: tab.list.locator("[part=date]").all_inner_texts() == ["Yesterday"], PATIENCE, "another date")


@case("a notification that grows is changed in place: the same node, the same pictures, the same place")
def growth(world):
    tab = Elements(world)
    grown = "thumbnails: [{url: '/picture.svg'}], batchCount: "
    tab.fill("1, {" + grown + "3}", "2", "3")
    tab.evaluate("""() => {
      window.nodes = [...document.querySelector('#list').shadowRoot.querySelectorAll('article')]
      window.image = nodes[1].querySelector('img')
    }""")
    tab.fill("1, {" + grown + "3}", "2, {rev: 2, displayText: 'It has grown'}", "3")
    wait_until(lambda: tab.rows.nth(1).locator("[part=text]").inner_text() == "It has grown", PATIENCE, "the new text")
    tab.evaluate("arrive(sample(9))")
    tab.until_shown(4)
    same = tab.evaluate("""() => [...document.querySelector('#list').shadowRoot.querySelectorAll('article')]
      .map(node => nodes.indexOf(node))""")
    expect_equal(same, [-1, 0, 1, 2], "the nodes")
    tab.evaluate("change({items: [...inbox.snapshot.items].reverse()})")
    wait_until(lambda: tab.rows.first.get_attribute("data-id") == "n3", PATIENCE, "another order")
    expect_equal(tab.evaluate("nodes.every(node => node.isConnected)"), True, "all nodes are still there")


@case("the keyboard goes through the list, opens, removes and explains, and the focus never gets lost")
def keyboard(world):
    tab = Elements(world, count=30)
    tab.until_shown(30)
    tab.listen("belfry-activate", prevent=True)
    tab.rows.first.focus()
    places = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowDown", "Home", "ArrowUp", "PageDown"):
        tab.press(key)
        places.append(tab.focused)
    expect_equal(places, ["n2", "n3", "n2", "n30", "n30", "n1", "n1", "n6"], "where the focus goes")
    tab.press("Enter")
    expect_equal([one["id"] for one in tab.heard], ["n6"], "what was opened")
    tab.press("Delete")
    expect_equal((tab.until_called("remove"), tab.focused), ([[["n6"]]], "n7"), "what was removed, and the focus")
    tab.until_shown(29)
    tab.evaluate("arrive(sample(99))")
    tab.until_shown(30)
    expect_equal(tab.focused, "n7", "the focus after an arrival")
    tab.press("Tab", "Enter")
    tab.until_called("explain")
    tab.list.get_by_text("A push went to phone-1.").wait_for()
    tab.press("Escape")
    expect_equal((tab.list.locator("[part=explanation]").count(), tab.focused), (0, "n7"), "after Escape")


@case("a notification goes by its button, and by a finger that pushes it far enough, to either side")
def removal(world):
    tab = Elements(world, width=390, count=4)
    tab.until_shown(4)
    tab.rows.nth(1).hover()
    tab.rows.nth(1).locator("[part=remove]").click()
    expect_equal(tab.until_called("remove"), [[["n2"]]], "what the button removes")
    tab.until_shown(3)
    touch = tab.cdp()
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def swipe(row, distance):
        box = row.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 9):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + distance * step / 8, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(tab.rows.nth(0), 60)
    swipe(tab.rows.nth(0), 170)
    expect_equal(tab.until_called("remove", 2)[1:], [[["n1"]]], "what a finger removes")
    tab.until_shown(2)
    swipe(tab.rows.nth(1), -170)
    expect_equal(tab.until_called("remove", 3)[2:], [[["n4"]]], "what a finger removes to the other side")


@case("a click tells the app first, which may prevent what follows: mark as read, and the address if it is one of the web")
def activation(world):
    tab = Elements(world)
    evil = "javascript:window.hacked = 1"
    tab.fill("1, {deepLink: {type: 'room', url: '" + evil + "'}}", "2, {cta: {label: 'View', action: 'open'}}",
             "3, {isFollowingBack: false}")
    tab.evaluate("window.stop = event => event.preventDefault(); document.addEventListener('belfry-activate', stop)")
    tab.listen("belfry-activate")
    tab.rows.nth(0).click()
    tab.rows.nth(1).get_by_role("button", name="View").click()
    tab.rows.nth(2).get_by_role("button", name="Follow back").click()
    expect_equal([(one["id"], one.get("action")) for one in tab.heard], [("n1", None), ("n2", "open"), ("n3", "follow")],
                 "what the app heard")
    expect_equal(tab.calls("read"), [], "what was read")
    tab.evaluate("document.removeEventListener('belfry-activate', stop)")
    tab.rows.nth(0).click()
    expect_equal(tab.until_called("read"), [[["n1"]]], "what was read")
    expect_equal(tab.evaluate("[window.hacked, location.pathname, document.querySelector('#list').shadowRoot.querySelector('[part=text]').href]"),
                 [None, "/elements.html", ""], "what an address of a script does")
    tab.fill("4, {deepLink: {type: 'room', url: '/app.html'}}")
    with tab.page.expect_navigation(url="**/app.html", wait_until="commit"):
        tab.rows.nth(0).click()
    tab.page.goto("about:blank")
    tab.evaluate("window.violations = []")


@case("one live region tells of arrivals, politely, and of many in one sentence")
def live_region(world):
    tab = Elements(world, count=2)
    tab.until_shown(2)
    regions = tab.page.locator("[role=status]")
    wait_until(lambda: regions.count() == 1, PATIENCE, "one live region")
    expect_equal(regions.text_content(), "", "what it says at first")
    tab.evaluate("arrive(sample(7, {displayText: 'Tea is ready'}))")
    wait_until(lambda: regions.text_content() == "Tea is ready", PATIENCE, "the arrival")
    tab.evaluate("for (let number = 10; number < 15; number++) arrive(sample(number))")
    wait_until(lambda: regions.text_content() == "5 new notifications", PATIENCE, "five arrivals")


@case("the list goes on as far as somebody scrolls, and a page that fails is asked for once more by a button")
def infinite(world):
    tab = Elements(world)
    tab.evaluate("window.failing = true; fill(100, {more: true})")
    tab.rows.first.wait_for()
    expect(tab.rows.count() < 100, "all rows were made at once")
    expect_equal(tab.rows.first.get_attribute("aria-setsize"), "-1", "how many there are")
    scroll = "void document.querySelector('#list').shadowRoot.querySelector('[part=scroller]').scrollTo(0, 1e6)"
    wait_until(lambda: tab.evaluate(scroll) or tab.calls("more"), PATIENCE, "a further page to be asked for")
    tab.list.get_by_text("That did not work").wait_for()
    tab.evaluate(scroll)
    expect_equal(len(tab.calls("more")), 1, "how often a page that fails is asked for")
    tab.evaluate("window.failing = false")
    more = tab.list.get_by_role("button", name="Load more")
    more.click()
    wait_until(lambda: tab.evaluate(scroll) or tab.rows.last.get_attribute("aria-posinset") == "400", PATIENCE, "all pages' last row")
    more.wait_for(state="hidden")
    expect_equal(len(tab.calls("more")), 4, "how many pages were asked for")


@case("the list tells that it waits, that it has stopped and why, and that something did not work")
def state(world):
    tab = Elements(world, count=1)
    tab.until_shown(1)
    status = tab.list.locator("[part=status]")
    expect_equal(status.is_visible(), False, "whether it tells something")
    tab.evaluate("change({status: 'waiting', retryAt: Date.now() + 9_500})")
    status.get_by_text("Trying again in").wait_for()
    status.get_by_role("button", name="Try now").click()
    tab.until_called("retry")
    tab.evaluate("change({reason: 'token'})")
    status.get_by_text("Cannot sign in. Trying again in").wait_for()
    tab.evaluate("change({status: 'stopped', reason: 'signed_out'})")
    status.get_by_text("You are signed out.").wait_for()
    tab.evaluate("change({status: 'live', reason: undefined})")
    status.wait_for(state="hidden")
    tab.listen("belfry-error")
    tab.evaluate("window.failing = true")
    tab.list.get_by_role("button", name="Mark all as read").click()
    status.get_by_text("That did not work").wait_for()
    expect_equal([one["code"] for one in tab.heard], ["failed"], "the error that the app hears of")
    tab.evaluate("window.failing = false")
    tab.list.get_by_role("button", name="Mark all as read").click()
    wait_until(lambda: tab.list.locator("[part~=unread]").count() == 0, PATIENCE, "all to be read")
    tab.evaluate("change({items: []})")
    tab.list.get_by_text("You are all caught up").wait_for()


@case("notifications of one group are one line, which opens and closes")
def groups(world):
    tab = Elements(world)
    tab.evaluate("change({items: [1, 2, 3, 4].map(n => sample(n, {group: n < 4 ? 'g' : 'h'}))})")
    tab.until_shown(2)
    line = tab.list.locator("[part=group]")
    expect_equal((line.inner_text(), line.get_attribute("aria-expanded")), ("2 more like this", "false"), "the line")
    line.click()
    tab.until_shown(4)
    expect_equal(tab.rows.evaluate_all("rows => rows.map(row => row.dataset.id)"), ["n1", "n2", "n3", "n4"], "the rows")
    line.click()
    tab.until_shown(2)


@case("the bell counts, opens the list, marks it as seen, also what comes while it is open, and gives the focus back")
def bell(world):
    tab = Elements(world, count=3)
    button = tab.bell.get_by_role("button").first
    wait_until(lambda: button.get_attribute("aria-label") == "Notifications, 3 unread", PATIENCE, "the number")
    expect_equal((tab.bell.locator("[part=badge]").inner_text(), tab.calls("seen")), ("3", []), "the badge")
    button.focus()
    tab.press("Enter")
    panel = tab.bell.get_by_role("dialog", name="Notifications")
    panel.wait_for()
    tab.until_called("seen")
    expect_equal(button.get_attribute("aria-expanded"), "true", "aria-expanded")
    wait_until(lambda: tab.evaluate("document.activeElement.id") == "bell", PATIENCE, "the focus in the panel")
    tab.evaluate("arrive(sample(9))")
    tab.until_called("seen", 2)
    tab.press("Escape")
    panel.wait_for(state="hidden")
    wait_until(lambda: tab.evaluate("document.activeElement.shadowRoot?.activeElement.className") == "button", PATIENCE, "the focus")
    tab.page.set_viewport_size({"width": 390, "height": 700})
    button.click()
    panel.wait_for()
    wait_until(lambda: [round(panel.bounding_box()[side]) for side in ("x", "y", "width", "height")] == [0, 0, 390, 700], PATIENCE,
               "the panel to fill a phone")
    tab.bell.get_by_role("button", name="Close").click()
    panel.wait_for(state="hidden")


@case("an app's template, its own rendering and its words take the place of those that come with the elements")
def own_look(world):
    tab = Elements(world, count=2)
    tab.until_shown(2)
    tab.evaluate("""() => {
      const list = document.querySelector('#list')
      const template = document.createElement('template')
      template.slot = 'item'
      for (const [tag, data] of [['p', {text: 'actor.name'}], ['a', {href: 'deepLink.url'}], ['b', {if: 'isRead'}], ['button', {action: 'like'}]]) {
        const node = document.createElement(tag)
        Object.assign(node.dataset, data)
        template.content.append(node)
      }
      list.append(template)
      list.labels = { title: 'Mitteilungen', today: 'Heute' }
    }""")
    tab.fill("1, {deepLink: {url: 'javascript:1'}, isRead: true}", "2, {deepLink: {url: '/a'}}")
    tab.list.get_by_text("Mitteilungen").wait_for()
    wait_until(lambda: tab.list.locator("[part=date]").all_inner_texts() == ["Heute"], PATIENCE, "the dates")
    wait_until(lambda: tab.list.locator("p[data-text]").all_inner_texts() == ["Renée Ohlund", "Sarah Köhler"], PATIENCE, "the template")
    hrefs = "nodes => nodes.map(node => node.getAttribute('href'))"
    wait_until(lambda: tab.list.locator("a[data-href]").evaluate_all(hrefs) == [None, f"{world.site.origin}/a"], PATIENCE,
               "addresses of the web, and no others")
    expect_equal([node.is_visible() for node in tab.list.locator("b[data-if]").all()], [False, False], "an empty mark")
    expect_equal(tab.list.locator("b[data-if]").evaluate_all("nodes => nodes.map(node => node.hidden)"), [False, True], "marks")
    tab.listen("belfry-activate", prevent=True)
    tab.list.locator("[data-action]").first.click()
    expect_equal([(one["id"], one["action"]) for one in tab.heard], [("n1", "like")], "the template's button")
    tab.evaluate("() => { document.querySelector('#list').renderItem = ({ id }, node) => { node.textContent = `Row ${id}` } }")
    tab.list.get_by_text("Row n2").wait_for()


@case("a page gives one client to all its elements, before or after they are there, and takes it away with them")
def clients(world):
    tab = Elements(world)
    told = tab.evaluate("""async () => {
      const { provide } = await import('/belfry-elements.js')
      const [early, own, named] = ['belfry-bell', 'belfry-bell', 'belfry-inbox'].map(name => document.createElement(name))
      document.body.append(early)
      const before = early.inbox
      provide(inbox)
      own.inbox = { ...inbox, subscribe: () => () => {}, on: () => () => {} }
      named.setAttribute('for', 'late')
      document.body.append(own, named)
      const waiting = named.inbox
      const late = document.createElement('belfry-inbox')
      late.id = 'late'
      document.body.append(late)
      const result = [before === undefined, early.inbox === inbox, own.inbox !== inbox, waiting === undefined, named.inbox === inbox]
      early.remove()
      result.push(early.inbox === undefined)
      for (const node of [own, named, late]) node.remove()
      return result
    }""")
    expect_equal(told, [True] * 6, "whose client it is")
    tab.evaluate("document.body.append(...[1, 2].map(() => Object.assign(document.createElement('belfry-bell'), {id: 'lost'})))")
    tab.evaluate("for (const node of document.querySelectorAll('#lost')) node.setAttribute('for', 'lisst')")
    complaint = 'error: <belfry-bell>: for="lisst" names no element with a client'
    wait_until(lambda: tab.page.wait_for_timeout(100) or complaint in tab.console, PATIENCE, "the developer to be told")
    expect_equal(len([line for line in tab.console if "<belfry-" in line]), 1, "how often")


@case("light, dark, forced colours, from right to left, on a phone: axe has nothing to say")
def accessible(world):
    for query in ({"theme": "light"}, {"theme": "dark"}, {"theme": "dark", "rtl": "1"}):
        for width in (390, 1000):
            tab = Elements(world, width=width, **query)
            tab.page.emulate_media(reduced_motion="reduce")
            tab.fill("1, {thumbnails: [{url: '/picture.svg'}], batchCount: 3}", "2, {isFollowingBack: false}",
                     "3, {isRead: true, preview: 'A preview', cta: {label: 'View', action: 'open'}}", f"4, {{{ago(3 * DAY)}}}")
            tab.expect_accessible(f"{query} at {width}")
            tab.bell.get_by_role("button").first.click()
            tab.bell.get_by_role("dialog").wait_for()
            tab.expect_accessible(f"{query} at {width}, with the panel")
            tab.page.close()
    for scheme in ("light", "dark"):
        tab = Elements(world, count=2)
        tab.page.emulate_media(color_scheme=scheme)
        color = tab.evaluate("getComputedStyle(document.querySelector('#list')).backgroundColor")
        expect_equal(color, "rgb(255, 255, 255)" if scheme == "light" else "rgb(23, 24, 28)", f"the surface in {scheme}")
    tab.page.emulate_media(forced_colors="active")
    tab.expect_accessible("forced colours")
    dot = tab.rows.first.locator("[part=dot]").evaluate("node => getComputedStyle(node).borderTopColor")
    expect(dot != tab.evaluate("getComputedStyle(document.querySelector('#list')).backgroundColor"), "no dot in forced colours")


@case("from right to left, everything stands on the other side")
def right_to_left(world):
    for rtl in (False, True):
        tab = Elements(world, count=1, **({"rtl": 1} if rtl else {}))
        tab.until_shown(1)
        avatar, text, dot = (tab.rows.first.locator(f"[part~={part}]").bounding_box()["x"] for part in ("avatar", "text", "dot"))
        expect_equal((dot < text < avatar) if rtl else (avatar < text < dot), True, f"the places {avatar, text, dot}, rtl {rtl}")


@case("ten thousand rows: few are in the document, each can be reached, and no task takes the page's thread for 50 ms", alone=True)
def many_rows(world):
    tab = Elements(world)
    tab.evaluate("""() => {
      const { shadowRoot } = document.querySelector('#list')
      window.scroller = shadowRoot.querySelector('[part=scroller]')
      window.all = Array.from({length: 10_000}, (_, index) => sample(index + 1, {isRead: index > 50}))
      window.seen = () => {
        const { top, bottom } = scroller.getBoundingClientRect()
        const isSeen = (row, box = row.getBoundingClientRect()) => box.bottom > top && box.top < bottom
        return [...shadowRoot.querySelectorAll('article')].filter(row => isSeen(row)).map(row => +row.ariaPosInSet)
      }
      window.most = window.made = 0
      new MutationObserver(records => {
        const added = records.flatMap(({ addedNodes }) => [...addedNodes])
        made = Math.max(made, added.filter(node => node.localName === 'article').length)
        most = Math.max(most, shadowRoot.querySelectorAll('article').length)
      }).observe(shadowRoot, {subtree: true, childList: true})
    }""")

    def expect_seen(first: int, last: int, what: str):
        """Rows without a hole, all of them between these two."""
        def is_whole(seen):
            return len(seen) > 5 and seen == list(range(seen[0], seen[-1] + 1))

        wait_until(lambda: is_whole(tab.evaluate("seen()")), PATIENCE, f"no hole {what}")
        seen = tab.evaluate("seen()")
        expect(first <= seen[0] and seen[-1] <= last, f"the rows {seen} {what}")

    def scroll():
        for _ in range(12):
            tab.evaluate("new Promise(done => { scroller.scrollBy(0, 4000); requestAnimationFrame(done) })")
        expect_seen(500, 900, "after 48,000 pixels")

    def back():
        tab.page.mouse.move(500, 400)
        for _ in range(60):
            tab.page.mouse.wheel(0, -300)
            tab.evaluate("new Promise(requestAnimationFrame)")
        wait_until(lambda: tab.evaluate("seen()[0]") < 9_900, PATIENCE, "the wheel to turn")
        expect_seen(9_000, 9_900, "above the end")

    def show():
        tab.evaluate("change({items: all})")
        expect_seen(1, 20, "at first")

    def press(key, count, expected):
        tab.press(*[key] * count)
        wait_until(lambda: tab.focused == f"n{expected}", PATIENCE, f"the focus to be on {expected}")
        expect_seen(expected - 15, expected + 15, f"after {count} times {key}")
        expect(expected in tab.evaluate("seen()"), f"the row {expected} is not to be seen")

    def end():
        tab.rows.first.focus()
        press("End", 1, 10_000)

    def arrive():
        tab.evaluate("arrive(sample(20_000, {createdAt: new Date().toISOString()}))")
        wait_until(lambda: tab.rows.first.get_attribute("data-id") == "n20000", PATIENCE, "an arrival on top of them")

    steps = {"show": show, "scroll": scroll, "End": end, "back": back, "keys": lambda: press("ArrowUp", 60, 9_940),
             "Home": lambda: press("Home", 1, 1), "arrival": arrive}
    reckon = """new Promise(done => setTimeout(() => {
      for (let turn = 0; turn < 3; turn++) JSON.parse(JSON.stringify(all))
      done()
    }))"""
    # How much slower this machine is than one on which reckoning takes so many milliseconds.
    slowness = max(1, tab.longest_task(lambda: tab.evaluate(reckon)) / RECKONED)
    for name, step in steps.items():
        # By the thread's own clock: the machine may be busy with something else.
        longest = tab.longest_task(step) / slowness
        expect(longest < 50, f"{name}: a task of {longest:.0f} ms")
    most, made = tab.evaluate("[most, made]")
    expect(most <= 100, f"{most} rows were in the document")
    expect(made <= 20, f"{made} rows were made at once")


@case("an inbox to which the page gives no height grows with the page, which scrolls: only what is near is made and asked for")
def no_height(world):
    tab = Elements(world)
    tab.evaluate("""() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('#list { block-size: auto }')
      document.adoptedStyleSheets = [sheet]
      fill(1000, {more: true})
    }""")
    tab.rows.first.wait_for()
    height = tab.evaluate("document.documentElement.scrollHeight")
    expect(height > 40_000, f"the page's height {height}")
    expect(tab.rows.count() < 60, f"{tab.rows.count()} rows in the document")
    expect_equal(tab.calls("more"), [], "pages that were asked for")
    tab.rows.first.focus()
    scroll = "void scrollTo(0, document.documentElement.scrollHeight)"
    wait_until(lambda: tab.evaluate(scroll) or tab.calls("more"), PATIENCE, "a further page to be asked for")
    expect(tab.rows.count() < 60, f"{tab.rows.count()} rows in the document")
    expect_equal(tab.focused, "n1", "the focus, far from what can be seen")
    tab.press("ArrowDown")
    wait_until(lambda: tab.focused == "n2" and tab.evaluate("scrollY") < 500, PATIENCE, "the keyboard to go on where it was")


@case("a hundred arrivals a second for ten seconds leave the page more than half of its time", alone=True)
def many_arrivals(world):
    tab = Elements(world, count=200)
    tab.rows.first.wait_for()
    debugger = tab.cdp()
    debugger.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        return {one["name"]: one["value"] for one in debugger.send("Performance.getMetrics")["metrics"]}["TaskDuration"]

    before, began = busy(), time.monotonic()
    tab.evaluate("""() => new Promise(done => {
      let number = 1000
      const timer = setInterval(() => {
        arrive(sample(number++, {createdAt: new Date().toISOString()}))
        if (number === 2000) { clearInterval(timer); done() }
      }, 10)
    })""")
    share = (busy() - before) / (time.monotonic() - began)
    wait_until(lambda: tab.rows.first.get_attribute("data-id") == "n1999", PATIENCE, "the last arrival")
    expect(share < 0.5, f"the page was busy for {share:.0%} of the time")
