import Inbox
import Logging
import Synchronization

/// Logs the origins of web pages that were refused because `admission.origins` does not name them. The page does not
/// learn the reason, and its browser shows it only to the page's developer. An origin's first refusal is logged at
/// once, later ones once a minute with their number.
final class OriginRefusals: Sendable {
    /// A program may send any length, but an origin is hardly longer than a host's name.
    private static let maximumCharacters = 300

    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let log = Mutex(RefusalLog())

    init(logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        self.logger = logger
        self.now = now
    }

    /// Notes a refusal. From any thread.
    ///
    /// - Parameter origins: the values of the request's field `Origin`; a browser sends only one.
    func note(_ origins: [String]) {
        let origin = String(origins.joined(separator: ", ").prefix(Self.maximumCharacters))
        guard let report = log.withLock({ $0.note(origin, at: now()).report }) else { return }
        logger.warning(
            "a web page was refused: admission.origins does not name its origin",
            metadata: ["origin": "\(origin)", "times": "\(report.count)"])
    }
}
