import Inbox
import Store

/// Lets clients that count pages see each notification once, although rows come, go and are read in between.
///
/// The first page fixes the `seq` of the snapshot, and each page fixes where the next one begins. Page numbers do not
/// identify readers. Readers of the same list are told apart by their tokens, or by `asOf` if they send it. Any other
/// reader continues from the first page that was read last. Clients that follow `meta.next` do not need this
/// (``ListCursor``).
///
/// Readings are kept in memory for a while, up to a limit for each person and for all, at a few bytes each. Without
/// one, a page is cut by counting rows.
struct PageSnapshots {
    /// The reader of a page, and the list that it reads.
    struct Reader: Hashable {
        let user: UserID
        /// Tells readers apart only while the token stays the same: after a renewal, the person's last reading of the
        /// list continues.
        let credentials: Int
        let limit: Int
        var filter: NotificationFilter?

        /// A hash of the list, however long a group's name is.
        fileprivate var list: Int {
            var hasher = Hasher()
            hasher.combine(limit)
            hasher.combine(filter)
            return hasher.finalize()
        }
    }

    /// One way through one list.
    private struct Reading {
        let list: Int
        let credentials: Int
        let epoch: String
        let asOf: Int64
        /// The ends of the pages that were read last.
        var ends: [(page: Int, place: Int64)] = []
        var lastUse: ContinuousClock.Instant

        mutating func note(_ end: Int64, of page: Int) {
            ends.removeAll { $0.page == page }
            if ends.count >= PageSnapshots.maximumEnds { ends.removeFirst() }
            ends.append((page, end))
        }

        /// Whether the other one replaces it: of the same token, as of the same `seq`.
        func isSame(as other: Self) -> Bool {
            list == other.list && credentials == other.credentials && asOf == other.asOf && epoch == other.epoch
        }
    }

    /// How many readings one person has at most.
    static let maximumReadings = 8
    /// A reader that goes further back is served by counting.
    private static let maximumEnds = 32

    private let capacity: Int
    private let lifetime: Duration
    /// A person's last reading is the one whose first page was read last.
    private var readings: [UserID: [Reading]] = [:]
    private var count = 0

    /// - Parameter capacity: how many readings all people have at most, about 700 bytes each.
    init(capacity: Int = 10_000, lifetime: Duration = .seconds(600)) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    /// The store's query for page `page` (from 1) of this reader.
    ///
    /// - Parameter asOf: the reader's own `seq`; nil if it sends none.
    mutating func query(
        page: Int, asOf: Int64? = nil, for reader: Reader, at now: ContinuousClock.Instant
    ) -> PageQuery {
        let passed = Int64(page - 1) * Int64(reader.limit)
        var query = PageQuery(start: .offset(passed), limit: reader.limit, filter: reader.filter)
        (query.asOf, query.startAnew) = (asOf, passed)
        guard page > 1, let place = place(of: reader, asOf: asOf, at: now) else { return query }
        readings[reader.user]?[place].lastUse = now
        guard let reading = readings[reader.user]?[place] else { return query }
        (query.asOf, query.epoch) = (reading.asOf, reading.epoch)
        if let end = reading.ends.last(where: { $0.page == page - 1 }) { query.start = .behind(end.place) }
        return query
    }

    /// Notes that the reader still has the first page as of `seq` and continues from there; false if that is forgotten.
    mutating func renew(_ reader: Reader, asOf seq: Int64, at now: ContinuousClock.Instant) -> Bool {
        guard let place = place(of: reader, asOf: seq, at: now) else { return false }
        readings[reader.user]?[place].lastUse = now
        return true
    }

    /// Notes the page that the reader got.
    mutating func served(_ result: Page, page: Int, to reader: Reader, at now: ContinuousClock.Instant) {
        if page == 1 { begin(result, reader, at: now) }
        guard let end = result.end, let place = place(of: reader, asOf: result.asOf, at: now) else { return }
        readings[reader.user]?[place].note(end, of: page)
    }

    private mutating func begin(_ result: Page, _ reader: Reader, at now: ContinuousClock.Instant) {
        let (user, list) = (reader.user, reader.list)
        makeRoom(for: user, at: now)
        let reading = Reading(
            list: list, credentials: reader.credentials, epoch: result.state.epoch, asOf: result.asOf, lastUse: now)
        count -= readings[user]?.count ?? 0
        readings[user, default: []].removeAll { $0.isSame(as: reading) }
        readings[user]?.append(reading)
        count += readings[user]?.count ?? 0
    }

    /// The index of the reader's own reading; or that of the last one of this list, if it has none.
    private func place(of reader: Reader, asOf: Int64?, at now: ContinuousClock.Instant) -> Int? {
        guard let known = readings[reader.user] else { return nil }
        let list = reader.list
        func isMeant(_ reading: Reading) -> Bool {
            reading.list == list && reading.asOf == asOf ?? reading.asOf && reading.lastUse + lifetime > now
        }
        return known.lastIndex { isMeant($0) && $0.credentials == reader.credentials }
            ?? known.lastIndex(where: isMeant)
    }

    private mutating func makeRoom(for user: UserID, at now: ContinuousClock.Instant) {
        if let own = readings[user], own.count >= Self.maximumReadings,
            let oldest = own.indices.min(by: { own[$0].lastUse < own[$1].lastUse })
        {
            readings[user]?.remove(at: oldest)
            count -= 1
        }
        guard count >= capacity else { return }
        let lifetime = lifetime
        forget { $0.lastUse + lifetime <= now }
        guard count >= capacity else { return }
        // All are recent: the older half goes, so that this happens rarely.
        let uses = readings.values.flatMap { $0.map(\.lastUse) }.sorted()
        forget { $0.lastUse <= uses[uses.count / 2] }
    }

    private mutating func forget(where isOver: (Reading) -> Bool) {
        readings = readings.compactMapValues { own in
            let rest = own.filter { !isOver($0) }
            return rest.isEmpty ? nil : rest
        }
        count = readings.values.reduce(0) { $0 + $1.count }
    }
}
