"""What `belfry serve --dev` adds: the demo, tokens for its people, and a sink for their pushes."""

import json
import ssl
import urllib.request

from cases.access.admission import expect_refused
from harness.http import expect_problem, once
from harness.live import Live
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until
from harness.world import CATALOGS, ROOT

FOLDERS = [ROOT / "clients/demo", ROOT / "clients/shared"]


def develop(world, **more):
    return world.serve(arguments=["--dev"], catalogs=CATALOGS, PUSH_GRACE="1s", **more)


def own(server, method: str, path: str, **more):
    """As the demo's own pages ask."""
    return once(server.listen, method, path, Origin=f"http://{server.listen}", **more)


def token(server, person: str) -> str:
    answer = own(server, "POST", f"/demo/token?to={person}")
    expect_equal((answer.status, answer.headers["cache-control"]), (200, "no-store"), "the token's answer")
    return answer.json()["token"]


def cards(server, device: str) -> list[dict]:
    answer = once(server.listen, "GET", "/demo/screens")
    expect_equal(answer.status, 200, "the status of the screens")
    return [card for phone in answer.json()["phones"] if phone["device"] == device for stack in phone["stacks"]
            for card in stack["cards"]]


@case("the demo's pages may load nothing from elsewhere, and are the files of the folder, types and tags and all")
def pages(world):
    server = develop(world)
    for path in (path for folder in FOLDERS for path in folder.iterdir()):
        target = "/demo" if path.name == "index.html" else f"/demo/{path.name}"
        answer = once(server.listen, "GET", target)
        expect_equal((answer.status, answer.body), (200, path.read_bytes()), target)
        kind = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}[path.suffix]
        expect_equal(answer.headers["content-type"], f"{kind}; charset=utf-8", target)
        expect_equal((answer.headers["x-content-type-options"], answer.headers["cache-control"]), ("nosniff", "no-cache"),
                     target)
        policy = answer.headers["content-security-policy"]
        expect("default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'self'" in policy, policy)
        expect_equal(once(server.listen, "GET", target, If_None_Match=answer.etag).status, 304, f"{target} once more")
        expect_equal(once(server.listen, "HEAD", target).status, 200, f"HEAD {target}")
        expect_equal(once(server.listen, "PUT", target).headers["allow"], "GET, HEAD", f"PUT {target}")
    for target in ("/demo/nothing.js", "/demo/index.html", "/demo/../demo.js", "/demo/demo.js/x"):
        expect_equal(once(server.listen, "GET", target).status, 404, target)
    for target in ("/", "/demo"):
        expect_equal(once(server.socket, "GET", target).status, 404, f"{target} on the Unix socket")
    home = once(server.listen, "GET", "/")
    expect_equal((home.status, home.headers["location"]), (303, "/demo"), "the server's own address")


@case("the demo publishes a sample of each event of the catalogs that ship, and each of its lines for a shell does the same")
def samples(world):
    server = develop(world)
    told = once(server.listen, "GET", "/demo/events?to=maya").json()
    expect_equal([person["id"] for person in told["people"]], ["maya", "tom"], "the people")
    expect_equal(sorted(catalog["name"] for catalog in told["catalogs"]), ["agents", "issues", "orders", "posts", "rooms", "rounds"], "catalogs")
    count, seen = 0, 0
    for catalog in told["catalogs"]:
        for event in catalog["events"]:
            answer = own(server, "POST", f"/demo/publish?type={event['type']}&to=maya")
            # What has no place in the app, and without a phone none on a screen, is suppressed.
            told_to = answer.json()["recipients"] + answer.json()["suppressed"]
            expect_equal((answer.status, told_to), (202, 1), f"{event['type']}: {answer.body}")
            body = event["call"].split(" -d '", 1)[1].removesuffix("'")
            expect(f"--unix-socket {server.socket} " in event["call"], event["call"])
            again = server.publish(json.loads(body))
            expect_equal(again["recipients"] + again["suppressed"], 1, f"the people of {event['type']} from a shell")
            expect(event["text"], f"what {event['type']} says")
            count += 1
            seen += answer.json()["recipients"]
    expect(count > 20 and seen > 18, f"only {count} events, of which {seen} came")
    both = own(server, "POST", "/demo/publish?type=comment_added").json()
    expect_equal(both["recipients"], 2, "the recipients of an event to both")


@case("a push of the demo comes on the lock screen of a phone whose app is closed or not looked at, and on no other")
def pushes(world):
    server = develop(world)
    devices = {person: f"demo-{person}".encode().hex() for person in ("maya", "tom")}
    for person, device in devices.items():
        answer = once(server.listen, "PUT", f"/api/devices/demo-{person}", {"provider": "apns", "token": device},
                      token=token(server, person))
        expect_equal(answer.status, 200, f"the registration of {person}'s phone")
    looking, away = (world.keep(Live(server.listen)) for _ in range(2))
    looking.hello(token(server, "maya"), active=True)
    away.hello(token(server, "tom"), active=False)
    own(server, "POST", "/demo/publish?type=room_liked&to=maya,tom")
    looking.call("ack", seq=looking.expect("new")["seq"])
    wait_until(lambda: cards(server, devices["tom"]), PATIENCE, "the card on the lock screen")
    expect_equal(cards(server, devices["tom"])[0]["title"], "Italy Trip", "the card's title")
    expect_equal(cards(server, devices["maya"]), [], "the lock screen of whoever had it on the screen")
    looking.close()
    own(server, "POST", "/demo/publish?type=room_liked&to=maya")
    wait_until(lambda: cards(server, devices["maya"]), PATIENCE, "the card after the app was closed")
    url = once(server.listen, "GET", "/demo/events").json()["sink"]
    with urllib.request.urlopen(url + "state.json", context=ssl._create_unverified_context()) as page:
        expect_equal(json.load(page)["accepted"], 2, "the pushes that the sink has taken")


@case("the demo gives tokens for its own people alone, to its own pages alone, and answers to this machine's names alone")
def guards(world):
    server = develop(world)
    for person in ("maya", "tom"):
        answer = once(server.listen, "GET", "/api/notifications", token=token(server, person))
        expect_equal(answer.status, 200, f"the status with {person}'s token")
    for query in ("?to=sarah", "?to=maya,tom", "", "?to=", "?to=maya,sarah", "?to=maya&to=maya", "?user=maya"):
        expect_problem(own(server, "POST", f"/demo/token{query}"), {"status": 400, "code": "invalid_parameter"}, query)
    for path in ("/demo/token?to=maya", "/demo/publish?type=room_liked&to=maya"):
        for origin in (None, "https://evil.example", "null", f"http://{server.listen}.evil.example", "http://127.0.0.1"):
            headers = {} if origin is None else {"Origin": origin}
            expect_problem(once(server.listen, "POST", path, **headers), {"status": 403, "code": "forbidden_origin"},
                           f"{path} of {origin}")
        expect_equal(once(server.listen, "GET", path).headers["allow"], "POST", f"GET {path}")
        rebound = once(server.listen, "POST", path, Host="evil.example", Origin="http://evil.example")
        expect_problem(rebound, {"status": 403, "code": "forbidden_host"}, "a name that was made to lead here")
    for path in ("/", "/demo", "/demo/screens", "/demo/events", "/demo/person.html"):
        expect_equal(once(server.listen, "GET", path, Host="evil.example:80").status, 403, f"{path} of another host")
    # Its pages may open sessions whatever origins the settings name.
    server = develop(world, data="origins", ADMISSION_ORIGINS="https://app.example.com")
    server.open(headers={"Origin": f"http://{server.listen}"}).hello(token(server, "maya"))
    expect_refused(server, 403, "forbidden_origin", headers={"Origin": "http://127.0.0.1:1"})
    unknown = own(server, "POST", "/demo/publish?type=nonsense&to=maya")
    expect_problem(unknown, {"status": 404, "code": "unknown_event_type"}, "an event that is none")
    expect_equal(server.get("maya")["data"], [], "what was published")


@case("--dev refuses to listen where others can connect; where push services are set up it starts no sink; without it there is no demo")
def limits(world):
    for listener, address in (("--listen", "0.0.0.0:0"), ("--listen", ":0"), ("--listen", "[::]:0"), ("--ops", "0.0.0.0:0")):
        places = {"--listen": "127.0.0.1:0", "--ops": "127.0.0.1:0", listener: address}
        refused = world.run("serve", "--dev", "--data", str(world.folder / "refused"), *sum(places.items(), ()))
        expect_equal(refused.returncode, 1, f"the exit code for {listener} {address}")
        expect("this machine alone" in refused.stderr and listener[2:] in refused.stderr, refused.stderr)
        expect(not (world.folder / "refused").exists(), "a folder was made")
    quiet = world.serve(data="quiet")
    for method, path in (("GET", "/"), ("GET", "/demo"), ("POST", "/demo/token?to=maya"), ("GET", "/demo/demo.js"), ("PUT", "/demo")):
        expect_problem(own(quiet, method, path), {"status": 404, "code": "not_found"}, f"{method} {path} without --dev")
    sink = world.sink()
    served = world.serve(data="configured", arguments=["--dev"], **sink.settings)
    expect_problem(once(served.listen, "GET", "/demo/screens"), {"status": 404, "code": "no_sink"}, "the screens")
    expect("sink" not in once(served.listen, "GET", "/demo/events").json(), "a sink was started")
    served.register_device("sarah")
    served.publish({"type": "room_liked", "to": {"owner": ["sarah"]}, "actor": {"id": "pete", "username": "pete"},
                    "data": {"room": {"id": "r", "name": "Italy"}}})
    sink.wait_for_shown(1)
    again = world.serve(data="again", arguments=["--dev"])
    first = once(again.listen, "GET", "/demo/events").json()["sink"]
    expect_equal(again.terminate(), 0, "the exit code")
    again.start()
    expect(once(again.listen, "GET", "/demo/events").json()["sink"].startswith("https://127.0.0.1:"), first)
