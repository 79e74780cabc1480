"""A UnifiedPush server that follows ntfy's rules, and the app on a phone that is subscribed to one topic.

From ntfy's source (server/server.go, server/errors.go, version 2.13): a path is a topic of 1 to 64 characters; the header
`Content-Encoding: aes128gcm` or `up=1` makes a push of UnifiedPush; parameters are read from headers, too; a body beyond
4,096 bytes is cut without a word; 200 and the message as JSON is the answer.
"""

import json
import re

from .web_push_receiver import WebPushReceiver

#: The headers that ntfy reads as parameters of a message, beside those that begin with `x-`.
PARAMETERS = {
    "title", "t", "click", "icon", "filename", "file", "f", "attach", "a", "email", "e-mail", "mail", "e", "call", "message", "m",
    "priority", "prio", "p", "tags", "tag", "ta", "delay", "at", "in", "actions", "action", "markdown", "md", "template", "tpl",
    "cache", "firebase", "poll-id",
}
MESSAGE_BYTES = 4_096


def refusal(status: int, code: int, error: str) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json"}, json.dumps({"code": code, "http": status, "error": error}).encode()


class Ntfy(WebPushReceiver):
    """Like a browser's service, the phone decrypts, and a push that is not as the RFCs want it fails the case."""

    def __init__(self, folder, topic: str = "upAbCdEfGh1234"):
        super().__init__(folder)
        self.topic = topic
        self.scope = None
        #: Whether the phone has connected lately, without which `visitor-subscriber-rate-limiting` takes nothing.
        self.has_subscriber = True
        #: Whether everybody may write to the topic.
        self.is_open = True
        #: How many more messages there may be today.
        self.quota = 1_000
        #: The statuses of all answers.
        self.statuses: list[int] = []

    @property
    def endpoint(self) -> str:
        return f"{self.origin}/{self.topic}?up=1"

    def receive(self, path, headers, body):
        answer = self._answer(path, headers, body)
        self.statuses.append(answer[0])
        return answer

    def _answer(self, path, headers, body):
        topic, _, query = path.removeprefix("/").partition("?")
        if not re.fullmatch(r"[-_A-Za-z0-9]{1,64}", topic):
            return refusal(404, 40401, "page not found")
        # ntfy takes another scheme than these for no header at all.
        if headers.get("authorization", "").split(" ")[0].lower() in ("basic", "bearer"):
            return refusal(401, 40101, "unauthorized")
        if not self.is_open:
            return refusal(403, 40301, "forbidden")
        if query != "up=1" and headers.get("content-encoding") != "aes128gcm":
            self._received.fail("a message that is none of UnifiedPush")
        if not self.has_subscriber:
            return refusal(507, 50701, "cannot publish to UnifiedPush topic without previously active subscriber")
        if self.quota == 0:
            return refusal(429, 42908, "limit reached: daily message quota reached")
        self.quota -= 1
        for name in PARAMETERS.intersection(headers) | {name for name in headers if name.startswith("x-")}:
            self._received.fail(f"the header {name}, which ntfy reads as a part of the message")
        status, _, _ = super().receive(path, headers, body[:MESSAGE_BYTES])
        if status != 201:
            return status, {}, b""
        message = {"id": "aBcD", "time": 1, "event": "message", "topic": topic, "encoding": "base64"}
        return 200, {"Content-Type": "application/json"}, json.dumps(message).encode()
