package import Inbox
package import Logging
package import Store
import Synchronization

/// One process' state that all shards share: settings, store, keys, catalogs, counters.
package final class Node: Sendable {
    package let settings: Settings
    package let store: any Store
    /// Lets go of what the store needed beside itself.
    private let releaseStore: @Sendable () -> Void
    package let authenticator: Authenticator
    package let presence: Presence
    package let metrics: Metrics
    package let logger: Logger
    /// Nil if store failures are not reported.
    let storeFailures: StoreFailures?
    /// Nil without traces.
    let tracer: Tracer?
    /// Nil without endpoints.
    let webhooks: WebhookSender?
    /// Nil without a service that takes pushes to Live Activities.
    let activities: ActivitySender?
    /// The wall clock, which judges requests and dates everything that is shown. Pushes wait by ``NodeClock``.
    package let now: @Sendable () -> Timestamp
    /// At least 0 and less than 1; spreads over time what would else happen at once.
    let chance: @Sendable () -> Double
    private let loadedCatalogs: Mutex<LoadedCatalogs>
    private let pages = Mutex(PageSnapshots())
    /// The publishes that are being taken in.
    package let publishLoad: PublishLoad
    let feedPublications = FeedPublications()
    let liveOnlyFeeds = LiveOnlyFeeds()
    let eventNames = EventNames()
    let openStreams = OpenStreams()
    let answerWaits = AnswerWaits()
    let openPolls = OpenPolls()
    let apps: ServedApps
    let publishers: PublisherDirectory
    let userRate: RequestRate
    let addressRate: RequestRate
    private let isLeaving = Atomic(false)
    private let isStoreClosed = Atomic(false)

    /// - Parameter publishLoad: as JSON and rows, publishes take about ten times the bytes that it counts.
    package init(
        settings: Settings, store: any Store, releaseStore: @escaping @Sendable () -> Void = {},
        authenticator: Authenticator, catalogs: LoadedCatalogs,
        presence: Presence, metrics: Metrics, logger: Logger,
        publishLoad: PublishLoad = PublishLoad(maximumBytes: 32 << 20), storeFailures: StoreFailures? = nil,
        tracer: Tracer? = nil, webhooks: WebhookSender? = nil, activities: ActivitySender? = nil,
        now: @escaping @Sendable () -> Timestamp,
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.settings = settings
        self.store = store
        self.releaseStore = releaseStore
        self.authenticator = authenticator
        apps = ServedApps(settings)
        publishers = PublisherDirectory(settings, at: now())
        loadedCatalogs = Mutex(catalogs)
        self.presence = presence
        self.metrics = metrics
        self.logger = logger
        self.publishLoad = publishLoad
        userRate = RequestRate(limit: settings.limits.requestsPer10s)
        addressRate = RequestRate(limit: settings.limits.requestsPerAddressPer10s)
        self.storeFailures = storeFailures
        self.tracer = tracer
        (self.webhooks, self.activities) = (webhooks, activities)
        (self.now, self.chance) = (now, chance)
    }

    /// The current catalogs of all apps; an event keeps those that it was routed by.
    package var currentCatalogs: AppCatalogs { loadedCatalogs.withLock(\.byApp) }

    /// The current catalogs of one app.
    func catalogs(of app: AppName) -> CatalogSet { loadedCatalogs.withLock { $0.byApp[app] } }

    /// The current catalogs with their files.
    package var catalogs: LoadedCatalogs { loadedCatalogs.withLock { $0 } }

    /// Replaces the catalogs, and returns the earlier ones.
    func replaceCatalogs(by catalogs: LoadedCatalogs) -> LoadedCatalogs {
        loadedCatalogs.withLock { exchange(&$0, with: catalogs) }
    }

    /// Whether the node takes new work; false from the moment it begins to leave.
    package var isReady: Bool { !isLeaving.load(ordering: .relaxed) }

    package func leave() { isLeaving.store(true, ordering: .relaxed) }

    /// Whether the store is still ours; false somewhat later than ``isReady``, while sessions may still be open.
    var hasStore: Bool { !isStoreClosed.load(ordering: .relaxed) }

    /// Lets another process have the data folder, once accepted work is stored. A store that others may open, too,
    /// stays open for the sessions that are left, until ``closeStore(completion:)``.
    func handOver(completion: @escaping @Sendable () -> Void) {
        let release: @Sendable () -> Void = { [releaseStore] in
            releaseStore()
            completion()
        }
        if store.isShared { release() } else { closeStore(completion: release) }
    }

    /// Completes the store's work. A second call does nothing.
    func closeStore(completion: @escaping @Sendable () -> Void) {
        guard !isStoreClosed.exchange(true, ordering: .relaxed) else { return completion() }
        store.close(completion: completion)
    }

    func withPages<Result: Sendable>(_ body: (inout PageSnapshots) -> Result) -> Result {
        pages.withLock { body(&$0) }
    }
}
