"""The page of `pages/elements.html`: the elements, with an inbox that a case plays."""

from harness.suite import expect, wait_until

from .tab import PATIENCE, Tab


class Elements(Tab):
    """`query`: `count` of rows, `theme`, `rtl`, `preferences`."""

    def __init__(self, world, *, width: int = 1000, height: int = 800, **query):
        super().__init__(world.profile().context.new_page())
        world.tabs.append(self)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.goto(f"{world.site.origin}/elements.html?" + "&".join(f"{key}={value}" for key, value in query.items()))
        self.page.wait_for_function("window.inbox && document.querySelector('#list').inbox")
        self.list = self.page.locator("#list")
        self.bell = self.page.locator("#bell")
        self.rows = self.list.locator("article")

    def fill(self, *items: str, **snapshot):
        """Items as arguments of the page's `sample`: a number, and members in JavaScript."""
        rows = ", ".join(f"sample({item})" for item in items)
        self.evaluate(f"snapshot => change({{...snapshot, items: [{rows}]}})", snapshot)
        self.until_shown(len(items))

    def until_shown(self, count: int):
        """Until the list has so many rows; only those near to what can be seen are in the document."""
        size = "rows => rows[0]?.ariaSetSize ?? '0'"
        wait_until(lambda: self.rows.evaluate_all(size) == f"{count}", PATIENCE, f"{count} rows")

    def until_all_shown(self, count: int):
        """Until each of these few rows is in the document, where a slow page makes some in a later frame."""
        wait_until(lambda: self.rows.count() == count, PATIENCE, f"all {count} rows")

    def calls(self, name: str) -> list:
        return self.evaluate("name => calls.filter(([one]) => one === name).map(([, ...values]) => values)", name)

    def until_called(self, name: str, count: int = 1) -> list:
        wait_until(lambda: len(self.calls(name)) >= count, PATIENCE, f"{count} calls of {name}")
        return self.calls(name)

    @property
    def focused(self) -> str:
        """The name of the notification that has the focus."""
        return self.evaluate("document.activeElement.shadowRoot?.activeElement?.dataset.id ?? ''")

    def longest_task(self, action) -> float:
        """How long the page's thread was busy without a break while something was done, in milliseconds of its own time."""
        session, events, ended = self.cdp(), [], []
        session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
        session.on("Tracing.tracingComplete", lambda _: ended.append(True))
        session.send("Tracing.start", {"transferMode": "ReportEvents",
                                       "traceConfig": {"includedCategories": ["toplevel", "devtools.timeline"]}})
        action()
        # What it leads to comes with the next frames.
        self.evaluate("new Promise(done => setTimeout(done, 200))")
        session.send("Tracing.end")
        wait_until(lambda: self.page.wait_for_timeout(20) or ended, PATIENCE, "the trace")
        session.detach()
        threads = {(one["pid"], one["tid"]) for one in events if one["name"] == "FunctionCall"}
        tasks = [one["tdur"] / 1000 for one in events
                 if one["name"].endswith("RunTask") and "tdur" in one and (one["pid"], one["tid"]) in threads]
        expect(tasks, "the trace has no tasks")
        return max(tasks)

    def press(self, *keys: str):
        for key in keys:
            self.page.keyboard.press(key)

    def listen(self, event: str, *, prevent: bool = False):
        """Keeps what an event tells in `window.heard`; its default may be prevented."""
        self.evaluate("""([event, prevent]) => {
          window.heard ??= []
          document.addEventListener(event, one => {
            const { id, deepLink, action, notification, error } = one.detail
            window.heard.push({ event, id, deepLink, action, text: notification?.displayText, code: error?.code })
            if (prevent) one.preventDefault()
          })
        }""", [event, prevent])

    @property
    def heard(self) -> list[dict]:
        return self.evaluate("window.heard")
