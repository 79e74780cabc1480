"""Events of the rooms app, as its backends publish them."""

from datetime import datetime, timedelta, timezone

PETE = {"id": "user-123", "username": "pete", "firstName": "Pete", "avatarUrl": "https://img.example/pete.jpg"}
RENEE = {"id": "user-456", "username": "renee", "firstName": "Renee", "avatarUrl": None}
ITALY = {"id": "room-789", "name": "Italy Trip"}
FUN = {"id": "room-42", "name": "Awesome Fun"}


def moment(seconds: float) -> str:
    """So far ahead."""
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def event(type: str, to: dict, data: dict, *, actor: dict = PETE, **more) -> dict:
    return {"type": type, "actor": actor, "to": to, "data": data, **more}


def room_liked(*owners: str, room: dict = ITALY, **more) -> dict:
    return event("room_liked", {"owner": list(owners)}, {"room": room}, **more)


def room_renamed(*participants: str, old: str, new: str, room: dict = ITALY, **more) -> dict:
    return event("room_renamed", {"participants": list(participants)},
                 {"room": room, "oldName": old, "newName": new}, **more)


def elements_added(*participants: str, photos: int = 0, videos: int = 0, first: int = 1, room: dict = FUN,
                   actor: dict = RENEE, **more) -> dict:
    """Photos first, then videos; their thumbnails are numbered from `first`."""
    kinds = ["photo"] * photos + ["video"] * videos
    elements = [{"kind": kind, "thumbnailUrl": f"https://img.example/{number}.jpg"}
                for number, kind in enumerate(kinds, first)]
    return event("element_added", {"participants": list(participants)}, {"room": room, "elements": elements},
                 actor=actor, **more)


def comment_added(*participants: str, mentioned=(), text: str = "This looks amazing!", **more) -> dict:
    return event("comment_added", {"mentioned": list(mentioned), "participants": list(participants)},
                 {"room": ITALY, "comment": {"id": "42", "text": text}}, **more)


def user_followed(followed: str, *, is_following_back: bool = False, **more) -> dict:
    return event("user_followed", {"followed": [followed]}, {"isFollowingBack": is_following_back}, **more)
