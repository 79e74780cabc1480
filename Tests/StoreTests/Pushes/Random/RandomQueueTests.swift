import GRDB
import Inbox
import Push
import Support
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Random streams of what changes the places of jobs, against a list of where each stands.
struct RandomQueueTests {
    @Test(arguments: Seeds.some(3, of: 12))
    func `no two jobs stand at one place, and who comes to a moment stands behind all that are there`(
        _ seed: UInt64
    ) throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in
            let stream = try QueueStream(db, seed: seed)
            for _ in 0..<600 {
                try stream.step()
                try stream.check()
            }
        }
    }
}

private final class QueueStream {
    /// The writer's tables, as far as they give places.
    private struct Tables {
        let jobs: PushJobTable
        let runs: PushJobRuns
        let holds: PushHoldTable

        init(_ db: Database, _ index: PushJobIndex) throws {
            let places = try QueuePlaces(db)
            jobs = try PushJobTable(db, WaitingPushes(), places, index, .standard, DamageWatch())
            runs = try PushJobRuns(db, WaitingPushes(), index)
            holds = try PushHoldTable(db, places, index)
        }
    }

    private static let providers: [Device.Provider] = [.apns, .webpush]
    private static let devices: ClosedRange<Int64> = 1...4

    private let db: Database
    private let index = PushJobIndex()
    private var tables: Tables
    private var random: SeededRandom
    private var queued: Int64 = 0
    /// Of each device.
    private var provider: [Int64: Device.Provider] = [:]
    private var places: [PushJobNumber: QueuePlace] = [:]

    init(_ db: Database, seed: UInt64) throws {
        self.db = db
        tables = try Tables(db, index)
        random = SeededRandom(seed: seed)
        for device in Self.devices { provider[device] = Self.providers[Int(device) % 2] }
        // So many wait for one of the moments that a single turn is left.
        try occupy(QueuePlace.last(of: .apns, at: time(2)).rawValue - 1)
    }

    private func occupy(_ place: Int64) throws {
        let number = PushJobNumber(device: 999, notification: 1)
        try db.execute(
            sql: "INSERT INTO push_job (place, number, is_fallback, failures, expiry) VALUES (?, ?, 0, 0, 0)",
            arguments: [place, number.rawValue])
        places[number] = QueuePlace(rawValue: place)
    }

    private func time(_ millisecond: Int) -> Timestamp {
        Timestamp(milliseconds: Timestamp.at(0).milliseconds + Int64(millisecond))
    }

    private func someTime() -> Timestamp { time(random.next(below: 6)) }

    func step() throws {
        switch random.next(below: 22) {
        // Few enough that the last one of a moment often goes.
        case 0..<12: try places.count < 12 ? insert() : delete()
        case 12..<14: try putOff()
        case 14: try hold()
        case 15: try release()
        case 16: try moveDevice()
        case 17: try rehearse()
        case 18: try fail()
        case 19..<21: try deleteSome()
        // A writer that has rested.
        default: tables = try Tables(db, index)
        }
    }

    /// The queue's rows are those of the list, found by their numbers, and walked in their order.
    func check() throws {
        let rows = try Row.fetchAll(db, sql: "SELECT place, number FROM push_job").map { row in
            (PushJobNumber(rawValue: row["number"]), QueuePlace(rawValue: row["place"]))
        }
        #expect(Dictionary(uniqueKeysWithValues: rows) == places)
        let found = Self.devices.flatMap { index.places(device: $0) }
        let own = places.filter { Self.devices.contains($0.key.device) }.sorted { $0.key < $1.key }
        #expect(found.map(\.number) == own.map(\.key) && found.map(\.position) == own.map(\.value))
        for provider in Self.providers {
            let walked = try tables.jobs.due(at: .at(1), provider: provider, after: nil, limit: 10_000).map(\.place)
            let expected = places.filter { $0.value.provider == provider.place }.sorted { $0.value < $1.value }
            #expect(walked.map(\.number) == expected.map(\.key))
            #expect(walked.map(\.position) == expected.map(\.value))
        }
    }

    /// A job stands there that came last.
    private func stands(_ number: PushJobNumber, at place: QueuePlace, since due: Timestamp) throws {
        let provider = try #require(ProviderList.standard[place: place.provider])
        #expect(provider == self.provider[number.device])
        #expect(place >= .first(of: provider, at: due) && place.availableAt <= due + .milliseconds(1))
        places[number] = nil
        let there = places.values.filter { $0 >= .first(of: provider, at: due) && $0 <= place.lastOfMoment }
        #expect(there.allSatisfy { $0 < place })
        places[number] = place
    }

    // MARK: Steps

    private func insert() throws {
        queued += 1
        let device = Int64(1 + random.next(below: Self.devices.count))
        let job = NewPushJob(device: device, notification: queued, due: someTime(), expiry: .at(3_600))
        let place = try tables.jobs.insert(job, provider: try #require(provider[device]))
        try stands(place.number, at: place.position, since: job.due)
    }

    private func someJob() throws -> (PushTurns.Place, Device.Provider)? {
        let own = places.filter { Self.devices.contains($0.key.device) }.sorted { $0.value < $1.value }
        guard !own.isEmpty else { return nil }
        let (number, place) = own[random.next(below: own.count)]
        return (PushTurns.Place(position: place, number: number), try #require(provider[number.device]))
    }

    private func delete() throws {
        guard let (place, provider) = try someJob() else { return }
        #expect(try tables.jobs.delete(device: place.device, notification: place.notification, provider))
        places[place.number] = nil
        #expect(try !tables.jobs.delete(device: place.device, notification: place.notification, provider))
    }

    /// Deletes some jobs of a provider together. Some of them do not stand at their supposed place.
    private func deleteSome() throws {
        let provider = Self.providers[random.next(below: 2)]
        let there = places.filter { Self.devices.contains($0.key.device) && $0.value.provider == provider.place }
        var thought: [PushTurns.Place] = []
        for (number, place) in there.sorted(by: { $0.value < $1.value }) {
            switch random.next(below: 6) {
            case 0: break
            case 1: thought.append(.init(position: place, device: 997, notification: number.notification))
            case 2: thought.append(.init(position: QueuePlace(rawValue: place.rawValue + 1), number: number))
            default: thought.append(.init(position: place, number: number))
            }
        }
        thought.sort()
        let deleted = try tables.runs.delete(thought, provider)
        #expect(deleted.count == thought.count)
        for (place, isDeleted) in zip(thought, deleted) {
            if isDeleted { #expect(places[place.number] == place.position) }
            if isDeleted { places[place.number] = nil }
        }
        // Between them lie too few others for one to be left out.
        if thought.count * 2 > there.count { #expect(thought.allSatisfy { places[$0.number] != $0.position }) }
    }

    private func putOff() throws {
        guard let (place, provider) = try someJob() else { return }
        let due = someTime()
        let later = try tables.jobs.putOff(
            device: place.device, notification: place.notification, provider, to: due, failures: 1)
        try stands(place.number, at: try #require(later).position, since: due)
        let gone = try tables.jobs.putOff(device: 998, notification: 1, provider, to: due, failures: 1)
        #expect(gone == nil)
    }

    private func hold() throws {
        guard let (place, provider) = try someJob() else { return }
        let end = someTime()
        try tables.holds.hold(place, provider, until: end, expiry: .at(3_600), foldKey: nil)
        let held = try tables.holds.held(device: place.device).first { $0.place.number == place.number }
        try stands(place.number, at: try #require(held).place.position, since: end)
    }

    /// Lets jobs leave that were kept back until now.
    private func release() throws {
        let due = someTime()
        for (device, provider) in provider.sorted(by: { $0.key < $1.key }) {
            for job in try tables.holds.held(device: device) {
                let place = try tables.holds.move(job.place, provider, to: due)
                try stands(place.number, at: place.position, since: due)
            }
        }
    }

    private func moveDevice() throws {
        let device = Int64(1 + random.next(below: Self.devices.count))
        let earlier = try #require(provider[device])
        let next: Device.Provider = earlier == .apns ? .webpush : .apns
        let order = places.filter { $0.key.device == device }.sorted { $0.value < $1.value }
        provider[device] = next
        let moved = try tables.jobs.move(device: device, from: earlier, to: next)
        #expect(moved.map(\.number) == order.map(\.key))
        for (place, before) in zip(moved, order) {
            try stands(place.number, at: place.position, since: before.value.availableAt)
        }
    }

    /// Jobs are queued and undone, and the writer's tables stay.
    private func rehearse() throws {
        let (before, count) = (places, 1 + random.next(below: 3))
        index.commit()
        try db.inSavepoint {
            for _ in 0..<count { try insert() }
            index.rollBack()
            return .rollback
        }
        places = before
    }

    /// All of a commit is undone; the writer's tables are prepared anew.
    private func fail() throws {
        let before = places
        index.commit()
        try db.inSavepoint {
            for _ in 0..<4 { try delete() }
            for _ in 0..<2 { try insert() }
            try putOff()
            index.rollBack()
            return .rollback
        }
        places = before
        tables = try Tables(db, index)
    }
}
