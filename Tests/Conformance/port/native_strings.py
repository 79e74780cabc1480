"""Python 2's strings for the ported suite; `port.py` puts this module into the suite's package.

In Python 2 a literal such as '\\xf4\\x90' is a string of bytes, and the cases slice, index, join and compare their
payloads as such. Here a payload stays a `str` with one character an octet (Latin-1), so that all of that means what it
meant. It becomes `bytes` in one place, where a case meets the protocol.
"""

import binascii
import os


def to_bytes(text) -> bytes:
    """One character, one octet; beyond U+00FF there is none, which raises."""
    return text.encode("latin-1") if isinstance(text, str) else bytes(text)


def to_native(octets) -> str:
    """One octet, one character."""
    return octets if isinstance(octets, str) else bytes(octets).decode("latin-1")


def to_text(native):
    """What a person can read, of a native string or of bytes."""
    if native is None:
        return None
    try:
        return to_bytes(native).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return native


# What the suite uses of the modules `binascii` and `pkg_resources`: this module stands in for both.


def b2a_hex(native) -> str:
    return binascii.b2a_hex(to_bytes(native)).decode("ascii")


hexlify = b2a_hex


def resource_filename(package: str, path: str) -> str:
    assert package == "autobahntestsuite"
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), *path.split("/"))
