import WireProtocol

/// Which requests' bodies may take more memory before they are whole, out of what there is for all of them.
///
/// When there is no room the body gives way that has not moved on for the longest time, of the sender whose bodies take
/// most. So what is sent and then held back makes room for whatever comes, nobody can keep others out, and whoever is
/// alone may use all of it.
struct BodyShares {
    /// Whose bodies are counted together: the user of a Unix socket's peer, or a client's address.
    struct Owner: Hashable {
        let userID: UInt32?
        let address: IPAddress?
    }

    /// A body that has brought so many bytes more has moved on: a byte now and then is no progress.
    private static let stepBytes = 16 << 10

    private struct Body {
        let owner: Owner
        var bytes: Int
        var movedOn: ContinuousClock.Instant
        /// Nothing of it is missing: it is being worked on, and will be gone soon.
        var isWhole = false
    }

    private let maximumBytes: Int
    private var bodies: [Int: Body] = [:]
    private var owners: [Owner: Int] = [:]
    private var lastKey = 0
    private(set) var bytes = 0
    var count: Int { bodies.count }

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// What a body is known by.
    mutating func newKey() -> Int {
        lastKey += 1
        return lastKey
    }

    /// A body has that many bytes now.
    ///
    /// - Returns: the bodies that give way, which count no more; the one that grew may be among them.
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

    /// The whole body is there: it counts until its end, and gives way to none.
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

    /// Looks at all: asked only where there is no room.
    private var nextToGiveWay: Int? {
        let waiting = bodies.filter { !$0.value.isWhole }
        return waiting.min { one, other in
            let (mine, others) = (owners[one.value.owner, default: 0], owners[other.value.owner, default: 0])
            return mine != others ? mine > others : one.value.movedOn < other.value.movedOn
        }?.key
    }
}
