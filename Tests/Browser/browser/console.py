"""The operators' console, as somebody who opens it sees it."""

from harness.suite import expect_equal, wait_until

from .tab import PATIENCE, Tab


#: In the order of the links.
PAGES = ("now", "person", "event", "failures", "catalogs", "feeds", "quality", "drain", "audit")


class Console(Tab):
    def __init__(self, world, server, path: str = "#/now", *, width: int = 1280, height: int = 900):
        super().__init__(world.profile().context.new_page())
        self.server = server
        #: Everything that was asked of another place, which nothing may be.
        self.foreign: list[str] = []
        self.page.on("request", self._asked)
        self.page.add_init_script("""window.violations = []
            document.addEventListener('securitypolicyviolation', (event) =>
              window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`))""")
        world.tabs.append(self)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.goto(f"http://{server.ops}/console{path}")

    def _asked(self, request):
        if not request.url.startswith((f"http://{self.server.ops}/", f"ws://{self.server.ops}/", "data:", "blob:")):
            self.foreign.append(request.url)

    def go(self, path: str) -> "Console":
        self.evaluate("path => { location.hash = path }", path)
        return self.until_ready(path)

    def until_ready(self, path: str | None = None) -> "Console":
        """The page of the address: the one before stays for a moment, and is ready, too."""
        wait_until(lambda: self.evaluate("""path => {
            const page = document.querySelector('main > .page')
            return (!path || location.hash === path) && page?.dataset.ready === 'true' && (page.dataset.path ?? '') === location.hash
        }""", path), PATIENCE, f"the page {path}")
        return self

    @property
    def text(self) -> str:
        return self.page.locator("main").inner_text()

    def button(self, name: str):
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def said(self) -> str:
        return self.page.locator("#say").inner_text()

    def expect_quiet(self):
        """Nothing was asked elsewhere, nothing is forbidden by the policy, and the browser minds nothing."""
        expect_equal(self.foreign, [], "requests to anywhere else")
        expect_equal(self.evaluate("window.violations"), [], "what the page's policy forbids")
        # Browsers tell of a 404 that the page asked for, such as somebody unknown.
        expect_equal([line for line in self.minded if "404" not in line], [], "what the browser minds")


def liked(user: str, key: str | None = None, **more) -> dict:
    return {"type": "room_liked", "to": {"owner": [user]}, **({"key": key} if key else {}),
            "actor": {"id": "pete", "username": "pete", "firstName": "Pete"},
            "data": {"room": {"id": "room-1", "name": "Italy Trip"}}, **more}
