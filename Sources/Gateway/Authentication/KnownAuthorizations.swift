import Inbox

/// Recently verified values of `Authorization`: the next request with one costs no signature. Secrets.
///
/// One for each shard, for all its connections: a proxy's connection carries many clients' requests in turn.
package struct KnownAuthorizations {
    /// The cost of one beside its text: credentials, claims, and its entries here.
    private static let entryBytes = 512
    /// For the text and its claims: these take about as much again, as they consist of small values.
    private static let bytesPerOctet = 4
    /// How many tokens of one user a half keeps at most: otherwise they would drive out all others.
    package static let maximumPerUser = 8

    private let halfCount: Int
    private let halfBytes: Int
    /// Two halves instead of a list: a used value moves to the young half; when that is full, the old one is dropped.
    ///
    /// By hash, which proves nothing: an entry tells whether it is the right one.
    private var young: [Int: KnownAuthorization] = [:]
    private var old: [Int: KnownAuthorization] = [:]
    private var youngBytes = 0
    /// How many of the young entries each user has.
    private var youngUsers: [UserID: Int] = [:]
    /// The generation of the keys that verified all of them.
    private var generation = 0

    /// - Parameters:
    ///   - maximumCount: how many are kept; of the most recently used at least half as many.
    ///   - maximumBytes: their estimated memory. A single value above half of that is not kept.
    package init(maximumCount: Int, maximumBytes: Int) {
        (halfCount, halfBytes) = (maximumCount / 2, maximumBytes / 2)
    }

    package var count: Int { young.count + old.count }

    /// The verified credentials of `value`, if keys of this generation verified it; nil if unknown.
    mutating func find(_ value: String, generation: Int) -> KnownAuthorization? {
        guard generation == self.generation else {
            forgetAll(for: generation)
            return nil
        }
        let hash = Self.hash(of: value)
        if let known = young[hash] { return known.isOf(value) ? known : nil }
        guard let known = old[hash], known.isOf(value) else { return nil }
        insert(known, hash)
        return known
    }

    /// - Parameter generation: that of the keys that verified it. Entries of another generation are dropped.
    mutating func keep(_ known: KnownAuthorization, generation: Int) {
        if generation != self.generation { forgetAll(for: generation) }
        insert(known, Self.hash(of: known.value))
    }

    private mutating func forgetAll(for generation: Int) {
        (young, old, youngBytes, youngUsers, self.generation) = ([:], [:], 0, [:], generation)
    }

    mutating func forget(_ value: String) { remove(Self.hash(of: value)) }

    private mutating func insert(_ known: KnownAuthorization, _ hash: Int) {
        remove(hash)
        let bytes = Self.bytes(of: known)
        let user = known.credentials.user
        guard bytes <= halfBytes, halfCount > 0, youngUsers[user, default: 0] < Self.maximumPerUser else { return }
        if young.count >= halfCount || youngBytes + bytes > halfBytes {
            (old, young, youngBytes, youngUsers) = (young, [:], 0, [:])
        }
        young[hash] = known
        youngUsers[user, default: 0] += 1
        youngBytes += bytes
    }

    private mutating func remove(_ hash: Int) {
        if let known = young.removeValue(forKey: hash) {
            youngBytes -= Self.bytes(of: known)
            let user = known.credentials.user
            let count = youngUsers[user, default: 0] - 1
            youngUsers[user] = count > 0 ? count : nil
        }
        old[hash] = nil
    }

    private static func bytes(of known: KnownAuthorization) -> Int {
        entryBytes + bytesPerOctet * known.value.utf8.count
    }

    /// Seeded anew in each process, so that nobody can choose a value that displaces another.
    private static func hash(of value: String) -> Int {
        var (value, hasher) = (value, Hasher())
        value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }
}

extension KnownAuthorizations: CustomStringConvertible, CustomReflectable {
    package var description: String { "<\(count) authorizations>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
