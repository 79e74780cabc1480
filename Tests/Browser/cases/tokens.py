"""Tokens of a page: renewed in time, expired, refused, and taken away."""

import signal

from browser.tab import PATIENCE
from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.suite import case, expect_equal, wait_until

SHORT = {"AUTH_LEEWAY": "0s", "LIVE_RENEW_GRACE": "1s"}
OTHER_SECRET = "another-secret-that-is-long-enough-too"


def expect_no_more_attempts(profile, tab, server):
    """Neither time, nor a look at the tab, nor the network's return makes it try again."""
    attempts = len(tab.sockets)
    profile.look_elsewhere()
    tab.look()
    profile.context.set_offline(True)
    profile.context.set_offline(False)
    # Longer than the first delays of a client that does try again.
    tab.page.wait_for_timeout(4_000)
    expect_equal(len(tab.sockets), attempts, "how often the page has tried to connect")
    expect_equal(server.metrics()["belfry_websockets"], 0, "how many connections the server has")


@case("a token that expires is replaced on the open connection, and what comes next arrives")
def renewed(world):
    server = world.serve(**{**SHORT, "LIVE_RENEW_GRACE": "4s"})
    lifetimes = [6]
    world.site.make_token = lambda user: tokens.token(user, expires_in=lifetimes.pop() if lifetimes else 3600)
    tab = world.profile().open(server, "sarah").until_synced(unread=0)
    wait_until(lambda: len(world.site.asked) > 1, PATIENCE, "the server's question")
    expect_equal(world.site.reasons("sarah"), ["first", "renew"], "why tokens were asked")
    # Until the grace is over: a session that has not renewed is closed then.
    tab.page.wait_for_timeout(5_000)
    server.publish(room_liked("sarah"))
    tab.until_synced(unread=1)
    expect_equal(len(tab.sockets), 1, "how many connections the page has made")


@case("without another token in time the connection ends, and goes on with the next one that the app has")
def not_renewed(world):
    server = world.serve(**SHORT)

    def make_token(user):
        if len(world.site.asked) == 2:
            raise RuntimeError("the backend is away for a moment")
        return tokens.token(user, expires_in=6 if len(world.site.asked) == 1 else 3600)

    world.site.make_token = make_token
    tab = world.profile().open(server, "sarah").until_synced(unread=0)
    tab.until("the page to lose its connection", "window.told.some(({ status }) => status === 'waiting')")
    server.publish(room_liked("sarah"))
    tab.until_synced(unread=1)
    expect_equal(world.site.reasons("sarah"), ["first", "renew", "expired"], "why tokens were asked")
    expect_equal(tab.new, [1], "what was told as new")


@case("a token that is too old from the beginning is replaced, for the connection and for calls")
def expired_at_first(world):
    server = world.serve(**SHORT)
    world.site.make_token = lambda user: tokens.token(user, expires_in=-60 if len(world.site.asked) == 1 else 3600)
    tab = world.profile().open(server, "sarah").until_synced(unread=0)
    expect_equal(world.site.reasons("sarah"), ["first", "expired"], "why tokens were asked")
    expect_equal(tab.evaluate("window.inbox.mutes()")["mutes"], [], "the answer to a call")


@case("once its key is revoked a page stops, says why, and makes no attempt any more")
def revoked_key(world):
    file = world.folder / "secret"
    file.write_text(tokens.SECRET)
    server = world.serve(AUTH_SECRET="", AUTH_SECRET_FILE=str(file), **SHORT)
    profile = world.profile()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    file.write_text(OTHER_SECRET)
    server.process.signal(signal.SIGHUP)
    tab.until("the page to stop", "snapshot.status === 'stopped'")
    expect_equal(tab.snapshot["reason"], "token_refused", "the reason")
    expect_equal(tab.evaluate("window.inbox.read().catch(error => error.code)"), "token_refused", "a command's answer")
    expect_no_more_attempts(profile, tab, server)
    # So does one that has just been opened, at its first attempt.
    fresh = profile.open(server, "sarah")
    fresh.until("the page to stop", "snapshot.status === 'stopped'")
    expect_equal((fresh.snapshot["reason"], len(fresh.sockets)), ("token_refused", 1), "the reason, after one attempt")
    expect_no_more_attempts(profile, fresh, server)


@case("the page of a person who is erased stops, and so does one where nobody is signed in any more")
def erased(world):
    server = world.serve(**SHORT)
    profile = world.profile()
    tab = profile.open(server, "sarah").until_synced(unread=0)
    expect_equal(once(server.socket, "DELETE", "/v1/users/sarah").status, 200, "the status of erasing")
    tab.until("the page to stop", "snapshot.status === 'stopped'")
    expect_equal(tab.snapshot["reason"], "revoked", "the reason")
    expect_no_more_attempts(profile, tab, server)

    world.site.make_token = lambda user: None
    tab = profile.open(server, "tom")
    tab.until("the page to stop", "snapshot.status === 'stopped'")
    expect_equal((tab.snapshot["reason"], tab.sockets), ("signed_out", []), "the reason, without an attempt")
