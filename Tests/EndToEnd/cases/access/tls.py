"""The public listener over TLS, and its certificate."""

import signal
import socket
import ssl
from pathlib import Path

from harness.certificates import Certificate
from harness.events import room_liked
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_told, wait_until


@case("over TLS the whole job is done, by wss and https", pollers=True)
def encrypted(world):
    server = world.serve(certificate=Certificate(world.folder))
    live = server.session("sarah")
    server.publish([room_liked("sarah") for _ in range(50)])
    expect_equal([frame["seq"] for frame in live.take(50)], list(range(1, 51)), "the changes")
    expect_equal(server.unread("sarah"), 50, "unread over https")
    expect_equal(live.call("read", upTo=50)["type"], "ok", "the answer to read")
    live.expect("read", unread=0)
    server.check_health()


@case("who speaks plain HTTP to TLS, or talks nonsense, is closed, and others are served")
def not_tls(world):
    server = world.serve(certificate=Certificate(world.folder), TLS_HANDSHAKE_TIMEOUT="1s")
    host, port = server.listen.rsplit(":", 1)
    for bytes in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"x" * 500, b""):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            connection.sendall(bytes)
            try:
                while connection.recv(4096):
                    pass
            except ConnectionResetError:
                pass
    old = ssl.create_default_context()
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        try:
            old.wrap_socket(connection)
            expect(False, "TLS 1.1 was accepted")
        except (ssl.SSLError, ConnectionResetError):
            pass
    wait_until(lambda: server.metrics()['belfry_tls_handshakes_total{outcome="failed"}'] >= 4, PATIENCE, "failed handshakes")
    server.check_health()


@case("at SIGHUP a new certificate holds for new connections, and an open session stays")
def reloaded(world):
    certificate = Certificate(world.folder)
    server = world.serve(certificate=certificate)
    old_bytes = certificate.bytes
    live = server.session("sarah")
    expect_equal(live.peer_certificate, old_bytes, "the first certificate")
    certificate.make()
    server.process.signal(signal.SIGHUP)
    server.process.errors.wait_for(lambda line: "certificate read again" in line, PATIENCE, "the reload")
    server.tls = certificate.context
    new = server.session("tom")
    expect(certificate.bytes != old_bytes, "the certificate is the same")
    expect_equal(new.peer_certificate, certificate.bytes, "the certificate after SIGHUP")
    end = server.metrics()["belfry_tls_certificate_expiry_timestamp_seconds"]
    expect_equal(end, certificate.end, "the end of the certificate among the metrics")
    server.publish(room_liked("sarah", "tom"))
    live.expect("new", seq=1)
    new.expect("new", seq=1)


@case("a certificate that cannot be used never replaces the one that holds, and the log names the file")
def bad_certificate(world):
    certificate = Certificate(world.folder)
    server = world.serve(certificate=certificate)
    good, key = Path(certificate.file).read_text(), Path(certificate.key_file).read_text()
    live = server.session("sarah")
    other = Certificate(world.folder, "other")
    for number, (bad, bad_key) in enumerate((("", key), ("nonsense", key), (good, Path(other.key_file).read_text()))):
        Path(certificate.file).write_text(bad)
        Path(certificate.key_file).write_text(bad_key)
        server.process.signal(signal.SIGHUP)
        server.process.errors.wait_for_count(lambda line: "old certificate stays in use" in line, number + 1, 8,
                                             "refused certificates")
        expect_equal(once(server.listen, "GET", "/healthz", tls=server.tls).status, 200, "health over the old one")
    lines = expect_told(server, "old certificate stays in use", count=3)
    expect(all("public" in line for line in lines), f"a line does not name the file: {lines}")
    server.publish(room_liked("sarah"))
    live.expect("new", seq=1)
    expect_equal(server.process.exit_code, None, "the exit code")


@case("a certificate without its key, and files that are not there, are mistakes at the start")
def mistakes(world):
    config = world.folder / "belfry.yaml"
    config.write_text("tls:\n  certificateFile: a.pem\n")
    checked = world.run("check", str(config))
    expect_equal(checked.returncode, 1, "the exit code of check")
    expect("tls.keyFile: is missing" in checked.stdout, f"what check says: {checked.stdout}")
    config.write_text("tls:\n  certificateFile: a.pem\n  keyFile: b.pem\n")
    started = world.run("serve", "--config", str(config), "--data", str(world.folder / "data"), "--listen",
                        "127.0.0.1:0", "--ops", "127.0.0.1:0", BELFRY_AUTH_SECRET="x" * 40)
    expect_equal(started.returncode, 1, "the exit code of serve")
    expect("a.pem" in started.stderr, f"what serve says: {started.stderr}")


@case("belfry tail speaks wss, with a certificate authority of its own, and refuses others")
def tail(world):
    certificate = Certificate(world.folder)
    server = world.serve(certificate=certificate)
    url, token = f"wss://{server.listen}", world.token("sarah")
    process = world.start("tail", "--url", url, "--token", token, "--ca", certificate.file)
    process.output.wait_for(lambda line: '"ready"' in line, PATIENCE, "ready")
    server.publish(room_liked("sarah"))
    process.output.wait_for(lambda line: '"new"' in line, PATIENCE, "new")
    refused = world.run("tail", "--url", url, "--token", token)
    expect_equal(refused.returncode, 1, "the exit code without the authority")
    expect("certificate" in refused.stderr, f"what tail says: {refused.stderr}")
