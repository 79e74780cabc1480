"""Logging in at the console by an OpenID Connect provider, which may lie at each step."""

import threading
import time

import jwt
from harness.certificates import Certificate
from harness.http import once
from harness.stand_ins.identity_provider import DISCOVERY, KEYS
from harness.stand_ins.sign_in_provider import AUTHORIZE, CALLBACK, CLIENT, SECRET, TOKEN, SignInProvider
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, expect_told
from harness.web_browser import WebBrowser


def serve(world, provider: SignInProvider, **settings):
    return world.serve(**provider.console(world.folder, **settings))


def sign_in(server, browser: WebBrowser | None = None) -> tuple[WebBrowser, str, str]:
    """A whole login: the browser, the callback's URL and where that led."""
    browser = browser or WebBrowser()
    begun = browser.open(f"http://{server.ops}/console/oidc/login")
    expect_equal(begun.status, 303, "the status of the beginning")
    back = browser.open(begun.headers["location"])
    expect_equal(back.status, 302, "the provider's status")
    url = back.headers["location"]
    return browser, url, finish(browser, url)


def finish(browser: WebBrowser, url: str) -> str:
    answer = browser.open(url)
    expect_equal(answer.status, 303, "the callback's status")
    return answer.headers["location"]


def who(server, browser: WebBrowser) -> dict:
    return browser.open(f"http://{server.ops}/console/who").json()


@case("a person on the list is signed in; the audit log has their name, and a logout ends it")
def signed_in(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider, LABEL="Example")
    known = once(server.ops, "GET", "/console/who").json()
    expect_subset(known, {"loginNeeded": True, "takesPassword": False, "signIn": {
        "label": "Example", "url": f"http://{server.ops}/console/oidc/login"}}, "what the page is told")
    expect_equal(once(server.ops, "GET", "/v1/push").status, 401, "the status without a login")
    browser, url, place = sign_in(server)
    expect_equal((place, provider.faults), ("/console", []), "where the login leads, and what the provider minds")
    begun, session, ended = browser.lines
    for attribute in ("HttpOnly", "SameSite=Lax", f"Path={CALLBACK}", "Max-Age=600"):
        expect(attribute in begun.split("; "), f"{attribute} of the cookie of a login that has begun: {begun}")
    for attribute in ("HttpOnly", "SameSite=Strict", "Path=/"):
        expect(attribute in session.split("; "), f"{attribute} of the login's cookie: {session}")
    expect("Max-Age=0" in ended, "the end of the first cookie")
    expect_subset(who(server, browser), {"by": "oidc", "name": "ana@example.com"}, "who it is")
    cookie = session.split(";")[0]
    done = server.ask("/v1/users/sarah/disconnect", "POST", {}, Cookie=cookie, Belfry_Console="Mallory")
    expect_equal(done.status, 200, "the status of an action")
    entries = server.ask("/console/audit", Cookie=cookie).json()["entries"]
    expect_subset(entries[0], {"who": "ana@example.com", "by": "oidc"}, "the line of the audit log")
    expect_equal(server.ask("/console/logout", "POST", Cookie=cookie).status, 204, "the status of the logout")
    expect(who(server, browser).get("loginNeeded"), "that the login has ended")
    expect_equal(finish(browser, url), "/console?refused=unknown_login", "where a second use of the answer leads")


@case("without a secret the client is public, and PKCE alone protects the code")
def public(world):
    provider = world.keep(SignInProvider(secret=None))
    server = serve(world, provider)
    expect_equal(sign_in(server)[2], "/console", "where the login leads")
    expect_equal(provider.faults, [], "what the provider minds")


@case("over TLS the provider's certificate has to be trusted; behind a proxy with TLS the cookies are secure")
def encrypted(world):
    certificate = Certificate(world.folder)
    provider = world.keep(SignInProvider(certificate=certificate))
    strict = serve(world, provider)
    begun = WebBrowser().open(f"http://{strict.ops}/console/oidc/login")
    expect_equal(begun.headers["location"], "/console?refused=provider_away", "where a login leads without trust")
    expect_told(strict, "certificate not trusted")
    settings = {**provider.console(world.folder, CA_FILE=certificate.file),
                "CONSOLE_OIDC_REDIRECT_URI": f"https://127.0.0.1{CALLBACK}"}
    server = world.serve(data="data-2", **settings)
    told = once(server.ops, "GET", "/console/who").json()["signIn"]
    expect_equal(told, {"label": "127.0.0.1", "url": "https://127.0.0.1/console/oidc/login"}, "the button")
    browser = WebBrowser(certificate.context)
    begun = browser.open(f"http://{server.ops}/console/oidc/login")
    back = browser.open(begun.headers["location"]).headers["location"]
    expect(back.startswith(f"https://127.0.0.1{CALLBACK}?"), f"the way back: {back}")
    # What the proxy does.
    place = finish(browser, back.replace("https://127.0.0.1", f"http://{server.ops}", 1))
    expect_equal((place, provider.faults), ("/console", []), "where the login leads, and what the provider minds")
    expect_equal([line for line in browser.lines if "; Secure" not in line], [], "cookies that are not secure")


@case("a group may come in, whose people have names from a claim")
def group(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider, ALLOW_CLAIM="groups", ALLOW_VALUES="operators", NAME_CLAIM="preferred_username")
    provider.claims = {"sub": "1", "groups": ["staff"], "preferred_username": "bob"}
    expect_equal(sign_in(server)[2], "/console?refused=not_allowed", "where somebody else's login leads")
    provider.claims["groups"] = ["staff", "operators"]
    browser, _, _ = sign_in(server)
    expect_equal(who(server, browser)["name"], "bob", "the name")


def unsigned(claims: dict) -> str:
    return jwt.encode(claims, None, algorithm="none", headers={"kid": "one"})


def with_secret(claims: dict) -> str:
    return jwt.encode(claims, SECRET, algorithm="HS256")


#: What the browser brings back, and where that leads.
ANSWERS = {
    "an error": ({"code": None, "error": "access_denied"}, "refused&code=access_denied"),
    "an error with anything": ({"code": None, "error": "<b>mail me"}, "refused"),
    "another state": ({"state": "0" * 43}, "unknown_login"), "no state": ({"state": None}, "unknown_login"),
    "another issuer": ({"iss": "https://evil.example"}, "wrong_issuer"),
    "no issuer, though one is promised": ({"iss": None}, "wrong_issuer"),
    "no code": ({"code": None}, "incomplete_answer"),
    "somebody's code": ({"code": "stolen"}, "code_refused&code=invalid_grant"),
}
#: What is wrong with the ID token, and where that leads.
CLAIMS = {
    "another nonce": ({"nonce": "n"}, "token_refused&code=wrong_nonce"),
    "another audience": ({"aud": "app"}, "token_refused&code=wrong_audience"),
    "several audiences": ({"aud": [CLIENT, "app"]}, "token_refused&code=wrong_party"),
    "another party": ({"azp": "app"}, "token_refused&code=wrong_party"),
    "another issuer": ({"iss": "https://evil.example"}, "token_refused&code=wrong_issuer"),
    "no time left": ({"exp": int(time.time()) - 60}, "token_refused&code=token_expired"),
    "no end": ({"exp": None}, "token_refused&code=missing_expiry"),
    "a beginning in an hour": ({"iat": int(time.time()) + 3600}, "token_refused&code=token_not_yet_valid"),
    "a beginning long ago": ({"iat": int(time.time()) - 3600}, "token_refused&code=token_too_old"),
}
SIGNATURES = {"no signature": (unsigned, "token_refused&code=algorithm_not_allowed"),
              "the client's secret": (with_secret, "token_refused&code=algorithm_not_allowed"),
              "no token": (lambda _: "a.b", "token_refused&code=token_malformed")}


def expect_refused(server, name: str, query: str):
    browser, _, place = sign_in(server)
    expect_equal(place, f"/console?refused={query}", f"where {name} leads")
    expect(who(server, browser).get("loginNeeded"), f"nobody is let in by {name}")


def expect_discreet(server, *told: str):
    for words in told:
        expect_told(server, words)
    log = "\n".join(server.log)
    for secret in (SECRET, "eyJ", "stolen", "code_verifier", "mail me"):
        expect(secret not in log, f"{secret!r} is in the log")


# No case may begin more than ten logins: within ten seconds no more are taken.

@case("whatever a browser brings back that is not true, nobody is let in, and the log has no secrets")
def answers(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider)
    for name, (back, query) in ANSWERS.items():
        provider.back = back
        expect_refused(server, name, query)
    expect_equal(provider.faults, [], "what the provider minds")
    expect_discreet(server, "access_denied", "invalid_grant")


@case("whatever an ID token says that is not true, nobody is let in, and the log has no token")
def claims(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider)
    truth = dict(provider.claims)
    for name, (lie, query) in CLAIMS.items():
        provider.claims = {**truth, **lie}
        expect_refused(server, name, query)
    expect_discreet(server, "wrong_nonce")


@case("an ID token without the provider's signature lets nobody in, nor does one of somebody who is not on the list")
def signatures(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider)
    for name, (signs, query) in SIGNATURES.items():
        provider.signs = signs
        expect_refused(server, name, query)
    # A key that is not published, under the name of one that is.
    provider.token("x", "stranger")
    provider.signs = lambda made: jwt.encode(made, provider._keys["stranger"], algorithm="ES256", headers={"kid": "one"})
    expect_refused(server, "another key", "token_refused&code=bad_signature")
    provider.signs = None
    provider.claims["email_verified"] = False
    expect_refused(server, "an address that is not verified", "email_not_verified")
    provider.claims |= {"email": "eve@example.com", "email_verified": True}
    expect_refused(server, "another person", "not_allowed")
    expect_discreet(server, "eve@example.com")


@case("whatever the token endpoint answers, the login ends in time with a reason; the settings stay known")
def faults(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider)
    expect_equal(sign_in(server)[2], "/console", "where the truth leads")

    def slow(handler):
        time.sleep(7)
        handler.answer("{}")

    endpoints = {
        "a page": (lambda handler: handler.answer("<html>", kind="text/html"), "provider_fault"),
        "a fault": (lambda handler: handler.answer("oh no", 500), "provider_fault"),
        "a redirect": (lambda handler: handler.answer("", 307, Location="/realm/decoy"), "provider_fault"),
        "a client that is refused": (lambda handler: handler.answer('{"error": "invalid_client"}', 401),
                                     "code_refused&code=invalid_client"),
        "no ID token": (lambda handler: handler.answer('{"access_token": "a"}'), "provider_fault"),
        "a huge answer": (lambda handler: handler.answer('{"id_token": "' + "a" * 1_000_000 + '"}'), "provider_away"),
        "a slow answer": (slow, "provider_away"),
    }
    for name, (lie, query) in endpoints.items():
        provider.lies = {TOKEN: lie}
        expect_refused(server, name, query)
        expect_equal(once(server.ops, "GET", "/healthz").status, 200, f"the health after {name}")
    provider.lies = {DISCOVERY: lambda handler: handler.answer("oh no", 500)}
    expect_equal(sign_in(server)[2], "/console", "where a login leads by the settings that are known")
    expect_equal(provider.count("/decoy"), 0, "requests that a lie led elsewhere")


@case("while a login waits for a slow provider, the console and the metrics answer")
def slow_provider(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider)
    asked, goes_on = threading.Event(), threading.Event()

    def held(handler):
        asked.set()
        goes_on.wait(PATIENCE)
        handler.answer('{"error": "invalid_grant"}', 400)

    provider.lies = {TOKEN: held}
    ends: list[str] = []
    login = threading.Thread(target=lambda: ends.append(sign_in(server)[2]))
    login.start()
    expect(asked.wait(PATIENCE), "the code is exchanged")
    for path in ("/healthz", "/metrics", "/console", "/console/who"):
        expect_equal(once(server.ops, "GET", path).status, 200, f"the status of {path} meanwhile")
    expect_equal(ends, [], "logins that have ended")
    goes_on.set()
    login.join(PATIENCE)
    expect_equal(ends, ["/console?refused=code_refused&code=invalid_grant"], "where the login leads")


@case("an answer lets no other browser in, and stays good for the one that has begun")
def fixed(world):
    provider = world.keep(SignInProvider())
    server = serve(world, provider)
    attacker, victim = WebBrowser(), WebBrowser()
    begun = attacker.open(f"http://{server.ops}/console/oidc/login")
    url = attacker.open(begun.headers["location"]).headers["location"]
    expect_equal(finish(victim, url), "/console?refused=other_browser", "where the other browser is led")
    # With a login of its own, which is another one.
    victim.open(f"http://{server.ops}/console/oidc/login")
    expect_equal(finish(victim, url), "/console?refused=other_browser", "where it is led with a login of its own")
    expect(who(server, victim).get("loginNeeded"), "the other browser has no login")
    expect_equal(finish(attacker, url), "/console", "where the first browser is led")


@case("without its provider the server starts, and logins work as soon as it is there; a frame begins none")
def away(world):
    provider = world.keep(SignInProvider())
    provider.die()
    server = serve(world, provider)
    begun = WebBrowser().open(f"http://{server.ops}/console/oidc/login")
    expect_equal(begun.headers["location"], "/console?refused=provider_away", "where a login leads without the provider")
    provider.start()
    expect_equal(sign_in(server)[2], "/console", "where the login leads")
    framed = WebBrowser().open(f"http://{server.ops}/console/oidc/login", Sec_Fetch_Dest="iframe")
    expect_equal(framed.status, 403, "the status in a frame")
    keys = provider.count(KEYS)
    provider.rotate("two")
    provider.signs = lambda claims: provider.signed(claims, "two")
    expect_equal(sign_in(server)[2], "/console?refused=keys_pending", "where a key leads that was published just now")
    expect_equal((provider.count(KEYS), provider.count(AUTHORIZE)), (keys, 2), "fetches of keys, and logins")


@case("more logins than ten in ten seconds do not begin, and the page says so")
def many(world):
    server = serve(world, world.keep(SignInProvider()))
    places = [WebBrowser().open(f"http://{server.ops}/console/oidc/login").headers["location"] for _ in range(40)]
    expect("/console?refused=too_many" in places, "some have to wait")
    expect("too_many" not in places[0], "the first has not")


@case("without a provider in the settings there is no such login; with a secret that cannot be read nothing starts")
def none(world):
    server = world.serve()
    for path in ("/console/oidc/login", CALLBACK):
        expect_equal(once(server.ops, "GET", path).status, 404, f"the status of {path}")
    wrong = world.run("serve", "--data", str(world.folder / "other"), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0",
                      BELFRY_AUTH_SECRET="a secret of thirty-two bytes or more",
                      BELFRY_CONSOLE_OIDC_ISSUER="https://id.example", BELFRY_CONSOLE_OIDC_CLIENT_ID="a",
                      BELFRY_CONSOLE_OIDC_REDIRECT_URI=f"https://a.example{CALLBACK}",
                      BELFRY_CONSOLE_OIDC_ALLOW_VALUES="a@example.com",
                      BELFRY_CONSOLE_OIDC_CLIENT_SECRET_FILE="/nowhere/secret")
    expect(wrong.returncode != 0 and "/nowhere/secret" in wrong.stderr, f"the reason is told: {wrong.stderr[-300:]}")
