package import Inbox
package import Logging
package import Storage
import Synchronization

/// What one process knows and shares among its shards: settings, store, keys, catalogs, counters.
package final class Node: Sendable {
    package let settings: Settings
    package let store: any Store
    package let authenticator: Authenticator
    package let presence: Presence
    package let metrics: Metrics
    package let logger: Logger
    /// The wall clock, for what is stored or sent.
    package let now: @Sendable () -> Timestamp
    private let catalogs: Mutex<CatalogSet>
    private let pages = Mutex(PageSnapshots())
    private let isLeaving = Atomic(false)

    package init(
        settings: Settings, store: any Store, authenticator: Authenticator, catalogs: CatalogSet, presence: Presence,
        metrics: Metrics, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.settings = settings
        self.store = store
        self.authenticator = authenticator
        self.catalogs = Mutex(catalogs)
        self.presence = presence
        self.metrics = metrics
        self.logger = logger
        self.now = now
    }

    /// The catalogs that hold now; an event keeps those that it was routed by.
    package var currentCatalogs: CatalogSet { catalogs.withLock { $0 } }

    /// Whether the node takes new work; false from the moment it begins to leave.
    package var isReady: Bool { !isLeaving.load(ordering: .relaxed) }

    package func leave() { isLeaving.store(true, ordering: .relaxed) }

    func withPages<Result: Sendable>(_ body: (inout PageSnapshots) -> Result) -> Result {
        pages.withLock { body(&$0) }
    }
}
