import Deliveries
import Inbox
import Store
import Synchronization

/// Asks the store how far the watched inboxes and feeds have come, and reads what this node has missed.
final class NewsSearch: Sendable {
    /// How many subjects one query asks for.
    private static let together = 2_000
    /// All are looked at within so many beats, a part in each.
    private static let rounds = 5
    /// How many subjects with missing news one read fills.
    private static let filled = 100
    /// How many items of a feed are read at once.
    private static let items = 500

    private struct State {
        /// Whether all are being looked at.
        var isLooking = false
        /// Whether they are to be looked at once more, and whether because another node has said so.
        var again: (isWanted: Bool, isTold: Bool) = (false, false)
        var round = 0
        /// How many reads of missing news are under way.
        var fills = 0
    }

    private let bus: ClusterBus
    private let host: any ClusterHost
    private let rules: StoreOptions
    private let state = Mutex(State())
    private let onRestart = Mutex<@Sendable (NewsSubject) -> Void>({ _ in })

    init(bus: ClusterBus, host: any ClusterHost, rules: StoreOptions) {
        (self.bus, self.host, self.rules) = (bus, host, rules)
    }

    /// Opens the line of a subject that has begun anew.
    var restarted: @Sendable (NewsSubject) -> Void {
        get { onRestart.withLock { $0 } }
        set { onRestart.withLock { $0 = newValue } }
    }

    // MARK: Looking

    /// Looks at all watched subjects.
    ///
    /// - Parameter isTold: whether another node has said so. Then what is found is no lost message.
    func lookAtAll(isTold: Bool = false) {
        let begins = state.withLock { state in
            if state.isLooking { state.again = (true, state.again.isTold || isTold) }
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if begins { look(at: bus.watched[...], isTold) }
    }

    private func look(at rest: ArraySlice<NewsSubject>, _ isTold: Bool) {
        let page = Array(rest.prefix(Self.together))
        guard !page.isEmpty else {
            let again = state.withLock { state in
                defer { state.again = (false, false) }
                state.isLooking = state.again.isWanted
                return state.again
            }
            if again.isWanted { look(at: bus.watched[...], again.isTold) }
            return
        }
        // A failure is another trouble, after which all are looked at again.
        look(at: page, isTold: isTold) { [weak self] in self?.look(at: rest.dropFirst(page.count), isTold) }
    }

    /// Looks at a part of the watched subjects, another one each time.
    func lookAtSome() {
        let round = state.withLock { state in
            state.round = (state.round + 1) % Self.rounds
            return state.round
        }
        let some = bus.watched.filter { abs($0.hashValue % Self.rounds) == round }
        for start in stride(from: 0, to: some.count, by: Self.together) {
            look(at: Array(some[start..<min(start + Self.together, some.count)]), isTold: false)
        }
    }

    /// - Parameter isTold: whether another node has said so.
    func look(at subjects: [NewsSubject], isTold: Bool, then next: @escaping @Sendable () -> Void = {}) {
        guard !subjects.isEmpty else { return next() }
        let look = bus.beginLook(isTold: isTold)
        host.read {
            try $0.heads(of: subjects)
        } then: { [self] result in
            switch result {
            case .failure(let error): host.failed(error)
            case .success(let heads):
                for head in heads {
                    let isSame = bus.see(head.subject, epoch: head.epoch, head: head.number, look)
                    if !isSame, bus.restart(head.subject) { restarted(head.subject) }
                }
                fillGaps()
            }
            next()
        }
    }

    // MARK: Filling

    /// Reads what is missing, some at a time.
    func fillGaps() {
        let gaps = bus.takeGaps(Self.filled)
        guard !gaps.isEmpty else { return }
        host.read { [rules] reads in
            try Self.read(gaps, reads, rules)
        } then: { [self] (result: Result<Found, any Error>) in
            switch result {
            case .failure(let error):
                // The next look tries again.
                bus.failed(gaps)
                host.failed(error)
            case .success(let found):
                for inbox in found.inboxes { bus.fill(inbox: inbox.user, inbox.changes, upTo: inbox.end) }
                for feed in found.feeds { bus.fill(feed: feed.name, feed.items, upTo: feed.end) }
                for subject in found.restarted where bus.restart(subject) { restarted(subject) }
                fillGaps()
            }
        }
    }

    private struct Found: Sendable {
        var inboxes: [(user: UserID, changes: [InboxChange], end: Int64)] = []
        var feeds: [(name: ExactText, items: [Commit.FeedDelivery], end: Int64)] = []
        /// Those of which not all that is missing is there any more.
        var restarted: [NewsSubject] = []
    }

    private static func read(
        _ gaps: ClusterBus.Gaps, _ reads: any NewsReads, _ rules: StoreOptions
    ) throws -> Found {
        var found = Found()
        let inboxes = try reads.inboxes(
            after: Dictionary(gaps.inboxes.map { ($0.key, $0.after) }, uniquingKeysWith: min))
        for gap in gaps.inboxes {
            guard let inbox = try inboxes.record(of: gap.key) else {
                found.restarted.append(.inbox(gap.key))
                continue
            }
            let position = InboxPosition(epoch: gap.epoch ?? inbox.state.epoch, seq: gap.after)
            let recovery = try InboxRecovery(reads: inboxes, inbox: inbox, rules: rules).recovery(from: position)
            switch recovery.result {
            case .changes(let changes): found.inboxes.append((gap.key, changes, recovery.state.seq))
            case .reset: found.restarted.append(.inbox(gap.key))
            }
        }
        for gap in gaps.feeds {
            if let told = try reads.told(of: gap.key.text, epoch: gap.epoch, after: gap.after, limit: items) {
                found.feeds.append((gap.key, told.items, told.end))
            } else {
                found.restarted.append(.feed(gap.key))
            }
        }
        return found
    }
}
