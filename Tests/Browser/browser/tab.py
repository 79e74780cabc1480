"""A tab with the page of `pages/app.html`, and what the client told there."""

import contextlib

from harness.suite import expect_equal, wait_until
from playwright.sync_api import Error

#: Far more than anything takes; what has a bound is measured.
PATIENCE = 30


class Tab:
    def __init__(self, page):
        self.page = page
        #: What the page wrote to its console, for a case that fails.
        self.console: list[str] = []
        #: Errors that nobody has caught, which no case may leave behind.
        self.errors: list[str] = []
        self._has_crashed = False
        #: Every WebSocket that the page has opened, also those that were refused.
        self.sockets: list = []
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("crash", self._crashed)
        page.on("websocket", lambda socket: self.sockets.append(socket))
        page.on("requestfailed", lambda request: self.console.append(f"failed: {request.url} {request.failure}"))

    # MARK: The client

    def evaluate(self, expression: str, argument=None):
        return self.page.evaluate(expression, argument)

    @property
    def snapshot(self) -> dict:
        return self.evaluate("window.inbox.snapshot")

    def told(self, event: str) -> list[dict]:
        """All that this event was told with, since the page was loaded."""
        return self.evaluate("event => window.told.filter(one => one.event === event)", event)

    @property
    def new(self) -> list[int]:
        """The `seq` of each new notification, in the order in which they were told."""
        return [one["seq"] for one in self.told("new")]

    def until(self, what: str, expression: str, within: float = PATIENCE):
        """Until an expression about `snapshot` is true."""
        return wait_until(lambda: self.evaluate(f"(snapshot => {expression})(window.inbox.snapshot)"), within, what)

    def until_synced(self, unread: int | None = None, within: float = PATIENCE) -> "Tab":
        count = "" if unread is None else f"&& snapshot.unread === {unread}"
        self.until(f"the page to be in sync{count}", f"snapshot.synced && snapshot.status === 'live' {count}", within)
        return self

    def until_told(self, event: str, count: int, within: float = PATIENCE) -> list[dict]:
        wait_until(lambda: len(self.told(event)) >= count, within, f"{count} times {event}")
        return self.told(event)

    def expect_list(self, server, user: str):
        """The page has what the server has: rows, their order, counts, read and seen."""
        rows, unread = server.list_all(user), server.unread(user)
        marks = ("id", "seq", "rev", "isRead", "isSeen")
        snapshot = self.snapshot
        expect_equal([[row[mark] for mark in marks] for row in snapshot["items"]],
                     [[row[mark] for mark in marks] for row in rows], "the page's list")
        expect_equal(snapshot["unread"], unread, "the page's count")
        expect_equal(self.page.locator("#unread").text_content(), str(unread), "the count that the page shows")
        expect_equal(self.page.locator("#list li").count(), len(rows), "the rows that the page shows")

    # MARK: What holds of every page

    def expect_accessible(self, what: str):
        # Only here, so that the other suites need no axe.
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        told = [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]
        expect_equal(told, [], f"what axe finds with {what}")

    def expect_accessible_everywhere(self, what: str):
        """In light and dark, on a desk and on a phone, where nothing is wider than the screen either."""
        for scheme in ("light", "dark"):
            for width in (1280, 390):
                self.page.set_viewport_size({"width": width, "height": 900})
                self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                self.expect_accessible(f"{what}, {scheme}, {width} wide")
                wide = self.evaluate("document.documentElement.scrollWidth - innerWidth")
                expect_equal(max(0, wide), 0, f"by how much {what} is too wide, {width} wide")

    @property
    def minded(self) -> list[str]:
        """What the browser complains of, and errors that nobody has caught."""
        return [line for line in self.console if line.startswith(("error", "failed", "warning"))] + self.errors

    # MARK: The browser

    @property
    def is_gone(self) -> bool:
        return self.page.is_closed() or self._has_crashed

    @property
    def is_leading(self) -> bool:
        """Whether this tab has the connection."""
        return any(not socket.is_closed() for socket in self.sockets)

    def look(self):
        """Brings it to the front of its window: it is visible and has the focus, the others are hidden."""
        self.page.bring_to_front()
        wait_until(lambda: self.evaluate("document.visibilityState === 'visible' && document.hasFocus()"), PATIENCE,
                   "the tab to be looked at")

    def until_hidden(self):
        self.until("the tab to be hidden", "document.visibilityState === 'hidden'")

    def close(self):
        self.page.close()

    def crash(self):
        """Its process ends from one moment to the next; no other tab is in it."""
        with self.page.expect_event("crash"), contextlib.suppress(Error):
            self.page.goto("chrome://crash")

    def freeze(self):
        """Nothing runs in the page until it thaws, as in a tab that was hidden for long; it must be hidden."""
        self.until_hidden()
        self.cdp().send("Page.setWebLifecycleState", {"state": "frozen"})
        self.until("the page to freeze", "window.isFrozen")

    def thaw(self):
        self.cdp().send("Page.setWebLifecycleState", {"state": "active"})

    @property
    def is_frozen(self) -> bool:
        return self.evaluate("window.isFrozen")

    def hang(self):
        """Stops the page in the middle of what it does next; to be called when it shall go on."""
        debugger = self.cdp()
        debugger.send("Debugger.enable")
        debugger.send("Debugger.pause")
        return lambda: debugger.send("Debugger.disable")

    def pass_time(self, seconds: float):
        """The page's clock goes on by so much."""
        self.evaluate("ahead => { const now = Date.now; Date.now = () => now() + ahead }", seconds * 1000)

    def cdp(self):
        """The DevTools protocol, for what Playwright has no words for."""
        return self.page.context.new_cdp_session(self.page)
    def _crashed(self, _):
        self._has_crashed = True
