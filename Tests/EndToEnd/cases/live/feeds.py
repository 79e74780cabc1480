"""Feeds: items for whoever subscribes."""

from pathlib import Path

from harness.http import once
from harness.suite import case, expect, expect_equal


@case("subscribers get items live and in order, also beside others; after unsubscribing nothing comes", pollers=True)
def live_items(world):
    server = world.serve()
    first, second = server.session("sarah"), server.session("tom")
    for live in (first, second):
        live.call("subscribe", feed="posts")
        live.expect("feed", feed="posts", recovered=False)
    server.publish_item("other", {"text": "not for them"})
    positions = [server.publish_item("posts", {"text": f"post {index}"}) for index in range(20)]
    offsets = [position["offset"] for position in positions]
    expect_equal(offsets, list(range(offsets[0], offsets[0] + 20)), "the offsets")
    for live in (first, second):
        items = live.take(20)
        expect_equal([(item["type"], item["feed"], item["offset"]) for item in items],
                     [("item", "posts", offset) for offset in offsets], "the items' places")
        expect_equal([item["item"]["text"] for item in items], [f"post {index}" for index in range(20)], "the items")

    expect_equal(first.call("unsubscribe", feed="posts")["type"], "ok", "the answer to unsubscribe")
    last = server.publish_item("posts", [[1, None, "any JSON"]])[0]
    second.expect("item", offset=last["offset"], item=[1, None, "any JSON"])
    first.expect_silence(0.3)


@case("a feed's name shows something, as a user's and a topic's does: in calls and in frames")
def names(world):
    server = world.serve()
    live = server.session("sarah")
    for name, escaped in ((" ", "%20"), ("\u3000", "%E3%80%80"), ("a\nb", "a%0Ab")):
        for method, path in (("POST", "items"), ("PUT", "items/1"), ("DELETE", "items/1")):
            answer = once(server.socket, method, f"/v1/feeds/{escaped}/{path}", None if method == "DELETE" else {"a": 1})
            expect_equal((answer.status, answer.json()["code"]), (422, "invalid_value"), f"{method} {path} of {name!r}")
            expect("1 to 200 bytes, with at least one visible character" in answer.json()["detail"], f"what is told: {answer.body!r}")
        refused = live.call("subscribe", feed=name)
        expect_equal((refused["type"], refused["code"]), ("error", "invalid_value"), f"subscribing to {name!r}")
    for name, escaped in ((" ", "%20"), ("a\nb", "a%0Ab"), ("n" * 201, "n" * 201)):
        reads = (("GET", "items"), ("GET", "viewed"), ("PUT", "viewed"))
        answers = [server.rest("sarah", method, f"/v1/feeds/{escaped}/{path}") for method, path in reads]
        answers += [once(server.socket, method, f"/v1/users/tom/feeds/{escaped}/viewed") for method in ("GET", "PUT")]
        expect_equal({(answer.status, answer.json()["code"]) for answer in answers}, {(400, "invalid_parameter")},
                     f"reading and marking {name[:9]!r}")
    for members in ({"feed": "n" * 201}, {"feed": "many-tags", "tags": ["t"] * 21}):
        refused = live.call("subscribe", **members)
        expect_equal((refused["type"], refused["code"]), ("error", "invalid_value"), f"subscribing with {members}")
    expect_equal(live.call("subscribe", feed=" news ")["type"], "ok", "a name with spaces around")
    live.expect("feed", feed=" news ")
    expect_equal(once(server.socket, "POST", "/v1/feeds/%20news%20/items", {"a": 1}).status, 202, "an item for it")
    live.expect("item", feed=" news ")


@case("a subscriber that comes back after an offset gets what it missed; with a foreign epoch it gets the newest",
      pollers=True)
def catch_up(world):
    server = world.serve()
    positions = [server.publish_item("query:42", {"number": index}) for index in range(10)]
    epoch = positions[0]["epoch"]

    live = server.session("sarah")
    live.call("subscribe", feed="query:42", after={"epoch": epoch, "offset": positions[3]["offset"]})
    live.expect("feed", feed="query:42", epoch=epoch, offset=positions[9]["offset"], recovered=True)
    expect_equal([item["item"]["number"] for item in live.take(6)], [4, 5, 6, 7, 8, 9], "the missed items")

    other = server.session("tom")
    other.call("subscribe", feed="query:42", after={"epoch": "elsewhere", "offset": positions[3]["offset"]})
    other.expect("feed", epoch=epoch, recovered=False)
    expect_equal([item["item"]["number"] for item in other.take(10)], list(range(10)), "the newest items instead")
    other.expect_silence(0.1)

    server.publish_item("query:42", {"number": 10})
    for session in (live, other):
        session.expect("item", item={"number": 10}, offset=positions[9]["offset"] + 1)

    server.kill()
    server.start()
    live = server.session("sarah")
    live.call("subscribe", feed="query:42", after={"epoch": epoch, "offset": positions[9]["offset"]})
    live.expect("feed", epoch=epoch, offset=positions[9]["offset"] + 1, recovered=True)
    live.expect("item", item={"number": 10})


@case("who subscribes before the first item comes back after it; an offset without an epoch is no known place")
def bare_offsets(world):
    server = world.serve()
    live = server.session("sarah")
    live.call("subscribe", feed="posts")
    known = live.expect("feed", offset=0)
    expect(known["epoch"], "a feed without items has no epoch")
    first = server.publish_item("posts", {"number": 0})
    live.expect("item", offset=first["offset"])
    live.cut()
    second = server.publish_item("posts", {"number": 1})
    for after, numbers in (({"epoch": known["epoch"], "offset": first["offset"]}, [1]),
                           ({"epoch": known["epoch"], "offset": 0}, [0, 1]),
                           ({"epoch": "", "offset": first["offset"]}, [0, 1]),
                           ({"offset": first["offset"]}, [0, 1]), (first["offset"], [0, 1])):
        live = server.session("sarah")
        live.call("subscribe", feed="posts", after=after)
        is_known = isinstance(after, dict) and after.get("epoch") == known["epoch"]
        live.expect("feed", epoch=second["epoch"], offset=second["offset"], recovered=is_known)
        for number in numbers:
            live.expect("item", item={"number": number})
        live.close()


@case("items can be fetched over REST after an offset, page by page, and from a place that is not known the newest")
def over_rest(world):
    server = world.serve()
    positions = [server.publish_item("posts", {"number": index}) for index in range(5)]
    place = f"/v1/feeds/posts/items?epoch={positions[0]['epoch']}"
    for query, numbers, told in (
            (f"&after={positions[1]['offset']}", [2, 3, 4], {"next": 5, "prev": None, "isComplete": True, "recovered": True}),
            (f"&after={positions[1]['offset']}&limit=2", [2, 3],
             {"next": 4, "prev": None, "isComplete": False, "recovered": True}),
            ("&limit=2", [3, 4], {"next": 5, "prev": 4, "isComplete": True, "recovered": True}),
            ("x&after=2&limit=2", [3, 4], {"next": 5, "prev": 4, "isComplete": True, "recovered": False})):
        page = server.get("sarah", place + query)
        expect_equal([item["item"]["number"] for item in page["data"]], numbers, f"the items with {query}")
        expect_equal(page["meta"], {"feed": "posts", "epoch": positions[0]["epoch"], "offset": 5, **told}, "meta")


@case("a live-only feed tells who is there and is written nowhere; after a kill it begins anew", pollers=True)
def live_only(world):
    server = world.serve()
    once(server.socket, "PUT", "/v1/topics/room:789/members", {"users": ["sarah"]})
    live = server.session("sarah")
    live.call("subscribe", feed="typing:789")
    begun = live.expect("feed", feed="typing:789", recovered=False)
    position = server.publish_item("typing:789", {"user": "pete"})
    expect_equal(position["epoch"], begun["epoch"], "the epoch")
    live.expect("item", feed="typing:789", offset=position["offset"], item={"user": "pete"})

    server.publish_item("posts", {"user": "tom"})
    server.kill()
    stored = world.stored(server)
    expect_equal([f'{{"user":"{user}"}}'.encode() in stored for user in ("tom", "pete")], [True, False],
                 "whether the store holds the other feed's item, and this one's")
    server.start()
    live = server.session("sarah")
    live.call("subscribe", feed="typing:789", after={"epoch": position["epoch"], "offset": position["offset"]})
    begun = live.expect("feed", recovered=False)
    expect_equal(begun["epoch"] != position["epoch"], True, "whether the epoch is a new one")
    server.publish_item("typing:789", {"user": "renee"})
    live.expect("item", item={"user": "renee"})


RULES = """
catalog: pages
events: {}
types: {}
feeds:
  pages: {access: public, id: id, author: by, time: at, tags: tags, zone: Europe/Berlin}
  plain: {access: public}
  "typing:*": {access: public, length: 0}
"""


@case("an item is replaced and removed by its id, and sessions, clients that come back and lists have what there is",
      pollers=True)
def changed_items(world):
    path = Path(world.folder) / "pages.yaml"
    path.write_text(RULES)
    server = world.serve(catalogs=(str(path),))
    feed = "/v1/feeds/pages/items"

    def change(method: str, id: str, body=None, feed: str = feed):
        return once(server.socket, method, f"{feed}/{id}", body)

    def fetch(after: int) -> list[tuple]:
        rows = server.get("tom", f"{feed}?after={after}&epoch={begun['epoch']}")["data"]
        return [(row["offset"], row.get("replaces"), row.get("removes"), (row["item"] or {}).get("text")) for row in rows]

    live = server.session("sarah")
    live.call("subscribe", feed="pages")
    begun = live.expect("feed", feed="pages")
    for id in ("p1", "p2", "p3"):
        server.publish_item("pages", {"id": id, "text": id, "by": "ada"})
    published = live.take(3)
    edited = change("PUT", "p1", {"id": "p1", "text": "edited", "by": "ada"})
    expect_equal((edited.status, edited.json()["offset"], edited.json()["replaces"]), (200, 4, 1), "the edit")
    frame = live.expect("item", feed="pages", offset=4, replaces=1)
    expect_equal((frame["item"]["text"], frame["item"]["at"]), ("edited", published[0]["item"]["at"]), "the new version")
    again = change("PUT", "p1", {"id": "p1", "text": "edited", "by": "ada"}).json()
    expect_equal((again["offset"], again["replayed"]), (1, True), "the same edit again")
    gone = change("DELETE", "p2")
    expect_equal((gone.status, gone.json()["offset"], gone.json()["removes"]), (200, 5, 2), "the removal")
    expect_equal(live.expect("item", feed="pages", offset=5, removes=2, id="p2")["item"], None, "what is left of it")
    expect_equal(fetch(3), [(4, 1, None, "edited"), (5, None, 2, None)], "for a client that had all three")
    expect_equal(fetch(0), [(1, None, None, "edited"), (3, None, None, "p3")], "for a client that had none")
    back = server.session("tom")
    back.call("subscribe", feed="pages", after={"epoch": edited.json()["epoch"], "offset": 3})
    back.expect("feed", feed="pages", recovered=True, offset=5)
    expect_equal([(item.get("replaces"), item.get("removes")) for item in back.take(2)], [(1, None), (None, 2)],
                 "what a session is told that was away")
    other = server.publish_item("pages", {"id": "p1", "text": "other", "by": "ada"})
    expect_equal((other["replayed"], other["differs"], other["offset"]), (True, True, 1), "other content of the id")
    server.kill()
    server.start()
    expect_equal(fetch(3), [(4, 1, None, "edited"), (5, None, 2, None)], "after a kill")
    refusals = [(change("PUT", "p9", {"id": "p9"}), 404, "unknown_item"),
                (change("DELETE", "p2"), 404, "unknown_item"),
                (change("PUT", "p1", {"id": "p3"}), 422, "invalid_value"),
                (change("PUT", "p1", {"text": "none"}), 422, "invalid_value"),
                (change("DELETE", "p1", feed="/v1/feeds/plain/items"), 409, "items_without_ids"),
                (change("PUT", "p1", {}, feed="/v1/feeds/typing:1/items"), 409, "live_only")]
    for number, (answer, status, code) in enumerate(refusals):
        expect_equal((answer.status, answer.json()["code"]), (status, code), f"refusal {number}")
    # A time without a zone is one of the rule's.
    row = server.get("tom", f"{feed}?after=2024-12-09T18:00:00")["data"][0]
    expect_equal(row["item"]["text"], "edited", "the items since a time in Berlin")
