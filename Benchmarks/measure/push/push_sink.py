"""`belfry sink`, quiet, with a record of what reached it."""

import json
import http.client
import ssl
from pathlib import Path

from .. import Failed
from ..shared.process import Child


class PushSink(Child):
    def __init__(self, program: Path, folder: Path, script: list[dict], name: str = "sink"):
        data = folder / name
        data.mkdir()
        self.record = data / "record.ndjson"
        self.record.touch()
        flags = []
        if script:
            (data / "script.ndjson").write_text("".join(json.dumps(rule) + "\n" for rule in script))
            flags = ["--script", str(data / "script.ndjson")]
        super().__init__(
            f"belfry {name}",
            [str(program), "sink", "--listen", "127.0.0.1:0", "--data", str(data / "keys"), "--quiet", "--record",
             str(self.record), *flags], None)
        said = self.expect("APNS_ENDPOINT", None, within=20)
        # Everything that points a server here.
        self.settings = {key: str(value) for key, value in said.items()}

    def show(self, script: list[dict]) -> None:
        """These faults from now on."""
        address = self.settings["APNS_ENDPOINT"].removeprefix("https://")
        context = ssl.create_default_context(cafile=self.settings["APNS_CA_FILE"])
        connection = http.client.HTTPSConnection(address, context=context, timeout=10)
        connection.request("POST", "/script", "".join(json.dumps(rule) + "\n" for rule in script))
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status not in (200, 204):
            raise Failed(f"the sink does not take the script: {answer.status} {text[:200]!r}")
