import JSON
import WireProtocol

/// A request's events in Belfry's own form.
struct SentEvents {
    /// One event or an array, as JSON.
    let body: [UInt8]
    /// The trace context that the event has itself; nil if only the request can have one.
    var trace: HTTPHeaders?
    /// Whether the request is a batch without events, which CloudEvents allow.
    var isEmptyBatch = false

    init(body: [UInt8]) { self.body = body }

    /// The request's own context goes before the event's: the extension has the trace of the event's first hop
    /// (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/distributed-tracing.md).
    static func one(_ event: CloudEvent, head: HTTPRequestHead) -> SentEvents {
        var json = JSONWriter(capacity: 256)
        event.write(to: &json)
        var events = SentEvents(body: json.bytes)
        if head.headers["traceparent"] == nil { events.trace = event.trace }
        return events
    }

    /// The events of a batch are taken in as one publish, so none of their contexts is its parent.
    static func several(_ batch: [CloudEvent]) -> SentEvents {
        var json = JSONWriter(capacity: 256 * batch.count)
        json.array { json in
            for event in batch { event.write(to: &json) }
        }
        var events = SentEvents(body: json.bytes)
        events.isEmptyBatch = batch.isEmpty
        return events
    }
}
