"""The servers of the comparison that come with the system.

Each has settings for speed (`peers/*.conf`), and a folder and ports of its own.
"""

import grp
import os
import pwd
import socket
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed
from ..shared.build import BENCHMARKS
from ..shared.process import Child
from ..shared.programs import free_ports
from . import compare_protocols as protocols
from .compare_publishers import AnsweredPublisher, UnansweredPublisher, http_request, over_tcp
from .compare_servers import CHANNEL, Contender, Work, listeners

NCHAN_MODULE = Path("/usr/lib/nginx/modules/ngx_nchan_module.so")


def start_nchan(work: Work, stack: ExitStack) -> Contender:
    port, = free_ports(1)
    # Its worker would else be of a user who may not enter the folder.
    user, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
    folder, settings = _settings(
        work, "nchan", port=port, module=NCHAN_MODULE, user=f"user {user} {group};" if os.geteuid() == 0 else "",
        connections=work.sessions * 5 // 4 + 100, buffered=max(2 * work.in_flight, 10))
    server = _Daemon("nginx", ["-p", str(folder), "-c", str(settings)], folder, work.cores.server, [port])
    stack.callback(server.stop)
    clients = listeners(work, stack, port, len(work.payload), ["--path", f"/subscribe/{CHANNEL}"])
    publisher = AnsweredPublisher(
        lambda: over_tcp(port),
        lambda channel, count: [http_request(f"/publish/{channel}", work.payload)] * count)
    stack.callback(publisher.close)
    return Contender("nchan", server, clients, publisher)


def start_nats(work: Work, stack: ExitStack) -> Contender:
    port, web_port = free_ports(2)
    folder, settings = _settings(work, "nats", port=port, web_port=web_port)
    server = _Daemon("nats-server", ["-c", str(settings)], folder, work.cores.server, [port, web_port])
    stack.callback(server.stop)
    clients = listeners(
        work, stack, web_port, protocols.nats_delivered_bytes(CHANNEL, work.payload),
        ["--greeting", protocols.nats_subscribe(CHANNEL).hex(), "--confirmation", protocols.NATS_PONG.hex(),
         "--ignored-bytes", str(len(protocols.NATS_PING))])
    connection = over_tcp(port)
    publisher = UnansweredPublisher(connection, lambda channel: protocols.nats_publish(channel, work.payload))
    stack.callback(publisher.close)
    protocols.nats_greet(connection)
    return Contender("nats", server, clients, publisher)


def start_mosquitto(work: Work, stack: ExitStack) -> Contender:
    port, web_port = free_ports(2)
    folder, settings = _settings(
        work, "mosquitto", port=port, web_port=web_port,
        # Else it becomes a user who may not read the settings.
        user="user root" if os.geteuid() == 0 else "")
    server = _Daemon("mosquitto", ["-c", str(settings)], folder, work.cores.server, [port, web_port])
    stack.callback(server.stop)
    clients = listeners(
        work, stack, web_port, len(protocols.mqtt_publish(CHANNEL, work.payload)),
        ["--subprotocol", "mqtt", "--greeting", protocols.mqtt_subscribe(CHANNEL).hex(),
         "--confirmation", protocols.MQTT_SUBSCRIBED.hex()])
    connection = over_tcp(port)
    publisher = UnansweredPublisher(connection, lambda channel: protocols.mqtt_publish(channel, work.payload))
    stack.callback(publisher.close)
    protocols.mqtt_greet(connection)
    return Contender("mosquitto", server, clients, publisher)


class _Daemon(Child):
    """A program that says nothing on standard output: it logs into its folder, and is ready once it listens."""

    def __init__(self, program: str, options: list[str], folder: Path, cores: set[int] | None, ports: list[int]):
        self._log = folder / f"{program}.log"
        with self._log.open("wb") as log:
            super().__init__(program, [program, *options], cores, errors=log, cwd=folder)
        try:
            for port in ports:
                self._await_listening(port)
        except Failed:
            self.stop()
            raise

    def _await_listening(self, port: int) -> None:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and not self.has_ended:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        last = "\n".join(self._log.read_text(errors="replace").splitlines()[-10:])
        raise Failed(f"{self.name} does not listen; its log ends with:\n{last}")


def _settings(work: Work, name: str, **values) -> tuple[Path, Path]:
    """A new folder, and in it the settings of `peers/` with these values."""
    folder = work.own_folder(name)
    text = (BENCHMARKS / f"peers/{name}.conf").read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    file = folder / f"{name}.conf"
    file.write_text(text)
    return folder, file
