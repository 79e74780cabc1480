"""Where a page comes from: other origins, the server's own, none at all; and what its policy allows."""

import re

from browser.tab import PATIENCE
from cases.live import publish
from cases.tabs import sessions
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import ROOT

SERVED = ROOT / "docs/clients-js.md"


def route(world, profile, address: str, body: str):
    """A page that no server has."""
    profile.context.route(address, lambda route: route.fulfill(body=body, content_type="text/html"))


@case("the strictest policy of a page leaves the client all its work, and is in force")
def policy(world):
    server = world.serve(ADMISSION_ORIGINS=world.site.origin)
    profile = world.profile()
    tabs = [profile.open(server, "sarah").until_synced(unread=0) for _ in range(2)]
    publish(server, [1], "sarah")
    for tab in tabs:
        tab.until_synced(unread=1)
        tab.expect_list(server, "sarah")
    # `run.py` looks after each case that no page has any of these; here is one, made on purpose.
    probe = tabs[0]
    probe.evaluate("new Image().src = 'https://evil.example/x.png'")
    probe.until("the policy to tell", "window.violations.length > 0")
    expect_equal(probe.evaluate("window.violations.splice(0)"), ["img-src: https://evil.example/x.png"], "the violation")


@case("a page whose origin is not admitted stays without a connection and says so, and so do its calls")
def stranger(world):
    server = world.serve(ADMISSION_ORIGINS="https://app.example.com")
    publish(server, [1], "sarah")
    tab = world.profile().open(server, "sarah")
    tab.until("two attempts", "window.told.filter(({ status }) => status === 'waiting').length > 1")
    snapshot = tab.snapshot
    expect_equal((snapshot["synced"], snapshot["items"]), (False, []), "what the page knows")
    expect_equal(sessions(server), [], "sessions")
    error = tab.evaluate("window.inbox.mutes().catch(({ code, temporary }) => [code, temporary])")
    expect_equal(error, ["network", True], "the answer to a call")
    expect(any("403" in line for line in tab.console), f"the browser tells its developer why: {tab.console}")


@case("at the server's own origin a page needs neither an address nor a setting, and the client comes from the server")
def own_origin(world):
    server = world.serve(ADMISSION_ORIGINS="")
    origin = f"http://{server.listen}"
    profile = world.profile()

    def answer(route):
        path = route.request.url.removeprefix(origin)
        if re.match(r"/(app\.|belfry-token)", path):
            status, kind, body = world.site.answer(path)
            route.fulfill(status=status, content_type=kind, body=body,
                          headers={"Content-Security-Policy": world.site.policy})
        else:
            route.continue_()

    profile.context.route(f"{origin}/**", answer)
    tab = profile.open(None, "sarah", origin).until_synced(unread=0)
    publish(server, [1], "sarah")
    tab.until_synced(unread=1)
    tab.expect_list(server, "sarah")
    expect_equal(tab.evaluate("window.inbox.mutes()")["mutes"], [], "the answer to a call")
    scope = tab.evaluate("""navigator.serviceWorker.register(window.worker)
        .then(() => navigator.serviceWorker.ready).then(({ scope }) => scope)""")
    expect_equal(scope, f"{origin}/", "the scope of the server's service worker")


@case("a page of another origin loads the client from the server, pinned by its hash; another hash is refused")
def pinned(world):
    server = world.serve()
    profile = world.profile()
    path, integrity = re.search(r"`(/client/[0-9a-f]{16}/belfry\.js)` \| `(\S+)`", SERVED.read_text()).groups()
    page = profile.context.new_page()
    for number, (hash, expected) in enumerate([(integrity, "load"), (integrity[:-4] + "AAAA", "error")]):
        address = f"{world.site.origin}/pinned-{number}.html"
        route(world, profile, address, f"""<!doctype html><title>x</title><script>
            const script = Object.assign(document.createElement('script'), {{
                type: 'module', crossOrigin: '', integrity: '{hash}', src: 'http://{server.listen}{path}' }})
            window.done = new Promise((resolve) => (script.onload = script.onerror = ({{ type }}) => resolve(type)))
            document.head.append(script)</script>""")
        page.goto(address)
        expect_equal(page.evaluate("window.done"), expected, f"what became of the script with {hash}")
        if expected == "load":
            given = page.evaluate(f"import('http://{server.listen}{path}').then(({{ connect }}) => typeof connect)")
            expect_equal(given, "function", "what it gives")


@case("in a sandboxed frame, which has no origin and no locks, the client has a connection of its own")
def sandboxed(world):
    server = world.serve(ADMISSION_ORIGINS="null")
    profile = world.profile()
    address = f"{world.site.origin}/app.html?user=sarah&server=http://{server.listen}"
    outside = f"{world.site.origin}/outside.html"
    route(world, profile, outside, f'<!doctype html><iframe sandbox="allow-scripts" src="{address}"></iframe>' * 2)
    page = profile.context.new_page()
    page.goto(outside)
    frames = [frame for frame in page.frames if frame.parent_frame]
    for frame in frames:
        wait_until(lambda: frame.evaluate("window.inbox?.snapshot.synced"), PATIENCE, "the frame to be in sync")
    expect_equal(len(sessions(server)), 2, "sessions")
    publish(server, [1], "sarah")
    for frame in frames:
        wait_until(lambda: frame.evaluate("window.inbox.snapshot.unread === 1"), PATIENCE, "the notification")
        expect_equal(frame.evaluate("window.violations"), [], "violations")
