"""How many clients a second can ask for their number of unread notifications and hear that it is unchanged, against
nginx telling the same of a file."""

import http.client
import re
import shutil
import statistics
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from .. import Failed, Missing
from ..publishing.crowd import Crowd
from ..shared import machine, tokens
from ..shared.cost import Cost, Meter, compared
from ..shared.options import positive
from ..shared.process import Child
from ..shared.programs import free_ports, started
from ..shared.report import table

HELP = "unread counts that have not changed, against nginx"
PATH = "/api/notifications/unread-count"
WARM_UP_SECONDS = 1

NGINX = """
daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    open_file_cache max=16;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{ root {folder}/files; }}
    }}
}}
"""


# The users in turn, each with what they know; made once, as `wrk` would make one request.
SCRIPT = """
local requests, number = {{}}, 0
init = function()
  for line in io.lines("{file}") do
    local token, tag = line:match("^(%S+) (.+)$")
    requests[#requests + 1] = wrk.format("GET", "{path}", {{
      ["Authorization"] = "Bearer " .. token, ["If-None-Match"] = tag, ["Host"] = "127.0.0.1"}})
  end
end
request = function()
  number = number % #requests + 1
  return requests[number]
end
"""


class Target:
    """A server, and the requests of some users that it answers with 304."""

    def __init__(self, server: Child, port: int, bearers: list[str], folder: Path, cores: set[int] | None):
        self._url = f"http://127.0.0.1:{port}{PATH}"
        self._meter = Meter(server, cores)
        users = folder / f"{server.name}-users"
        users.touch(mode=0o600)
        users.write_text("".join(f"{bearer} {known(server, port, bearer)}\n" for bearer in bearers))
        self._script = folder / f"{server.name}.lua"
        self._script.write_text(SCRIPT.format(file=users, path=PATH))

    def run(self, connections: int, seconds: int) -> Cost:
        return self._meter.of(lambda: wrk(self._url, self._script, connections, seconds))


def known(server: Child, port: int, bearer: str) -> str:
    """The ETag with which this user hears that nothing has changed."""
    headers = {"Authorization": f"Bearer {bearer}"}
    status, tag = ask(port, headers)
    if status != 200 or not tag:
        raise Failed(f"{server.name} answered {status}, ETag {tag}")
    if ask(port, headers | {"If-None-Match": tag})[0] != 304:
        raise Failed(f"{server.name} does not answer 304")
    return tag


def arguments(parser) -> None:
    parser.add_argument("--connections", type=positive, default=100)
    parser.add_argument("--users", type=positive, default=1_000, help="who ask in turn (default: 1,000)")
    parser.add_argument("--seconds", type=positive, default=5, help="in each half of a pair (default: 5)")
    parser.add_argument("--pairs", type=positive, default=5, help="how often the two alternate (default: 5)")


def measure(options, folder: Path, say) -> dict:
    if not (program := shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")):
        raise Missing("there is no nginx: install it")
    machine.allow_descriptors(options.connections + 200)
    cores = machine.cores()
    cores.keep_to_clients()
    with ExitStack() as stack:
        belfry = started(options, folder, stack, cores.server)
        crowd = Crowd(belfry.data, options.users)
        stack.callback(crowd.close)
        crowd.publish()
        port = free_ports(1)[0]
        nginx = Child("nginx", [program, "-c", str(configured(folder, port))], cores.server)
        stack.callback(nginx.stop)
        secret = tokens.secret(belfry.data)
        bearers = [tokens.token(f"user-{number}", secret) for number in range(options.users)]
        # The same heads for both; nginx skips the token.
        sides = [
            Target(server, at, bearers, folder, cores.server) for server, at in ((belfry, belfry.port), (nginx, port))]
        for side in sides:
            side.run(options.connections, WARM_UP_SECONDS)
        costs: tuple[list[Cost], list[Cost]] = ([], [])
        for number in range(options.pairs):
            for side, each in zip(sides, costs):
                each.append(side.run(options.connections, options.seconds))
            ours, plain = (each[-1].said["perSecond"] for each in costs)
            say(f"pair {number + 1}: belfry {ours:,.0f}, nginx {plain:,.0f} a second, {ours / plain:.2f}")
    rates = [[cost.said["perSecond"] for cost in each] for each in costs]
    ratios = [ours / plain for ours, plain in zip(*rates)]
    cpu = compared(*costs)
    return {
        "connections": options.connections,
        "users": options.users,
        "secondsEach": options.seconds,
        "poller": options.poller,
        "cores": cores.json,
        "belfry": cpu["belfry"] | {"perSecond": round(statistics.median(rates[0]))},
        "nginx": cpu["floor"] | {"perSecond": round(statistics.median(rates[1]))},
        "ratios": [round(ratio, 3) for ratio in ratios],
        "ratio": round(statistics.median(ratios), 3),
        # By CPU, which also tells where the client's core was the one that had too much to do.
        "cpuRatio": round(1 / cpu["ratio"], 3),
    }


def configured(folder: Path, port: int) -> Path:
    file = folder / f"files{PATH}"
    file.parent.mkdir(parents=True)
    # Nginx serves as whoever started it, and must reach what it serves.
    file.write_text('{"data":{"unreadCount":1}}')
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=folder, port=port))
    return configuration


def ask(port: int, headers: dict[str, str]) -> tuple[int, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for attempt in range(50):
        try:
            connection.request("GET", PATH, headers=headers)
            break
        except ConnectionRefusedError:
            if attempt == 49:
                raise Failed(f"nobody listens on port {port}") from None
            connection.close()
            time.sleep(0.1)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers["ETag"]


def wrk(url: str, script: Path, connections: int, seconds: int) -> tuple[int, dict]:
    # As child of this process it stays on this process' core.
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), url]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    except FileNotFoundError:
        raise Missing("there is no wrk: install it") from None
    return parsed(done.stdout + done.stderr)


def parsed(said: str) -> tuple[int, dict]:
    requests = re.search(r"(\d+) requests in ", said)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    problem = re.search(r"Non-2xx or 3xx responses: \d+|Socket errors: .*", said)
    if not requests or not rate or problem:
        raise Failed(f"wrk: {problem.group() if problem else said.strip() or 'said nothing'}")
    return int(requests.group(1)), {"perSecond": float(rate.group(1))}


def describe(result: dict) -> str:
    belfry, nginx = result["belfry"], result["nginx"]
    rows = [
        ("unchanged, told with 304", "belfry", "nginx", "ratio", "lowest–highest"),
        ("a second", f"{belfry['perSecond']:,}", f"{nginx['perSecond']:,}", f"{result['ratio']:.2f}",
         f"{min(result['ratios']):.2f}–{max(result['ratios']):.2f}"),
        ("µs of CPU", f"{belfry['median']:.2f}", f"{nginx['median']:.2f}", f"{result['cpuRatio']:.2f}", ""),
        ("user share", f"{belfry['userShare']:.0%}", f"{nginx['userShare']:.0%}", "", ""),
    ]
    return f"{table(rows)}\n\n{result['connections']} connections, {result['users']:,} users. Poller: {result['poller']}."
