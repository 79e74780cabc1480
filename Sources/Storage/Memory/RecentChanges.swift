import Inbox

/// The last changes of inboxes, within a limit of bytes; those that were neither added to nor asked for lately go first.
///
/// Two generations, as in ``RecentCache``: when the young one is full the old one is forgotten as a whole.
struct RecentChanges: Sendable {
    /// So many an inbox at most: who missed more gets them from the store.
    private static let maximumChanges = 64

    private let generationBytes: Int
    private var young: [UserID: ReplayedChanges] = [:]
    private var old: [UserID: ReplayedChanges] = [:]
    private var youngBytes = 0

    init(maximumBytes: Int) { generationBytes = maximumBytes / 2 }

    /// All changes after `seq`, up to the inbox's newest, `head`; nil if one of them is not there.
    mutating func changes(of user: UserID, after seq: Int64, upTo head: Int64) -> [InboxChange]? {
        if seq == head { return [] }
        guard seq < head, let replayed = take(user) else { return nil }
        put(replayed, for: user)
        return replayed.changes(after: seq, upTo: head)
    }

    /// Adds what was committed next.
    mutating func append(_ change: InboxChange, of user: UserID) {
        guard let place = young.index(forKey: user) else {
            var replayed = old.removeValue(forKey: user) ?? ReplayedChanges()
            replayed.append(change, maximumCount: Self.maximumChanges)
            return put(replayed, for: user)
        }
        // Where they lie: who is told of something mostly was told of something lately.
        youngBytes -= young.values[place].bytes
        young.values[place].append(change, maximumCount: Self.maximumChanges)
        youngBytes += young.values[place].bytes
        if youngBytes > generationBytes, let replayed = take(user) { put(replayed, for: user) }
    }

    mutating func forget(_ user: UserID) { _ = take(user) }

    /// Taken out, so that changing it copies nothing.
    private mutating func take(_ user: UserID) -> ReplayedChanges? {
        guard let replayed = young.removeValue(forKey: user) else { return old.removeValue(forKey: user) }
        youngBytes -= replayed.bytes
        return replayed
    }

    private mutating func put(_ replayed: ReplayedChanges, for user: UserID) {
        if youngBytes + replayed.bytes > generationBytes {
            old = young
            // About as many come again.
            young = Dictionary(minimumCapacity: old.count)
            youngBytes = 0
        }
        // One that is larger than all that may be remembered stays in the store alone.
        guard replayed.bytes <= generationBytes else { return }
        young[user] = replayed
        youngBytes += replayed.bytes
    }
}
