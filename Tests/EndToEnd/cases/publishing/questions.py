"""Events that ask, and the one answer of each person."""

import threading
import time

from harness.events import moment, room_liked
from harness.http import expect_problem, once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until

ACTIONS = [{"id": "approve", "label": "Approve"}, {"id": "reject", "label": "Reject"}]


def ask(server, *people: str, **more) -> str:
    """Publishes a question, and returns the event's id."""
    question = {"actions": ACTIONS, **more}
    return server.publish(room_liked(*people, question=question))["event"]


def answers(server, event: str, query: str = "", status: int = 200) -> dict:
    answer = once(server.socket, "GET", f"/v1/events/{event}/answers{query}")
    expect_equal(answer.status, status, f"the status of the answers: {answer.body}")
    return answer.json()


def row(server, user: str) -> dict:
    return server.get(user)["data"][0]


def give(server, user: str, action: str, id: str | None = None, **more):
    id = id or row(server, user)["id"]
    return server.rest(user, "PUT", f"/api/notifications/{id}/answer", {"action": action, **more})


@case("a question is shown with its buttons, and its first answer stands over sessions, calls and backends")
def first(world):
    server = world.serve()
    live = server.session("sarah")
    event = ask(server, "sarah", "tom")
    asked = live.expect("new")["notification"]
    expect_equal(asked["question"], {"actions": ACTIONS, "answer": None}, "the question")
    expect_equal(live.call("answer", notification=asked["id"], action="approve")["type"], "ok", "the confirmation")
    shown = live.expect("update")["notification"]["question"]["answer"]
    expect_subset(shown, {"action": "approve", "by": "live"}, "the answer that sessions see")
    live.expect("read")
    # The same answer again is confirmed: its confirmation may have been lost. Another one comes too late.
    expect_equal(live.call("answer", notification=asked["id"], action="approve")["type"], "ok", "the repetition")
    refused = live.call("answer", notification=asked["id"], action="reject")
    expect_subset(refused, {"type": "error", "code": "already_answered"}, "the second answer")
    expect_equal(give(server, "sarah", "approve").json()["answer"], shown, "the same answer by a call")
    expect_problem(give(server, "sarah", "reject"), {"status": 409, "code": "already_answered"}, "another by a call")
    told = answers(server, event)
    expect_equal(told["unanswered"], 1, "who has not answered")
    expect_subset(told["people"][0], {"user": "sarah", "state": "answered", **shown}, "sarah's answer")
    expect_subset(told["people"][1], {"user": "tom", "state": "pending"}, "tom's")
    id = row(server, "tom")["id"]
    given = once(server.socket, "PUT", f"/v1/users/tom/notifications/{id}/answer", {"action": "reject"})
    expect_subset(given.json()["answer"], {"action": "reject", "by": "publisher"}, "a backend's answer for tom")
    expect_equal(answers(server, event)["unanswered"], 0, "who has not answered in the end")
    expect_equal(server.unread("sarah"), 0, "what sarah has not read")


@case("whoever asks waits until all have answered, or one, or the wait ends")
def waiting(world):
    server = world.serve()
    event = ask(server, "sarah", "tom")
    got = {}

    def wait(name: str, query: str):
        got[name] = answers(server, event, query)

    threads = [threading.Thread(target=wait, args=arguments)
               for arguments in (("all", "?wait=30"), ("first", "?wait=30&until=first"))]
    for thread in threads:
        thread.start()
    expect_equal(give(server, "tom", "approve").status, 200, "tom's answer")
    threads[1].join(PATIENCE)
    expect_equal(got["first"]["unanswered"], 1, "who has not answered when the first has")
    expect("all" not in got, "the wait for all ended with one")
    expect_equal(give(server, "sarah", "reject", by="push").status, 200, "sarah's answer")
    threads[0].join(PATIENCE)
    expect_equal([person["action"] for person in got["all"]["people"]], ["reject", "approve"], "the answers")
    expect_equal(got["all"]["people"][0]["by"], "push", "how sarah answered")
    later = ask(server, "sarah")
    expect_equal(answers(server, later, "?wait=1")["unanswered"], 1, "who has not answered when the wait ends")


@case("after answerBy the default stands for those who have not answered, also if nobody asked in time")
def defaults(world):
    server = world.serve()
    event = ask(server, "sarah", "tom", answerBy=moment(1.5), default="reject")
    expect_equal(give(server, "tom", "approve").status, 200, "tom's answer in time")
    told = answers(server, event, "?wait=30")
    expect_subset(told["people"][0], {"state": "expired", "action": "reject", "by": "expiry"}, "sarah's answer")
    expect_subset(told["people"][1], {"state": "answered", "action": "approve", "by": "rest"}, "tom's answer")
    expect_problem(give(server, "sarah", "approve"), {"status": 409, "code": "too_late"}, "sarah's answer afterwards")
    expect_subset(row(server, "sarah")["question"]["answer"], {"action": "reject", "by": "expiry"}, "what she sees")
    expect_equal(server.unread("sarah"), 1, "what she has not read")


@case("a question's time is over by itself: sessions get the default, and the trail has it once")
def ends(world):
    server = world.serve()
    live = server.session("sarah")
    later = ask(server, "tom", answerBy=moment(600))
    event = ask(server, "sarah", answerBy=moment(0.5), default="reject")
    asked = live.expect("new")["notification"]
    ended = live.expect("update")["notification"]
    expect_equal(ended["id"], asked["id"], "what has ended")
    expect_subset(ended["question"]["answer"], {"action": "reject", "by": "expiry"}, "the answer that sessions see")
    expect(not ended["isRead"], "nobody has read it")
    told = answers(server, event)
    expect_subset(told["people"][0], {"state": "expired", **ended["question"]["answer"]}, "what the publisher learns")
    trail = once(server.socket, "GET", f"/v1/trail/{event}").json()
    steps = [step for step in trail["recipients"][0]["steps"] if step["step"] == "answered"]
    expect_equal([(step["action"], step["by"]) for step in steps], [("reject", "expiry")], "the steps of the trail")
    expect_equal(answers(server, later)["people"][0]["state"], "pending", "tom's later question")


@case("a question whose time ends while the server is killed is settled once, soon after the next start")
def ends_meanwhile(world):
    server = world.serve()
    event = ask(server, "sarah", "tom", answerBy=moment(1), default="reject")
    ended = time.time() + 1.2
    removed = row(server, "tom")["id"]
    expect_equal(server.rest("tom", "DELETE", f"/api/notifications/{removed}").status, 200, "removing the question")
    server.kill()
    wait_until(lambda: time.time() > ended, PATIENCE, "the end of the time")
    server.start()
    shown = wait_until(lambda: row(server, "sarah")["question"]["answer"], PATIENCE, "the default")
    expect_subset(shown, {"action": "reject", "by": "expiry"}, "what sarah sees")
    wait_until(lambda: answers(server, event)["unanswered"] == 0, PATIENCE, "tom's default, though he removed it")
    before = answers(server, event)
    server.kill()
    server.start()
    expect_equal(answers(server, event), before, "the answers after another start")


CATALOG = """
catalog: rounds
events:
  requested: {routes: [{to: hosts, type: REQUEST}]}
  invited: {routes: [{to: guests, type: INVITATION}]}
types:
  REQUEST: {text: "May I come?", question: {actions: {approve: "Approve", reject: "Reject", later: "Later"}}}
  INVITATION:
    text: "Will you come?"
    question: {actions: {accept: "Accept", decline: "Decline"}, asks: true, answerBy: 1s, default: decline}
translations:
  de:
    types:
      REQUEST: {text: "Darf ich kommen?", question: {actions: {approve: "Ja", reject: "Nein", later: "Später"}}}
      INVITATION: {text: "Kommst du?", question: {actions: {accept: "Zusagen", decline: "Absagen"}}}
"""


@case("a catalog has the words on the buttons, in each person's language, and lets a type ask by itself")
def words(world):
    file = world.folder / "rounds.yaml"
    file.write_text(CATALOG)
    server = world.serve(catalogs=[str(file)])
    expect_equal(once(server.socket, "PUT", "/v1/users/tom", {"locale": "de"}).status, 204, "tom's profile")
    expect_equal(once(server.socket, "PUT", "/v1/users/sarah", {"locale": "en"}).status, 204, "sarah's profile")

    def buttons(user: str) -> list[str]:
        return [action["label"] for action in row(server, user)["question"]["actions"]]

    hosts = {"type": "requested", "to": {"hosts": ["sarah", "tom"]}}
    event = server.publish({**hosts, "question": {"actions": [{"id": "reject"}, {"id": "approve"}]}})["event"]
    expect_equal(buttons("sarah"), ["Reject", "Approve"], "the buttons in English")
    expect_equal(buttons("tom"), ["Nein", "Ja"], "the buttons in German")
    expect_equal(give(server, "tom", "approve").status, 200, "tom's answer")
    told = answers(server, event)
    expect_equal(told["question"], {"actions": [{"id": "reject"}, {"id": "approve"}]}, "the question that the publisher learns")
    server.publish({**hosts, "question": {"actions": [{"id": "approve", "label": "Fine"}]}})
    expect_equal(buttons("tom"), ["Fine"], "the event's own words")
    server.publish(hosts)
    expect("question" not in row(server, "tom"), "a type asked that has words alone")
    refused = server.post("/v1/events", {**hosts, "question": {"actions": [{"id": "never"}]}})
    expect_problem(refused, {"status": 422, "code": "missing_field", "pointer": "/question/actions/0/label"}, "no words")

    invited = server.publish({"type": "invited", "to": {"guests": ["sarah", "tom"]}})["event"]
    expect_equal(buttons("tom"), ["Zusagen", "Absagen"], "the buttons of a type that asks")
    told = answers(server, invited, "?wait=30")
    expect_equal([person["action"] for person in told["people"]], ["decline", "decline"], "the default")
    expect_subset(told["people"][0], {"state": "expired", "by": "expiry"}, "how it came")


@case("wrong answers and wrong questions are refused, and say what was expected")
def refusals(world):
    server = world.serve()
    event = ask(server, "sarah")
    id = row(server, "sarah")["id"]
    expect_problem(give(server, "sarah", "perhaps"),
                   {"status": 422, "code": "unknown_action", "pointer": "/action"}, "an unknown action")
    expect_problem(give(server, "tom", "approve", id), {"status": 404, "code": "unknown_notification"}, "another's")
    expect_problem(give(server, "sarah", "approve", by="carrier pigeon"), {"status": 400, "code": "invalid_value"}, "a way")
    expect_problem(server.rest("sarah", "PUT", f"/api/notifications/{id}/answer", {}),
                   {"status": 400, "code": "missing_field"}, "no action")
    plain = server.publish(room_liked("tom"))["event"]
    expect_problem(give(server, "tom", "approve"), {"status": 422, "code": "asks_nothing"}, "no question")
    expect_equal(answers(server, plain, status=404)["code"], "asks_nothing", "the answers to no question")
    expect_equal(answers(server, "evt_none", status=404)["code"], "unknown_event", "the answers to no event")
    for query in ("?wait=56", "?wait=-1", "?until=none", "?limit=0", "?after=x", "?waits=1"):
        expect_equal(answers(server, event, query, 400)["code"], "invalid_parameter", query)
    refused = server.post("/v1/events", room_liked("sarah", question={"actions": []}))
    expect_problem(refused, {"status": 422, "code": "invalid_value", "pointer": "/question/actions"}, "no actions")


@case("of devices that answer at once, one is first, and the answer outlives kill -9 and the removal of the question")
def race(world):
    server = world.serve()
    event = ask(server, "sarah")
    id = row(server, "sarah")["id"]
    statuses = []
    threads = [threading.Thread(target=lambda action=action: statuses.append(
        (action, give(server, "sarah", action, id).status))) for action in ("approve", "reject") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    winner = answers(server, event)["people"][0]["action"]
    for action, status in statuses:
        expect_equal(status, 200 if action == winner else 409, f"the status of {action}, when {winner} was first")
    server.kill()
    server.start()
    expect_equal(answers(server, event)["people"][0]["action"], winner, "the answer after kill -9")
    expect_equal(row(server, "sarah")["question"]["answer"]["action"], winner, "what sarah sees after it")
    expect_equal(server.rest("sarah", "DELETE", f"/api/notifications/{id}").status, 200, "removing the question")
    expect_equal(answers(server, event)["people"][0]["action"], winner, "the answer after its removal")
