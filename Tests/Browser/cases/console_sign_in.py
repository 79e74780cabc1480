"""Logging in at the operators' console by a provider, which is another site."""

import re

from browser.console import Console
from browser.tab import PATIENCE
from harness.stand_ins.sign_in_provider import SignInProvider
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import ROOT


def serve(world):
    provider = world.keep(SignInProvider(host="localhost"))
    return provider, world.serve(**provider.console(world.folder, LABEL="Example"))


def link(console: Console):
    return console.page.get_by_role("link", name="Sign in with Example", exact=True)


@case("the console: somebody signs in by a provider, and is on the page that they wanted; who is not on the list is told so")
def signed_in(world):
    provider, server = serve(world)
    console = Console(world, server, "#/person/sarah")
    link(console).wait_for()
    expect_equal(console.page.get_by_label("Password").count(), 0, "fields for a password")
    console.expect_accessible_everywhere("a login by a provider")
    expect(console.evaluate("document.activeElement.matches('.login a')"), "the link has the focus")
    console.page.keyboard.press("Enter")
    console.page.locator("#who").get_by_text("ana@example.com").wait_for()
    console.until_ready("#/person/sarah")
    expect_equal(console.evaluate("location.pathname + location.search"), "/console", "the address after the login")
    console.button("End all sessions").click()
    wait_until(lambda: "0 sessions ended" in console.said, PATIENCE, "what was done")
    line = (world.folder / "data/audit.log").read_text()
    expect('"who":"ana@example.com"' in line and '"by":"oidc"' in line, f"who has done it: {line}")
    console.go("#/now")
    wait_until(lambda: "Live" in console.text, PATIENCE, "the socket")
    console.button("Log out").click()
    provider.claims["email"] = "eve@example.com"
    link(console).click()
    console.page.get_by_text("you are not on the list of those who may use this console").wait_for()
    expect_equal(console.evaluate("location.search"), "", "what the address has of it")
    console.expect_accessible_everywhere("a login that was refused")
    expect(all(url.startswith(provider.issuer) for url in console.foreign), f"nothing else is asked: {console.foreign}")
    console.foreign.clear()
    console.expect_quiet()
    console.page.reload()
    link(console).wait_for()
    expect("not on the list" not in console.text, "a new page tells nothing of it")


@case("the console: says of each login that fails what its page of the documentation promises, and nothing that an address makes up")
def reasons(world):
    _, server = serve(world)
    table = (ROOT / "docs/console.md").read_text().split("| `refused` | what the login page says |")[1].split("\n\n")[0]
    rows = [(code, words) for code, words in re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE)]
    expect(len(rows) > 10, "the table has all reasons")
    console = Console(world, server, "")
    for code, words in rows:
        console.page.goto(f"http://{server.ops}/console?refused={code}&code=access_denied")
        console.page.get_by_role("alert").wait_for()
        expect_equal(console.page.get_by_role("alert").inner_text(), words, f"what the page says of {code}")
    for query in ("refused=constructor", "refused=<b>Call+me</b>", "refused=refused&code=Call+555+1234"):
        console.page.goto(f"http://{server.ops}/console?{query}")
        console.page.get_by_role("alert").wait_for()
        expect(not re.search("Call|function", console.text), f"what an address has is not shown: {console.text}")
    expect_equal(console.evaluate("window.violations") + console.errors, [], "what the browser minds")


@case("the console: with a password, too, there are both ways; a wrong one is told beside its field, and a name is not needed")
def both(world):
    provider = world.keep(SignInProvider(host="localhost"))
    server = world.serve(**provider.console(world.folder, LABEL="Example"), CONSOLE_PASSWORD="a long enough password")
    console = Console(world, server)
    link(console).wait_for()
    console.expect_accessible_everywhere("a login with two ways")
    console.page.get_by_label("Password").fill("not the password")
    console.page.keyboard.press("Enter")
    console.page.locator("form").get_by_text("this is not the password").wait_for()
    console.page.get_by_label("Password").fill("a long enough password")
    console.page.keyboard.press("Enter")
    console.until_ready()
