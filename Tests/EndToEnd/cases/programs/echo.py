"""The socket engine by itself: `belfry echo`, as a server and as a client."""

import json
import select
import signal
import socket
import subprocess
import threading
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import serve

from harness.encrypted_socket import trusting
from harness.memory import expect_memory, peak
from harness.processes import Process
from harness.suite import PATIENCE, case, expect, expect_equal

POLLERS = ("epoll", "dispatch")


def start(world, *arguments: str) -> tuple[Process, str]:
    """An echo server and its address."""
    process = world.start("echo", "--listen", "127.0.0.1:0", *arguments)
    return process, json.loads(process.output.wait_for(lambda line: "listen" in line, 30, "the address"))["listen"]


def shake_hands(peer: socket.socket, address: str, fields: str = ""):
    """As a client by hand; `fields` are more header fields, each with its line end."""
    peer.sendall(f"GET / HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{fields}"
                 "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += peer.recv(1)
    expect(answer.startswith(b"HTTP/1.1 101 "), f"the handshake's answer: {answer!r}")


@case("belfry echo gives text back as text and binary as binary, at any path, over each poller and several shards")
def echoes(world):
    for poller in POLLERS:
        _, address = start(world, "--poller", poller, "--shards", "2")
        for path in ("/", "/some/where?with=a&query"):
            sessions = [world.keep(connect(f"ws://{address}{path}", max_size=None)) for _ in range(4)]
            for message in ("hello", "", "ö" * 40_000, b"", b"\x00\xff" * 3, b"x" * (1 << 20)):
                for session in sessions:
                    session.send(message)
                for session in sessions:
                    expect_equal(session.recv(timeout=PATIENCE), message, "the echo")


@case("belfry echo agrees to compression and uses it, and does neither with --no-compression")
def compression(world):
    message = "compressible " * 1000
    for arguments, is_compressed in (((), True), (("--no-compression",), False)):
        _, address = start(world, *arguments)
        session = world.keep(connect(f"ws://{address}/"))
        expect_equal([extension.name for extension in session.protocol.extensions],
                     ["permessage-deflate"] if is_compressed else [], "the extensions")
        session.send(message)
        expect_equal(session.recv(timeout=PATIENCE), message, "the echo")

        raw = world.keep(socket.create_connection(address.split(":")))
        raw.settimeout(PATIENCE)
        shake_hands(raw, address, "Sec-WebSocket-Extensions: permessage-deflate\r\n")
        # A text message that is not compressed, with a mask of zeros.
        raw.sendall(b"\x81\xfe" + len(message).to_bytes(2, "big") + bytes(4) + message.encode())
        expect_equal(raw.recv(1), b"\xc1" if is_compressed else b"\x81", "the echo's first byte")


@case("belfry echo with a certificate serves wss, and not those who speak plainly; it does not start without the files")
def encrypted(world):
    certificate, key = (str(world.folder / name) for name in ("certificate.pem", "key.pem"))
    files = ["--tls-certificate", certificate, "--tls-key", key]
    done = world.run("echo", "--listen", "127.0.0.1:0", *files)
    expect_equal(done.returncode, 1, "the exit code without the files")
    expect(certificate in done.stderr, f"what it says then: {done.stderr!r}")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key],
        check=True, capture_output=True)
    trust = trusting(certificate)
    for poller in POLLERS:
        _, address = start(world, *files, "--poller", poller)
        session = world.keep(connect(f"wss://{address}/", ssl=trust, max_size=None))
        for message in ("hello", b"x" * (1 << 20)):
            session.send(message)
            expect_equal(session.recv(timeout=PATIENCE), message, "the echo")
        plain = world.keep(socket.create_connection(address.split(":")))
        plain.settimeout(PATIENCE)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try:
            answer = plain.recv(1 << 16)
        except ConnectionResetError:
            answer = b""
        expect(not answer.startswith(b"HTTP/"), "a plain request was answered")


@case("belfry echo closes a message beyond --max-message with 1009, and takes one that is just as long")
def message_limit(world):
    _, address = start(world, "--max-message", "1000")
    session = world.keep(connect(f"ws://{address}/", compression=None))
    session.send("x" * 1000)
    expect_equal(len(session.recv(timeout=PATIENCE)), 1000, "the length of the echo")
    session.send("x" * 1001)
    try:
        session.recv(timeout=PATIENCE)
        expect(False, "a message beyond the limit was echoed")
    except ConnectionClosed as closed:
        expect_equal(closed.rcvd.code, 1009, "the close code")


@case("belfry echo does not read on from a peer that leaves its echoes, and gives them all back when it takes them")
def backpressure(world):
    frame = bytes([0x82, 0xFE, 0xFF, 0xFF]) + bytes(4) + b"x" * 0xFFFF
    for poller in POLLERS:
        process, address = start(world, "--poller", poller)
        peer = world.keep(socket.create_connection(address.split(":")))
        shake_hands(peer, address)
        peer.setblocking(False)
        sent, quiet_since = 0, time.monotonic()
        # More than all buffers of the kernel take: at some point nothing goes any more.
        while time.monotonic() - quiet_since < 1 and sent < 400 << 20:
            if select.select([], [peer], [], 0.1)[1]:
                place = sent % len(frame)
                sent += peer.send(frame[place:])
                quiet_since = time.monotonic()
        expect(sent < 400 << 20, "all was taken, though nothing was read")
        expect_memory(peak(process), 64)

        # The echo's header is shorter by the mask, which was all zeros.
        echo = frame[:1] + bytes([frame[1] & 0x7F]) + frame[2:4] + frame[8:]
        peer.setblocking(True)
        peer.settimeout(PATIENCE)
        for number in range(sent // len(frame)):
            found = b""
            while len(found) < len(echo):
                piece = peer.recv(len(echo) - len(found))
                expect(piece, f"closed within the echo of message {number + 1}")
                found += piece
            expect(found == echo, f"message {number + 1} has come back as something else")


@case("SIGTERM ends belfry echo at once: its sessions get 1001, and it exits with 0", alone=True)
def ends(world):
    for poller in POLLERS:
        process, address = start(world, "--poller", poller)
        sessions = [world.keep(connect(f"ws://{address}/")) for _ in range(3)]
        began = time.monotonic()
        process.signal(signal.SIGTERM)
        for session in sessions:
            try:
                session.recv(timeout=PATIENCE)
                expect(False, "a message came")
            except ConnectionClosed as closed:
                expect_equal(closed.rcvd and closed.rcvd.code, 1001, "the close code")
        expect_equal(process.wait(PATIENCE), 0, "the exit code")
        expect(time.monotonic() - began < 2, "it took its time")


@case("belfry echo --connect echoes to a server until that closes, and visits the URLs of standard input in turn")
def connects(world):
    seen = []

    def visit(session):
        echoes = []
        for message in ("hello", b"\x00\xff", "ö" * 40_000):
            session.send(message)
            echoes.append(session.recv(timeout=PATIENCE) == message)
        seen.append((session.request.path, echoes))
        session.close(4000 if "second" in session.request.path else 1000)

    with serve(visit, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        for poller in POLLERS:
            done = world.run("echo", "--connect", f"{base}/first?a=1", "--poller", poller)
            expect_equal(done.returncode, 0, "the exit code")
            expect_equal(json.loads(done.stdout), {"closed": 1000, "messages": 3}, "what it prints")
        done = world.run("echo", "--connect", "-", input=f"{base}/first\n\nnonsense\n{base}/second")
        expect_equal(done.returncode, 1, "the exit code with one bad URL")
        expect("ws://" in done.stderr, f"what it says about the bad URL: {done.stderr!r}")
        expect_equal([json.loads(line)["closed"] for line in done.stdout.splitlines()], [1000, 4000], "the close codes")
        server.shutdown()
    expect_equal([path for path, _ in seen], ["/first?a=1", "/first?a=1", "/first", "/second"], "the paths")
    expect(all(all(echoes) for _, echoes in seen), "an echo was not what was sent")


@case("belfry echo tells what is wrong with its arguments, and when an address cannot be had")
def refuses(world):
    for arguments in (
            [], ["--listen", "127.0.0.1:0", "--connect", "ws://127.0.0.1:1/"], ["--listen", "nonsense"],
            ["--connect", "http://127.0.0.1:1/"], ["--listen", "127.0.0.1:0", "--poller", "select"],
            ["--listen", "127.0.0.1:0", "--shards", "0"], ["--listen", "127.0.0.1:0", "--max-message", "0"],
            ["--connect", "ws://127.0.0.1:1/", "--shards", "2"],
            ["--listen", "127.0.0.1:0", "--tls-key", "key.pem"],
            ["--connect", "ws://127.0.0.1:1/", "--tls-key", "key.pem", "--tls-certificate", "certificate.pem"]):
        done = world.run("echo", *arguments)
        expect_equal(done.returncode, 64, f"the exit code of echo {arguments}")
        expect("Error: " in done.stderr, f"what echo {arguments} says: {done.stderr!r}")
    expect_equal(world.run("echo", "--help").returncode, 0, "the exit code of --help")

    _, address = start(world)
    done = world.run("echo", "--listen", address)
    expect_equal(done.returncode, 1, "the exit code with an address that is taken")
    expect(address in done.stderr, f"what it says about it: {done.stderr!r}")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        done = world.run("echo", "--connect", f"ws://127.0.0.1:{nobody.getsockname()[1]}/")
    expect_equal(done.returncode, 1, "the exit code when nobody listens")
    expect("connect" in done.stderr, f"what it says then: {done.stderr!r}")
