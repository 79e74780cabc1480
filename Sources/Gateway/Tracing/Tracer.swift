import Inbox
import Logging
import Store
import Synchronization
import Tracing
import Transport

/// Records the steps of some notifications, and of publishes, as spans. There is none unless the settings name a
/// collector. From any thread; nothing waits for it.
///
/// A notification's trace is its own, since one event makes thousands; its first span links to the publish. Whether it
/// is traced follows from its id alone, and so do the ids of its trace and first span. So a later step belongs to the
/// trace in whichever process it happens. The exception is an event whose publisher traces it: its first notifications
/// are traced on this node, as long as it remembers them.
package final class Tracer: Sendable {
    /// How many publishes, and how many notifications of traced publishers, are remembered.
    private static let remembered = 4_096
    /// How many notifications of one event are traced because its publisher traces it.
    private static let followedPerEvent = 100
    /// How long the end of the process may wait for the collector.
    private static let patience = Duration.seconds(2)

    /// A traced publish whose notifications may still come.
    private struct Publication {
        let context: SpanContext
        /// How many notifications are still traced for the publisher's sake; 0 if it does not trace.
        var places: Int
    }

    let sampler: TraceSampler
    let traces: NotificationTraces
    private let exporter: SpanExporter
    /// By event.
    private let publications = Mutex(RecentCache<String, Publication>(capacity: remembered))
    /// Notifications that are traced although their ids are not drawn.
    private let followed = Mutex(RecentCache<NotificationID, Bool>(capacity: remembered))

    init(_ settings: Settings.Traces, exporter: SpanExporter) {
        sampler = TraceSampler(share: settings.sample.value)
        traces = NotificationTraces(service: settings.service)
        self.exporter = exporter
    }

    /// Nil if the settings name no collector.
    convenience init?(_ settings: Settings, counters: TraceCounters, logger: Logger) throws {
        guard let url = settings.traces.endpoint.flatMap(Collector.url) else { return nil }
        let exporter = SpanExporter(
            url: url, headers: settings.traces.headers.flatMap { Collector.headers($0.text) } ?? [],
            request: ExportRequest(
                service: settings.traces.service, version: Release.version, instance: settings.nodeName),
            http: try HTTPClient(label: "belfry.traces.http"), counters: counters, logger: logger)
        self.init(settings.traces, exporter: exporter)
    }

    /// Sends what was recorded, for a short while.
    func close(completion: @escaping @Sendable () -> Void) {
        exporter.close(within: Self.patience, completion: completion)
    }

    func record(_ span: consuming Span) { exporter.add(span) }

    // MARK: What is traced

    /// The trace of a notification; nil if it has none.
    func trace(of notification: NotificationID) -> TraceID? {
        let trace = traces.trace(of: notification)
        if sampler.admits(trace) { return trace }
        return followed.withLock { $0.value(for: notification) } == nil ? nil : trace
    }

    /// Whether a notification's step is traced, as a commit is about to be written.
    ///
    /// - Parameter event: the one that makes the notification or adds to it; nil for a later step.
    func isTraced(_ event: String?, _ notification: NotificationID) -> Bool {
        if trace(of: notification) != nil { return true }
        guard let event else { return false }
        let isFollowed = publications.withLock { publications in
            guard var publication = publications.value(for: event), publication.places > 0 else { return false }
            publication.places -= 1
            publications.keep(publication, for: event)
            return true
        }
        if isFollowed { followed.withLock { $0.keep(true, for: notification) } }
        return isFollowed
    }

    /// Remembers the publish of events, for the links of their notifications.
    ///
    /// - Parameter isPublishersOwn: whether the publisher traces it.
    func remember(_ context: SpanContext, of events: some Sequence<String>, isPublishersOwn: Bool) {
        let places = isPublishersOwn ? Self.followedPerEvent : 0
        publications.withLock { publications in
            for event in events { publications.keep(Publication(context: context, places: places), for: event) }
        }
    }

    /// The publish of an event; nil if it is not traced, or forgotten.
    func publication(of event: String) -> SpanContext? { publications.withLock { $0.value(for: event)?.context } }

    static func newSpan() -> SpanID { SpanID(chance: .random(in: .min ... .max)) }
    static func newTrace() -> TraceID { TraceID(chance: (.random(in: .min ... .max), .random(in: .min ... .max))) }

    /// A step of a notification's trace, as a child of its first span.
    func step(
        _ name: String, _ kind: Span.Kind, of notification: NotificationID, in trace: TraceID, start: Int64, end: Int64
    ) -> Span {
        var span = Span(
            name, kind, trace: trace, id: Self.newSpan(), parent: traces.root(of: trace), start: start, end: end)
        span.attributes = Self.attributes(of: notification)
        return span
    }

    static func attributes(of notification: NotificationID) -> [(key: String, value: Span.Value)] {
        [("messaging.system", .text("belfry")), ("messaging.message.id", .text(notification.text))]
    }
}
