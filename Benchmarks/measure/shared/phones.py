"""People with a phone each, and the backend that tells them something."""

import http.client
import json
import subprocess
import threading
from pathlib import Path

from .. import Failed
from . import tokens
from .programs import Belfry, Publisher

# The limit of one event.
RECIPIENTS_AT_MOST = 10_000
REGISTERING_THREADS = 4


class Phones:
    """`count` users, `user-0` and so on, each with a phone of one provider."""

    def __init__(self, count: int, provider: str = "apns", first_user: int = 0):
        self.provider = provider
        self.users = [f"user-{first_user + number}" for number in range(count)]
        self.tokens = [f"{first_user + number:032x}" for number in range(count)]

    def register(self, belfry: Belfry, say) -> None:
        say(f"registering {len(self.users):,} devices")
        problems: list[str] = []
        threads = [
            threading.Thread(target=self._register, args=(belfry, part, problems)) for part in range(REGISTERING_THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            raise Failed(problems[0])

    def _register(self, belfry: Belfry, part: int, problems: list[str]) -> None:
        secret = tokens.secret(belfry.data)
        connection = http.client.HTTPConnection("127.0.0.1", belfry.port, timeout=30)
        try:
            for number in range(part, len(self.users), REGISTERING_THREADS):
                body = json.dumps({"provider": self.provider, "token": self.tokens[number]})
                headers = {
                    "Authorization": f"Bearer {tokens.token(self.users[number], secret)}",
                    "Content-Type": "application/json"}
                connection.request("PUT", "/api/devices/phone", body, headers)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status != 200:
                    raise Failed(f"a device's registration was answered with {answer.status}: {text[:200]!r}")
        except (OSError, http.client.HTTPException, Failed) as problem:
            problems.append(f"registering devices: {problem}")
        finally:
            connection.close()


class Backend:
    """Publishes events to all of them."""

    def __init__(self, data: Path, phones: Phones):
        self._data = data
        self._phones = phones
        self._number = 0

    def publish(self, notifications: int, **more) -> list[str]:
        """So many notifications in all, as few events as possible; the events' ids. `more` goes into each event."""
        events, left = [], notifications
        publisher = Publisher(self._data)
        try:
            while left > 0:
                users = self._phones.users[: min(left, len(self._phones.users), RECIPIENTS_AT_MOST)]
                events.append(self.publish_to(users, publisher, **more))
                left -= len(users)
        finally:
            publisher.close()
        return events

    def publish_to(self, users: list[str], publisher: Publisher, **more) -> str:
        self._number += 1
        event = {
            "type": "added_to_room", "key": f"push-{self._number}",
            "actor": {"id": "maker", "username": "maker", "firstName": "Maker", "avatarUrl": None},
            "to": {"added": users},
            "data": {"room": {"id": f"room-{self._number}", "name": f"Room {self._number}"}}, **more}
        status, answer = publisher.post("/v1/events", json.dumps(event).encode())
        if status != 202:
            raise Failed(f"publishing was answered with {status}: {answer[:200].decode(errors='replace')}")
        return json.loads(answer)["event"]


def apns_settings(folder: Path, endpoint: str, ca_file: Path) -> dict[str, str]:
    """What makes Belfry push to a server at `endpoint` as if it were Apple's."""
    key = folder / "apns.p8"
    command = [
        "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(key)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as problem:
        raise Failed(f"no key can be made: {problem}") from None
    return {
        "APNS_KEY_ID": "KEY1234567", "APNS_TEAM_ID": "TEAM123456", "APNS_KEY_PATH": str(key),
        "APNS_BUNDLE_ID": "com.example.rooms", "APNS_ENDPOINT": endpoint, "APNS_CA_FILE": str(ca_file)}
