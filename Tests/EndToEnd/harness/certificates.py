"""Certificates for the public listener, made anew for each case."""

import ssl
import subprocess
from pathlib import Path

from harness.encrypted_socket import trusting


class Certificate:
    """A self-signed one for this machine, with its key, in two files."""

    def __init__(self, folder: Path, name: str = "public"):
        self.file, self.key_file = str(folder / f"{name}.pem"), str(folder / f"{name}-key.pem")
        self.make()

    def make(self):
        """Another one, in the same files."""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=belfry test", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
             "-keyout", self.key_file, "-out", self.file],
            check=True, capture_output=True)

    @property
    def context(self) -> ssl.SSLContext:
        """Trusts this certificate as it is now, and no other."""
        return trusting(self.file)

    @property
    def end(self) -> int:
        """Until when it holds, in seconds since 1970."""
        told = subprocess.run(["openssl", "x509", "-enddate", "-noout", "-in", self.file], check=True, capture_output=True, text=True)
        return ssl.cert_time_to_seconds(told.stdout.strip().removeprefix("notAfter="))

    @property
    def bytes(self) -> bytes:
        return ssl.PEM_cert_to_DER_cert(Path(self.file).read_text())
