/// One step that a trace shows: when it began and ended, and what it was about. It never holds a text of a notification,
/// the name of a person, or a token.
package struct Span: Sendable {
    /// As OTLP numbers them.
    package enum Kind: Int64, Sendable {
        case `internal` = 1
        case server, client, producer, consumer
    }

    package enum Value: Sendable, Hashable {
        case text(String)
        case number(Int64)
        case truth(Bool)
    }

    package let trace: TraceID
    package let id: SpanID
    /// Nil for a trace's first span.
    package let parent: SpanID?
    /// Whether the parent is a span of another program.
    package var isParentRemote = false
    /// `tracestate` of the parent; nil without one.
    package var state: String?
    /// One of few: without ids.
    package let name: String
    package let kind: Kind
    /// Nanoseconds since 1970 by the wall clock.
    package let start: Int64
    /// At or after the start.
    package let end: Int64
    package var attributes: [(key: String, value: Value)] = []
    /// Spans of other traces that this one follows from.
    package var links: [SpanContext] = []
    /// Whether what it is about has failed.
    package var hasFailed = false

    package init(
        _ name: String, _ kind: Kind, trace: TraceID, id: SpanID, parent: SpanID?, start: Int64, end: Int64
    ) {
        (self.name, self.kind, self.trace, self.id, self.parent) = (name, kind, trace, id, parent)
        // The wall clock may have been set meanwhile.
        (self.start, self.end) = (min(start, end), end)
    }
}
