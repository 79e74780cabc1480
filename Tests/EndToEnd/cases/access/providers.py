"""Identity providers whose keys are fetched by URL: rotation, outages, and answers that are of no use."""

import os
import time
from contextlib import closing

from harness import tokens
from harness.events import room_liked
from harness.http import expect_problem, once
from harness.stand_ins.identity_provider import DISCOVERY, KEYS, IdentityProvider
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, expect_told, wait_until

COUNT = "/api/notifications/unread-count"
#: How long an issuer is down, in seconds. `make outage-long` has an hour.
OUTAGE = float(os.environ.get("OUTAGE", "30"))
LASTING = 10 * 365 * 24 * 3600


def serve(world, provider: IdentityProvider, more: str = "", **settings):
    """A server whose only keys are the provider's."""
    config = world.folder / "belfry.yaml"
    config.write_text(f"auth:\n  providers:\n    work:\n      issuer: {provider.issuer}\n      audience: belfry\n"
                      f"      minimumAge: 1s\n{more}")
    return world.serve(arguments=["--config", str(config)], **{"AUTH_SECRET": "", **settings})


def ask(server, token: str):
    return once(server.listen, "GET", COUNT, token=token)


def metric(server, name: str) -> float | None:
    return server.metrics().get(f'belfry_identity_{name}{{provider="work"}}')


def reload(world, server):
    expect_equal(world.run("reload", "--socket", server.socket).returncode, 0, "the exit code of belfry reload")


@case("a key that a provider publishes no more ends its sessions within a cache's lifetime; others hear nothing",
      pollers=True)
def rotated(world):
    provider = world.keep(IdentityProvider(max_age=1))
    provider.rotate("one", "two")
    server = serve(world, provider, LIVE_RENEW_GRACE="2s")
    expect_equal(metric(server, "keys"), 2, "the number of usable keys")
    ending, staying = server.open(), server.open()
    ending.hello(provider.token("sarah", "one", expires_in=LASTING))
    staying.hello(provider.token("sarah", "two", expires_in=LASTING))
    provider.rotate("two", "three")
    expect_subset(ending.next(), {"type": "renew", "within": 2000}, "the question")
    ending.expect_close(4202)
    server.publish(room_liked("sarah"))
    staying.expect("new")
    expect_equal(ask(server, provider.token("sarah", "three")).status, 200, "the status with the next key")
    # Asked for again, the removed one is known to be none.
    wait_until(lambda: ask(server, provider.token("sarah", "one")).status == 401, PATIENCE, "the removed key's end")


@case("a token with a new key is put off and then taken; junk leads to no more than one fetch in half a minute")
def unknown_keys(world):
    provider = world.keep(IdentityProvider(max_age=3600))
    provider.rotate("one")
    server = serve(world, provider)
    expect_equal(ask(server, provider.token("sarah", "one")).status, 200, "the status with a known key")
    provider.rotate("one", "two")
    fetches = provider.count(KEYS)
    refused = ask(server, provider.token("sarah", "two"))
    # The first fetch is less than thirty seconds ago, so this one has to wait.
    expect_problem(refused, {"status": 503, "code": "keys_pending"}, "a token with a new key")
    expect("retry-after" in refused.headers, "it tells when to come again")
    live = server.open(header=None)
    live.send({"type": "hello", "token": provider.token("sarah", "two")})
    live.expect_close(4105)
    began = time.monotonic()
    for number in range(200):
        expect_equal(ask(server, provider.token("sarah", f"junk-{number}")).status, 503, "the status with junk")
    expect(provider.count(KEYS) <= fetches + 1, f"fetches for junk: {provider.count(KEYS) - fetches}")
    for name, claims in {"another issuer": {"iss": "https://other.example/"}, "another audience": {"aud": "other"},
                         "no time left": {"exp": 1}}.items():
        expect_equal(ask(server, provider.token("sarah", "junk", **claims)).status, 401, f"the status with {name}")
    expect_equal(ask(server, tokens.token("sarah")).status, 401, "the status with a shared secret")
    wait_until(lambda: ask(server, provider.token("sarah", "two")).status == 200, PATIENCE, "the new key to be known")
    expect(time.monotonic() - began < 40, "the wait is no longer than half a minute")
    expect_equal(provider.count(KEYS), fetches + 1, "fetches in that time")


@case("without its provider a server starts and puts tokens off; when the provider is there, belfry reload fetches at once, "
      "and when it dies, known keys go on")
def down(world):
    provider = world.keep(IdentityProvider())
    provider.rotate("one")
    provider.die()
    server = serve(world, provider)
    token = provider.token("sarah", "one")
    expect_problem(ask(server, token), {"status": 503, "code": "keys_pending"}, "a token without its provider")
    expect_equal((metric(server, "keys"), metric(server, "keys_age_seconds")), (0, None), "the figures without keys")
    expect(metric(server, "fetch_failures_total") >= 1, "the failure is counted")
    expect_told(server, "cannot be fetched", "warn")
    expect_equal(once(server.ops, "GET", "/readyz").status, 200, "readiness without the provider")
    provider.start()
    reload(world, server)
    wait_until(lambda: ask(server, token).status == 200, PATIENCE, "the keys")
    live = server.open()
    live.hello(provider.token("sarah", "one", expires_in=LASTING))
    provider.die()
    failures = metric(server, "fetch_failures_total")
    wait_until(lambda: metric(server, "fetch_failures_total") > failures, PATIENCE, "a fetch that fails")
    server.publish(room_liked("sarah"))
    live.expect("new")
    expect_equal(ask(server, token).status, 200, "the status while the provider is down")
    expect_equal(metric(server, "keys"), 1, "the keys while the provider is down")
    provider.start()  # so that it can be closed


@case("while an issuer is down for long, known keys go on, sessions come and go, and a removed key ends its sessions within a "
      "minute of its return", slow=True)
def down_for_long(world):
    provider = world.keep(IdentityProvider(max_age=30))
    provider.rotate("one", "two")
    server = serve(world, provider)
    ending, staying = server.open(), server.open()
    ending.hello(provider.token("sarah", "one", expires_in=LASTING))
    staying.hello(provider.token("sarah", "two", expires_in=LASTING))
    provider.die()
    until, rounds = time.monotonic() + OUTAGE, 0
    while time.monotonic() < until:
        server.publish(room_liked("sarah"))
        ending.expect("new")
        staying.expect("new")
        with closing(server.open()) as coming:
            coming.hello(provider.token("sarah", "one"))
        expect_equal(ask(server, provider.token("tom", "two")).status, 200, "the status during the outage")
        expect_equal(ask(server, provider.token("tom", "unknown")).status, 503, "the status with an unknown key")
        rounds += 1
        time.sleep(5)
    expect(metric(server, "fetch_failures_total") > rounds / 60, "fetches fail meanwhile")
    provider.rotate("two")
    provider.start()
    back = time.monotonic()
    ending.expect("renew")
    # An outage has made the tries rare.
    print(f"  the removed key was noticed {time.monotonic() - back:.0f} s after an outage of {OUTAGE:.0f} s")
    ending.expect_close(4202)
    server.publish(room_liked("sarah"))
    staying.expect("new")


@case("with neededAtStart nothing starts without the provider's keys")
def needed(world):
    provider = world.keep(IdentityProvider())
    provider.rotate("one")
    server = serve(world, provider, "      neededAtStart: true\n")
    expect_equal(ask(server, provider.token("sarah", "one")).status, 200, "the status with the provider")
    server.terminate()
    provider.die()
    server.begin()
    expect(server.process.wait(PATIENCE) != 0, "the exit code without the provider")
    expect(any("neededAtStart" in line for line in server.process.errors.all), "the reason is told")
    server.process = None
    provider.start()


def page(handler):
    handler.answer("<html><body>Sign in</body></html>", kind="text/html")


def redirect(handler):
    handler.answer("", 302, Location="/realm/decoy")


def slow(handler):
    time.sleep(7)
    handler.answer("{}")


def trickle(handler):
    """A body that never ends in time."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    for _ in range(14):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.5)
    handler.close_connection = True


def says(body: str, status: int = 200):
    return lambda handler: handler.answer(body, status)


@case("whatever a provider answers, the keys in use stay until it tells the truth again")
def liar(world):
    provider = world.keep(IdentityProvider())
    provider.rotate("one")
    server = serve(world, provider)
    token = provider.token("sarah", "one")
    live = server.open()
    live.hello(provider.token("sarah", "one", expires_in=LASTING))
    other = f'{{"issuer": "{provider.issuer}/", "jwks_uri": "{provider.issuer}/keys"}}'
    elsewhere = f'{{"issuer": "{provider.issuer}", "jwks_uri": "http://localhost:{provider.port}/realm/decoy"}}'
    lies = {
        "a page": (KEYS, page), "a redirect": (KEYS, redirect), "a fault": (KEYS, says("oh no", 500)),
        "no set": (KEYS, says('{"keys": "all"}')), "an empty set": (KEYS, says('{"keys": []}')),
        "keys of other types": (KEYS, says('{"keys": [7, "key", {"kty": 7}, {"kty": "EC", "crv": "P-256", "x": [], "y": 1}]}')),
        "a secret alone": (KEYS, says('{"keys": [{"kty": "oct", "kid": "one", "k": "c2VjcmV0"}]}')),
        "a huge set": (KEYS, says('{"keys": [' + '{"kty": "EC"}, ' * 200_000 + "7]}")),
        "another issuer": (DISCOVERY, says(other)), "keys at another host": (DISCOVERY, says(elsewhere)),
        "settings that lead away": (DISCOVERY, redirect), "a page in place of settings": (DISCOVERY, page),
        "a slow answer": (KEYS, slow), "a trickle": (DISCOVERY, trickle),
    }
    for name, (path, lie) in lies.items():
        failures = metric(server, "fetch_failures_total")
        provider.lies = {path: lie}

        def failed():
            reload(world, server)
            return metric(server, "fetch_failures_total") > failures

        wait_until(failed, PATIENCE, f"{name} to be noticed")
        expect_equal(ask(server, token).status, 200, f"the status after {name}")
        expect_equal(metric(server, "keys"), 1, f"the keys after {name}")
        provider.lies = {}

        def works():
            reload(world, server)
            asked = provider.count(KEYS)
            return metric(server, "keys_age_seconds") < 1 and asked

        wait_until(works, PATIENCE, f"the truth after {name}")
    expect_equal(provider.count("/decoy"), 0, "requests that a lie led elsewhere")
    server.publish(room_liked("sarah"))
    live.expect("new")
