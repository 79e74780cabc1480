import WireProtocol

/// Shares the memory for bodies that are still arriving among their senders.
///
/// Without room, a body gives way of the sender whose bodies take most: the one without progress for the longest time.
/// Bodies that are held back thus make room for others. No sender can shut out the rest, and a single sender may use
/// all the memory.
struct BodyShares {
    /// The sender whose bodies are counted together: the user of a Unix socket's peer, or a client's address.
    struct Owner: Hashable {
        let userID: UInt32?
        let address: IPAddress?
    }

    /// A body makes progress with each step of this size: a byte now and then does not count.
    private static let stepBytes = 16 << 10

    private struct Body {
        let owner: Owner
        var bytes: Int
        var movedOn: ContinuousClock.Instant
        /// The body is complete: it is being processed, and will be released soon.
        var isWhole = false
    }

    private let maximumBytes: Int
    private var bodies: [Int: Body] = [:]
    private var owners: [Owner: Int] = [:]
    private var lastKey = 0
    private(set) var bytes = 0
    var count: Int { bodies.count }

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// A key for a new body.
    mutating func newKey() -> Int {
        lastKey += 1
        return lastKey
    }

    /// Sets the size of a body.
    ///
    /// - Returns: the bodies that give way and no longer count; the one that grew may be among them.
    mutating func grow(_ key: Int, of owner: Owner, to bytes: Int, at now: ContinuousClock.Instant) -> [Int] {
        var body = bodies[key] ?? Body(owner: owner, bytes: 0, movedOn: now)
        if bytes / Self.stepBytes > body.bytes / Self.stepBytes { body.movedOn = now }
        count(bytes - body.bytes, of: owner)
        body.bytes = bytes
        bodies[key] = body
        var displaced: [Int] = []
        while self.bytes > maximumBytes {
            let next = nextToGiveWay ?? key
            end(next)
            displaced.append(next)
            if next == key { break }
        }
        return displaced
    }

    /// The body is complete: it counts until its end, and no longer gives way.
    mutating func complete(_ key: Int) { bodies[key]?.isWhole = true }

    mutating func end(_ key: Int) {
        guard let body = bodies.removeValue(forKey: key) else { return }
        count(-body.bytes, of: body.owner)
    }

    private mutating func count(_ change: Int, of owner: Owner) {
        bytes += change
        let sum = owners[owner, default: 0] + change
        owners[owner] = sum > 0 ? sum : nil
    }

    /// Looks at all bodies, but only when there is no room.
    private var nextToGiveWay: Int? {
        let waiting = bodies.filter { !$0.value.isWhole }
        return waiting.min { one, other in
            let (mine, others) = (owners[one.value.owner, default: 0], owners[other.value.owner, default: 0])
            return mine != others ? mine > others : one.value.movedOn < other.value.movedOn
        }?.key
    }
}
