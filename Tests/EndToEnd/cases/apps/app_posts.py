"""The posts app: its registration, its three pushes to everybody, live refresh, and what its clients fetch and poll."""

from urllib.parse import quote

from harness import tokens
from harness.apps import badges, expect_push, expect_quiet, shown_to, start, wait_for_push
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

LIST = "/api/notifications"
ADA = {"id": "ada", "name": "Ada Lovelace", "avatarUrl": None}
#: The app's clients have no tokens.
OPEN = {"AUTH_REGISTER_DEVICE_WITHOUT_TOKEN": "true", "AUTH_POLL_WITHOUT_TOKEN": "true"}
USERS = {"ada": "aa01", "bob": "bb02", "cy": "cc03", "dan": "dd04"}


def launch(server, user: str, token: str):
    """What the app does at each launch, without a token of its user's; first its backend must tell whose device it is."""
    body = {"device_id": f"{user}-phone", "apns_token": token}
    # The backend knows whose the device is, and no token.
    known = once(server.socket, "PUT", f"/v1/users/{user}/devices/{user}-phone", {"app": "posts"})
    expect_equal(known.status, 200, "the status of what the backend tells")
    expect_subset(known.json()["device"], {"id": f"{user}-phone", "app": "posts"}, "the device")
    answer = once(server.listen, "POST", f"{LIST}/register-device", body)
    expect_equal((answer.status, answer.body), (200, b'{"status":"ok"}'), "the registration")


def post_created(id: str, matched: dict[str, list], **more) -> dict:
    """A post of ada's; `matched` has the queries of those who have some that fit."""
    own = [{"user": user, "data": {"queries": queries}} for user, queries in matched.items()]
    return {"type": "post_created", "actor": ADA, "to": {"matched": own, "everyone": {"all": True}},
            "data": {"post": {"id": id}}, **more}


def poll(server, **body) -> bytes:
    answer = once(server.listen, "POST", f"{LIST}/poll", body)
    expect_equal(answer.status, 200, "the status of a poll")
    return answer.body


class Client:
    """The app's own way to fetch what is new: by the moment of its newest post, known ids left out."""

    def __init__(self, server):
        self.server = server
        self.posts: list[dict] = []
        self.latest: str | None = None

    def fetch_new_posts(self):
        path = "/api/posts/recent-tagged?tags=post" + (f"&after={quote(self.latest)}" if self.latest else "")
        answer = once(self.server.listen, "GET", path)
        expect_equal(answer.status, 200, "the status of recent-tagged")
        known = {post["id"] for post in self.posts}
        new = [post for post in answer.json() if post["id"] not in known]
        if new:
            self.posts = new + self.posts
            self.latest = new[0]["created_at"]


def post(id: str, email: str = "ada@example.com", created_at: str = "2024-12-09T18:00:00Z", **more) -> dict:
    return {"id": id, "title": f"Post {id}", "author": {"email": email}, "tags": ["post"], "created_at": created_at,
            **more}


# T3.1, T3.2, T3.3, B3.2, B3.3, C19, C21, E6
@case("posts: a new post comes once to everybody but its author: as a match for whose search fits, else as a new post")
def new_post(world):
    server, sink = start(world, "posts", **OPEN)
    for user, token in USERS.items():
        launch(server, user, token)
    queries = [{"id": "q3", "title": "Analytical engines"}, {"id": "q8", "title": "Poetry"}]
    answer = server.publish(post_created("p42", {"bob": queries, "ada": queries}))
    expect(answer["event"], f"the answer: {answer}")
    expect_push(wait_for_push(sink, "bb02"), "New match", "'Analytical engines' matched a post from Ada Lovelace",
                {"type": "NEW_MATCH", "postId": "p42", "queryId": "q3", "queryIds": "q3,q8"}, badge=1,
                **{"apns-topic": sink.settings["APNS_BUNDLE_ID"], "apns-push-type": "alert"})
    for token in ("cc03", "dd04"):
        expect_push(wait_for_push(sink, token), "New post", "New post from Ada Lovelace",
                    {"type": "NEW_POST", "postId": "p42"}, badge=1)
    expect_quiet(sink, "aa01", 0)
    expect_equal([len(shown_to(sink, token)) for token in ("bb02", "cc03", "dd04")], [1, 1, 1], "pushes each")
    expect_equal(server.get("bob")["data"][0]["queries"], queries, "all of bob's matches, in the app")


# T3.4
@case("posts: a completed profile comes to all others")
def new_member(world):
    server, sink = start(world, "posts", **OPEN)
    for user, token in USERS.items():
        launch(server, user, token)
    server.publish({"type": "profile_completed", "actor": {"id": "dan", "name": "Dan"},
                    "to": {"everyone": {"all": True}}})
    for token in ("aa01", "bb02", "cc03"):
        expect_push(wait_for_push(sink, token), "New member", "Dan just joined",
                    {"type": "NEW_MEMBER", "userId": "dan"})
    expect_quiet(sink, "dd04", 0)


# B3.2, B3.9, C21
@case("posts: a phone that tells its new token at a launch gets its pushes there, without a word of whose it is")
def token_changes(world):
    server, sink = start(world, "posts", **OPEN)
    launch(server, "bob", "bb02")
    launch(server, "bob", "bb03")
    server.publish(post_created("p1", {}))
    wait_for_push(sink, "bb03")
    expect_quiet(sink, "bb02", 0)
    unknown = once(server.listen, "POST", f"{LIST}/register-device", {"device_id": "stray", "apns_token": "ee05"})
    expect_equal((unknown.status, unknown.body), (200, b'{"status":"ok"}'), "a stray phone")


# B3.6, C13
@case("posts: the icon is 1 however much is new, and nothing once all is read")
def boolean_badge(world):
    server, sink = start(world, "posts", PUSH_BADGE_DELAY="200ms", **OPEN)
    launch(server, "bob", "bb02")
    for number in (1, 2):
        server.publish(post_created(f"p{number}", {}))
        wait_for_push(sink, "bb02", number)
    expect_equal(badges(sink, "bb02"), [1, 1], "the numbers")
    server.rest("bob", "PUT", f"{LIST}/read-all")
    wait_until(lambda: badges(sink, "bb02")[-1] == 0, PATIENCE, "the icon is cleared")


# B3.4, C26
@case("posts: an app in the foreground is told live instead of by a push, and fetches posts then")
def foreground(world):
    server, sink = start(world, "posts", **OPEN)
    launch(server, "bob", "bb02")
    client = Client(server)
    server.publish_item("posts", post("p1"))
    client.fetch_new_posts()
    live = server.session("bob")
    server.publish_item("posts", post("p2"))
    server.publish(post_created("p2", {}))
    frame = live.expect("new", unread=1)
    expect_equal(frame["notification"]["type"], "NEW_POST", "the type")
    live.call("ack", seq=frame["seq"])
    client.fetch_new_posts()
    expect_equal([post["id"] for post in client.posts], ["p2", "p1"], "the client's list")
    expect_quiet(sink, "bb02", 0)


# E8, B3.5, C20
@case("posts: a client that fetches by its newest post's moment sees each post once, also of equal moments")
def incremental_fetch(world):
    server, _ = start(world, "posts", **OPEN)
    client = Client(server)
    ids = [f"p{number}" for number in range(12)]
    for number, id in enumerate(ids):
        server.publish_item("posts", post(id))
        if number % 3 == 0:
            client.fetch_new_posts()
    client.fetch_new_posts()
    client.fetch_new_posts()
    expect_equal([post["id"] for post in client.posts], ids[::-1], "the client's list")
    server.publish_item("posts", post("a-draft", tags=["draft"]))
    client.fetch_new_posts()
    expect_equal(len(client.posts), 12, "posts after one with another tag")
    drafts = once(server.listen, "GET", "/api/posts/recent-tagged?tags=draft").json()
    expect_equal([draft["id"] for draft in drafts], ["a-draft"], "those of the other tag")


# E7, B3.7, C25, C30
@case("posts: a poll answers as the app reads it, byte for byte; keys are judged only where the app asks")
def polling(world):
    server, _ = start(world, "posts", **OPEN)
    once(server.socket, "PUT", "/v1/users/bob", {"email": "bob@example.com"})
    nothing = b'{"query_badges":{},"has_new_users":false,"has_new_posts":false}'
    server.publish_item("posts", post("p1", "ada@example.com"))
    server.publish_item("users", {"id": "u1", "email": "bob@example.com", "completed_at": "2024-12-09T18:00:00Z"})
    server.publish_item("query:q1", {"id": "p1", "author": {"email": "ada@example.com"}})
    server.publish_item("query:q2", {"id": "p9", "author": {"email": "bob@example.com"}})
    expect_equal(poll(server, user_email="bob@example.com"), nothing, "a poll that asks for nothing")
    long_ago = "2020-01-01T00:00:00Z"
    everything = {"user_email": "bob@example.com", "query_ids": ["q1", "q2"], "last_viewed_users": long_ago,
                  "last_viewed_posts": long_ago}
    # Bob's own match is none; the new user may be bob himself, and still counts.
    expect_equal(poll(server, **everything),
                 b'{"query_badges":{"q1":true,"q2":false},"has_new_users":true,"has_new_posts":true}', "a whole poll")
    own = {"user_email": "ada@example.com", "last_viewed_posts": long_ago}
    expect_equal(poll(server, **own), nothing, "ada's own post is not new to her")
    expect_equal(poll(server, last_viewed_posts=long_ago), nothing, "posts without an address")
    expect_equal(poll(server, last_viewed_users=long_ago),
                 b'{"query_badges":{},"has_new_users":true,"has_new_posts":false}', "users without an address")
    expect_equal(poll(server, user_email="bob@example.com", last_viewed_users="2099-01-01T00:00:00.000Z",
                      last_viewed_posts="2099-01-01T00:00:00+00:00"), nothing, "nothing since the future")
    viewed = once(server.socket, "PUT", "/v1/users/bob/feeds/query:q1/viewed", {})
    expect_equal(viewed.status, 200, "the status of viewing")
    expect_equal(poll(server, **{**everything, "query_ids": ["q1"]}),
                 b'{"query_badges":{"q1":false},"has_new_users":true,"has_new_posts":true}', "after viewing q1")


# C18
@case("posts: without the setting a poll needs a token, and another person's address in it is ignored")
def polling_with_a_token(world):
    server, _ = start(world, "posts")
    for user in ("ada", "bob"):
        once(server.socket, "PUT", f"/v1/users/{user}", {"email": f"{user}@example.com"})
    server.publish_item("posts", post("p1", "ada@example.com"))
    body = {"user_email": "bob@example.com", "last_viewed_posts": "2020-01-01T00:00:00Z"}
    expect_equal(once(server.listen, "POST", f"{LIST}/poll", body).status, 401, "without a token")
    answer = once(server.listen, "POST", f"{LIST}/poll", body, token=tokens.token("ada"))
    expect_equal(answer.json()["has_new_posts"], False, "ada, with bob's address")
    answer = once(server.listen, "POST", f"{LIST}/poll", {**body, "query_ids": ["q1"]},
                  token=tokens.token("bob", queries=["q1"]))
    expect_subset(answer.json(), {"has_new_posts": True, "query_badges": {"q1": False}}, "bob")
    expect_equal(once(server.listen, "GET", "/api/posts/recent-tagged?tags=post").status, 401, "posts without a token")


# S3:79-105, 157-199, 237-267
@case("posts: one publication brings the notification, the post and each query's match, once, and takes all of it back")
def one_publication(world):
    server, sink = start(world, "posts", **OPEN)
    launch(server, "bob", "bb02")
    launch(server, "cy", "cc03")
    for user in ("ada", "bob", "cy"):
        once(server.socket, "PUT", f"/v1/users/{user}", {"email": f"{user}@example.com"})
    members = once(server.socket, "PUT", "/v1/topics/posts:everyone/members", {"add": ["ada", "bob", "cy"]})
    expect_equal(members.status, 200, "the topic")
    live = server.open()
    live.hello(tokens.token("bob", queries=["q3", "q8"]))
    for feed in ("posts", "query:q3"):
        live.call("subscribe", feed=feed)
        live.expect("feed", feed=feed)
    queries = [{"id": "q3", "title": "Engines"}, {"id": "q8", "title": "Poetry"}]
    body = {"type": "post_created", "key": "post-p7", "actor": ADA, "data": {"post": {"id": "p7"}, "item": post("p7")},
            "to": {"matched": [{"user": "bob", "data": {"queries": queries}}], "everyone": {"topic": "posts:everyone"}}}
    dry = once(server.socket, "POST", "/v1/events?dryRun=true", body).json()
    expect_equal([(each["feed"], each["item"]["id"]) for each in dry["feeds"]],
                 [("posts", "p7"), ("query:q3", "p7"), ("query:q8", "p7")], "the dry run")
    answer = server.publish(body)
    expect_equal([(each["feed"], each["offset"]) for each in answer["feeds"]],
                 [("posts", 1), ("query:q3", 1), ("query:q8", 1)], "where the items are")
    told = live.take(3)
    expect_equal([frame["type"] for frame in told], ["item", "item", "new"], "the items come before the notification")
    expect_equal(told[2]["notification"]["type"], "NEW_MATCH", "the notification")
    wait_for_push(sink, "cc03")
    again = server.publish(body)
    expect_equal(again["replayed"], True, "the same event again")
    client = Client(server)
    client.fetch_new_posts()
    expect_equal([each["id"] for each in client.posts], ["p7"], "what the app fetches")
    badges_of_bob = {"user_email": "bob@example.com", "query_ids": ["q3", "q8", "q9"],
                     "last_viewed_posts": "2024-12-09T18:00:00"}
    expect_equal(poll(server, **badges_of_bob),
                 b'{"query_badges":{"q3":true,"q8":true,"q9":false},"has_new_users":false,"has_new_posts":true}', "the poll")
    trail = once(server.socket, "GET", f"/v1/trail/{answer['event']}").json()["event"]
    expect_equal([each["feed"] for each in trail["feeds"]], ["posts", "query:q3", "query:q8"], "the trail")
    gone = once(server.socket, "DELETE", "/v1/events/post-p7").json()
    expect_equal((gone["removed"], gone["items"]), (2, 3), "what was taken back")
    frames = live.take(3)
    expect_equal(sorted((frame["type"], frame.get("removes")) for frame in frames if frame["type"] == "item"),
                 [("item", 1), ("item", 1)], "what subscribers are told")
    fresh = Client(server)
    fresh.fetch_new_posts()
    expect_equal(fresh.posts, [], "what is left")
    expect_equal(poll(server, **badges_of_bob),
                 b'{"query_badges":{"q3":false,"q8":false,"q9":false},"has_new_users":false,"has_new_posts":false}',
                 "the poll after it")
    server.publish({**body, "key": "post-p8", "data": {"post": {"id": "p8"}}})
    wrong = once(server.socket, "POST", "/v1/events", {**body, "key": "post-p9", "data": {
        "post": {"id": "p9"}, "item": post("p9", tags=[1])}})
    expect_equal((wrong.status, wrong.json()["pointer"]), (422, "/data/item/tags"), "an item that is not as the rule says")
    expect_equal(server.drift(), 0, "the drift")
