"""Neighbours on the machine: what they see of the process, its files and its sockets; and where the process reaches out to."""

import os
import signal
import stat
import subprocess
from pathlib import Path

from harness import tokens
from harness.events import room_liked
from harness.http import once
from harness.stand_ins.web_push_receiver import WebPushReceiver
from harness.suite import PATIENCE, Failed, case, expect, expect_equal, wait_until

from .confusion import Fetched

PASSWORD = "a password of the console that nobody may see"


@case("what a neighbour can read of the process has no secret: its command line, its name, its sockets, and no copy of its memory")
def process(world):
    secret = world.folder / "secret"
    secret.write_text(tokens.SECRET)
    secret.chmod(0o600)
    # As generous as a machine can be.
    generous = ["sh", "-c", 'ulimit -c unlimited 2>/dev/null; umask 000; exec "$@"', "sh"]
    server = world.serve(launcher=generous, AUTH_SECRET="", AUTH_SECRET_FILE=str(secret), CONSOLE_PASSWORD=PASSWORD)
    server.session("sarah")
    server.publish(room_liked("sarah"))
    for name in ("cmdline", "comm", "status", "limits", "net/unix"):
        text = Path(f"/proc/{server.process.pid}/{name}").read_bytes().decode("utf-8", "replace")
        for word in (tokens.SECRET, PASSWORD, world.token("sarah")[:60]):
            expect(word not in text, f"/proc/…/{name} has a secret")
    limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    [line] = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    expect_equal(line.split()[4:6], ["0", "0"], "the longest copy of the memory, and how far that may be raised")
    # A signal whose usual end leaves a copy, and that no backtrace is made of.
    server.process.signal(signal.SIGSYS)
    wait_until(lambda: server.process.exit_code is not None, PATIENCE, "the end")
    server.kill()
    expect_equal([path.name for path in world.folder.rglob("core*")], [], "copies of the memory")


@case("files and sockets are the owner's alone, whatever the umask was, and so are copies that commands make")
def owner_alone(world):
    server = world.serve(launcher=["sh", "-c", 'umask 000; exec "$@"', "sh"], CONSOLE_PASSWORD=PASSWORD)
    server.check_health()
    expect_equal(server.ask("/console/login", "POST", {"password": PASSWORD}).status, 204, "a login, which the audit log has")
    for path in [Path(server.data), *Path(server.data).rglob("*")]:
        mode = path.lstat().st_mode
        # Backends of the socket's group are let in by its mode.
        others = 0o007 if path.is_socket() else 0o077
        expect(not mode & others, f"{path.name} has the mode {oct(mode)}")
    if not world.databases:
        copy = world.folder / "copy.sqlite"
        done = subprocess.run(["sh", "-c", 'umask 000; exec "$@"', "sh", world.belfry, "backup", str(copy), "--data", server.data], capture_output=True)
        expect_equal((done.returncode, stat.S_IMODE(copy.stat().st_mode)), (0, 0o600), f"a backup {done.stderr}")
    # A link in the place of a file that a command makes is not followed.
    target, link = world.folder / "target", world.folder / "link"
    target.write_text("precious")
    link.symlink_to(target)
    world.run("backup", str(link), "--data", server.data)
    expect_equal(target.read_text(), "precious", "the file that a link leads to")


@case("a socket's path that is a link, a file or a folder stays as it is, and the server says so")
def socket_path(world):
    target = world.folder / "target"
    target.write_text("precious")
    file, link, folder = (world.folder / name for name in ("file", "link", "folder"))
    file.write_text("precious")
    link.symlink_to(target)
    folder.mkdir()
    for path in (file, link, folder):
        started = world.run("serve", "--data", str(world.folder / "data"), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--socket", str(path),
                            BELFRY_AUTH_SECRET=tokens.SECRET)
        expect(started.returncode == 1 and str(path) in started.stderr, f"{path.name}: {started.returncode} {started.stderr}")
    expect_equal((file.read_text(), target.read_text(), link.is_symlink(), folder.is_dir()), ("precious", "precious", True, True), "what was there")


@case("a file of keys that is none, such as a pipe, a device or a folder, ends the start at once")
def key_files(world):
    fifo = world.folder / "fifo"
    os.mkfifo(fifo)
    for path in (str(fifo), "/dev/zero", str(world.folder), "/proc/self/mem"):
        try:
            started = subprocess.run(
                [world.belfry, "serve", "--data", str(world.folder / "data"), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0"], capture_output=True, text=True,
                timeout=PATIENCE, env={**os.environ, "BELFRY_AUTH_SECRET_FILE": path, "BELFRY_AUTH_SECRET": ""})
        except subprocess.TimeoutExpired:
            raise Failed(f"the server waits for {path}") from None
        expect_equal(started.returncode, 1, f"the exit code with {path}: {started.stderr[-300:]}")


@case("a redirect of a push service is not followed, and no device may name an address beside the list of push services")
def redirects(world):
    browser = world.keep(WebPushReceiver(world.folder))
    inner = world.keep(Fetched())
    server = world.serve(PUSH_GRACE="0s", **browser.settings)
    expect_equal(server.rest("sarah", "PUT", "/api/devices/web/subscription", browser.subscription()).status, 200, "the subscription")
    for number, status in enumerate((301, 302, 303, 307, 308), 1):
        browser.scripted = [(status, {"Location": inner.url}, b"")]
        event = server.publish(room_liked("sarah", room={"id": f"r{number}", "name": "Italy"}))["event"]

        def settled():
            [recipient] = once(server.socket, "GET", f"/v1/trail/{event}").json()["recipients"]
            return not browser.scripted and any(step["step"] == "refused" for step in recipient["steps"])

        wait_until(settled, PATIENCE, f"the end of a push that was answered by {status}")
    expect_equal(inner.count, 0, "how often the server went where it was sent")
    # Every way in for an address is judged by the same list.
    keys = browser.subscription()["keys"]
    for endpoint in ("https://127.0.0.1/x", "https://[::1]/x", "https://[::ffff:127.0.0.1]/x", "https://2130706433/x", "https://0x7f.1/x", "https://0177.0.0.1/x",
                     "https://169.254.169.254/latest/meta-data", "https://localhost/x", "https://metadata.google.internal/x", "https://0/x", "https://[fe80::1%25lo]/x",
                     f"https://{browser.authority}@127.0.0.1/x", f"https://{browser.authority}.nip.io/x", f"https://{browser.authority}\\@127.0.0.1/x",
                     inner.url, inner.url.replace("http:", "https:"), "file:///etc/passwd", "gopher://127.0.0.1/", f"https://127.0.0.1:{browser.authority.split(':')[1]}0/x"):
        subscription = {**browser.subscription(), "endpoint": endpoint}
        device = {"provider": "webpush", "token": endpoint, "keys": keys}
        answers = {
            "a subscription": server.rest("sarah", "PUT", "/api/devices/a/subscription", subscription),
            "a device": server.rest("sarah", "PUT", "/api/devices/b", device), "a backend's device": once(server.socket, "PUT", "/v1/users/sarah/devices/c", device),
            "a new subscription": once(server.listen, "POST", "/api/push/subscription",
                                       {"endpoint": browser.subscription()["endpoint"], "auth": keys["auth"], "subscription": subscription})}
        for way, answer in answers.items():
            expect(answer.status in (400, 422), f"{endpoint} as {way}: {answer.status} {answer.body!r}")
    expect_equal(inner.count, 0, "how often the server went to an address of somebody's choice")
    expect_equal([device["id"] for device in server.get("sarah", "/api/devices")["data"]], ["web"], "the devices")
