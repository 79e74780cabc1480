import Inbox
import Storage

/// Lets clients that count pages see each notification once, although rows come and go between their requests.
///
/// The first page fixes the `seq` as of which the following ones are cut, and each page where the next one begins. Kept
/// in memory for a while, for so many readers: a reader that was forgotten gets pages by plain counting.
struct PageSnapshots {
    /// One reader: a user's client with its own credentials, page size and choice of rows.
    struct Reader: Hashable {
        let user: UserID
        let credentials: Int
        let limit: Int
        var filter: NotificationFilter?
    }

    private struct Snapshot {
        let asOf: Int64
        /// The last notification of each page that was read.
        var ends: [Int: NotificationID]
        var lastUse: ContinuousClock.Instant
    }

    private let capacity: Int
    private let lifetime: Duration
    private var snapshots: [Reader: Snapshot] = [:]

    init(capacity: Int = 10_000, lifetime: Duration = .seconds(600)) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    /// What to ask the store for, to serve page `page` (from 1) of this reader.
    mutating func query(page: Int, for reader: Reader, at now: ContinuousClock.Instant) -> PageQuery {
        let offset = PageQuery.Start.offset(Int64(page - 1) * Int64(reader.limit))
        guard page > 1, var snapshot = snapshots[reader], snapshot.lastUse + lifetime > now else {
            return PageQuery(start: offset, limit: reader.limit, filter: reader.filter)
        }
        snapshot.lastUse = now
        snapshots[reader] = snapshot
        let start = snapshot.ends[page - 1].map(PageQuery.Start.before) ?? offset
        return PageQuery(start: start, limit: reader.limit, asOf: snapshot.asOf, filter: reader.filter)
    }

    /// The reader still has the first page as of `seq`, and goes on from there; false if that is not known any more.
    mutating func renew(_ reader: Reader, asOf seq: Int64, at now: ContinuousClock.Instant) -> Bool {
        guard var snapshot = snapshots[reader], snapshot.asOf == seq, snapshot.lastUse + lifetime > now else {
            return false
        }
        snapshot.lastUse = now
        snapshots[reader] = snapshot
        return true
    }

    /// Notes what the reader got.
    mutating func served(_ result: Page, page: Int, to reader: Reader, at now: ContinuousClock.Instant) {
        if page == 1 {
            makeRoom(at: now)
            snapshots[reader] = Snapshot(asOf: result.state.seq, ends: [:], lastUse: now)
        }
        if let last = result.notifications.last { snapshots[reader]?.ends[page] = last.id }
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard snapshots.count >= capacity else { return }
        snapshots = snapshots.filter { $0.value.lastUse + lifetime > now }
        guard snapshots.count >= capacity else { return }
        // All are young: the older half goes, so that this is rare.
        let middle = snapshots.values.map(\.lastUse).sorted()[snapshots.count / 2]
        snapshots = snapshots.filter { $0.value.lastUse > middle }
    }
}
