"""What a client of TLS may not have: old versions, weak ciphers, another handshake in the middle."""

import re
import subprocess

from harness.certificates import Certificate
from harness.suite import PATIENCE, case, expect, expect_equal

#: Ciphers without forward secrecy, without authentication, or with what is broken.
WEAK = ("NULL", "aNULL", "eNULL", "EXPORT", "RC4", "DES", "3DES", "MD5", "PSK", "SRP", "kRSA", "AES128-SHA", "AES256-SHA256", "ECDHE+SHA1", "ECDHE+AES+SHA256",
        "CAMELLIA", "ARIA", "SEED", "IDEA", "DHE+AESGCM", "AESCCM")


def handshake(address: str, *options: str, input: str = "") -> subprocess.CompletedProcess:
    # Its own rules are off: only the server's count.
    return subprocess.run(["openssl", "s_client", "-connect", address, "-legacy_renegotiation", *options], input=input, capture_output=True, text=True,
                          errors="replace", timeout=PATIENCE)


def cipher(done: subprocess.CompletedProcess) -> str | None:
    """What was agreed on; None if nothing was."""
    found = re.search(r"Cipher is (\S+)", done.stdout)
    return None if not found or found[1] == "(NONE)" else found[1]


@case("no client gets TLS before 1.2, a weak cipher, compression, or a second handshake on its connection")
def refused(world):
    server = world.serve(certificate=Certificate(world.folder))
    listen = server.listen
    for version in ("-tls1_2", "-tls1_3"):
        done = handshake(listen, version, "-showcerts")
        agreed = cipher(done)
        expect(agreed and re.search(r"GCM|CHACHA20", agreed), f"{version}: {agreed}")
        expect("Compression: NONE" in done.stdout or version == "-tls1_3", f"compression with {version}")
    for version in ("-tls1", "-tls1_1"):
        done = handshake(listen, version, "-cipher", "ALL:@SECLEVEL=0")
        expect_equal(cipher(done), None, f"what {version} agreed on")
    for weak in WEAK:
        done = handshake(listen, "-tls1_2", "-cipher", f"{weak}:@SECLEVEL=0")
        expect_equal(cipher(done), None, f"what {weak} agreed on")
    # `R` begins another handshake; the request behind it must have no answer from a connection that allowed one.
    done = handshake(listen, "-tls1_2", input="R\n")
    expect(re.search(r"no renegotiation|handshake failure|alert|unexpected", done.stderr, re.I), f"another handshake: {done.stderr[-400:]}")
    server.check_health()
