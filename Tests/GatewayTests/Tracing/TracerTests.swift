import Inbox
import Logging
import Testing
import Tracing

@testable import Gateway
@testable import Transport

struct TracerTests {
    private let http = ScriptedHTTP()
    private let counters = TraceCounters()

    private func exporter(batch: Int = 512) -> SpanExporter {
        var limits = ExportMachine.Limits()
        limits.batch = batch
        return SpanExporter(
            url: "http://127.0.0.1:1/v1/traces", headers: [("x-key", "secret")],
            request: ExportRequest(service: "s", version: "1", instance: "i"), http: http, limits: limits,
            counters: counters, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func tracer(share: Double) -> Tracer {
        var settings = Settings.Traces()
        settings.sample = Share(share)
        return Tracer(settings, exporter: exporter())
    }

    private func id(_ number: Int) -> NotificationID { NotificationID(inbox: 1, sequence: Int64(number)) }

    private func span() -> Span {
        Span(
            "s", .internal, trace: TraceID(chance: (1, 1)), id: SpanID(chance: 1), parent: nil, start: 0, end: 0)
    }

    @Test func `a publisher that traces has the first hundred notifications of each event traced`() {
        let tracer = tracer(share: 0)
        let context = SpanContext(trace: TraceID(chance: (1, 1)), span: SpanID(chance: 1), isSampled: true)
        tracer.remember(context, of: ["own"], isPublishersOwn: true)
        tracer.remember(context, of: ["drawn"], isPublishersOwn: false)
        #expect((1...200).filter { tracer.isTraced("own", id($0)) } == Array(1...100))
        #expect(!tracer.isTraced("drawn", id(300)))
        #expect(!tracer.isTraced("other", id(301)))
        #expect(!tracer.isTraced(nil, id(302)))
        // Later steps are traced for those, too, and cost no place.
        #expect(tracer.trace(of: id(100)) != nil)
        #expect(tracer.trace(of: id(101)) == nil)
        #expect(tracer.isTraced(nil, id(1)))
        #expect(tracer.publication(of: "drawn") == context)
        #expect(tracer.publication(of: "other") == nil)
    }

    @Test func `a drawn notification is traced by every node alike`() {
        let (one, other) = (tracer(share: 0.5), tracer(share: 0.5))
        let traced = (1...100).filter { one.trace(of: id($0)) != nil }
        #expect((20...80).contains(traced.count))
        #expect(traced == (1...100).filter { other.isTraced(nil, id($0)) })
    }

    @Test func `a full batch is posted with the settings' headers, and counts once it is taken`() async throws {
        let exporter = exporter(batch: 2)
        for _ in 0..<2 { exporter.add(span()) }
        var calls = http.calls.makeAsyncIterator()
        let call = try #require(await calls.next())
        #expect(call.request.url == "http://127.0.0.1:1/v1/traces")
        #expect(call.request.headers.map(\.name) == ["content-type", "x-key"])
        ScriptedHTTP.respond(to: call, 200, #"{"partialSuccess":{"rejectedSpans":"1"}}"#)
        await withCheckedContinuation { done in exporter.close(within: .seconds(60)) { done.resume() } }
        #expect((counters.sent.count, counters.dropped.count) == (1, 1))
    }

    @Test func `the end waits for a collector only for its patience, and each span counts once`() async throws {
        let exporter = exporter(batch: 2)
        for _ in 0..<7 { exporter.add(span()) }
        var calls = http.calls.makeAsyncIterator()
        let call = try #require(await calls.next())
        await withCheckedContinuation { done in exporter.close(within: .milliseconds(1)) { done.resume() } }
        #expect(counters.dropped.count == 5)
        // As the client does when it is closed.
        call.answer(.failure(.closed))
        await withCheckedContinuation { done in exporter.close(within: .milliseconds(1)) { done.resume() } }
        #expect((counters.sent.count, counters.dropped.count) == (0, 7))
    }
}
