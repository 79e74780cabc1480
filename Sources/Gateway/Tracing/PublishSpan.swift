import Inbox
import Store
import Tracing
import WireProtocol

/// A publish that is traced, until its answer.
struct PublishSpan: Sendable {
    private let tracer: Tracer
    private let context: SpanContext
    /// The publisher's span; nil without one.
    private let parent: SpanID?
    private let began: ContinuousClock.Instant
    /// Whether the publish is one line of a stream, and no request of its own.
    private let isLine: Bool

    /// Begins a span as the publisher's headers say; without them the sampler decides.
    ///
    /// - Returns: nil if the publish is not traced.
    init?(
        _ tracer: Tracer, _ headers: HTTPHeaders, isLine: Bool = false, began: ContinuousClock.Instant
    ) {
        let caller = SpanContext(parents: headers.values("traceparent"), states: headers.values("tracestate"))
        let trace = caller?.trace ?? Tracer.newTrace()
        guard caller?.isSampled ?? tracer.sampler.admits(trace) else { return nil }
        self.tracer = tracer
        context = SpanContext(trace: trace, span: Tracer.newSpan(), isSampled: true, state: caller?.state)
        parent = caller?.span
        self.isLine = isLine
        self.began = began
    }

    /// The value of the answer's `traceresponse`.
    var header: String { context.header }

    /// To be called before the events are stored: their notifications link to the publish.
    func takesIn(_ entries: [Publication.Entry]) {
        tracer.remember(context, of: entries.lazy.map(\.id), isPublishersOwn: parent != nil)
    }

    /// Records the answer.
    func answered(_ result: Result<[PublishOutcome], StoreError>, _ entries: [Publication.Entry], status: Int) {
        let now = SpanTime.now
        var span = Span(
            isLine ? "publish" : "POST /v1/events", isLine ? .consumer : .server, trace: context.trace,
            id: context.span, parent: parent, start: SpanTime.since(began, now), end: now)
        (span.isParentRemote, span.state) = (parent != nil, context.state)
        if !isLine {
            span.attributes += [
                ("http.request.method", .text("POST")), ("http.route", .text("/v1/events")),
                ("http.response.status_code", .number(Int64(status))),
            ]
        }
        span.attributes += [
            ("messaging.system", .text("belfry")), ("messaging.operation.name", .text("publish")),
            ("messaging.batch.message_count", .number(Int64(entries.count))),
        ]
        if let entry = entries.first {
            span.attributes.append(("belfry.app", .text(entry.routed.event.app.text)))
            if entries.count == 1 {
                // A repeated event has its first answer again, with its first id.
                let event = (try? result.get())?.first?.event ?? entry.id
                span.attributes += [
                    ("belfry.event.id", .text(event)), ("belfry.event.type", .text(entry.routed.event.type)),
                ]
            }
        }
        switch result {
        case .success(let outcomes):
            for (name, count) in [
                ("recipients", \PublishOutcome.recipients), ("created", \.created), ("updated", \.updated),
                ("suppressed", \.suppressed),
            ] {
                span.attributes.append(
                    ("belfry.\(name)", .number(outcomes.reduce(0) { $0 + Int64($1[keyPath: count]) })))
            }
        case .failure(let error):
            span.hasFailed = status >= 500
            span.attributes.append(("error.type", .text(Problem(error).code)))
        }
        tracer.record(span)
    }
}
