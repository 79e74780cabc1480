"""Clients that take their time, in every phase of a connection: they are let go of, and others do not notice."""

import base64
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from harness.certificates import Certificate
from harness.suite import PATIENCE, case, expect
from harness.tokens import token

#: Every limit is short, so that a client is let go of soon. Pauses of a body may be longer than those of these clients,
#: whose bodies therefore end by the limit of the whole.
LIMITS = {
    "LIMITS_HEAD_TIMEOUT": "1s", "LIMITS_BODY_TIMEOUT": "2s", "LIMITS_BODY_STALL_TIMEOUT": "1500ms", "LIMITS_IDLE_TIMEOUT": "1s",
    "LIVE_HELLO_TIMEOUT": "1s", "LIVE_HEARTBEAT": "500ms", "LIVE_PONG_TIMEOUT": "1s",
}
#: How often such a client sends an octet: before any pause is too long.
PACE = 0.2
UPGRADE = (f"GET /v1/live HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\nSec-WebSocket-Protocol: belfry.v1\r\n\r\n").encode()


def frame(payload: bytes) -> bytes:
    """A client's text frame, masked with nothing."""
    return bytes([0x81, 0xFE]) + len(payload).to_bytes(2, "big") + bytes(4) + payload


def let_go(address: str, at_once: bytes, slowly: bytes) -> bool:
    """Whether the server closes, while these octets come to no end."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(at_once)
        connection.settimeout(PACE)
        end = time.monotonic() + PATIENCE
        sent = 0
        while time.monotonic() < end:
            try:
                if slowly:
                    connection.sendall(slowly[sent % len(slowly):][:1])
                    sent += 1
                if not connection.recv(1 << 16):
                    return True
            except TimeoutError:
                continue
            except ConnectionError:
                return True
    return False


@case("a client that takes its time is let go of in every phase, from the first octet to the last frame, and others are served",
      pollers=True)
def phases(world):
    certificate = Certificate(world.folder)
    plain = world.serve(**LIMITS)
    encrypted = world.serve(data="encrypted", certificate=certificate, **LIMITS)
    proxied = world.serve(data="proxied", PROXY_TRUSTED="127.0.0.0/8", PROXY_PROTOCOL="true", **LIMITS)
    authorization = f"Authorization: Bearer {token('sarah')}\r\n"
    post = f"PUT /api/notifications/seen HTTP/1.1\r\nHost: a\r\n{authorization}"
    hello = b'{"type":"hello","token":"' + token("sarah").encode() + b'"}'
    phases = {
        "nothing at all": (plain.listen, b"", b""), "an empty line after the other": (plain.listen, b"", b"\r\n"),
        "a request line": (plain.listen, b"GET /", b"a"), "fields": (plain.listen, b"GET / HTTP/1.1\r\nHost: a\r\n", b"a: b\r\n"),
        "a body": (plain.listen, f"{post}Content-Length: 5000\r\n\r\n".encode(), b" "),
        "chunks": (plain.listen, f"{post}Transfer-Encoding: chunked\r\n\r\n".encode(), b"1\r\n \r\n"),
        "a chunk's size": (plain.listen, f"{post}Transfer-Encoding: chunked\r\n\r\n1".encode(), b";a=b"),
        "trailers": (plain.listen, f"{post}Transfer-Encoding: chunked\r\n\r\n0\r\n".encode(), b"a: b\r\n"),
        "a body that is not announced to the end": (plain.listen, f"{post}Content-Length: 5000\r\n\r\n".encode(), b""),
        "a request, and no other": (plain.listen, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", b""),
        "a WebSocket's handshake": (plain.listen, UPGRADE[:-2], b"a: b\r\n"), "no hello": (plain.listen, UPGRADE, b""),
        "a hello, octet by octet": (plain.listen, UPGRADE + frame(hello)[:8], b" "),
        "frames of no meaning before the hello": (plain.listen, UPGRADE, b"\x8a\x80\0\0\0\0"),
        "the half of a frame": (plain.listen, UPGRADE + frame(hello) + frame(bytes(300))[:20], b""),
        "the half of a frame, octet by octet": (plain.listen, UPGRADE + frame(hello) + b"\x81\xff\0\0\0\0\0\0\x80\0\0\0\0\0", b" "),
        "half of a message": (plain.listen, UPGRADE + frame(hello) + b"\x01\x81\0\0\0\0 ", b""),
        "no answer to a ping": (plain.listen, UPGRADE + frame(hello), b""),
        "a handshake of TLS that does not begin": (encrypted.listen, b"", b""),
        "a handshake of TLS": (encrypted.listen, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\0"),
        "a handshake of TLS, record by record": (encrypted.listen, b"\x16\x03\x01\x00\x01\x01", b"\x16\x03\x01\x00\x01\x00"),
        "a PROXY header": (proxied.listen, b"\r\n\r\n\0\r\nQUIT\n\x21\x11", b"\x40"), "no PROXY header": (proxied.listen, b"", b""),
    }
    with ThreadPoolExecutor(len(phases)) as pool:
        waiting = {name: pool.submit(let_go, *phase) for name, phase in phases.items()}
        for server in (plain, encrypted):
            server.check_health()
        kept = [name for name, future in waiting.items() if not future.result()]
    expect(not kept, f"kept for {PATIENCE} s: {kept}")
    for server in (plain, encrypted):
        server.check_health()
