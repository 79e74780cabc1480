"""The part of a browser that a login needs: it follows redirects one by one, and keeps cookies."""

import http.client
from urllib.parse import urlsplit

from . import specification
from .http import Answer
from .suite import PATIENCE


class WebBrowser:
    """`tls`: an `SSLContext` for sites with TLS."""

    def __init__(self, tls=None):
        self.tls = tls
        #: By host and name, the value and the path. Ports share cookies.
        self.cookies: dict[tuple[str, str], tuple[str, str]] = {}
        #: The lines that have set them.
        self.lines: list[str] = []

    def open(self, url: str, **headers: str) -> Answer:
        parts = urlsplit(url)
        sent = [f"{name}={value}" for (host, name), (value, path) in self.cookies.items()
                if host == parts.hostname and parts.path.startswith(path)]
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if sent:
            fields["Cookie"] = "; ".join(sent)
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(parts.netloc, timeout=PATIENCE, context=self.tls)
        else:
            connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
        try:
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", target, None, fields)
            response = connection.getresponse()
            for line in response.headers.get_all("Set-Cookie", []):
                self._keep(parts.hostname, line)
            answer = Answer(response.status, {name.lower(): value for name, value in response.getheaders()},
                            response.read())
        finally:
            connection.close()
        specification.check_answer("GET", target, None, answer)
        return answer

    def _keep(self, host: str, line: str):
        self.lines.append(line)
        pair, *attributes = [part.strip() for part in line.split(";")]
        name, value = pair.split("=", 1)
        attributes = dict(attribute.lower().partition("=")[::2] for attribute in attributes)
        if attributes.get("max-age") == "0":
            self.cookies.pop((host, name), None)
        else:
            self.cookies[host, name] = (value, attributes["path"])
