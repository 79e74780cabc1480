import Inbox

/// The values of `Authorization` that were verified lately, so that the next request with one costs no signature.
/// Secrets.
///
/// For one shard, of whichever connection: a proxy's carries many clients' requests in turn.
package struct KnownAuthorizations {
    /// What one costs beside its text: credentials, claims, its places here.
    private static let entryBytes = 512
    /// The text, and its claims once more, which take about as much again as they are made of small values.
    private static let bytesPerOctet = 4
    /// So many tokens of one user at most are kept in a half: others would drive out everybody else's.
    package static let maximumPerUser = 8

    private let halfCount: Int
    private let halfBytes: Int
    /// Two halves instead of a list: what is used moves to the young one, and when that is full the old one is
    /// forgotten.
    ///
    /// By hash, which proves nothing: an entry says whether it is the one that is sought.
    private var young: [Int: KnownAuthorization] = [:]
    private var old: [Int: KnownAuthorization] = [:]
    private var youngBytes = 0
    /// How many of the young ones are whose.
    private var youngUsers: [UserID: Int] = [:]
    /// Of the keys that all of them were verified with.
    private var generation = 0

    /// - Parameters:
    ///   - maximumCount: how many are kept; of those used last at least half as many.
    ///   - maximumBytes: how much they may take, by estimate. What alone takes half of that is not kept.
    package init(maximumCount: Int, maximumBytes: Int) {
        (halfCount, halfBytes) = (maximumCount / 2, maximumBytes / 2)
    }

    package var count: Int { young.count + old.count }

    /// What was verified of `value`, with the keys of this generation; nil where that is not known.
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

    /// - Parameter generation: of the keys that verified it. Whatever others did is forgotten.
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

    /// Seeded anew in each process, so that nobody can choose a value that takes another's place.
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
