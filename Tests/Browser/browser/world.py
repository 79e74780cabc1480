"""What one case has to itself: besides servers and sinks, an app's site, and browsers."""

import contextlib

from harness.processes import Process
from harness.suite import expect_equal
from harness.world import World, clean_environment
from playwright.sync_api import sync_playwright

from .site import Site
from .tab import PATIENCE, Tab

#: Tests run as root, in containers with little shared memory; and nothing but the pages needs a network.
SWITCHES = ["--headless", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
            # A page that a case makes up comes from no address, and would not be let into the local network.
            "--disable-features=LocalNetworkAccessChecks"]


class Profile:
    """One person's browser, with one window: its tabs share storage, locks and the service worker.

    It is a process of its own, since Playwright has every page of a browser that it starts believe that somebody looks
    at it.
    """

    def __init__(self, world: "BrowserWorld", number: int):
        self.world = world
        folder = world.folder / f"profile-{number}"
        self._process = Process(["/usr/bin/chromium", *SWITCHES, f"--user-data-dir={folder}", "about:blank"],
                                clean_environment())
        line = self._process.errors.wait_for(lambda line: "DevTools listening on" in line, PATIENCE, "DevTools listening")
        self._browser = world.playwright.chromium.connect_over_cdp(line.split()[-1], no_defaults=True)
        self.context = self._browser.contexts[0]
        self.context.set_default_timeout(60_000)
        #: A tab with something else, to look at in place of the app.
        self._elsewhere = self.context.pages[0]

    def open(self, server, user: str, origin: str = "", **query: str) -> Tab:
        """A tab, in front of the others.

        `server`: what has an address in `listen`, unless that is the page's own. `origin`: another than the site's.
        """
        tab = Tab(self.context.new_page())
        self.world.tabs.append(tab)
        query = {"user": user, **({"server": f"http://{server.listen}"} if server else {}), **query}
        tab.page.goto(f"{origin or self.world.site.origin}/app.html?"
                      + "&".join(f"{name}={value}" for name, value in query.items()))
        return tab

    def look_elsewhere(self):
        """Nobody looks at the app: all of its tabs are hidden."""
        self._elsewhere.bring_to_front()

    def close(self):
        with contextlib.suppress(Exception):
            self._browser.new_browser_cdp_session().send("Browser.close")
            self._process.wait(PATIENCE)
        self._process.kill()


class BrowserWorld(World):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.site = self.keep(Site())
        self.tabs: list[Tab] = []
        self._profiles: list[Profile] = []
        self._playwright = contextlib.ExitStack()
        self.playwright = self._playwright.enter_context(sync_playwright())

    def serve(self, **settings):
        server = super().serve(**{"ADMISSION_ORIGINS": self.site.origin, **settings})
        self.site.servers.append(server.listen)
        return server

    def profile(self) -> Profile:
        self._profiles.append(Profile(self, len(self._profiles)))
        return self._profiles[-1]

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
            if not tab.is_gone:
                expect_equal(tab.evaluate("window.violations"), [], "what the page's policy forbids")

    def end(self):
        for profile in self._profiles:
            profile.close()
        with contextlib.suppress(Exception):
            self._playwright.close()
        super().end()
