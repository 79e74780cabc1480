import Inbox
import Synchronization

/// A publisher that the settings name, and what it has done since the start. From any thread.
final class PublisherRecord: Sendable {
    let name: String
    /// Among all publishers that the settings name.
    let place: UInt32
    let settings: Settings.Publisher
    /// Nil for any app.
    let app: AppName?
    /// The events and items that were accepted.
    let events = Counter()
    /// By the limit or right that refused.
    let refusals = PublisherRefusal.allCases.map { (cause: $0, count: Counter()) }
    /// How many events may come together, so that a publisher is never in debt for long; nil without a quota.
    let mostAtOnce: Int?
    /// The bytes under way.
    let bytes = Atomic(0)
    /// Nil without a quota.
    private let quota: Mutex<TokenBucket?>

    init(_ name: String, place: UInt32, _ settings: Settings.Publisher, at now: Timestamp) {
        (self.name, self.place, self.settings) = (name, place, settings)
        app = settings.app.flatMap { AppName($0) }
        let burst = max(settings.burst, settings.eventsPerSecond)
        mostAtOnce = settings.eventsPerSecond > 0 ? max(burst, 10 * settings.eventsPerSecond) : nil
        quota = Mutex(
            settings.eventsPerSecond > 0
                ? TokenBucket(perSecond: settings.eventsPerSecond, burst: burst, at: now) : nil)
    }

    func may(_ right: PublisherRight) -> Bool { settings.calls.contains(right) }

    func mayPublish(_ type: String) -> Bool { settings.events.isEmpty || settings.events.contains(type) }

    /// Counts events or items against the quota.
    ///
    /// - Returns: nil if there is room; otherwise after how many seconds there will be.
    func take(_ count: Int, at now: Timestamp) -> Int? { quota.withLock { $0?.take(count, at: now) } }

    func takeAnyway(_ count: Int, at now: Timestamp) { quota.withLock { $0?.takeAnyway(count, at: now) } }

    func hasQuota(at now: Timestamp) -> Bool { quota.withLock { !($0?.isEmpty(at: now) ?? false) } }

    var hasRoom: Bool {
        settings.bytesUnderWay == 0 || bytes.load(ordering: .relaxed) < settings.bytesUnderWay
    }

    func note(_ cause: PublisherRefusal) { refusals.first { $0.cause == cause }?.count.add() }
}

/// Why a publisher's call was refused.
enum PublisherRefusal: String, Sendable, CaseIterable {
    case call, app, event, rate, bytes
}
