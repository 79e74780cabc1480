import Inbox

/// The state and the last changes of inboxes that were asked for lately: a client that comes back, or polls, costs no
/// read.
///
/// It is never behind what was committed and told: every commit passes through ``apply(_:)`` before anybody hears of
/// it. A read's result counts only if no commit has touched the inbox since before the read began.
struct InboxMemory: Sendable {
    /// The running reads of one inbox.
    private struct Reads {
        var count = 0
        /// Whether a commit came meanwhile: the reads may then be older.
        var isOutdated = false
    }

    private var states: RecentCache<UserID, RememberedState>
    private var changes: RecentChanges
    private var reads: [UserID: Reads] = [:]

    /// - Parameters:
    ///   - inboxes: how many are remembered at most, about 60 bytes each.
    ///   - changeBytes: how many bytes their changes may take.
    init(inboxes: Int, changeBytes: Int) {
        states = RecentCache(capacity: inboxes)
        changes = RecentChanges(maximumBytes: changeBytes)
    }

    // MARK: Asking

    var rememberedChanges: RememberedChanges { changes.figures }

    mutating func state(of user: UserID) -> InboxState? { states.value(for: user)?.state }

    /// The basis for the answer of ``Store/recover(_:from:completion:)``; nil if a change is not remembered, or a page
    /// is needed.
    mutating func missed(by user: UserID, since position: InboxPosition?) -> MissedChanges? {
        guard let known = states.value(for: user) else { return nil }
        let state = known.state
        guard let position else { return MissedChanges(state: state, changes: []) }
        guard position.epoch == state.epoch,
            let missed = changes.changes(after: position.seq, upTo: state.seq, newest: known.newestChange)
        else { return nil }
        return MissedChanges(state: state, changes: missed)
    }

    // MARK: Reading

    /// Notes that a read of this inbox begins; its snapshot is taken after this call.
    mutating func beginRead(of user: UserID) { reads[user, default: Reads()].count += 1 }

    /// - Parameter state: the read's result; nil if there is none.
    mutating func endRead(of user: UserID, state: InboxState?) {
        guard var others = reads[user] else { return }
        if let state, !others.isOutdated {
            if let known = self.state(of: user) {
                // A commit is on the disk and on its way here, and this read has told a caller of it already.
                if known.epoch != state.epoch || known.seq < state.seq { states.forget(user) }
            } else if let state = RememberedState(state, newestChange: .none) {
                states.keep(state, for: user)
            }
        }
        others.count -= 1
        reads[user] = others.count > 0 ? others : nil
    }

    // MARK: Commits

    /// Takes in a commit; commits must come in order. Inboxes that nobody has asked for are left out.
    mutating func apply(_ commit: Commit) {
        // First, so that nothing is kept of what the same commit tells of the inbox before, or of a new one.
        for user in commit.erased {
            outdateReads(of: user)
            states.forget(user)
        }
        var contents = WrittenContents()
        // By index: taking a delivery out would copy it.
        for place in commit.inboxes.indices {
            let user = commit.inboxes[place].user
            outdateReads(of: user)
            Self.follow(commit.inboxes[place].change, of: user, &states, &changes, sharing: &contents)
        }
    }

    /// One search finds the old state and writes the new one. An inbox whose change cannot be followed is forgotten.
    private static func follow(
        _ change: InboxChange, of user: UserID, _ states: inout RecentCache<UserID, RememberedState>,
        _ changes: inout RecentChanges, sharing contents: inout WrittenContents
    ) {
        _ = states.update(user) { known in
            guard let state = known.state.following(change) else { return nil }
            let newest = changes.append(change, after: known.newestChange, sharing: &contents)
            return RememberedState(state, newestChange: newest)
        }
    }

    private mutating func outdateReads(of user: UserID) {
        if !reads.isEmpty { reads[user]?.isOutdated = true }
    }
}

extension InboxState {
    /// The state right after `change`; nil if that is not the next one, or does not tell how many notifications it
    /// removed.
    fileprivate func following(_ change: InboxChange) -> InboxState? {
        let stamp = change.stamp
        guard stamp.seq == seq + 1 else { return nil }
        let added: Int64
        switch change.kind {
        case .new: added = 1
        case .update, .read, .seen: added = 0
        case .removed(.ids(let ids)): added = -Int64(ids.count)
        case .removed(.upTo): return nil
        }
        return InboxState(
            epoch: epoch, seq: stamp.seq, unread: stamp.unread, unseen: stamp.unseen, total: total + added)
    }
}
