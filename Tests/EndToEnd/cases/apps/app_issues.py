"""The restaurant issues app: its own testing checklist, with the sink as the phones."""

import json

from harness.apps import badges, expect_push, expect_quiet, own, register, shown_to, start, wait_for_push
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

LIST = "/api/notifications"
KEVIN = {"id": "admin-1", "name": "Kevin Admin", "avatarUrl": None}
CHRIS = {"id": "user123", "name": "Chris Cashion", "avatarUrl": None}
MARIA = {"id": "maria", "name": "Maria Ruiz", "avatarUrl": None}
BANANA = {"name": "Banana Stand"}
FREEZER = {"id": "abc123", "title": "Broken freezer compressor", "priority": "high"}


def event(type: str, to: dict, data: dict, actor: dict = KEVIN, **more) -> dict:
    return {"type": type, "actor": actor, "to": to, "data": data, **more}


def issue_created(*admins: str, **more) -> dict:
    return event("issue_created", {"admins": list(admins)}, {"issue": FREEZER, "restaurant": BANANA}, MARIA, **more)


def work_updated(to: dict, kind: str = "work_log") -> dict:
    return event("work_updated", to, {"issue": FREEZER, "updateType": kind, "restaurant": BANANA})


def message(*participants: str, about=FREEZER, text="Can you send more photos?") -> dict:
    data = {"conversation": {"id": "xyz789"}, "message": {"text": text}}
    if about:
        data |= {"issue": about, "restaurant": BANANA}
    return event("message_sent", {"participants": list(participants)}, data, CHRIS)


def phone(server, user: str, token: str | None = None):
    """An iPhone that FCM knows; by its owner's name, if no other token is given."""
    register(server, user, f"{token or user}-phone", "fcm", token or user, app="issues", platform="ios")


# T4.1, B4.1, B4.2, B4.4, B4.5, C29
@case("issues: all admins get the push of a new issue, on all their phones, with everything that a tap needs")
def new_issue(world):
    server, sink = start(world, "issues")
    for user, token in (("kevin", "kevin-1"), ("kevin", "kevin-2"), ("adele", "adele"), ("tomas", "tomas")):
        phone(server, user, token)
    answer = server.publish(issue_created("kevin", "adele", "maria"))
    expect_subset(answer, {"created": 2, "suppressed": 1}, "the answer")
    for token in ("kevin-1", "kevin-2", "adele"):
        expect_push(wait_for_push(sink, token), "New High Priority Issue", "Banana Stand: Broken freezer compressor",
                    {"type": "issue", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                     "restaurantName": "Banana Stand", "priority": "high"}, badge=1, provider="fcm")
    expect_quiet(sink, "tomas", 0)
    # As many as phones, not as people.
    path = f"/v1/trail/{answer['event']}"
    wait_until(lambda: once(server.socket, "GET", path).json()["summary"]["pushes"]["sent"] == 3, PATIENCE, "three sent pushes")
    expect_subset(once(server.socket, "GET", path).json()["summary"]["pushes"], {"queued": 3, "sent": 3}, "the counts")


# T4.1, C23
@case("issues: admins are a topic that the backend keeps; whoever joins it gets the next issue")
def admins_are_a_topic(world):
    server, sink = start(world, "issues")
    phone(server, "kevin")
    members = "/v1/topics/role:admin/members"
    expect(once(server.socket, "PUT", members, {"users": ["kevin"]}).status in (200, 204), "the topic")
    admins = {"admins": {"topic": "role:admin"}}
    to_admins = event("issue_created", admins, {"issue": FREEZER, "restaurant": BANANA}, MARIA)
    expect_equal(server.publish(to_admins)["created"], 1, "recipients of the first one")
    once(server.socket, "PUT", members, {"add": ["adele"]})
    expect_equal(server.publish(to_admins)["created"], 2, "recipients of the second one")
    wait_for_push(sink, "kevin", 2)
    expect_equal(len(server.get("adele")["data"]), 1, "adele's list")


# T4.2, C23
@case("issues: a work log comes to the owner, a change of status to the participants, each once")
def work_updates(world):
    server, sink = start(world, "issues")
    for user in ("olga", "paul", "kevin"):
        phone(server, user)
    server.publish(work_updated({"owner": ["olga"]}))
    expect_push(wait_for_push(sink, "olga"), "New Update: Banana Stand",
                "Kevin Admin posted an update on 'Broken freezer...'",
                {"type": "work_update", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                 "updateType": "work_log", "updatedBy": "Kevin Admin"}, badge=1)
    server.publish(work_updated({"participants": ["paul", "olga", "admin-1"]}, "status"))
    expect_equal(wait_for_push(sink, "paul")["data"]["updateType"], "status", "the participant's push")
    expect_equal(wait_for_push(sink, "olga", 2)["badge"], 2, "the owner's number")
    # Who stands in several lists gets one.
    expect_subset(server.publish(work_updated({"owner": ["olga"], "participants": ["olga", "paul"]})),
                  {"recipients": 2, "created": 2}, "two lists")


# T4.3, C22
@case("issues: a message comes to the others of the conversation, about an issue or about none")
def messages(world):
    server, sink = start(world, "issues")
    for user in ("kevin", "user123"):
        phone(server, user)
    server.publish(message("kevin", "user123", about={"id": "abc123", "title": "Broken freezer compressor"}))
    expect_push(wait_for_push(sink, "kevin"), "Chris Cashion replied",
                "About 'Broken freezer' at Banana Stand: Can you send more photos?",
                {"type": "message", "conversationId": "xyz789", "senderId": "user123", "senderName": "Chris Cashion",
                 "issueId": "abc123", "issueTitle": "Broken freezer compressor"}, badge=1)
    server.publish(message("kevin", "user123", about=None, text="Who is in tomorrow?"))
    expect_push(wait_for_push(sink, "kevin", 2), "Chris Cashion replied", "Who is in tomorrow?",
                {"type": "message", "conversationId": "xyz789", "senderId": "user123", "senderName": "Chris Cashion"},
                badge=2)
    expect_quiet(sink, "user123", 0)


# B4.3
@case("issues: no body reaches 178 characters, whatever people write")
def long_bodies(world):
    server, sink = start(world, "issues")
    phone(server, "kevin")
    long = "a very long story about a freezer 🧊 " * 30
    server.publish([message("kevin", text=long), message("kevin", about={"id": "1", "title": long}, text=long)])
    for number in (1, 2):
        push = wait_for_push(sink, "kevin", number)
        expect(len(push["body"]) < 178 and push["body"].endswith("…"), f"the body: {push['body']!r}")


# B4.6, C13, C14
@case("issues: the badge counts up with each push, survives a crash, and is cleared by a tap and by hand")
def badge_counts(world):
    server, sink = start(world, "issues", PUSH_BADGE_DELAY="200ms")
    phone(server, "kevin")
    news = [issue_created("kevin"), message("kevin"), work_updated({"admins": ["kevin"]})]
    for number, publication in enumerate(news, 1):
        server.publish(publication)
        expect_equal(wait_for_push(sink, "kevin", number)["badge"], number, "the number")
    # What is not settled when the process dies is sent once more, with the same number.
    wait_until(lambda: server.metrics()["belfry_push_jobs"] == 0, PATIENCE, "no push job left")
    server.kill()
    server.start()
    server.publish(message("kevin"))
    expect_equal(wait_for_push(sink, "kevin", 4)["badge"], 4, "the number after a crash")
    # A tap opens one notification, and the app tells that the feed was looked at.
    tapped = server.get("kevin")["data"][2]["id"]
    server.rest("kevin", "PUT", f"{LIST}/read", {"notificationIds": [tapped]})
    server.rest("kevin", "PUT", f"{LIST}/seen")
    wait_until(lambda: badges(sink, "kevin")[-1] == 0, PATIENCE, "the icon is cleared")
    expect_equal(server.unread("kevin"), 3, "unread after the tap")
    server.publish(message("kevin"))
    expect_equal(wait_for_push(sink, "kevin", 5)["badge"], 1, "the number after that")


# T4.4, T4.5, B4.9, B4.2
@case("issues: five types open five places, from the push and from the feed alike")
def deep_links(world):
    server, sink = start(world, "issues")
    phone(server, "kevin")
    receipt = {"id": "r1", "status": "approved"}
    kevin = {"participants": ["kevin"]}
    events = [
        (issue_created("kevin"), "issue", {"type": "issue", "issueId": "abc123", "tab": None}),
        (work_updated({"admins": ["kevin"]}), "work_update", {"type": "issue", "issueId": "abc123", "tab": None}),
        (message("kevin"), "message", {"type": "conversation", "conversationId": "xyz789"}),
        (event("receipt_status_changed", kevin, {"issue": FREEZER, "receipt": receipt, "restaurant": BANANA}),
         "receipt_status", {"type": "issue", "issueId": "abc123", "tab": "receipts"}),
        (event("issue_status_changed", kevin,
               {"issue": {**FREEZER, "status": "in_progress"}, "restaurant": BANANA}),
         "issue_status", {"type": "issue", "issueId": "abc123", "tab": None}),
    ]
    for number, (publication, type, link) in enumerate(events, 1):
        server.publish(publication)
        row = server.get("kevin")["data"][0]
        found = {key: value for key, value in row["deepLink"].items() if key != "actorId"}
        expect_equal((row["type"], found), (type, link), "the row")
        data = wait_for_push(sink, "kevin", number)["data"]
        expect_equal(data["type"], type, "the push's type")
        expect("issueId" in data or "conversationId" in data, f"nothing to open in {data!r}")
        # The feed has all that the push has.
        expect_subset(row, own(data), "the row's own data")


# B4.7, E11
@case("issues: the activity feed has everything after a crash; rows are marked read, and all of it can be cleared")
def activity_feed(world):
    server, _ = start(world, "issues")
    server.publish([issue_created("kevin"), message("kevin"), work_updated({"admins": ["kevin"]})])
    server.kill()
    server.start()
    page = server.get("kevin")
    expect_equal([row["type"] for row in page["data"]], ["work_update", "message", "issue"], "the feed")
    expect_equal(page["meta"]["unseen"], 3, "what opens the feed at launch")
    server.rest("kevin", "PUT", f"{LIST}/read", {"notificationIds": [page["data"][1]["id"]]})
    expect_equal([row["isRead"] for row in server.get("kevin")["data"]], [False, True, False], "read")
    expect_equal(server.rest("kevin", "DELETE", LIST).status, 200, "clearing")
    expect_equal((server.get("kevin")["data"], server.unread("kevin")), ([], 0), "the feed after that")


# B4.8, E10
@case("issues: why somebody did or did not get a push can be asked: tokens, processed, successes, errors")
def debugging(world):
    server, sink = start(world, "issues")
    register(server, "kevin", "kevin-phone", "fcm", "kevin", app="issues", platform="ios", permission="granted")
    devices = once(server.socket, "GET", "/v1/users/kevin/devices").json()["devices"]
    expect_equal([(device["provider"], device["permission"], device["badge"]) for device in devices],
                 [("fcm", "granted", None)], "the token's status")
    answer = server.publish(issue_created("kevin", "adele", "maria"))
    wait_for_push(sink, "kevin")
    path = f"/v1/trail/{answer['event']}"
    wait_until(lambda: once(server.socket, "GET", path).json()["summary"]["pushes"]["sent"] == 1, PATIENCE, "the sent push")
    devices = once(server.socket, "GET", "/v1/users/kevin/devices").json()["devices"]
    expect_equal([device["badge"] for device in devices], [1], "the number on the icon")
    told = world.run("push", "devices", "--user", "kevin", "--socket", server.socket)
    expect_equal(told.stdout.splitlines()[-1].split()[-1], "1", f"the number as a command tells it: {told.stdout}")
    trail = once(server.socket, "GET", path).json()
    expect_subset(trail["summary"], {"processed": True, "created": 2, "suppressed": 1, "errors": []}, "the summary")
    text = json.dumps(trail)
    expect(all(user in text for user in ("kevin", "adele", "maria")), f"somebody is missing in {text}")
    told = world.run("explain", answer["event"], "--socket", server.socket)
    expect_equal(told.returncode, 0, "the exit code of explain")
    expect(all(user in told.stdout for user in ("kevin", "adele", "maria")), f"explain: {told.stdout}")
    for question in ([answer["event"]], ["--user", "kevin"]):
        told = world.run("explain", *question, "--publisher", trail["event"]["publisher"], "--socket", server.socket)
        expect_equal(told.returncode, 0, f"the exit code of explain with a publisher: {told.stderr}")
    test = server.post("/v1/users/kevin/test-push", {"title": "Test", "body": "Testing notification"}).json()
    expect_equal([result["verdict"] for result in test["results"]], ["accepted"], "the test push")


# C26
@case("issues: whoever has the app open and shows it gets no push; the others of the same issue do")
def live_first(world):
    server, sink = start(world, "issues")
    for user in ("kevin", "adele"):
        phone(server, user)
    live = server.session("kevin")
    server.publish(issue_created("kevin", "adele"))
    live.call("ack", seq=live.expect("new", unread=1)["seq"])
    wait_for_push(sink, "adele")
    expect_quiet(sink, "kevin", 0)
    expect_equal(len(shown_to(sink, "adele")), 1, "adele's pushes")
