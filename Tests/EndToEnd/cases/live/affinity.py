"""Sessions of every way through Config/haproxy.cfg, in front of two nodes of one database."""

import http.client
import json
import subprocess
import sys

from harness.event_stream import EventStream
from harness.events import room_liked
from harness.live import Live
from harness.ports import lasting_port
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until
from harness.world import ROOT

sys.path.append(str(ROOT / "scripts"))

from servers import haproxy  # noqa: E402

CLIENTS = 12


class _Proxy:
    """HAProxy as operators get it; its third node is the second one once more."""

    def __init__(self, nodes: list):
        port = lasting_port()
        addresses = [(node.listen, node.ops) for node in (*nodes, nodes[-1])]
        self.listen = f"127.0.0.1:{port}"
        self._process = haproxy.start(haproxy.CONFIGURATION, port, subprocess.DEVNULL, haproxy.variables(port, addresses))

    def close(self):
        self._process.kill()
        self._process.wait()


class _Poller:
    """A client that polls from an address of its own, each time over another connection."""

    def __init__(self, proxy: str, number: int, user: str, token: str):
        self.user = user
        self._proxy, self._source, self._token = proxy, f"127.0.0.{number}", token
        self.session, self.next, self.frames = "", 0, []

    def request(self, method: str, path: str, body: str | None = None) -> tuple[int, bytes]:
        host, port = self._proxy.split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE, source_address=(self._source, 0))
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {self._token}"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _take(self, status: int, body: bytes):
        expect_equal(status, 200, f"the status of a poll: {body!r}")
        said = json.loads(body)
        self.session, self.next = said["session"], said["next"]
        self.frames += said["frames"]

    def open(self):
        self.frames = []
        self._take(*self.request("GET", "/v1/live/poll"))

    def wait_for(self, type: str) -> dict:
        """Polls until such a frame has come."""
        while not (found := [frame for frame in self.frames if frame["type"] == type]):
            self._take(*self.request("GET", f"/v1/live/poll/{self.session}?after={self.next}"))
        return found[0]

    def say(self, frame: dict):
        status, body = self.request("POST", f"/v1/live/frames/{self.session}", json.dumps(frame))
        expect_equal(status, 204, f"the status of a frame: {body!r}")


def sessions(node) -> dict[str, float]:
    values = node.metrics()
    return {way: values[f'belfry_sessions_by_way{{way="{way}"}}'] for way in ("websocket", "events", "polls")}


@case("behind HAProxy a client's polls and frames reach the node of its session, and another one once that has left")
def polls(world):
    store = world.databases.url(str(world.folder / "shared"))
    nodes = [world.serve(data=name, NODE=name, STORE=store, PROXY_TRUSTED="127.0.0.1") for name in ("north", "south")]
    proxy = world.keep(_Proxy(nodes))
    clients = [_Poller(proxy.listen, number + 2, f"user-{number}", world.token(f"user-{number}")) for number in range(CLIENTS)]
    for client in clients:
        client.open()
        client.wait_for("ready")
    counts = [sessions(node)["polls"] for node in nodes]
    expect_equal(sum(counts), CLIENTS, f"sessions that poll: {counts}")
    expect(min(counts) > 0, f"all clients are at one node: {counts}")
    nodes[0].publish([room_liked(client.user) for client in clients])
    for client in clients:
        seq = client.wait_for("new")["seq"]
        client.say({"type": "ack", "id": 1, "seq": seq})
        expect_equal(client.wait_for("ok")["id"], 1, "the answer to ack")
    expect_equal([sessions(node)["polls"] for node in nodes], counts, "sessions that poll, later")

    # A node that leaves ends its clients' polls, and each comes back to the other one.
    expect_equal(nodes[0].terminate(), 0, "the exit code")
    # With something new, no poll has to wait.
    nodes[1].publish([room_liked(client.user) for client in clients])
    for client in clients:
        status, _ = client.request("GET", f"/v1/live/poll/{client.session}?after={client.next}")
        if status == 200:
            continue
        expect_equal(status, 404, "the status of a poll whose node has left")
        client.open()
    expect_equal(sessions(nodes[1])["polls"], CLIENTS, "clients at the other node")


@case("behind HAProxy sessions of all ways get what is published, and the metrics tell the ways apart")
def ways(world):
    store = world.databases.url(str(world.folder / "shared"))
    # HAProxy hears that a stream's client has gone when it writes to it, the second time.
    nodes = [world.serve(data=name, NODE=name, STORE=store, PROXY_TRUSTED="127.0.0.1", LIVE_HEARTBEAT="1s")
             for name in ("north", "south")]
    proxy = world.keep(_Proxy(nodes))
    token = world.token("sarah")
    socket = world.keep(Live(proxy.listen))
    socket.hello(token)
    stream = world.keep(EventStream(proxy.listen))
    stream.hello(token)
    poller = _Poller(proxy.listen, 2, "sarah", token)
    poller.open()
    poller.wait_for("ready")

    def counts() -> dict[str, float]:
        told = [sessions(node) for node in nodes]
        return {way: sum(one[way] for one in told) for way in told[0]}

    expect_equal(counts(), {"websocket": 1, "events": 1, "polls": 1}, "sessions by their way")
    nodes[0].publish(room_liked("sarah"))
    seqs = {client.expect("new")["seq"] for client in (socket, stream)} | {poller.wait_for("new")["seq"]}
    expect_equal(len(seqs), 1, "what the ways have told")
    expect_equal(stream.call("ack", seq=seqs.pop())["type"], "ok", "the answer to a frame by POST")
    socket.close()
    stream.close()
    expect_equal(poller.request("DELETE", f"/v1/live/poll/{poller.session}")[0], 204, "the end of the polls")
    wait_until(lambda: set(counts().values()) == {0}, PATIENCE, "the end of all sessions")
