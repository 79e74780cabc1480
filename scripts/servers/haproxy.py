"""HAProxy in front of nodes of Belfry, on this machine alone."""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

#: What operators get; its variables say where it listens, and where the nodes are.
CONFIGURATION = pathlib.Path(__file__).resolve().parents[2] / "Config/haproxy.cfg"


def variables(port: int, nodes: list[tuple[str, str]]) -> dict[str, str]:
    """For `CONFIGURATION`. `nodes`: the addresses of each node's public and operators' listener."""
    settings = {"BELFRY_FRONT": f"127.0.0.1:{port}"}
    for number, (listen, ops) in enumerate(nodes, 1):
        settings |= {f"BELFRY_NODE_{number}": listen, f"BELFRY_OPS_PORT_{number}": ops.rsplit(":", 1)[1]}
    return settings


def start(file: pathlib.Path, port: int, log, settings: dict[str, str] | None = None) -> subprocess.Popen:
    """Starts it, and waits until it accepts connections at the port; ends with SIGTERM.

    `file`: its configuration. `log`: a file or `subprocess.DEVNULL`. `settings`: variables of the configuration.
    """
    # Debian has it where only root looks for programs.
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        sys.exit("There is no HAProxy: scripts/install-packages cluster")
    # It ends with its script, even by SIGKILL. A group of its own, so that Ctrl-C reaches it by the script alone.
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", program, "-db", "-f", str(file)], env=os.environ | (settings or {}),
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    while not accepts(port):
        if process.poll() is not None:
            raise RuntimeError(f"HAProxy has ended by itself, with code {process.returncode}: {file}")
        time.sleep(0.05)
    return process


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False
