"""Who may connect to the public listener."""

import json
import socket
import struct
import time

from harness.certificates import Certificate
from harness.events import room_liked
from harness.http import Http, expect_problem, once
from harness.live import Refused
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, wait_until


def refusal(server, **more) -> Refused:
    try:
        server.open(**more)
    except Refused as refused:
        return refused
    raise Failed("the handshake was accepted")


def expect_refused(server, status: int, code: str, retry_after: range | None = None, **more):
    refused = refusal(server, **more)
    expect_equal((refused.status, refused.problem["code"]), (status, code), "the refusal")
    if retry_after:
        expect(int(refused.headers["Retry-After"]) in retry_after, f"Retry-After: {refused.headers['Retry-After']}")


def refused_count(server, code: str) -> float:
    return server.metrics()[f'belfry_connections_refused_total{{reason="{code}"}}']


@case("beyond the limit of connections clients get 503 with Retry-After before the upgrade, until one goes",
      pollers=True)
def too_many(world):
    server = world.serve(ADMISSION_CONNECTIONS="3")
    sessions = [server.session(f"user-{number}") for number in range(3)]
    expect_refused(server, 503, "too_many_connections", range(5, 31))
    expect_problem(once(server.listen, "GET", "/healthz"), {"status": 503, "code": "too_many_connections"}, "REST")
    expect_equal(refused_count(server, "too_many_connections"), 2, "counted refusals")
    server.publish(room_liked("user-0"))
    sessions[0].expect("new")
    sessions[1].close()
    wait_until(lambda: once(server.listen, "GET", "/healthz").status == 200, PATIENCE, "room after one has gone")


@case("one address has its own limit, and clients behind a trusted proxy are told apart by what it forwards")
def per_address(world):
    server = world.serve(ADMISSION_CONNECTIONS_PER_ADDRESS="2", PROXY_TRUSTED="127.0.0.1")

    def client(address: str) -> dict:
        return {"headers": {"X-Forwarded-For": f"203.0.113.9, {address}"}}

    first, second = server.open(**client("198.51.100.1")), server.open(**client("198.51.100.1"))
    expect_refused(server, 503, "too_many_connections_from_address", range(5, 31), **client("198.51.100.1"))
    other = server.open(**client("198.51.100.2"))
    # A /64 is one household.
    for index in range(2):
        server.open(**client(f"2001:db8::{index + 1}"))
    expect_refused(server, 503, "too_many_connections_from_address", **client("2001:db8::ffff"))
    server.open(**client("2001:db8:0:1::1"))
    second.close()
    wait_until(lambda: _is_open(server, client("198.51.100.1")), PATIENCE, "room for the first address")
    for live in (first, other):
        live.hello(world.token("sarah"))


def _is_open(server, more: dict) -> bool:
    try:
        server.open(**more)
        return True
    except Refused:
        return False


@case("without a trusted proxy what a client forwards about itself is not believed")
def untrusted(world):
    server = world.serve(ADMISSION_CONNECTIONS_PER_ADDRESS="2")
    for index in range(2):
        server.open(headers={"X-Forwarded-For": f"198.51.100.{index}"})
    expect_refused(server, 503, "too_many_connections_from_address", headers={"X-Forwarded-For": "198.51.100.77"})


@case("so many new connections a second are taken, the others may come again a second later")
def per_second(world):
    server = world.serve(ADMISSION_CONNECTIONS_PER_SECOND="20")
    codes = [once(server.listen, "GET", "/healthz").status for _ in range(60)]
    expect(20 <= codes.count(200) <= 45, f"{codes.count(200)} of 60 were taken at once")
    expect_equal(set(codes), {200, 503}, "the answers")
    answer = once(server.listen, "GET", "/healthz")
    if answer.status == 503:
        expect_equal((answer.json()["code"], answer.headers["retry-after"]), ("connecting_too_fast", "1"), "the 503")
    time.sleep(1.1)
    expect_equal(once(server.listen, "GET", "/healthz").status, 200, "a second later")
    expect(refused_count(server, "connecting_too_fast") > 0, "no refusal was counted")


@case("pages of other origins are refused with 403 before the upgrade; apps without an origin come in")
def origins(world):
    server = world.serve(ADMISSION_ORIGINS="https://app.example.com,https://*.example.org")
    for origin in ("https://app.example.com", "https://APP.example.com:443", "https://a.b.example.org"):
        server.open(headers={"Origin": origin}).hello(world.token("sarah"))
    for origin in ("https://example.com", "http://app.example.com", "https://app.example.com.evil.net",
                   "https://example.org", "null"):
        expect_refused(server, 403, "forbidden_origin", headers={"Origin": origin}, header=world.token("sarah"))
    server.session("sarah")


@case("a user with as many sessions as allowed gets 503 before the upgrade, and 4102 if only the hello tells who it is")
def per_user(world):
    server = world.serve(LIMITS_SESSIONS_PER_USER="2")
    token = world.token("sarah")
    sessions = [server.session("sarah") for _ in range(2)]
    expect_refused(server, 503, "too_many_sessions", range(1, 61), header=token)
    expect_refused(server, 503, "too_many_sessions", subprotocols=("belfry.v1", f"bearer.{token}"))
    late = server.open()
    late.send({"type": "hello", "token": token, "active": True})
    late.expect_close(4102)
    server.open(header=world.token("tom")).hello()
    sessions[0].close()
    wait_until(lambda: _is_open(server, {"header": token}), PATIENCE, "room after a session has gone")


def proxy_header(source: tuple[str, int], *, command: int = 1) -> bytes:
    """PROXY protocol, version 2, for TCP over IPv4."""
    addresses = socket.inet_aton(source[0]) + socket.inet_aton("192.0.2.1") + struct.pack(">HH", source[1], 443)
    return b"\r\n\r\n\x00\r\nQUIT\n" + bytes([0x20 | command, 0x11]) + struct.pack(">H", len(addresses)) + addresses


@case("PROXY protocol 2 tells the client's address, also before TLS; without it a trusted proxy cannot connect",
      pollers=True)
def proxy_protocol(world):
    server = world.serve(certificate=Certificate(world.folder), PROXY_TRUSTED="127.0.0.0/8", PROXY_PROTOCOL="true",
                         ADMISSION_CONNECTIONS_PER_ADDRESS="1")
    for index in (1, 2):
        raw = server.raw(preamble=proxy_header((f"198.51.100.{index}", 4711)))
        raw.send({"type": "hello", "token": world.token("sarah"), "active": True})
        expect_equal(raw.read()["type"], "ready", "the answer to hello")
    expect_refusal_by_hand(server, proxy_header(("198.51.100.1", 4712)))
    # The proxy's own health check speaks for nobody.
    for _ in range(2):
        server.raw(preamble=proxy_header(("0.0.0.0", 0), command=0))
    for wrong in (b"", b"PROXY TCP4 198.51.100.3 192.0.2.1 1 2\r\n", b"\r\n\r\n\x00\r\nQUIT\n\x21\x11\xff\xff"):
        try:
            server.raw(preamble=wrong)
        except (OSError, ConnectionError):
            continue
        raise Failed(f"a connection that began with {wrong[:20]!r} was taken")
    server.publish(room_liked("sarah"))
    expect_equal(raw.read()["type"], "new", "the session's next frame")


def expect_refusal_by_hand(server, preamble: bytes):
    host, port = server.listen.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(preamble)
        with server.tls.wrap_socket(connection, server_hostname=host) as encrypted:
            encrypted.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = b""
            while piece := encrypted.recv(4096):
                answer += piece
    expect(answer.startswith(b"HTTP/1.1 503"), f"the answer: {answer[:60]!r}")
    problem = json.loads(answer.split(b"\r\n\r\n", 1)[1])
    expect_equal(problem["code"], "too_many_connections_from_address", "the code")


@case("a listener for all addresses serves IPv4 and IPv6")
def both_families(world):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return  # a machine without IPv6
    server = world.serve(arguments=("--listen", "[::]:0"))
    port = server.listen.rsplit(":", 1)[1]
    for address in (f"127.0.0.1:{port}", f"[::1]:{port}"):
        expect_equal(Http(address).request("GET", "/healthz").status, 200, f"health at {address}")


def filled(world, connect, count: int) -> int:
    """Opens so many connections and keeps them; how many were not turned away at once."""
    opened = [world.keep(connect()) for _ in range(count)]
    kept = 0
    for connection in opened:
        connection.settimeout(0.02 if kept else 1)
        try:
            connection.recv(1)
        except TimeoutError:
            kept += 1
        except OSError:
            pass
    return kept


@case("clients that use up all descriptors leave publishers and operators theirs, and publishers leave operators theirs",
      pollers=True)
def descriptors_of_their_own(world):
    server = world.serve(launcher=("prlimit", "--nofile=512:512"), ADMISSION_CONNECTIONS="10000", LIMITS_HEAD_TIMEOUT="60s")
    host, port = server.listen.rsplit(":", 1)
    clients = filled(world, lambda: socket.create_connection((host, int(port)), timeout=PATIENCE), 600)
    expect(200 < clients < 480, f"{clients} clients were taken")
    for _ in range(5):
        server.publish(room_liked("sarah"))
        expect_equal(once(server.ops, "GET", "/readyz").status, 200, "readiness")

    def publisher():
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(server.socket)
        return connection

    publishers = filled(world, publisher, 200)
    expect(publishers >= 16, f"{publishers} publishers were taken")
    for _ in range(3):
        expect_equal(once(server.ops, "GET", "/readyz").status, 200, "readiness while publishers use all of theirs")
    server.metrics()
