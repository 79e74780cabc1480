"""Ports for servers that start again at the same address."""

import itertools
import random
import socket
from pathlib import Path

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")

#: The kernel gives every client, and whoever binds port 0, a port of its range. While a server is down between two
#: starts, any program may thus get that server's port. Below the range nobody gets one by chance.
_END = int(RANGE.read_text().split()[0]) if RANGE.exists() else 32768
#: Runs beside each other begin at different places; `next` is one step for all threads of a run.
_ports = itertools.cycle(random.sample(range(_END // 2, _END), _END - _END // 2))


def lasting_port() -> int:
    """A port of 127.0.0.1 that is free now and that this run gives to nobody else."""
    while True:
        port = next(_ports)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
