import Inbox
package import Store
import Synchronization

/// Announces this node's commits at once, and the commits of other nodes as they come: each inbox's and feed's news in
/// order, without a hole, and none twice.
///
/// The lock is held while a listener is told, so that two threads cannot overtake each other.
package final class ClusterBus: CommitBus {
    /// Bare closures in a generic box would be wrapped once more at each access.
    private struct Listeners {
        var areSet = false
        var written: @Sendable (Commit) -> Void = { _ in }
        var tell: @Sendable (Commit) -> Void = { _ in }
        var surround: @Sendable (_ announce: () -> Void) -> Void = { $0() }
    }

    private struct State {
        var inboxes = NewsLines<UserID, Commit.InboxDelivery>()
        var feeds = NewsLines<ExactText, Commit.FeedDelivery>()
        var listeners = Listeners()
        /// The number of the last look that has begun.
        var lastLook = 0
    }

    /// What is missing: to be read and given to ``fill(inbox:_:upTo:)`` or ``fill(feed:_:upTo:)``.
    struct Gaps: Sendable {
        let inboxes: [NewsLines<UserID, Commit.InboxDelivery>.Gap]
        let feeds: [NewsLines<ExactText, Commit.FeedDelivery>.Gap]
        var isEmpty: Bool { inboxes.isEmpty && feeds.isEmpty }
    }

    private let state = Mutex(State())

    // MARK: Announcing

    package func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        state.withLock { $0.listeners = Listeners(areSet: true, written: written, tell: tell, surround: surround) }
    }

    /// Whether anybody hears of commits.
    var hasListeners: Bool { state.withLock(\.listeners.areSet) }

    package func announce(_ commit: Commit, answers: () -> Void) {
        let listeners = state.withLock(\.listeners)
        listeners.surround {
            if !commit.isEmpty {
                listeners.written(commit)
                hear(commit)
            }
            answers()
        }
    }

    /// Hands on a commit of another node.
    func receive(_ commit: Commit) {
        let surround = state.withLock(\.listeners.surround)
        surround { hear(commit) }
    }

    private func hear(_ commit: Commit) {
        state.withLock { state in
            var told = commit
            (told.inboxes, told.feeds) = ([], [])
            // By index: taking a delivery out would copy it.
            for place in commit.inboxes.indices {
                state.inboxes.take(
                    commit.inboxes[place], commit.inboxes[place].change.stamp.seq, of: commit.inboxes[place].user
                ) { told.inboxes.append($0) }
            }
            for place in commit.feeds.indices {
                state.feeds.take(
                    commit.feeds[place], commit.feeds[place].position.offset,
                    of: ExactText(commit.feeds[place].item.feed)
                ) { told.feeds.append($0) }
            }
            if !told.isEmpty { state.listeners.tell(told) }
        }
    }

    // MARK: Watching

    /// - Returns: whether it is the first to watch; then the line has to be opened.
    func watch(_ subject: NewsSubject) -> Bool {
        state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.watch(user)
            case .feed(let feed): state.feeds.watch(feed)
            }
        }
    }

    /// - Returns: whether nobody watches any more.
    func unwatch(_ subject: NewsSubject) -> Bool {
        let (isLast, waiting) = state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.unwatch(user)
            case .feed(let feed): state.feeds.unwatch(feed)
            }
        }
        for body in waiting { body(false) }
        return isLast
    }

    func isWatched(_ subject: NewsSubject) -> Bool {
        state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.isWatched(user)
            case .feed(let feed): state.feeds.isWatched(feed)
            }
        }
    }

    var watched: [NewsSubject] {
        state.withLock { state in state.inboxes.keys.map(NewsSubject.inbox) + state.feeds.keys.map(NewsSubject.feed) }
    }

    /// Runs `body` once the subject's line is open, or at once where nobody watches the subject. It gets false if the
    /// line cannot be opened.
    package func whenOpen(_ subject: NewsSubject, _ body: @escaping @Sendable (Bool) -> Void) {
        let waits = state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.wait(for: user, body)
            case .feed(let feed): state.feeds.wait(for: feed, body)
            }
        }
        if !waits { body(true) }
    }

    /// Opens a line: from now on, all behind `number` is told.
    func open(_ subject: NewsSubject, epoch: String?, at number: Int64) {
        let waiting = state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.open(user, epoch: epoch, at: number)
            case .feed(let feed): state.feeds.open(feed, epoch: epoch, at: number)
            }
        }
        for body in waiting { body(true) }
    }

    /// Tells those who wait for a line that it cannot be opened now.
    func giveUp(_ subject: NewsSubject) {
        let waiting = state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.takeWaiting(for: user)
            case .feed(let feed): state.feeds.takeWaiting(for: feed)
            }
        }
        for body in waiting { body(false) }
    }

    /// Begins a line anew: the inbox or feed of that name is another one by now.
    ///
    /// - Parameter isErased: whether sessions hear of that anyway.
    /// - Returns: whether the line has to be opened again.
    func restart(_ subject: NewsSubject, isErased: Bool = false) -> Bool {
        state.withLock { state in
            switch subject {
            case .inbox(let user):
                guard state.inboxes.restart(user) else { return false }
                if isErased { return true }
                var commit = Commit()
                commit.restarted = [user]
                state.listeners.tell(commit)
                return true
            case .feed(let feed): return state.feeds.restart(feed)
            }
        }
    }

    // MARK: What is missing

    /// To be called before the database is read.
    ///
    /// - Parameter isTold: whether another node has said to look.
    func beginLook(isTold: Bool) -> NewsLook {
        state.withLock { state in
            state.lastLook += 1
            return NewsLook(number: state.lastLook, isTold: isTold)
        }
    }

    /// Notes how far a subject has come.
    ///
    /// - Returns: false if its line has to begin anew.
    func see(_ subject: NewsSubject, epoch: String?, head: Int64, _ look: NewsLook) -> Bool {
        state.withLock { state in
            switch subject {
            case .inbox(let user): state.inboxes.see(user, epoch: epoch, head: head, look, last: state.lastLook)
            case .feed(let feed): state.feeds.see(feed, epoch: epoch, head: head, look, last: state.lastLook)
            }
        }
    }

    /// How often news were found that no other node had told of.
    package var lostWakeUps: Int { state.withLock { $0.inboxes.lostWakeUps + $0.feeds.lostWakeUps } }

    /// Takes out some of what is missing.
    func takeGaps(_ limit: Int) -> Gaps {
        state.withLock { state in
            Gaps(inboxes: state.inboxes.takeGaps(limit), feeds: state.feeds.takeGaps(limit))
        }
    }

    func fill(inbox user: UserID, _ found: [InboxChange], upTo end: Int64) {
        state.withLock { state in
            var told = Commit()
            let news = found.map { change in
                // Whether a push was queued is not known any more. If none was, an acknowledgement cancels none.
                (change.stamp.seq, Commit.InboxDelivery(user: user, change: change, mayBePushed: true))
            }
            state.inboxes.fill(user, news, upTo: end) { told.inboxes.append($0) }
            if !told.isEmpty { state.listeners.tell(told) }
        }
    }

    func fill(feed: ExactText, _ found: [Commit.FeedDelivery], upTo end: Int64) {
        state.withLock { state in
            var told = Commit()
            state.feeds.fill(feed, found.map { ($0.position.offset, $0) }, upTo: end) { told.feeds.append($0) }
            if !told.isEmpty { state.listeners.tell(told) }
        }
    }

    /// Notes that gaps could not be read.
    func failed(_ gaps: Gaps) {
        state.withLock { state in
            for gap in gaps.inboxes { state.inboxes.failed(gap.key) }
            for gap in gaps.feeds { state.feeds.failed(gap.key) }
        }
    }
}
