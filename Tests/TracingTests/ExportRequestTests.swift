import JSON
import Testing
import Tracing

struct ExportRequestTests {
    private let request = ExportRequest(service: "belfry", version: "1.2.3", instance: "node-a")

    @Test func `a request is OTLP's, to the byte`() throws {
        let trace = TraceID(chance: (0x5B8E_FFF7_98038103, 0xD269_B633_813F_C60C))
        var span = Span(
            "push apns", .client, trace: trace, id: SpanID(chance: 0xEEE1_9B7E_C3C1_B174),
            parent: SpanID(chance: 0xEEE1_9B7E_C3C1_B173), start: 1_544_712_660_000_000_000,
            end: 1_544_712_661_000_000_001)
        span.isParentRemote = true
        span.state = "vendor=1"
        span.attributes = [
            ("a.text", .text("say \"hi\"\n")), ("a.number", .number(-9_007_199_254_740_993)), ("a.truth", .truth(true)),
        ]
        span.links = [
            SpanContext(
                trace: TraceID(chance: (0, 1)), span: SpanID(chance: 2), isSampled: true, state: "other=2")
        ]
        span.hasFailed = true
        let root = Span("create", .producer, trace: trace, id: SpanID(chance: 1), parent: nil, start: 5, end: 4)
        let expected = #"""
            {"resourceSpans":[{"resource":{"attributes":[
            {"key":"service.name","value":{"stringValue":"belfry"}},
            {"key":"service.version","value":{"stringValue":"1.2.3"}},
            {"key":"service.instance.id","value":{"stringValue":"node-a"}}]},
            "scopeSpans":[{"scope":{"name":"belfry","version":"1.2.3"},"spans":[
            {"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","traceState":"vendor=1",
            "parentSpanId":"eee19b7ec3c1b173","flags":769,"name":"push apns","kind":3,
            "startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000001","attributes":[
            {"key":"a.text","value":{"stringValue":"say \"hi\"\n"}},
            {"key":"a.number","value":{"intValue":"-9007199254740993"}},
            {"key":"a.truth","value":{"boolValue":true}}],
            "links":[{"traceId":"00000000000000000000000000000001","spanId":"0000000000000002","traceState":"other=2",
            "flags":257}],"status":{"code":2}},
            {"traceId":"5b8efff798038103d269b633813fc60c","spanId":"0000000000000001","flags":257,"name":"create",
            "kind":4,"startTimeUnixNano":"4","endTimeUnixNano":"4"}]}]}]}
            """#
        let lines = expected.split(separator: "\n").joined()
        #expect(String(decoding: request.body(of: [span, root]), as: UTF8.self) == lines)
    }

    @Test(arguments: [
        ("{}", 0), ("", 0), ("no json", 0), (#"{"partialSuccess":{}}"#, 0),
        (#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#, 3),
        (#"{"partialSuccess":{"rejectedSpans":3}}"#, 3), (#"{"partialSuccess":{"rejectedSpans":"-3"}}"#, 0),
    ])
    func `a collector's answer tells how many spans it has rejected`(_ body: String, _ count: Int) {
        #expect(ExportRequest.rejected(Array(body.utf8)) == count)
    }
}
