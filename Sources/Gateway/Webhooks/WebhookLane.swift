import Inbox
import Store

/// When one endpoint's webhooks are handed out, and how many at once. No I/O; it belongs to its caller.
///
/// Webhooks keep no order: a failed one does not hold up the others. After a failure one at a time is tried, and each
/// success widens that by one.
struct WebhookLane {
    enum Step: Hashable {
        case lease(limit: Int)
        /// Nothing to do before this time.
        case wait(until: Timestamp)
        /// Nothing to do before something happens.
        case rest
    }

    static let widest = 8
    /// How long after a failure of the store it is asked again.
    static let storePause = Duration.seconds(1)
    /// How often to look for what another node has left.
    static let lookInterval = Duration.seconds(30)

    /// How many webhooks are handed out and not settled.
    private(set) var underWay = 0
    /// How many may be.
    private(set) var width = widest
    /// The endpoint has said that it wants nothing more: its webhooks become dead letters unsent.
    private(set) var isGone = false
    private var isLeasing = false
    private var isClosed = false
    private var nextDue: Timestamp?
    /// Told while webhooks are handed out: the answer may not know of it.
    private var toldWhileLeasing: Timestamp?

    /// - Parameter now: when it looks for the first time.
    init(at now: Timestamp) { nextDue = now }

    /// A webhook is due at this time.
    mutating func expect(_ due: Timestamp) {
        if isLeasing { toldWhileLeasing = min(toldWhileLeasing ?? due, due) }
        nextDue = min(nextDue ?? due, due)
    }

    mutating func next(at now: Timestamp) -> Step {
        guard !isLeasing, !isClosed, underWay < width else { return .rest }
        guard let nextDue else { return .wait(until: now + Self.lookInterval) }
        guard nextDue <= now else { return .wait(until: min(nextDue, now + Self.lookInterval)) }
        isLeasing = true
        return .lease(limit: width - underWay)
    }

    /// The time to look has come.
    mutating func look(at now: Timestamp) { expect(now) }

    /// - Returns: what to send; nothing once the endpoint is gone.
    mutating func leased(_ result: Result<LeasedWebhooks, StoreError>, at now: Timestamp) -> [Webhook] {
        isLeasing = false
        let told = toldWhileLeasing
        toldWhileLeasing = nil
        guard case .success(let leased) = result else {
            nextDue = now + Self.storePause
            return []
        }
        nextDue = leased.nextDue
        if let told { nextDue = min(nextDue ?? told, told) }
        underWay += leased.webhooks.count
        return leased.webhooks
    }

    mutating func judged(_ verdict: WebhookVerdict) {
        switch verdict {
        case .delivered: width = min(width + 1, Self.widest)
        case .failed: width = 1
        case .gone: isGone = true
        case .unsent: break
        }
    }

    /// The store has an outcome, or could not take it.
    ///
    /// - Parameter due: when the webhook is due again; nil if it is not, or is leased until its lease ends.
    mutating func settled(due: Timestamp?) {
        underWay -= 1
        if let due { expect(due) }
    }

    /// Somebody says that the endpoint takes webhooks again.
    mutating func resume(at now: Timestamp) {
        isGone = false
        look(at: now)
    }

    /// Hands out nothing more.
    mutating func close() { isClosed = true }
}
