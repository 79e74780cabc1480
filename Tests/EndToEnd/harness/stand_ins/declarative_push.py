"""What a browser shows of a push's JSON: by itself if it is a declarative push message, else by a service worker.

Follows "declarative push message parser" of the W3C's Push API, and Safari's own reader (NotificationJSONParser.cpp), which
fails for optional members of a wrong type, an empty title and a relative address. Safari 18.4 and 18.5 look for `app_badge`
within the notification, and later ones at the top.
"""

from urllib.parse import urlsplit

TEXTS = ("lang", "body", "tag", "icon", "image", "badge")
TRUTHS = ("silent", "renotify", "requireInteraction", "mutable")
#: The members that do not go into `showNotification`.
OWN = ("navigate", "app_badge", "mutable")


def is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def read_declarative(message: dict) -> dict:
    """Title, options, `navigate`, and the icon's number as `badge`."""
    if message.get("web_push") != 8030:
        raise ValueError(f"web_push is {message.get('web_push')}")
    notification = message.get("notification")
    if not isinstance(notification, dict):
        raise ValueError("a declarative push message without a notification")
    title, navigate = notification.get("title"), notification.get("navigate")
    if not isinstance(title, str) or not title:
        raise ValueError("no title")
    if not isinstance(navigate, str) or urlsplit(navigate).scheme not in ("https", "http") or not urlsplit(navigate).netloc:
        raise ValueError(f"navigate is no absolute address: {navigate}")
    for name in TEXTS:
        if not isinstance(notification.get(name, ""), str):
            raise ValueError(f"{name} is no string")
    for name in TRUTHS:
        if not isinstance(notification.get(name, False), bool):
            raise ValueError(f"{name} is no boolean")
    if not is_whole(notification.get("timestamp", 0)) or notification.get("timestamp", 0) < 0:
        raise ValueError("timestamp is no time")
    if notification.get("dir", "auto") not in ("auto", "ltr", "rtl"):
        raise ValueError("dir")
    if notification.get("renotify") and not notification.get("tag"):
        raise ValueError("renotify without a tag, for which the Notifications API throws")
    badge = message.get("app_badge")
    if not is_whole(badge) or badge < 0 or notification.get("app_badge") != badge:
        raise ValueError(f"app_badge is {badge} and {notification.get('app_badge')}")
    options = {name: value for name, value in notification.items() if name not in OWN}
    return {**options, "navigate": navigate, "badge": badge,
            **{name: message[name] for name in ("group", "category") if name in message}}


def read(message: dict) -> dict:
    """The same of either form."""
    if "web_push" in message:
        return read_declarative(message)
    if "title" not in message or "belfry" not in message:
        raise ValueError(f"neither form: {sorted(message)}")
    return {**{name: value for name, value in message.items() if name != "belfry"},
            "data": {**message.get("data", {}), "belfry": message["belfry"]}}
