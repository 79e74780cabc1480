"""Requests that two servers in a row could read differently: to Belfry alone, and behind nginx and HAProxy as docs/proxies.md
sets them up. The proxy refuses one call, so whoever gets that carried out has got past it."""

import base64
import os
import re
import shutil
import socket
import subprocess

from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.ports import lasting_port
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, wait_until
from harness.world import ROOT

#: What only who gets past the proxy can do: then nothing is unread any more.
REFUSED = "/api/notifications/read-all"
COUNT = "/api/notifications/unread-count"


def hidden(token: str) -> bytes:
    return f"PUT {REFUSED} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n".encode()


def request(fields: str, body: bytes = b"", line: str = "PUT /api/notifications/seen HTTP/1.1", token: str = "") -> bytes:
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"{line}\r\nHost: a\r\n{authorization}{fields}\r\n\r\n".encode("latin-1") + body


def attacks(token: str) -> dict[str, bytes]:
    """All of them by name. Whoever reads the first request as it should not be read comes to the hidden one."""
    inner = hidden(token)
    ended = b"0\r\n\r\n" + inner
    chunk = f"{len(inner):x}\r\n".encode() + inner + b"\r\n0\r\n\r\n"
    number = len(ended)
    found = {
        "CL.TE": request(f"Content-Length: {number}\r\nTransfer-Encoding: chunked", ended, token=token),
        "TE.CL": request("Transfer-Encoding: chunked\r\nContent-Length: 4", chunk, token=token),
        "TE in HTTP/1.0": request("Connection: keep-alive\r\nTransfer-Encoding: chunked", ended, "PUT /api/notifications/seen HTTP/1.0", token),
        "two lengths": request(f"Content-Length: 0\r\nContent-Length: {len(inner)}", inner, token=token),
        "two lengths in one field": request(f"Content-Length: 0, {len(inner)}", inner, token=token),
        "a length that is dropped": request(f"Connection: Content-Length\r\nContent-Length: {len(inner)}", inner, token=token),
        "a coding that is dropped": request("Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked", chunk, token=token),
        "a folded length": request(f"Content-Length:\r\n {len(inner)}", inner, token=token),
        "a length in a folded field": request(f"X: a\r\n Content-Length: {len(inner)}", inner, token=token),
        "a space before the colon of a length": request(f"Content-Length : {len(inner)}", inner, token=token),
        "a length behind a bare LF": request(f"X: a\nContent-Length: {len(inner)}", inner, token=token),
        "a length behind a bare CR": request(f"X: a\rContent-Length: {len(inner)}", inner, token=token),
        "a length behind NUL": request(f"X: a\0Content-Length: {len(inner)}", inner, token=token),
        "a head that ends with bare LFs": request("X: a", b"", token=token)[:-4] + b"\n\n" + inner,
        "a line without a colon": request(f"Content-Length\r\nX: {len(inner)}", inner, token=token),
        "another host in an absolute target": request("Content-Length: 0", b"", f"PUT http://b{REFUSED} HTTP/1.1", token),
        "an absolute target without a path": request(f"Content-Length: {len(inner)}", inner, "GET http://a HTTP/1.1", token),
        "a target with a space": request("Content-Length: 0", b"", f"PUT {REFUSED} {COUNT} HTTP/1.1", token),
        "a target with a tab": request("Content-Length: 0", b"", f"PUT\t{REFUSED}\tHTTP/1.1", token),
        "two hosts": request(f"Host: b\r\nContent-Length: {len(inner)}", inner, token=token),
        "HTTP/0.9": f"GET {COUNT}\r\n".encode() + inner, "HTTP/2.0": request("X: a", inner, f"GET {COUNT} HTTP/2.0", token),
        "empty lines first": b"\r\n\r\n" + request("Content-Length: 0", b"", token=token) + inner,
        "an encoded path": request("Content-Length: 0", b"", "PUT /api/notifications/%72ead-all HTTP/1.1", token),
        "a path with two slashes": request("Content-Length: 0", b"", f"PUT /{REFUSED} HTTP/1.1", token),
        "a path with steps": request("Content-Length: 0", b"", "PUT /api/x/../notifications/read-all HTTP/1.1", token),
        "a path with encoded steps": request("Content-Length: 0", b"", "PUT /api/x/%2e%2e/notifications/read-all HTTP/1.1", token),
        "another method by a header": request("X-HTTP-Method-Override: PUT\r\nX-Original-URL: " + REFUSED, b"", f"GET {COUNT} HTTP/1.1", token),
        "pipelined": request("Content-Length: 0", inner, token=token),
    }
    for length in (f"+{len(inner)}", f"-{len(inner)}", f"{len(inner)}.0", f"0x{len(inner):x}", f"{len(inner)} 0", f"{len(inner)};x",
                   f"\x0b{len(inner)}", "18446744073709551616", f"\"{len(inner)}\"", ""):
        found[f"the length {length!r}"] = request(f"Content-Length: {length}", inner, token=token)
    for coding in ("xchunked", "chunked, identity", "identity, chunked", "chunked, chunked", "identity", "\x0bchunked", "\"chunked\"",
                   "chunked;q=1", "chunkedx", " chunked,", ",chunked", "chunked\r\nTransfer-Encoding: x", "x\r\nTransfer-Encoding: chunked",
                   "cow", "chunked\x00", "chun\x6bed\x85", "gzip, chunked"):
        found[f"the coding {coding!r} and a length"] = request(
            f"Content-Length: {number}\r\nTransfer-Encoding: {coding}", ended, token=token)
        found[f"the coding {coding!r}"] = request(f"Transfer-Encoding: {coding}", ended, token=token)
    for name in ("Transfer-Encoding ", " Transfer-Encoding", "Transfer\tEncoding", "Transfer_Encoding", "Transfer-Encoding\x00", "X: y\nTransfer-Encoding",
                 "X: y\rTransfer-Encoding", "X:\r\n Transfer-Encoding"):
        found[f"the field {name!r}"] = request(f"Content-Length: {number}\r\n{name}: chunked", ended, token=token)
    for size in ("0;", "0;a\n", "0\n", "0 ", "+0", "0x0", "00000000000000000", "-0", "0;\"\r\n", "0\r", "10000000000000000", "ffffffffffffffff0", "",
                 "0;a=\"\n\r\n", "z"):
        found[f"the chunk size {size!r}"] = request("Transfer-Encoding: chunked", size.encode() + b"\r\n\r\n" + inner, token=token)
    for body in (b"5\r\nabcde" + inner, b"5\r\nabcdeX\n0\r\n\r\n" + inner, b"1\r\nab\r\n0\r\n\r\n" + inner, b"0\r\nX: a\nY: b\r\n\r\n" + inner,
                 b"0\r\nContent-Length: 5\r\n\r\n" + inner, b"0\r\nTransfer-Encoding: chunked\r\n\r\n" + inner, b"0\r\n\n" + inner):
        found[f"the chunks {body[:24]!r}"] = request("Transfer-Encoding: chunked", body, token=token)
    # Whoever answers before the body has come must read it, or close: nothing of it is a request.
    for line in (f"GET {COUNT}", "GET /healthz", "GET /nothing", "POST /healthz", "OPTIONS /api/notifications", "HEAD /healthz", "GET /belfry.js",
                 "PUT /api/devices/a", "POST /api/notifications/poll", "GET /v1/live", "GET /v1/live/poll", "TRACE /healthz", "DELETE /healthz"):
        for who, given in (("", token), (" without a token", ""), (" with a wrong token", "e30.e30.x")):
            found[f"{line} with a body{who}"] = request(f"Content-Length: {len(inner)}", inner, f"{line} HTTP/1.1", given)
            found[f"{line} with chunks{who}"] = request("Transfer-Encoding: chunked", chunk, f"{line} HTTP/1.1", given)
        found[f"{line} that expects to go on"] = request(f"Expect: 100-continue\r\nContent-Length: {len(inner)}", inner, f"{line} HTTP/1.1", token)
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: belfry.v1\r\n"
    for name, fields in {
        "an upgrade of another version": upgrade + "Sec-WebSocket-Version: 777", "an upgrade without a key": "Connection: Upgrade\r\nUpgrade: websocket",
        "an upgrade to h2c": "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
        "an upgrade with a body": upgrade + f"Sec-WebSocket-Version: 13\r\nContent-Length: {len(inner)}",
        "an upgrade with chunks": upgrade + "Sec-WebSocket-Version: 13\r\nTransfer-Encoding: chunked",
        "an upgrade": upgrade + "Sec-WebSocket-Version: 13",
    }.items():
        for path in ("/v1/live", COUNT):
            found[f"{name} at {path}, and more behind it"] = request(fields, inner, f"GET {path} HTTP/1.1", token)
    return found


def send(address: str, data: bytes) -> bytes:
    """Everything that comes back until the connection is closed, or nothing more comes for a moment."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        try:
            connection.sendall(data)
            # Whatever was to be answered is, once this is.
            connection.shutdown(socket.SHUT_WR)
            got = b""
            while piece := connection.recv(1 << 16):
                got += piece
            return got
        except ConnectionError:
            return b""


class Scene:
    def __init__(self, world):
        self.world = world
        self.server = world.serve(PROXY_TRUSTED="127.0.0.0/8", LIMITS_REQUESTS_PER10S="0")
        self.server.publish(room_liked("sarah"))
        self.token = tokens.token("sarah")

    def judge(self, address: str, name: str):
        """The next ones are answered what they asked, and nothing has been read."""
        for path, has in ((COUNT, b'"unreadCount":1'), ("/healthz", b"")) * 2:
            answer = once(address, "GET", path, token=self.token)
            expect(answer.status == 200 and has in answer.body, f"after {name}, GET {path} is answered by {answer.status} {answer.body!r}")

    def try_all(self, address: str):
        found = attacks(self.token)
        expect(len(found) > 150, f"only {len(found)} attacks")
        for name, data in found.items():
            send(address, data)
            self.judge(address, name)
        # It would have been told: the call itself, unhidden.
        expect_equal(once(self.server.listen, "PUT", REFUSED, {}, token=self.token).status, 200, "the call's own status")
        expect_equal(self.server.unread("sarah"), 0, "what is unread once it was carried out")


def blocks(language: str) -> str:
    """The configuration of docs/proxies.md."""
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "docs/proxies.md").read_text(), re.S)[1]


@case("behind nginx as the documentation sets it up, no request is hidden in another one")
def behind_nginx(world):
    scene = Scene(world)
    port = lasting_port()
    settings = re.sub(r"^ *(ssl_\w+|http2|server_name) .*\n", "", blocks("nginx"), flags=re.M)
    settings = settings.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};\n    location ~ /read-all {{ return 403; }}")
    settings = settings.replace("server 127.0.0.1:8080;", f"server {scene.server.listen};")
    folder = world.folder / "nginx"
    folder.mkdir()
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{settings}}}\n")
    start(world, [program("nginx"), "-e", f"{folder}/errors", "-c", str(folder / "nginx.conf")], port)
    scene.try_all(f"127.0.0.1:{port}")


@case("behind HAProxy as the documentation sets it up, no request is hidden in another one")
def behind_haproxy(world):
    scene = Scene(world)
    port = lasting_port()
    settings = re.sub(r"bind :443 .*", f"bind 127.0.0.1:{port}\n    http-request deny if {{ path,url_dec -m sub /read-all }}", blocks("haproxy"))
    file = world.folder / "haproxy.cfg"
    file.write_text(settings.replace("127.0.0.1:8080", scene.server.listen))
    start(world, [program("haproxy"), "-db", "-f", str(file)], port)
    scene.try_all(f"127.0.0.1:{port}")


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if not found:
        raise Failed(f"there is no {name}: scripts/install-packages test")
    return found


def start(world, arguments: list[str], port: int):
    process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    world.keep(Ending(process))

    def accepts() -> bool:
        if process.poll() is not None:
            raise Failed(f"{arguments[0]} has ended: {process.stdout.read().decode()}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    wait_until(accepts, PATIENCE, f"{arguments[0]} to accept connections")


class Ending:
    def __init__(self, process):
        self._process = process

    def close(self):
        self._process.kill()
        self._process.wait()


#: What a client may well send: all of these are carried out.
FAIR = ("a length that is dropped", "a coding that is dropped", "an absolute target", "an encoded path", "pipelined", "empty lines first",
        "another host in an absolute", "HEAD", "the chunk size '0;a'", "an upgrade at", "another method", "the coding 'chunked'")


@case("a request that two servers could read differently is refused, and its connection is closed")
def alone(world):
    scene = Scene(world)
    told = []
    for name, data in attacks(scene.token).items():
        if name.startswith(FAIR) or " with a body" in name or " with chunks" in name or "expects to go on" in name or "path with" in name:
            continue
        answers = re.findall(rb"HTTP/1\.1 (\d+)", send(scene.server.listen, data))
        # One answer, which refuses: nothing behind it was read as a request. Where there is no upgrade, a wish for one is not heard.
        statuses = (b"400", b"404", b"413", b"426", b"431", b"501", b"505", b"101") + (b"200",) * (name.startswith("an upgrade") and COUNT in name)
        if len(answers) != 1 or answers[0] not in statuses:
            told.append(f"{name}: {answers}")
        scene.judge(scene.server.listen, name)
    expect(not told, "\n".join(told))
