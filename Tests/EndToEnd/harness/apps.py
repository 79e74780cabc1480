"""What the cases about whole apps share: their catalogs, their people, and the phones behind the sink."""

import time

from .suite import PATIENCE, Failed, expect_equal, expect_subset, wait_until
from .world import ROOT

#: Nobody waits long for an acknowledgement here.
GRACE = {"PUSH_GRACE": "1s"}


def catalog(app: str) -> str:
    return str(ROOT / f"Config/catalogs/{app}.yaml")


def start(world, app: str, **settings):
    """A server with the app's catalog that pushes to a sink."""
    sink = world.sink()
    return world.serve(catalogs=(catalog(app),), **{**sink.settings, **GRACE, **settings}), sink


def register(server, user: str, device: str, provider: str, token: str, **more):
    """A device as apps register theirs."""
    answer = server.rest(user, "PUT", f"/api/devices/{device}", {"provider": provider, "token": token, **more})
    expect_equal(answer.status, 200, f"the registration of {device}")


def shown_to(sink, device: str) -> list[dict]:
    """What one phone has shown, in order; pushes that only set the badge show nothing."""
    return [push for push in sink.shown if push.get("device") == device and push["title"] is not None]


def wait_for_push(sink, device: str, count: int = 1, within: float = PATIENCE) -> dict:
    """The phone's push number `count`."""
    wait_until(lambda: len(shown_to(sink, device)) >= count, within, f"push {count} on {device}")
    return shown_to(sink, device)[count - 1]


def own(data: dict) -> dict:
    """A push's data without what Belfry adds."""
    return {key: value for key, value in data.items() if key not in ("belfry", "groupText", "groupCount", "groupKey")}


def expect_push(push: dict, title: str, body: str, data: dict, **members):
    """A push as the phone shows it; `data` must be all of the app's data."""
    expect_subset(push, {"title": title, "body": body, **members}, "the push")
    expect_equal(own(push["data"]), data, "the push's data")


def expect_quiet(sink, device: str, count: int, seconds: float = 2.5):
    """No further push comes to the phone for so long."""
    time.sleep(seconds)
    if len(shown_to(sink, device)) != count:
        raise Failed(f"expected {count} pushes on {device}, found {shown_to(sink, device)!r}")


def badges(sink, device: str) -> list[int]:
    """Every number that the phone's icon was told, by pushes with and without text."""
    return [push["badge"] for push in sink.pushes if push.get("device") == device and push.get("badge") is not None]
