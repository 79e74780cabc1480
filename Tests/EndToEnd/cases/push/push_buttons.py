"""Questions on lock screens and in browsers' notifications, answered by their buttons."""

from harness.events import room_liked
from harness.http import expect_problem, once
from harness.suite import case, expect_equal, expect_subset

from .web_push import subscribe, with_browser

ACTIONS = [{"id": "approve", "label": "Approve"}, {"id": "reject", "label": "Reject"}]


@case("a browser's push has the question's buttons, and a button answers by the secret of the browser's subscription")
def buttons(world):
    server, browser = with_browser(world, PUSH_GRACE="0s")
    subscription = browser.subscription()
    subscribe(server, subscription)
    event = server.publish(room_liked("sarah", question={"actions": ACTIONS}))["event"]
    notification = browser.wait_for(1)[0].payload["notification"]
    expect_equal([(button["action"], button["title"]) for button in notification["actions"]],
                 [("approve", "Approve"), ("reject", "Reject")], "the buttons")
    own = notification["data"]["belfry"]
    expect_equal(own["actions"], ACTIONS, "the actions for apps")

    def press(action: str, **more):
        body = {"endpoint": subscription["endpoint"], "auth": subscription["keys"]["auth"], "notification": own["id"],
                "action": action, **more}
        return once(server.listen, "POST", "/api/push/answer", body)

    for wrong in ({"auth": "AAAA"}, {"endpoint": f"{browser.origin}/push/unknown"}):
        expect_problem(press("approve", **wrong), {"status": 404, "code": "unknown_subscription"}, f"{wrong}")
    expect_problem(press("approve", auth=None), {"status": 400, "code": "missing_field", "pointer": "/auth"}, "no secret")
    expect_problem(press("perhaps"), {"status": 422, "code": "unknown_action"}, "no action of the question")
    expect_subset(press("approve").json()["answer"], {"action": "approve", "by": "push"}, "the answer")
    expect_problem(press("reject"), {"status": 409, "code": "already_answered"}, "the second answer")
    told = once(server.socket, "GET", f"/v1/events/{event}/answers").json()
    expect_subset(told["people"][0], {"user": "sarah", "action": "approve", "by": "push"}, "what the backend is told")
    expect_equal(server.unread("sarah"), 0, "what is unread")


@case("a push for two questions has no buttons")
def several(world):
    server, browser = with_browser(world)
    subscribe(server, browser.subscription())
    server.rest("sarah", "PUT", "/api/notifications/snooze", {"hours": 1})
    server.publish([room_liked("sarah", question={"actions": ACTIONS}) for _ in range(2)])
    server.rest("sarah", "DELETE", "/api/notifications/snooze")
    digest = browser.wait_for(1)[0].payload["notification"]
    expect_equal((digest["body"], digest.get("actions"), digest["data"]["belfry"].get("actions")),
                 ("2 new notifications", None, None), "the digest")
