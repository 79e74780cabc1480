import Synchronization

/// The memory for bodies of requests, shared by all shards. Bytes that have arrived count, not announced ones. A second
/// one is for answers that clients do not take.
package final class BodyRoom: Sendable {
    /// The part of each body that is not counted: most bodies are shorter, and each connection may take as much for a
    /// head.
    static let uncountedBytes = 16 << 10
    /// The usual limit for all bodies together.
    package static let usualBytes = 32 << 20

    private struct State {
        var shares: BodyShares
        /// Called when a body gives way, by its key.
        var endings: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    package init(maximumBytes: Int = usualBytes) {
        state = Mutex(State(shares: BodyShares(maximumBytes: maximumBytes)))
    }

    /// The number of counted bytes.
    package var bytes: Int { state.withLock(\.shares.bytes) }

    /// - Parameter displaced: called on any thread when the body has to give way.
    func share(of owner: BodyShares.Owner, displaced: @escaping @Sendable () -> Void) -> BodyShare {
        let key = state.withLock { state in
            let key = state.shares.newKey()
            state.endings[key] = displaced
            return key
        }
        return BodyShare(self, key, owner)
    }

    /// - Returns: false if the body itself gives way.
    fileprivate func grow(_ share: BodyShare, to bytes: Int, at now: ContinuousClock.Instant) -> Bool {
        let (mayGrow, endings) = state.withLock { state in
            // The body had to give way before its shard heard of it.
            guard state.endings[share.key] != nil else { return (false, [@Sendable () -> Void]()) }
            let displaced = state.shares.grow(share.key, of: share.owner, to: bytes, at: now)
            let endings = displaced.compactMap { key in
                let ending = state.endings.removeValue(forKey: key)
                return key == share.key ? nil : ending
            }
            return (!displaced.contains(share.key), endings)
        }
        for ending in endings { ending() }
        return mayGrow
    }

    fileprivate func complete(_ share: BodyShare) { state.withLock { $0.shares.complete(share.key) } }

    fileprivate func end(_ share: BodyShare) {
        state.withLock { state in
            state.shares.end(share.key)
            state.endings[share.key] = nil
        }
    }
}

/// The share of one body; it counts until this object is released.
final class BodyShare: Sendable {
    fileprivate let room: BodyRoom
    fileprivate let key: Int
    fileprivate let owner: BodyShares.Owner

    fileprivate init(_ room: BodyRoom, _ key: Int, _ owner: BodyShares.Owner) {
        (self.room, self.key, self.owner) = (room, key, owner)
    }

    deinit { room.end(self) }

    /// Counts all bytes that have arrived; false if the body has to give way.
    func grow(to bytes: Int, at now: ContinuousClock.Instant) -> Bool { room.grow(self, to: bytes, at: now) }

    /// Marks the body as complete.
    func complete() { room.complete(self) }
}
