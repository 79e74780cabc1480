import GRDB
import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct QueuePlaceTests {
    /// The last millisecond that a place can tell, in the year 2109.
    private static let latest = QueuePlace.first(of: .apns, at: Timestamp(milliseconds: .max)).availableAt

    private static func places(_ provider: Device.Provider) -> [QueuePlace] {
        [Timestamp(milliseconds: 0), .at(0), Timestamp(milliseconds: Timestamp.at(0).milliseconds + 1), .at(1), latest]
            .flatMap { time in
                let first = QueuePlace.first(of: provider, at: time)
                return [first, first.next, .last(of: provider, at: time)]
            }
    }

    @Test func `places are in the order of providers, of moments, and of turns`() {
        let places = ProviderList.standard.flatMap(Self.places)
        #expect(places == places.sorted() && Set(places).count == places.count)
        #expect(places.map(\.rawValue) == places.map(\.rawValue).sorted())
        #expect(places.allSatisfy { $0.rawValue >= 0 })
    }

    @Test func `a place tells its provider and its moment, whatever its turn`() {
        for provider in ProviderList.standard {
            for place in Self.places(provider) {
                #expect(place.provider == provider.place)
                let time = place.availableAt
                #expect((QueuePlace.first(of: provider, at: time)...(.last(of: provider, at: time))).contains(place))
                #expect(place.lastOfMoment == .last(of: provider, at: time))
                #expect(QueuePlace(rawValue: place.rawValue) == place)
            }
        }
    }

    @Test func `behind a moment's last place begins the next millisecond`() {
        let next = Timestamp(milliseconds: Timestamp.at(0).milliseconds + 1)
        #expect(QueuePlace.last(of: .fcm, at: .at(0)).next == .first(of: .fcm, at: next))
        let (first, last) = (QueuePlace.first(of: .fcm, at: .at(0)), QueuePlace.last(of: .fcm, at: .at(0)))
        #expect(last.rawValue - first.rawValue == (1 << 17) - 1)
    }

    @Test func `a provider's places are all that are of no other`() {
        var behind: Int64 = 0
        for place in 0..<Device.Provider.most {
            let provider = Device.Provider(name: "\(place)", place: place, silence: nil, manual: .apns)
            let all = QueuePlace.all(of: provider)
            #expect(all.lowerBound.rawValue == behind)
            #expect([all.lowerBound.provider, all.upperBound.provider] == [provider.place, provider.place])
            behind = all.upperBound.rawValue &+ 1
        }
        // There is no room for a seventeenth.
        #expect(behind == .min)
    }

    @Test(arguments: [Int64.min, -1, 1 << 42, 1 << 43, .max])
    func `a moment that no place can tell is taken for the next one that can`(_ milliseconds: Int64) {
        for provider in ProviderList.standard {
            let time = Timestamp(milliseconds: milliseconds)
            for place in [QueuePlace.first(of: provider, at: time), .last(of: provider, at: time).next] {
                #expect(QueuePlace.all(of: provider).contains(place))
            }
            let expected = milliseconds < 0 ? Timestamp(milliseconds: 0) : Self.latest
            #expect(QueuePlace.first(of: provider, at: time).availableAt == expected)
        }
    }

    @Test(arguments: [.min, .min + 1, -1] as [Int64])
    func `a damaged row's place has no provider`(_ rawValue: Int64) {
        #expect(ProviderList.standard[place: QueuePlace(rawValue: rawValue).provider] == nil)
    }
}

struct QueuePlacesTests {
    private static let expiry = Timestamp.at(3_600)
    private let jobs = PushJobIndex()

    /// A queue, and whoever gives places in it.
    private func withQueue(_ body: (Database, PushJobTable) throws -> Void) throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in try body(db, queue(in: db)) }
    }

    private func queue(in db: Database) throws -> PushJobTable {
        try PushJobTable(db, WaitingPushes(), QueuePlaces(db), jobs, .standard, DamageWatch())
    }

    private func job(_ notification: Int64, device: Int64 = 1, at second: Int64 = 0) -> NewPushJob {
        NewPushJob(device: device, notification: notification, due: .at(second), expiry: Self.expiry)
    }

    /// The notifications of all that is due, in the order in which it leaves.
    private func walk(_ queue: PushJobTable, _ provider: Device.Provider = .apns) throws -> [Int64] {
        try queue.due(at: .at(100), provider: provider, after: nil, limit: 100).map(\.place.notification)
    }

    /// As if so many waited for that moment already that there is no more room.
    private func fill(_ db: Database, _ provider: Device.Provider, _ time: Timestamp) throws {
        let number = PushJobNumber(device: 999, notification: time.milliseconds % 1_000_000)
        try db.execute(
            sql: "INSERT INTO push_job (place, number, is_fallback, failures, expiry) VALUES (?, ?, 0, 0, 0)",
            arguments: [QueuePlace.last(of: provider, at: time).rawValue, number.rawValue])
    }

    private func later(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: Timestamp.at(0).milliseconds + milliseconds)
    }

    // MARK: Giving

    @Test func `jobs of a moment stand in the order in which they came, whatever comes between`() throws {
        try withQueue { _, queue in
            let jobs = [job(9), job(3), job(5, at: 2), job(7), job(8, at: 2), job(1), job(4, at: 1), job(2)]
            for job in jobs { _ = try queue.insert(job, provider: .apns) }
            _ = try queue.insert(job(6, device: 2), provider: .fcm)
            #expect(try walk(queue) == [9, 3, 7, 1, 2, 4, 5, 8])
            #expect(try walk(queue, .fcm) == [6])
        }
    }

    @Test func `a moment's turns go on where the last one stands, also for whoever did not give it`() throws {
        try withQueue { db, queue in
            for number in [3, 1] as [Int64] { _ = try queue.insert(job(number), provider: .apns) }
            let again = try self.queue(in: db)
            #expect(
                try again.insert(job(2), provider: .apns).position
                    == QueuePlace.first(of: .apns, at: .at(0)).next.next)
            #expect(try walk(again) == [3, 1, 2])
        }
    }

    @Test func `a place is given anew once its job and all behind it are gone`() throws {
        try withQueue { _, queue in
            let places = try (Int64(1)...3).map { try queue.insert(job($0), provider: .apns) }
            _ = try queue.insert(job(9, at: 5), provider: .apns)
            #expect(try queue.delete(device: 1, notification: 2, .apns))
            #expect(try queue.insert(job(4), provider: .apns).position == places[2].position.next)
            _ = try queue.insert(job(8, at: 5), provider: .apns)
            #expect(try queue.delete(device: 1, notification: 4, .apns))
            #expect(try queue.delete(device: 1, notification: 3, .apns))
            #expect(try queue.insert(job(5), provider: .apns).position == places[1].position)
            #expect(try walk(queue) == [1, 5, 9, 8])
        }
    }

    // MARK: Full moments

    @Test func `a job without room in its moment leaves in the next one, behind the jobs there`() throws {
        try withQueue { db, queue in
            _ = try queue.insert(job(1), provider: .apns)
            try fill(db, .apns, .at(0))
            // Right behind the one that was given last there would be room.
            let again = try self.queue(in: db)
            let places = try (Int64(2)...4).map { try again.insert(job($0), provider: .apns).position }
            let first = QueuePlace.first(of: .apns, at: later(1))
            #expect(places == [first, first.next, first.next.next])
            #expect(try again.nextDue(after: .at(0), provider: .apns) == later(1))
            // Another provider's moment has room.
            #expect(try again.insert(job(5, device: 2), provider: .fcm).position == .first(of: .fcm, at: .at(0)))
        }
    }

    @Test func `one full moment after another is passed over`() throws {
        try withQueue { db, queue in
            for millisecond in Int64(0)...3 { try fill(db, .webpush, later(millisecond)) }
            #expect(try queue.insert(job(1), provider: .webpush).position == .first(of: .webpush, at: later(4)))
        }
    }

    @Test func `the one who gives the last place of a moment goes on in the next`() throws {
        try withQueue { db, _ in
            let places = try QueuePlaces(db)
            let last = QueuePlace.last(of: .apns, at: .at(0))
            try db.execute(
                sql: "INSERT INTO push_job (place, number, is_fallback, failures, expiry) VALUES (?, 1, 0, 0, 0)",
                arguments: [last.rawValue - 1])
            #expect(try places.next(of: .apns, at: .at(0)) == last)
            try fill(db, .apns, .at(0))
            #expect(try places.next(of: .apns, at: .at(0)) == .first(of: .apns, at: later(1)))
        }
    }

    @Test func `in the last moment there is, room is found behind it`() throws {
        try withQueue { db, queue in
            let latest = Timestamp(milliseconds: .max)
            try fill(db, .webpush, latest)
            let position = try QueuePlaces(db).next(of: .webpush, at: latest)
            #expect(position == QueuePlace.last(of: .webpush, at: latest).next)
            #expect(position.provider == Device.Provider.webpush.place)
        }
    }

    // MARK: Moving

    @Test func `jobs of one moment keep their order when their device gets another provider`() throws {
        try withQueue { _, queue in
            _ = try queue.insert(job(7, device: 2), provider: .fcm)
            for job in [job(3), job(1), job(4, at: 1), job(2)] { _ = try queue.insert(job, provider: .apns) }
            let moved = try queue.move(device: 1, from: .apns, to: .fcm)
            #expect(moved.map(\.notification) == [3, 1, 2, 4])
            #expect(try walk(queue, .fcm) == [7, 3, 1, 2, 4])
            #expect(try walk(queue) == [])
        }
    }

    @Test func `jobs move to a provider where their moment is full`() throws {
        try withQueue { db, queue in
            for number in [2, 1, 3] as [Int64] { _ = try queue.insert(job(number), provider: .apns) }
            try fill(db, .fcm, .at(0))
            let moved = try queue.move(device: 1, from: .apns, to: .fcm)
            #expect(moved.map(\.notification) == [2, 1, 3])
            #expect(moved.map(\.availableAt) == [later(1), later(1), later(1)])
            #expect(try walk(queue, .fcm).suffix(3) == [2, 1, 3])
        }
    }

    // MARK: What is undone

    @Test func `places whose jobs were undone are nobody's, and what comes after is behind what was there`() throws {
        try withQueue { db, queue in
            _ = try queue.insert(job(5), provider: .apns)
            jobs.commit()
            try db.inSavepoint {
                for number in Int64(1)...4 { _ = try queue.insert(job(number), provider: .apns) }
                _ = try queue.insert(job(1, device: 2, at: 1), provider: .apns)
                jobs.rollBack()
                return .rollback
            }
            for number in [4, 1] as [Int64] { _ = try queue.insert(job(number), provider: .apns) }
            _ = try queue.insert(job(3, at: 1), provider: .apns)
            #expect(try walk(queue) == [5, 4, 1, 3])
        }
    }
}
