"""`<belfry-inbox>` and `<belfry-bell>` in a page without a server: its inbox is one that the case plays."""

import time

from browser.elements import Elements
from browser.tab import PATIENCE
from harness.suite import case, expect, expect_equal, wait_until

DAY = 86_400


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
    wait_until(lambda: tab.evaluate(scroll) or tab.rows.count() == 400, PATIENCE, "all rows of all pages")
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
    wait_until(lambda: tab.evaluate("document.activeElement.shadowRoot?.activeElement.className") == "bell", PATIENCE, "the focus")
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
    expect_equal(tab.list.locator("[part=date]").all_inner_texts(), ["Heute"], "the dates")
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


@case("ten thousand rows: they are made a few at a time, also while somebody scrolls, and the page never hangs", alone=True)
def many_rows(world):
    tab = Elements(world)
    tab.evaluate("""() => {
      window.long = []
      new PerformanceObserver(list => long.push(...list.getEntries().map(one => one.duration))).observe({type: 'longtask'})
      window.most = 0
      const made = records => {
        const rows = records.flatMap(({ addedNodes }) => [...addedNodes]).filter(node => node.localName === 'article')
        most = Math.max(most, rows.length)
      }
      new MutationObserver(made).observe(document.querySelector('#list').shadowRoot, {subtree: true, childList: true})
    }""")
    tab.evaluate("window.all = Array.from({length: 10_000}, (_, index) => sample(index + 1, {isRead: index > 50}))")
    tab.evaluate("new Promise(done => setTimeout(() => { long.length = 0; done() }, 200))")
    tab.evaluate("change({items: all})")
    tab.rows.first.wait_for()
    scroll = "void document.querySelector('#list').shadowRoot.querySelector('[part=scroller]').scrollBy(0, 4000)"
    wait_until(lambda: tab.evaluate(scroll) or tab.rows.count() > 600, PATIENCE, "rows while somebody scrolls")
    tasks = sorted(tab.evaluate("long"), reverse=True)
    # The machine may be busy with something else: what hangs because of the list hangs each time.
    expect(sum(task > 50 for task in tasks) <= 6, f"tasks of {tasks[:10]} ms")
    tab.rows.first.focus()
    tab.press("End")
    wait_until(lambda: tab.rows.count() == 10_000, 120, "all rows")
    wait_until(lambda: tab.focused == "n10000", PATIENCE, "the focus at the end")
    tab.evaluate("arrive(sample(20_000, {createdAt: new Date().toISOString()}))")
    wait_until(lambda: tab.rows.first.get_attribute("data-id") == "n20000", PATIENCE, "an arrival on top of them")
    expect(tab.evaluate("most") < 150, f"{tab.evaluate('most')} rows were made at once")


@case("a hundred arrivals a second for ten seconds leave the page more than half of its time", alone=True)
def many_arrivals(world):
    tab = Elements(world, count=200)
    tab.rows.first.wait_for()
    debugger = tab.cdp()
    debugger.send("Performance.enable")

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
