import Inbox
import Storage
import Support
import Testing

@testable import Gateway

struct PageSnapshotsTests {
    /// An inbox as a plain list of the `seq` at which its rows came.
    struct ListedInbox {
        private(set) var seq: Int64 = 0
        private(set) var rows: [Int64] = []

        mutating func add() {
            seq += 1
            rows.append(seq)
        }

        mutating func remove(_ row: Int64) {
            seq += 1
            rows.removeAll { $0 == row }
        }

        func page(_ query: PageQuery) -> Page {
            let known = rows.filter { $0 <= query.asOf ?? seq }
            let wanted: [Int64] =
                switch query.start {
                case .offset(let offset): known.reversed().dropFirst(Int(offset)).map(\.self)
                case .before(let id): known.reversed().filter { $0 < id.sequence }
                case .after(let id): known.reversed().filter { $0 > id.sequence }
                }
            return Page(
                state: InboxState(epoch: "e1", seq: seq, total: Int64(rows.count)),
                notifications: wanted.prefix(query.limit).map { .at($0) }, totalCount: Int64(known.count),
                hasMore: wanted.count > query.limit)
        }
    }

    let start = ContinuousClock.now

    func reader(_ name: String, credentials: Int = 1, limit: Int = 10) throws -> PageSnapshots.Reader {
        PageSnapshots.Reader(user: try user(name), credentials: credentials, limit: limit)
    }

    /// What `reader` gets at `now`, as the routes serve it.
    func read(
        _ number: Int, _ reader: PageSnapshots.Reader, of inbox: ListedInbox, through snapshots: inout PageSnapshots,
        at now: ContinuousClock.Instant
    ) -> Page {
        let page = inbox.page(snapshots.query(page: number, for: reader, at: now))
        snapshots.served(page, page: number, to: reader, at: now)
        return page
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `who counts pages sees each row once that was there at the first and is there at the last`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        var inbox = ListedInbox()
        for _ in 0..<Int.random(in: 0...60, using: &random) { inbox.add() }
        var snapshots = PageSnapshots()
        let reader = try reader("renee", limit: .random(in: 1...12, using: &random))
        var seen: [Int64] = []
        let first = inbox.rows
        for number in 1... {
            let page = read(number, reader, of: inbox, through: &snapshots, at: start)
            seen += page.notifications.map(\.id.sequence)
            guard page.hasMore else { break }
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                if Bool.random(using: &random) { inbox.add() }
                if let row = inbox.rows.randomElement(using: &random), Bool.random(using: &random) { inbox.remove(row) }
            }
        }
        #expect(seen == Set(seen).sorted(by: >))
        #expect(Set(seen).isSubset(of: first))
        #expect(Set(seen).isSuperset(of: Set(first).intersection(inbox.rows)))
    }

    @Test func `a page that is asked for again is the same page`() throws {
        var inbox = ListedInbox()
        for _ in 0..<30 { inbox.add() }
        var snapshots = PageSnapshots()
        let reader = try reader("renee")
        _ = read(1, reader, of: inbox, through: &snapshots, at: start)
        let second = read(2, reader, of: inbox, through: &snapshots, at: start).notifications.map(\.id)
        inbox.add()
        _ = read(3, reader, of: inbox, through: &snapshots, at: start)
        #expect(read(2, reader, of: inbox, through: &snapshots, at: start).notifications.map(\.id) == second)
    }

    @Test func `a page that is skipped to is counted as of the first page`() throws {
        var snapshots = PageSnapshots()
        let reader = try reader("renee")
        var inbox = ListedInbox()
        for _ in 0..<30 { inbox.add() }
        _ = read(1, reader, of: inbox, through: &snapshots, at: start)
        inbox.add()
        #expect(
            snapshots.query(page: 3, for: reader, at: start) == PageQuery(start: .offset(20), limit: 10, asOf: 30))
    }

    @Test func `the first page is always as of now`() throws {
        var snapshots = PageSnapshots()
        let reader = try reader("renee")
        var inbox = ListedInbox()
        for _ in 0..<15 { inbox.add() }
        _ = read(1, reader, of: inbox, through: &snapshots, at: start)
        inbox.add()
        let page = read(1, reader, of: inbox, through: &snapshots, at: start)
        #expect(page.notifications.first?.id.sequence == 16)
        #expect(snapshots.query(page: 2, for: reader, at: start).asOf == 16)
    }

    @Test func `users, credentials and page sizes are readers of their own`() throws {
        var snapshots = PageSnapshots()
        var inbox = ListedInbox()
        for _ in 0..<30 { inbox.add() }
        let readers = [
            try reader("renee"), try reader("pete"), try reader("renee", credentials: 2), try reader("renee", limit: 5),
        ]
        for reader in readers {
            #expect(snapshots.query(page: 2, for: reader, at: start).asOf == nil)
            _ = read(1, reader, of: inbox, through: &snapshots, at: start)
            inbox.add()
        }
        #expect(readers.map { snapshots.query(page: 2, for: $0, at: start).asOf } == [30, 31, 32, 33])
    }

    @Test func `a reader that pauses for too long is forgotten, one that goes on is not`() throws {
        var snapshots = PageSnapshots(lifetime: .seconds(60))
        var inbox = ListedInbox()
        for _ in 0..<40 { inbox.add() }
        let reader = try reader("renee")
        _ = read(1, reader, of: inbox, through: &snapshots, at: start)
        _ = read(2, reader, of: inbox, through: &snapshots, at: start + .seconds(59))
        #expect(snapshots.query(page: 3, for: reader, at: start + .seconds(118)).asOf == 40)
        let late = snapshots.query(page: 4, for: reader, at: start + .seconds(178))
        #expect(late == PageQuery(start: .offset(30), limit: 10))
    }

    @Test(arguments: [0, 1]) func `no more readers are remembered than allowed, the last ones first`(pause: Int) throws
    {
        var snapshots = PageSnapshots(capacity: 8)
        var inbox = ListedInbox()
        for _ in 0..<20 { inbox.add() }
        let readers = try (0..<50).map { try reader("user-\($0)") }
        var end = start
        for (index, reader) in readers.enumerated() {
            end = start + .seconds(pause * index)
            _ = read(1, reader, of: inbox, through: &snapshots, at: end)
            #expect(snapshots.query(page: 2, for: reader, at: end).asOf == 20)
        }
        let remembered = readers.indices.filter { snapshots.query(page: 2, for: readers[$0], at: end).asOf != nil }
        #expect((1...8).contains(remembered.count))
        #expect(remembered == Array(readers.indices.suffix(remembered.count)))
    }

    @Test func `readers that have expired go before those that read`() throws {
        var snapshots = PageSnapshots(capacity: 3, lifetime: .seconds(60))
        var inbox = ListedInbox()
        for _ in 0..<20 { inbox.add() }
        let readers = try (0..<4).map { try reader("user-\($0)") }
        for reader in readers[..<2] { _ = read(1, reader, of: inbox, through: &snapshots, at: start) }
        for reader in readers[2...] { _ = read(1, reader, of: inbox, through: &snapshots, at: start + .seconds(61)) }
        let now = start + .seconds(62)
        #expect(readers.map { snapshots.query(page: 2, for: $0, at: now).asOf } == [nil, nil, 20, 20])
    }
}
