"""Notifications that grow in place."""

from datetime import datetime, timedelta, timezone

from harness.events import PETE, elements_added
from harness.suite import case, expect, expect_equal, expect_subset

TEXT = "renee added 20 photos and 3 videos to Awesome Fun"


def at(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


@case("twenty-three elements within five minutes are one notification that grows; reading it closes the batch",
      pollers=True)
def twenty_three_elements(world):
    server = world.serve()
    live = server.session("sarah")
    now = datetime.now(timezone.utc)
    parts = [dict(photos=2), dict(photos=8, videos=1), dict(photos=10), dict(videos=2)]
    for index, part in enumerate(parts):
        moment = at(now - timedelta(seconds=240 - 60 * index))
        answer = server.publish(elements_added("sarah", first=100 * index, occurredAt=moment, key=f"part-{index}",
                                               **part))
        expect_subset(answer, {"recipients": 1, "created": int(index == 0), "updated": int(index > 0)}, "the answer")
    expect(server.publish(elements_added("sarah", first=300, occurredAt=at(now - timedelta(seconds=60)), key="part-3",
                                         videos=2)).get("replayed"), "the repeated event counted twice")

    frames = live.take(4)
    expect_equal([frame["type"] for frame in frames], ["new", "update", "update", "update"], "the frames")
    expect_equal([frame["unread"] for frame in frames], [1, 1, 1, 1], "unread in them")
    expect_equal([frame["delta"] for frame in frames], [1, 0, 0, 0], "delta in them")
    revs = [frame["notification"]["rev"] for frame in frames]
    # A node that reads of another's news a moment later finds what has come since.
    expect(revs == [1, 2, 3, 4] or world.databases and revs == sorted(revs) and revs[-1] == 4, f"rev in them: {revs}")
    expect_equal(len({frame["notification"]["id"] for frame in frames}), 1, "the number of notifications")
    row = frames[-1]["notification"]
    expect_subset(row, {"type": "ELEMENT_ADDED", "displayText": TEXT, "batchCount": 23, "roomName": "Awesome Fun"},
                  "the notification")
    expect_equal(row["thumbnails"], [{"url": f"https://img.example/{number}.jpg", "type": "PHOTO"}
                                     for number in (0, 1, 100, 101, 102)], "the thumbnails")
    listed = server.get("sarah")
    expect_equal(listed["data"], [row], "the list")
    expect_equal(listed["meta"]["unread"], 1, "unread")

    live.call("read", ids=[row["id"]])
    live.expect("read", unread=0)
    server.publish(elements_added("sarah", photos=1, first=900, occurredAt=at(now - timedelta(seconds=10))))
    fresh = live.expect("new", unread=1)["notification"]
    expect(fresh["id"] != row["id"], "the closed batch grew")
    expect_subset(fresh, {"displayText": "renee added a photo to Awesome Fun", "batchCount": 1}, "the new row")


@case("another person, another room and a later time begin batches of their own")
def own_batches(world):
    server = world.serve()
    now = datetime.now(timezone.utc)
    begin = now - timedelta(minutes=8)
    for more in ({}, {"actor": PETE}, {"room": {"id": "other", "name": "Other"}}):
        answer = server.publish(elements_added("sarah", photos=1, occurredAt=at(begin), **more))
        expect_subset(answer, {"created": 1, "updated": 0}, f"the answer for {more}")
    inside, outside = begin + timedelta(minutes=4, seconds=59), begin + timedelta(minutes=5)
    expect_equal(server.publish(elements_added("sarah", photos=1, occurredAt=at(inside)))["updated"], 1, "inside")
    expect_equal(server.publish(elements_added("sarah", photos=1, occurredAt=at(outside)))["created"], 1, "outside")


@case("each of several recipients has a batch of their own: who has read begins anew, the other one grows")
def recipients_differ(world):
    server = world.serve()
    server.publish(elements_added("sarah", "tom", photos=1))
    server.rest("sarah", "PUT", "/api/notifications/read-all")
    answer = server.publish(elements_added("sarah", "tom", photos=2, first=5))
    expect_subset(answer, {"recipients": 2, "created": 1, "updated": 1}, "the answer")
    texts = {user: [row["displayText"] for row in server.get(user)["data"]] for user in ("sarah", "tom")}
    expect_equal(texts, {
        "sarah": ["renee added 2 photos to Awesome Fun", "renee added a photo to Awesome Fun"],
        "tom": ["renee added 3 photos to Awesome Fun"],
    }, "the texts")
