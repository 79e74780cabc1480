"""The hot paths, done one operation after the other, so that every run does the same."""

import itertools
from dataclasses import dataclass
from typing import Callable

from harness.events import event, room_liked
from harness.http import Http
from harness.suite import expect_equal
from harness.world import Server, Sink

#: So many that what is done once for all of them, such as compressing an item, hardly counts for one.
SUBSCRIBERS = 512
#: Whose phones get a push each: a lane has room for so many at once.
PHONES = 32
#: Who poll in turn over one connection, as behind a proxy.
POLLERS = 50
ITEM = {"text": "x" * 200}
#: `CatalogSet.route(_:at:)` and `NotificationType.content(for:own:reader:at:growing:withPush:)`, as Swift mangles them.
ROUTING_AND_RENDERING = (
    "$s5Inbox10CatalogSetV5route_2atAA11RoutedEvent", "$s5Inbox16NotificationTypeC7content3for3own6reader2at7growing")


@dataclass
class HotPath:
    name: str
    #: Does one operation, and returns when the server has done it.
    operate: Callable[[], None]
    #: To how many things the operation comes, such as deliveries.
    count: int = 1
    #: The path that each operation goes, too, and that is not meant.
    without: str | None = None
    #: How the symbols of functions begin which alone are meant, with all that they call.
    functions: tuple[str, ...] = ()


def hot_paths(server: Server, sink: Sink) -> list[HotPath]:
    """`sink`: where the server pushes to; nothing of it is counted."""
    reader, plain_reader = server.session("reader"), server.session("plain-reader", compression=None)
    subscribers = [server.session(f"subscriber-{number}") for number in range(SUBSCRIBERS)]
    for subscriber in subscribers:
        subscriber.call("subscribe", feed="full")
        subscriber.expect("feed")
    phones = [f"phone-{number}" for number in range(PHONES)]
    for number, user in enumerate(phones):
        expect_equal(server.register_device(user, user, f"{number:064x}").status, 200, "the status of a registration")
    publisher, app = Http(server.socket), Http(server.listen)
    token = server.world.token("reader")
    path = "/api/notifications/unread-count"
    etag = app.request("GET", path, token=token).etag
    newest, pushed = reader.ready["seq"], 0

    def publish(path: str, body):
        expect_equal(publisher.request("POST", path, body).status, 202, "the status of a publish")

    def notify_reader():
        nonlocal newest
        publish("/v1/events", room_liked("reader"))
        newest = reader.expect("new")["seq"]

    def notify_plain_reader():
        publish("/v1/events", room_liked("plain-reader"))
        plain_reader.expect("new")

    def deliver():
        publish("/v1/feeds/full/items", ITEM)
        for subscriber in subscribers:
            subscriber.expect("item")

    def push():
        nonlocal pushed
        pushed += PHONES
        # A room each: several pushes of one would be one on the screen.
        room = {"id": f"room-{pushed}", "name": "Italy Trip"}
        publish("/v1/events", event("added_to_room", {"added": phones}, {"room": room}))
        sink.wait_for(pushed, 60)

    def poll(token: str, etag: str):
        expect_equal(app.request("GET", path, token=token, If_None_Match=etag).status, 304, "the status of a poll")

    pollers = itertools.cycle(
        [(each, app.request("GET", path, token=each).etag)
         for each in (server.world.token(f"poller-{number}") for number in range(POLLERS))])

    return [
        HotPath("a client's frame, read and answered", lambda: reader.call("state", active=True)),
        HotPath("a poll that finds nothing new", lambda: poll(token, etag)),
        HotPath("such a poll, another user's each time", lambda: poll(*next(pollers))),
        HotPath("an ack, read and answered", lambda: reader.call("ack", seq=newest)),
        HotPath("an event for somebody who is away", lambda: publish("/v1/events", room_liked("absent"))),
        HotPath("such an event, routed and rendered", lambda: publish("/v1/events", room_liked("absent")),
                functions=ROUTING_AND_RENDERING),
        HotPath("an event for somebody who is there", notify_reader),
        HotPath("an event for somebody who is there, uncompressed", notify_plain_reader),
        HotPath("an event for one of many phones, pushed", push, PHONES),
        HotPath("a feed item that nobody reads", lambda: publish("/v1/feeds/empty/items", ITEM)),
        HotPath("a feed item for one of many", deliver, SUBSCRIBERS, "a feed item that nobody reads"),
    ]
