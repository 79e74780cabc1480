"""The JavaScript client as the public listener serves it."""

import base64
import gzip
import hashlib
import re

from harness.http import Http, expect_problem, once
from harness.suite import case, expect, expect_equal
from harness.world import ROOT

DIST = ROOT / "clients/js/dist"
NAMES = sorted(path.name for path in DIST.glob("*.js"))


def versioned() -> str:
    """The folder of this build, as the page about the client tells it."""
    return re.search(r"/client/[0-9a-f]{16}", (ROOT / "docs/clients-js.md").read_text()).group()


@case("the client's files are served as they were built: type, sharing, tags, 304, HEAD and the methods that there are")
def files(world):
    server = world.serve(ADMISSION_ORIGINS="https://app.example.com")
    for folder, caching in (("", "no-cache"), (versioned(), "public, max-age=31536000, immutable")):
        for name in NAMES:
            path = f"{folder}/{name}"
            answer = once(server.listen, "GET", path)
            expect_equal((answer.status, answer.body), (200, (DIST / name).read_bytes()), path)
            expected = {"content-type": "text/javascript; charset=utf-8", "x-content-type-options": "nosniff",
                        "cache-control": caching, "access-control-allow-origin": "*", "vary": "Accept-Encoding",
                        "service-worker-allowed": "/" if name == "belfry-sw.js" else None}
            expect_equal({key: answer.headers.get(key) for key in expected}, expected, f"the headers of {path}")
            head = once(server.listen, "HEAD", path)
            expect_equal((head.status, head.body, head.headers["content-length"], head.etag),
                         (200, b"", str(len(answer.body)), answer.etag), f"HEAD {path}")
            for origin in ("https://app.example.com", "https://evil.example"):
                known = once(server.listen, "GET", path, If_None_Match=answer.etag, Origin=origin)
                expect_equal((known.status, known.body, known.etag), (304, b"", answer.etag), f"{path} once more")
                expect_equal(known.headers["access-control-allow-origin"], "*", "who may read a 304")
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                refused = once(server.listen, method, path)
                expect_equal((refused.status, refused.headers["allow"]), (405, "GET, HEAD"), f"{method} {path}")
    expect_equal(once(server.listen, "GET", f"{versioned()}/belfry.js?x=1").status, 200, "the status with a query")


@case("the client's files come compressed where that is taken, once for all on a connection, under a tag of their own")
def compressed(world):
    server = world.serve()
    connection = world.keep(Http(server.listen))
    for name in NAMES:
        plain = connection.request("GET", f"/{name}")
        for accepted in ("gzip", "deflate, gzip;q=0.8, br", "*"):
            answer = connection.request("GET", f"/{name}", Accept_Encoding=accepted)
            expect_equal(answer.headers.get("content-encoding"), "gzip", f"the coding for {accepted}")
            expect_equal(gzip.decompress(answer.body), plain.body, "the file")
            expect_equal(answer.headers["vary"], "Accept-Encoding", "Vary")
            expect(answer.etag != plain.etag and answer.etag.startswith('"'), f"the tags {answer.etag} and {plain.etag}")
        for refused in ("identity", "gzip;q=0", "br", "", "*;q=0"):
            answer = connection.request("GET", f"/{name}", Accept_Encoding=refused)
            expect_equal((answer.headers.get("content-encoding"), answer.body), (None, plain.body), f"for {refused!r}")


@case("what is no file of the client is 404, whatever it is like, and the page's integrity is that of what is served")
def others(world):
    server = world.serve()
    for path in ("/client/", f"{versioned()}/", f"{versioned()}/nothing.js", "/client/0000000000000000/belfry.js",
                 "/belfry.js/", "/belfry.JS", "/BELFRY.js", "/dist/belfry.js", "/client/../belfry.js",
                 f"{versioned()}/..%2fbelfry.js", "/.%2fbelfry.js", "/demo", "/demo/", "/demo/demo.js"):
        expect_problem(once(server.listen, "GET", path), {"status": 404, "code": "not_found"}, path)
    page = (ROOT / "docs/clients-js.md").read_text()
    for name in NAMES:
        digest = hashlib.sha384(once(server.listen, "GET", f"{versioned()}/{name}").body).digest()
        expect(f"/{name}` | `sha384-{base64.b64encode(digest).decode()}`" in page, f"the integrity of {name}")
    expect_equal(once(server.socket, "GET", "/belfry.js").status, 404, "the Unix socket")


@case("the client's files count among an address's requests, and a page loads them without a token")
def limited(world):
    server = world.serve(LIMITS_REQUESTS_PER_ADDRESS_PER10S="5")
    statuses = [once(server.listen, "GET", "/belfry.js").status for _ in range(12)]
    expect_equal(statuses[:5], [200] * 5, "the first requests")
    expect(429 in statuses, f"no request was refused: {statuses}")
