"""The snippets of the pages about clients of one's own and about the elements, in pages that somebody makes of them."""

import re

from browser.tab import PATIENCE
from cases.live import publish
from harness import tokens
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import ROOT


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


def serve(profile, address: str, body: str, kind: str):
    pattern = re.compile(rf"^{re.escape(address)}(\?.*)?$")
    profile.context.route(pattern, lambda route: route.fulfill(body=body, content_type=kind))


def open_page(world, server, files: dict[str, str]):
    """A page of the site, whose files are those here; the token is sarah's. Returns it, and what went wrong in it."""
    profile = world.profile()
    kinds = {"html": "text/html", "js": "text/javascript"}
    for path, body in {**files, "belfry-token": tokens.token("sarah")}.items():
        body = body.replace("push.example.com", server.listen).replace("wss:", "ws:").replace("https:", "http:")
        serve(profile, f"{world.site.origin}/{path}", body, kinds.get(path.split(".")[-1], "text/plain"))
    page = profile.context.new_page()
    page.set_default_timeout(60_000)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{world.site.origin}/page.html")
    return page, problems


@case("the clients page: its page for a browser lists what is there, follows what comes, grows and goes, and comes back")
def clients_page(world):
    server = world.serve(LIMITS_REQUESTS_PER10S="0")
    publish(server, [1], "sarah")
    session = next(block for block in blocks("docs/clients.md", "js") if block.startswith("// session.js"))
    page, problems = open_page(world, server, {"page.html": blocks("docs/clients.md", "html")[0], "session.js": session})

    def until_shown():
        def shows():
            rows = [row["displayText"] for row in server.list_all("sarah")]
            return (page.locator("#list li").all_text_contents(), page.locator("#unread").inner_text()) == (
                rows, str(server.unread("sarah")))

        wait_until(shows, PATIENCE, "the page to show the server's list")

    until_shown()
    for number in (2, 3, 4):
        publish(server, [number], "sarah")
    until_shown()
    server.rest("sarah", "DELETE", f"/api/notifications/{server.list_all('sarah')[1]['id']}")
    until_shown()
    server.kill()
    server.start()
    publish(server, [5], "sarah")
    until_shown()
    server.rest("sarah", "DELETE", "/api/notifications")
    until_shown()
    expect(not problems, f"errors in the page: {problems}")


@case("the elements page: its whole page, its two elements of one client and its template show what comes")
def elements_page(world):
    server = world.serve()
    publish(server, [1], "sarah")
    whole, two, template = blocks("docs/elements.md", "html")
    page, problems = open_page(world, server, {"page.html": whole})
    page.locator("belfry-bell").get_by_text("1", exact=True).wait_for()

    files = {name: f"export * from 'https://push.example.com/{name}'" for name in ("belfry.js", "belfry-elements.js")}
    style = "".join(blocks("docs/elements.md", "css"))
    two = two.replace("connect({", "connect({ url: 'https://push.example.com',")
    other, more = open_page(world, server, {"page.html": f"<!doctype html><style>{style}</style>{two}", **files})
    other.locator("belfry-bell").get_by_text("1", exact=True).wait_for()
    other.locator("body > belfry-inbox article").first.wait_for()
    height = other.locator("body > belfry-inbox").evaluate("element => element.getBoundingClientRect().height")
    expect_equal(height, 640, "the inbox's height, 40rem")

    templated = template.replace("<belfry-inbox>", "<belfry-inbox token-url='/belfry-token' server='https://push.example.com'>")
    third, most = open_page(world, server, {
        "page.html": f"<!doctype html>{templated}<script type='module' src='https://push.example.com/belfry-elements.js'></script>"})
    third.locator("belfry-inbox article [part~=sentence]").first.wait_for()
    third.locator("belfry-inbox").get_by_role("button", name="Like").first.wait_for()
    expect(not problems + more + most, f"errors in the pages: {problems + more + most}")
