import Inbox
import Store
import Support
import Testing

@testable import Gateway

struct PageSnapshotsTests {
    /// An inbox as a plain list of the `seq` at which its rows came.
    struct ListedInbox {
        private(set) var seq: Int64 = 0
        private(set) var rows: [Int64] = []
        private(set) var readRows: Set<Int64> = []

        mutating func add() {
            seq += 1
            rows.append(seq)
        }

        mutating func remove(_ row: Int64) {
            seq += 1
            rows.removeAll { $0 == row }
        }

        mutating func read(_ read: [Int64]) {
            seq += 1
            readRows.formUnion(read)
        }

        func page(_ query: PageQuery) -> Page {
            let asOf = query.asOf ?? seq
            let known = rows.filter { $0 <= asOf && !(query.filter?.unreadOnly ?? false && readRows.contains($0)) }
            let wanted: [Int64] =
                switch query.start {
                case .offset(let offset): known.reversed().dropFirst(Int(offset)).map(\.self)
                case .behind(let place): known.reversed().filter { $0 < place }
                case .before(let id): known.reversed().filter { $0 < id.sequence }
                case .after(let id): known.reversed().filter { $0 > id.sequence }
                }
            let shown = wanted.prefix(query.limit)
            return Page(
                state: InboxState(epoch: "e1", seq: seq, total: Int64(rows.count)),
                notifications: shown.map { .at($0) },
                totalCount: Int64(known.count), remaining: Int64(wanted.count), asOf: asOf, end: shown.last)
        }
    }

    let start = ContinuousClock.now

    func reader(
        _ name: String, credentials: Int = 1, limit: Int = 10, _ filter: NotificationFilter? = nil
    ) throws -> PageSnapshots.Reader {
        PageSnapshots.Reader(user: try user(name), credentials: credentials, limit: limit, filter: filter)
    }

    /// The page that `reader` gets at `now`, as the routes serve it.
    func read(
        _ number: Int, asOf: Int64? = nil, _ reader: PageSnapshots.Reader, of inbox: ListedInbox,
        through snapshots: inout PageSnapshots, at now: ContinuousClock.Instant
    ) -> Page {
        let page = inbox.page(snapshots.query(page: number, asOf: asOf, for: reader, at: now))
        snapshots.served(page, page: number, to: reader, at: now)
        return page
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `a reader who counts pages sees each row once that was there from first to last`(seed: UInt64) throws {
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

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `of unread rows each page shows the next ones, though those before were read and the token was renewed`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        var inbox = ListedInbox()
        for _ in 0..<70 { inbox.add() }
        var snapshots = PageSnapshots()
        let limit = Int.random(in: 1...30, using: &random)
        var (seen, number): ([Int64], Int) = ([], 0)
        while true {
            number += 1
            let reader = try reader(
                "renee", credentials: .random(in: 1...2, using: &random), limit: limit,
                NotificationFilter(unreadOnly: true))
            let page = read(number, reader, of: inbox, through: &snapshots, at: start)
            let rows = page.notifications.map(\.id.sequence)
            seen += rows
            let numbers = PageNumbers(page, .page(number, asOf: nil), limit: limit)
            #expect(numbers.totalCount == 70)
            #expect(numbers.hasNextPage == (seen.count < 70))
            if Bool.random(using: &random) { inbox.read(rows) }
            if Bool.random(using: &random) { inbox.add() }
            guard numbers.hasNextPage else { break }
        }
        #expect(seen == Array((1...70).reversed()))
    }

    @Test func `of two readers with one token each goes its own way that says as of when it reads`() throws {
        var snapshots = PageSnapshots()
        var inbox = ListedInbox()
        for _ in 0..<35 { inbox.add() }
        let reader = try reader("renee")
        var (places, pages): ([Int64], [[Int64]]) = ([], [[], []])
        for number in 1...4 {
            for tab in 0..<2 {
                let page = read(
                    number, asOf: number == 1 ? nil : places[tab], reader, of: inbox, through: &snapshots, at: start)
                if number == 1 { places.append(page.asOf) }
                pages[tab] += page.notifications.map(\.id.sequence)
                inbox.add()
            }
        }
        #expect(pages[0] == Array((1...35).reversed()))
        #expect(pages[1] == Array((1...36).reversed()))
    }

    @Test func `of one person so much is kept that one more list is at the cost of the person's own`() throws {
        var snapshots = PageSnapshots(capacity: 100)
        var inbox = ListedInbox()
        for _ in 0..<30 { inbox.add() }
        let others = try (0..<20).map { try reader("user-\($0)") }
        for reader in others { _ = read(1, reader, of: inbox, through: &snapshots, at: start) }
        let many = try (0..<1_000).map { number in
            try reader("renee", NotificationFilter(group: String(repeating: "g", count: 1_000) + "\(number)"))
        }
        for reader in many { _ = read(1, reader, of: inbox, through: &snapshots, at: start + .seconds(1)) }
        let now = start + .seconds(2)
        #expect(others.allSatisfy { snapshots.query(page: 2, for: $0, at: now).asOf == 30 })
        let kept = many.count { snapshots.query(page: 2, for: $0, at: now).asOf == 30 }
        #expect(kept == PageSnapshots.maximumReadings)
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
        let query = snapshots.query(page: 3, for: reader, at: start)
        #expect((query.start, query.asOf, query.epoch) == (.offset(20), 30, "e1"))
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
        #expect((late.start, late.asOf, late.epoch) == (.offset(30), nil, nil))
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
