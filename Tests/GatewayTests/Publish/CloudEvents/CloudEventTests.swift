import JSON
import Testing
import WireProtocol

@testable import Gateway

struct CloudEventTests {
    private static let structured = "application/cloudevents+json"
    private static let batch = "application/cloudevents-batch+json"
    private static let binary: HTTPHeaders = [
        "ce-specversion": "1.0", "ce-type": "room_liked", "ce-source": "/rooms", "ce-id": "like%201",
    ]

    // MARK: Which form

    @Test(
        arguments: [
            ("application/json", nil, "own"), (nil, nil, "own"), ("application/x-ndjson", nil, "own"),
            ("application/cloudevents+json; charset=UTF-8", nil, "structured"),
            ("application/cloudevents+json", "1.0", "structured"), ("Application/CloudEvents-Batch+JSON", nil, "batch"),
            ("application/json", "1.0", "binary"), ("application/vnd.rooms+json", "1.0", "binary"),
            (nil, "1.0", "binary"),
        ] as [(String?, String?, String)])
    func `the content type tells the form, and without a type of CloudEvents the version's header`(
        _ type: String?, _ version: String?, _ form: String
    ) throws {
        var headers = HTTPHeaders()
        if let type { headers.add("Content-Type", type) }
        if let version { headers.add("CE-SpecVersion", version) }
        #expect("\(try PublicationForm(try head(headers)))" == form)
    }

    @Test(
        arguments: [
            ["Content-Type": "application/cloudevents+avro"], ["Content-Type": "application/cloudevents"],
            ["Content-Type": "text/plain", "ce-specversion": "1.0"],
            ["Content-Type": "application/x-ndjson", "ce-specversion": "1.0"],
        ] as [HTTPHeaders])
    func `an event that is not JSON is refused`(_ headers: HTTPHeaders) throws {
        let head = try head(headers)
        #expect(throws: Problem.self) { try PublicationForm(head) }
        #expect((try? PublicationForm(head)) == nil)
    }

    @Test func `another key beside source and id is refused`() throws {
        let head = try head(["Content-Type": Self.structured, "Idempotency-Key": "like-1"])
        #expect(throws: Problem.self) { try PublicationForm(head) }
    }

    // MARK: What becomes of the members

    @Test func `an event's attributes and data are the members of Belfry's own form`() throws {
        let sent = """
            {"specversion": "1.0", "type": "room_liked", "source": "/rooms", "id": "like 1",
             "time": "2018-04-05T17:31:00.123456789Z", "subject": null, "dataschema": "https://example.com/s",
             "comexampleothervalue": 5, "datacontenttype": "application/json; charset=utf-8",
             "data": {"to": {"owner": ["ada"]}, "actor": {"id": "pete"}, "data": {"n": 18446744073709551001}}}
            """
        #expect(
            try read(sent, type: Self.structured) == """
                {"type":"room_liked","key":"/rooms like 1","occurredAt":"2018-04-05T17:31:00.123456789Z",\
                "to":{"owner":["ada"]},"actor":{"id":"pete"},"data":{"n":18446744073709551001}}
                """)
    }

    @Test func `the same event is the same text in both modes and in a batch, so that its key may come again`() throws {
        let data = #"{"to":{"owner":["ada"]}}"#
        let event = #"{"id":"like 1","source":"/rooms","type":"room_liked","specversion":"1.0","data":\#(data)}"#
        let expected = #"{"type":"room_liked","key":"/rooms like 1","to":{"owner":["ada"]}}"#
        #expect(try read(event, type: Self.structured) == expected)
        #expect(try read("[\(event), \(event)]", type: Self.batch) == "[\(expected),\(expected)]")
        #expect(try read(data, Self.binary) == expected)
        let encoded = event.replacing(#""data":\#(data)"#, with: #""data_base64":"eyJ0byI6eyJvd25lciI6WyJhZGEiXX19""#)
        #expect(try read(encoded, type: Self.structured) == expected)
    }

    @Test func `a batch without events is known as one`() throws {
        let sent = try PublicationForm(try head(["Content-Type": Self.batch])).read(try head([:]), Array("[]".utf8))
        #expect(sent.isEmptyBatch)
    }

    @Test func `a key that would be too long is hashed, and stays different for another id`() throws {
        let long = String(repeating: "x", count: 193)
        let keys = try [long, "\(long)y", "\(long)z"].map { id in
            let fields: HTTPHeaders = ["ce-specversion": "1.0", "ce-type": "a", "ce-source": "/rooms", "ce-id": id]
            return try CloudEvent(CloudEventAttributes(of: fields), data: [:]).key
        }
        #expect(keys[0] == "/rooms \(long)")
        #expect(keys[0].utf8.count == 200)
        #expect(keys[1].hasPrefix("sha256:") && keys[1].utf8.count == 71)
        #expect(keys[1] != keys[2])
    }

    // MARK: Mistakes

    @Test(arguments: [
        (#"{"specversion": "0.3", "data": {}}"#, "invalid_value", "/specversion"), ("{}", "missing_field", "/data"),
        (#"{"data": {}}"#, "missing_field", "/specversion"),
        (#"{"specversion": "1.0", "data": {}}"#, "missing_field", "/type"),
        (#"{"specversion": "1.0", "type": "", "data": {}}"#, "invalid_value", "/type"),
        (#"{"specversion": "1.0", "type": 5, "data": {}}"#, "wrong_type", "/type"),
        (#"{"specversion": "1.0", "type": "a", "source": "a b", "data": {}}"#, "invalid_value", "/source"),
        (#"{"specversion": "1.0", "type": "a", "source": "/a", "id": null, "data": {}}"#, "missing_field", "/id"),
        (#"{"specversion": "1.0", "type": "a", "source": "/a", "id": "1", "data": []}"#, "wrong_type", "/data"),
        (
            #"{"specversion": "1.0", "type": "a", "source": "/a", "id": "1", "data": {"key": "k"}}"#,
            "unknown_field", "/data/key"
        ),
        (
            #"{"specversion": "1.0", "type": "a", "source": "/a", "id": "1", "time": 5, "data": {}}"#,
            "wrong_type", "/time"
        ),
        (#"{"datacontenttype": "application/xml", "data": "<a/>"}"#, "invalid_value", "/datacontenttype"),
        (#"{"data": {}, "data_base64": "e30="}"#, "invalid_value", "/data_base64"),
        (#"{"data_base64": "e30"}"#, "invalid_value", "/data_base64"),
        (#"{"data_base64": "PGEvPg=="}"#, "invalid_value", "/data_base64"),
        (#"{"type": "a", "type": "b"}"#, "invalid_value", "/type"),
    ])
    func `a mistake is named at its place in the event`(_ event: String, _ code: String, _ pointer: String) throws {
        let problem = #expect(throws: Problem.self) { try read(event, type: Self.structured) }
        #expect(problem?.code == code)
        #expect(problem?.pointer == pointer)
        let second = #expect(throws: Problem.self) {
            try read("[\(Self.good), \(event)]", type: Self.batch)
        }
        #expect(second?.pointer == "/1\(pointer)")
    }

    private static let good = #"{"specversion": "1.0", "type": "a", "source": "/a", "id": "1", "data": {}}"#

    @Test(
        arguments: [
            (["ce-specversion": "0.3"], "ce-specversion"), (["ce-specversion": "1.0"], "ce-type"),
            (["ce-specversion": "1.0", "ce-type": "%C0%A0"], "ce-type"),
            (["ce-specversion": "1.0", "ce-type": "a", "ce-source": "/a", "ce-id": "1", "ce-Id": "2"], "ce-id"),
            (["ce-specversion": "1.0", "ce-datacontenttype": "application/json"], "ce-datacontenttype"),
        ] as [(HTTPHeaders, String)])
    func `a mistake in a header is told with the header's name`(_ headers: HTTPHeaders, _ name: String) throws {
        let problem = #expect(throws: Problem.self) { try read("{}", headers) }
        #expect(problem?.pointer == nil)
        #expect(problem?.detail.hasPrefix("\(name): ") == true)
    }

    @Test(
        arguments: [
            (PublicationForm.own, "/3/to/owner", "/3/to/owner", ""), (.structured, "/type", "/type", ""),
            (.structured, "/key", "/id", ""), (.structured, "/occurredAt", "/time", ""),
            (.structured, "/to/owner/0", "/data/to/owner/0", ""), (.structured, "/data/type", "/data/data/type", ""),
            (.batch, "/3/key", "/3/id", ""), (.batch, "/3/to/owner", "/3/data/to/owner", ""), (.batch, "/3", "/3", ""),
            (.batch, "/3/\u{301}x", "/3/data/\u{301}x", ""),
            (.binary, "/to", "/to", ""), (.binary, "/key", nil, "ce-id: "), (.binary, "/type", nil, "ce-type: "),
        ] as [(PublicationForm, String, String?, String)])
    func `a later mistake is placed where the publisher wrote it`(
        _ form: PublicationForm, _ pointer: String, _ expected: String?, _ prefix: String
    ) {
        let placed = form.placed(Problem(status: 422, code: "a", detail: "b", pointer: pointer))
        #expect(placed.pointer == expected)
        #expect(placed.detail == "\(prefix)b")
    }

    // MARK: Traces

    @Test func `the trace of the event's extension counts where the request has none`() throws {
        var headers = Self.binary
        headers.add("ce-traceparent", "00-0af7651916cd43dd8448eb211c80319c-b9c7c989f97918e1-01")
        headers.add("ce-tracestate", "a=b,c=d")
        let form = PublicationForm.binary
        let trace = try form.read(try head(headers), Array("{}".utf8)).trace
        #expect(trace?["traceparent"] == "00-0af7651916cd43dd8448eb211c80319c-b9c7c989f97918e1-01")
        #expect(trace?["tracestate"] == "a=b,c=d")
        headers.add("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        #expect(try form.read(try head(headers), Array("{}".utf8)).trace == nil)
    }

    // MARK: Help

    private func head(_ headers: HTTPHeaders) throws -> HTTPRequestHead {
        var headers = headers
        headers.add("Host", "belfry")
        return try HTTPRequestHead(method: "POST", target: "/v1/events", headers: headers)
    }

    private func read(_ body: String, type: String) throws -> String { try read(body, ["Content-Type": type]) }

    private func read(_ body: String, _ headers: HTTPHeaders) throws -> String {
        let head = try head(headers)
        return String(decoding: try PublicationForm(head).read(head, Array(body.utf8)).body, as: UTF8.self)
    }
}
