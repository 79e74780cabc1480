"""What one case has to itself: besides servers and sinks, an app's site, and browsers."""

import contextlib

from harness.suite import expect_equal
from harness.world import Server, World
from playwright.sync_api import BrowserContext, sync_playwright

from .site import Site
from .tab import Tab

#: What Playwright switches off: tabs that nobody looks at have slow timers, as people's have.
BACKGROUND = ["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
              "--disable-renderer-backgrounding"]

#: Tests run as root, in containers with little shared memory, too.
SWITCHES = ["--no-sandbox", "--disable-dev-shm-usage"]


class Profile:
    """One person's browser: its tabs share storage, locks and the service worker."""

    def __init__(self, world: "BrowserWorld", context: BrowserContext):
        self.world = world
        self.context = context

    def open(self, server: Server | None, user: str, page: str = "", **query: str) -> Tab:
        """A tab in front of the others. `page`: its origin, if that is not the site's."""
        if server:
            query["server"] = f"http://{server.listen}"
        tab = self.world.watch(self.context.new_page())
        # Otherwise each page believes that somebody looks at it.
        tab.cdp().send("Emulation.setFocusEmulationEnabled", {"enabled": False})
        address = "&".join(f"{name}={value}" for name, value in {"user": user, **query}.items())
        tab.page.goto(f"{page or self.world.site.origin}/app.html?{address}")
        return tab


class BrowserWorld(World):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.site = self.keep(Site())
        self.tabs: list[Tab] = []
        self._browsers = contextlib.ExitStack()
        self._chromium = None

    def serve(self, **settings) -> Server:
        server = super().serve(**{"ADMISSION_ORIGINS": self.site.origin, **settings})
        self.site.servers.append(server.listen)
        return server

    def profile(self) -> Profile:
        if not self._chromium:
            playwright = self._browsers.enter_context(sync_playwright())
            self._chromium = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=SWITCHES, ignore_default_args=BACKGROUND)
            self._browsers.callback(self._chromium.close)
        context = self._chromium.new_context()
        context.set_default_timeout(60_000)
        return Profile(self, context)

    def watch(self, page) -> Tab:
        self.tabs.append(Tab(page))
        return self.tabs[-1]

    @property
    def last_words(self) -> list[str]:
        consoles = [f"tab {number}: {line}" for number, tab in enumerate(self.tabs, 1)
                    for line in [*tab.errors, *tab.console][-12:]]
        return [*super().last_words, *consoles]

    def check_afterwards(self):
        """Also: no error was left uncaught in a page, and none did what its policy forbids."""
        super().check_afterwards()
        for tab in self.tabs:
            expect_equal(tab.errors, [], "errors that nobody has caught")
            if not tab.page.is_closed() and not tab.has_crashed:
                expect_equal(tab.evaluate("window.violations"), [], "what the page's policy forbids")

    def end(self):
        with contextlib.suppress(Exception):
            self._browsers.close()
        super().end()
