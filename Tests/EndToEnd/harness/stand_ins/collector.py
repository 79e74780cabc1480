"""A collector of traces: it takes OTLP over HTTP with JSON, and judges each request by the protocol's own messages."""

import base64
import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from ..suite import PATIENCE, Failed, expect, wait_until

NUMBER = re.compile(r"-?[0-9]+")


@dataclass
class Span:
    name: str
    trace: str
    id: str
    #: Empty for a trace's first span.
    parent: str
    kind: int
    start: int
    end: int
    attributes: dict
    #: Traces and spans.
    links: list[tuple[str, str]]
    has_failed: bool
    state: str = ""


@dataclass
class Request:
    path: str
    #: Names in lower case.
    headers: dict[str, str]
    body: bytes
    spans: list[Span] = field(default_factory=list)


class Collector:
    """`statuses`: the first answers; 200 after them. A `hanging` one answers nothing before it closes."""

    def __init__(self, *statuses: int, hanging: bool = False):
        self._statuses = list(statuses)
        self._hanging = hanging
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._problems: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return "http://127.0.0.1:{}".format(self._server.server_address[1])

    def close(self):
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def requests(self) -> list[Request]:
        with self._lock:
            if self._problems:
                raise Failed("; ".join(self._problems))
            return list(self._requests)

    @property
    def spans(self) -> list[Span]:
        """All that was taken with status 200."""
        return [span for request in self.requests for span in request.spans]

    def wait_for(self, name: str, count: int = 1, **attributes) -> list[Span]:
        """So many spans of this name, whose attributes have these values; `_` stands for a dot."""
        def found():
            spans = [span for span in self.spans if span.name == name and all(
                span.attributes.get(key.replace("_", ".")) == value for key, value in attributes.items())]
            return spans if len(spans) >= count else None

        try:
            return wait_until(found, PATIENCE, f"{count} spans {name}")
        except Failed as failure:
            raise Failed(f"{failure}; there were {[span.name for span in self.spans]}") from None

    def trace(self, trace: str) -> list[Span]:
        """Its spans in the order of their starts."""
        return sorted((span for span in self.spans if span.trace == trace), key=lambda span: span.start)

    def check_parents(self, *remote: str):
        """Each span's parent is in the same trace, or is one of these of another program; no id is there twice."""
        spans = self.spans
        known = {(span.trace, span.id) for span in spans}
        expect(len(known) == len(spans), f"a span came twice: {spans!r}")
        for span in spans:
            expect(not span.parent or span.parent in remote or (span.trace, span.parent) in known,
                   f"{span.name} has a parent that nobody knows: {span!r}")

    def _take(self, request: Request) -> int:
        with self._lock:
            status = self._statuses.pop(0) if self._statuses else 200
            try:
                spans = judged(request)
                request.spans = spans if status == 200 else []
            except Exception as problem:  # whatever is wrong with it, the case has to fail
                self._problems.append(f"{problem!r} in {request.body[:2000]!r}")
            self._requests.append(request)
            return status

    @property
    def _handler(self):
        collector = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = collector._take(
                    Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                if collector._hanging:
                    collector._ending.wait()
                    self.close_connection = True
                    return
                answer = b"{}"
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                if status == 503:
                    self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        return Handler


def judged(request: Request) -> list[Span]:
    """The spans of a request; raises what the protocol forbids."""
    expect(request.path == "/v1/traces", f"a request to {request.path}")
    expect(request.headers["content-type"] == "application/json", f"the type {request.headers['content-type']}")
    tree = json.loads(request.body)
    for span in every_span(tree):
        # Numbers of 64 bits are texts; JSON's own would lose digits on their way.
        for name in ("startTimeUnixNano", "endTimeUnixNano"):
            expect(isinstance(span[name], str) and NUMBER.fullmatch(span[name]), f"{name} is no number in a text")
        for attribute in span.get("attributes", []):
            number = attribute["value"].get("intValue", "0")
            expect(isinstance(number, str) and NUMBER.fullmatch(number), f"intValue {number!r} is no number in a text")
    # Refuses members that the messages do not have.
    message = json_format.Parse(json.dumps(with_base64(tree)), ExportTraceServiceRequest())
    spans = []
    for resource in message.resource_spans:
        names = {attribute.key for attribute in resource.resource.attributes}
        expect({"service.name", "service.version", "service.instance.id"} <= names, f"a resource with only {names}")
        for scope in resource.scope_spans:
            expect(scope.scope.name == "belfry", "a scope without a name")
            spans += [read(span) for span in scope.spans]
    expect(spans, "a request without spans")
    return spans


def read(span) -> Span:
    expect(len(span.trace_id) == 16 and any(span.trace_id), f"{span.name}: the trace's id {span.trace_id!r}")
    expect(len(span.span_id) == 8 and any(span.span_id), f"{span.name}: the span's id {span.span_id!r}")
    expect(len(span.parent_span_id) in (0, 8), f"{span.name}: the parent's id {span.parent_span_id!r}")
    expect(span.name and 1 <= span.kind <= 5, f"{span.name}: the kind {span.kind}")
    expect(span.flags & 0xFF == 1, f"{span.name}: the flags {span.flags}")
    now = time.time_ns()
    expect(now - 3_600 * 10**9 < span.start_time_unix_nano <= span.end_time_unix_nano < now + 60 * 10**9,
           f"{span.name}: from {span.start_time_unix_nano} to {span.end_time_unix_nano}")
    expect(span.status.code in (0, 2), f"{span.name}: the status {span.status.code}")
    attributes = {attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value"))
                  for attribute in span.attributes}
    expect(len(attributes) == len(span.attributes), f"{span.name}: an attribute twice")
    for link in span.links:
        expect(len(link.trace_id) == 16 and len(link.span_id) == 8, f"{span.name}: a link without ids")
    return Span(span.name, span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex(), span.kind,
                span.start_time_unix_nano, span.end_time_unix_nano, attributes,
                [(link.trace_id.hex(), link.span_id.hex()) for link in span.links], span.status.code == 2,
                span.trace_state)


def every_span(tree: dict):
    return (span for resource in tree["resourceSpans"] for scope in resource["scopeSpans"] for span in scope["spans"])


def with_base64(tree):
    """The same with ids as protobuf's own JSON has bytes. In OTLP they are hexadecimal, which it cannot read."""
    if isinstance(tree, list):
        return [with_base64(value) for value in tree]
    if not isinstance(tree, dict):
        return tree
    return {name: base64.b64encode(bytes.fromhex(value)).decode() if name in ("traceId", "spanId", "parentSpanId")
            else with_base64(value) for name, value in tree.items()}
