"""A network of its own for one node, whose way to the database can be cut."""

import subprocess

from .. import Failed

NAME = "belfry-apart"
#: The way to each has an interface and a subnet: .1 is this machine, .2 is inside.
WAYS = {"clients": ("bfclients", "10.77.41"), "database": ("bfdatabase", "10.77.42")}


class Namespace:
    """Needs root."""

    prefix = ["ip", "netns", "exec", NAME]

    def __init__(self):
        subprocess.run(["ip", "netns", "del", NAME], capture_output=True)
        _ip("netns", "add", NAME)
        _ip("-n", NAME, "link", "set", "lo", "up")
        for interface, subnet in WAYS.values():
            _ip("link", "add", interface, "type", "veth", "peer", "name", "in-" + interface[2:], "netns", NAME)
            _ip("addr", "add", f"{subnet}.1/30", "dev", interface)
            _ip("-n", NAME, "addr", "add", f"{subnet}.2/30", "dev", "in-" + interface[2:])
            _ip("link", "set", interface, "up")
            _ip("-n", NAME, "link", "set", "in-" + interface[2:], "up")

    @staticmethod
    def host(way: str) -> str:
        return WAYS[way][1] + ".1"

    @staticmethod
    def inside(way: str) -> str:
        return WAYS[way][1] + ".2"

    def cut(self) -> None:
        """Packets to the database and back get lost; nobody is told."""
        _ip("link", "set", WAYS["database"][0], "down")

    def mend(self) -> None:
        _ip("link", "set", WAYS["database"][0], "up")

    def close(self) -> None:
        _ip("netns", "del", NAME)


def _ip(*words: str) -> None:
    try:
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed("there is no program ip: install iproute2") from None
    except subprocess.CalledProcessError as problem:
        raise Failed(f"ip {' '.join(words)}: {problem.stderr.strip()} (networks of their own need root)") from None
