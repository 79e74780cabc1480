import GRDB
import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct PushJobIndexTests {
    private func place(_ device: Int64, _ notification: Int64, at position: Int64) -> PushTurns.Place {
        PushTurns.Place(position: QueuePlace(rawValue: position), device: device, notification: notification)
    }

    private func makeIndex(_ places: PushTurns.Place...) throws -> PushJobIndex {
        let index = PushJobIndex()
        for place in places { try index.insert(place) }
        index.commit()
        return index
    }

    // MARK: Looking

    @Test func `a device's jobs are its own, its badge pushes first`() throws {
        let last = PushJobNumber.notifications.upperBound
        let own = [place(5, -2, at: 9), place(5, -1, at: 8), place(5, 1, at: 3), place(5, last, at: 4)]
        let index = try makeIndex(own[3], place(4, last, at: 1), own[0], place(6, -2, at: 2), own[2], own[1])
        #expect(index.places(device: 5) == own)
        #expect(index.places(device: 5, from: 1, to: last) == Array(own[2...]))
        #expect(index.places(device: 5, from: 2, to: 1) == [])
        #expect(index.places(device: 5, from: 1, to: .min) == [])
        #expect(index.place(device: 5, notification: -2) == own[0])
        #expect(index.place(device: 5, notification: 2) == nil)
        #expect(index.places(device: 7) == [])
    }

    // MARK: Changing

    @Test func `a second job of one number is refused as the database would, and the first one stays`() throws {
        let first = place(1, 1, at: 1)
        let index = try makeIndex(first)
        let error = #expect(throws: DatabaseError.self) { try index.insert(place(1, 1, at: 2)) }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        index.rollBack()
        #expect(index.places(device: 1) == [first])
    }

    @Test func `a change of the same number at another place changes nothing`() throws {
        let meant = place(1, 1, at: 5)
        let index = try makeIndex(meant)
        index.remove(place(1, 1, at: 4))
        index.move(place(1, 1, at: 4), to: QueuePlace(rawValue: 6))
        index.remove(place(1, 2, at: 4))
        index.move(place(1, 2, at: 4), to: QueuePlace(rawValue: 6))
        #expect(index.places(device: 1) == [meant])
    }

    // MARK: Transactions

    @Test func `all that a transaction did is undone with it, whatever it did to a job`() throws {
        let (one, two) = (place(1, 1, at: 1), place(1, 2, at: 2))
        let index = try makeIndex(one, two)
        index.move(one, to: QueuePlace(rawValue: 7))
        index.remove(place(1, 1, at: 7))
        try index.insert(place(1, 1, at: 8))
        index.remove(two)
        try index.insert(place(1, 3, at: 9))
        index.move(place(1, 3, at: 9), to: QueuePlace(rawValue: 10))
        #expect(index.places(device: 1) == [place(1, 1, at: 8), place(1, 3, at: 10)])
        index.rollBack()
        #expect(index.places(device: 1) == [one, two])
        index.rollBack()
        #expect(index.places(device: 1) == [one, two])
    }

    @Test func `a committed job outlives the next transaction's end`() throws {
        let index = try makeIndex(place(1, 1, at: 1))
        index.move(place(1, 1, at: 1), to: QueuePlace(rawValue: 2))
        index.commit()
        index.remove(place(1, 1, at: 2))
        index.rollBack()
        #expect(index.places(device: 1) == [place(1, 1, at: 2)])
    }

    // MARK: With a store

    /// Checks that the store's knowledge of each device's jobs equals its file.
    private func check(_ fixture: StoreFixture) throws {
        let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        defer { #expect(throws: Never.self) { try database.close() } }
        let rows = try database.read { db in
            try Row.fetchAll(db, sql: "SELECT place, number FROM push_job ORDER BY number").map { row in
                PushTurns.Place(
                    position: QueuePlace(rawValue: row["place"]), number: PushJobNumber(rawValue: row["number"]))
            }
        }
        #expect((1...9).flatMap { fixture.sqlite.pushJobs.places(device: $0) } == rows)
    }

    private func withPhones(
        _ configure: StoreFixture.Configuration = { _ in }, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(configure) { fixture in
            for user in [UserID.ada, .bob, .cleo] {
                try await fixture.store.register(.phone(token: user.name), for: user)
                try await fixture.say("to \(user.name)", to: user, at: .at(0))
            }
            try await body(fixture)
        }
    }

    @Test func `a store that opens again finds each job that waits`() async throws {
        try await withPhones { fixture in
            let job = try #require(try await fixture.store.leasePushJobs(1, at: .at(60)).jobs.first)
            try await fixture.store.settle(job, as: .retry(at: .at(100)), at: .at(61))
            let again = try await fixture.reopened()
            try check(again)
            again.store.acknowledge(.ada, upTo: 1)
            try await again.store.apply(.read(.upTo(1)), for: .bob, at: .at(62))
            #expect(try await again.statistics().pushJobs == 1)
            try check(again)
            await again.store.close()
        }
    }

    @Test func `after a commit that failed the jobs stand where they did`() async throws {
        let epochs = Epochs()
        let configure: StoreFixture.Configuration = { $0.makeEpoch = { epochs.next() } }
        try await withPhones(configure) { fixture in
            epochs.fail()  // the database refuses an inbox without an epoch
            await #expect(throws: StoreError.self) {
                try await fixture.publish("shouted", "never", to: .ada, .bob, .user("stranger"), at: .at(1))
            }
            epochs.mend()
            try check(fixture)
            // A number that was taken by what is undone is free.
            try await fixture.publish("shouted", "two", to: .ada, .bob, at: .at(2))
            #expect(try await fixture.statistics().pushJobs == 5)
            try check(fixture)
        }
    }

    @Test func `after a rehearsal the jobs stand where they did`() async throws {
        try await withPhones { fixture in
            let entry = try fixture.entry("shouted", to: [.ada, .bob, .cleo])
            _ = try await fixture.store.rehearse(Publication(publisher: "b", entries: [entry], now: .at(1)))
            try check(fixture)
            try await fixture.publish("shouted", "two", to: .ada, .bob, .cleo, at: .at(2))
            #expect(try await fixture.statistics().pushJobs == 6)
            try check(fixture)
        }
    }

    @Test func `the trail tells where a job waits, also after it was put off, and in the next process`() async throws {
        try await withStore { fixture in
            for name in ["1", "2"] { try await fixture.store.register(.phone(name, token: name), for: .ada) }
            let event = try await fixture.event("said", to: .ada)
            let job = try #require(try await fixture.store.leasePushJobs(1, at: .at(1)).jobs.first)
            try await fixture.store.settle(job, as: .retry(at: .at(90)), at: .at(1))
            let told = try #require(try await fixture.report(event).recipients.first).waiting
            #expect(told.map(\.due) == [.at(0), .at(90)])
            #expect(told.map(\.provider) == [.apns, .apns])
            #expect(told.last?.device == job.device.id && Set(told.map(\.device)).count == 2)
            let again = try await fixture.reopened()
            #expect(try await again.report(event).recipients.first?.waiting == told)
            again.store.acknowledge(.ada, upTo: 1)
            try await again.store.append("1", to: "feed")
            #expect(try await again.report(event).recipients.first?.waiting == [])
            await again.store.close()
        }
    }

    @Test func `a file in which a job's number is none opens, and what waits is counted`() async throws {
        try await withPhones { fixture in
            await fixture.store.close()
            let path = fixture.folder + "/belfry.sqlite"
            try await write(
                path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '')")
            try await write(path, "UPDATE push_job SET number = 'x' WHERE place = (SELECT min(place) FROM push_job)")
            let again = try StoreFixture(folder: fixture.folder)
            #expect(try await again.statistics().pushJobs == 3)
            #expect((1...9).flatMap { again.sqlite.pushJobs.places(device: $0) }.count == 2)
            await again.store.close()
        }
    }

    private func write(_ path: String, _ sql: String) async throws {
        let database = try DatabaseQueue(path: path)
        try await database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    @Test func `of two rows with one number the one that cannot be found asks its notification what to say`()
        async throws
    {
        try await withPhones { fixture in
            await fixture.store.close()
            try await write(
                fixture.folder + "/belfry.sqlite",
                """
                INSERT INTO push_job (place, number, is_fallback, failures, expiry, content)
                SELECT place + 1000000, number, is_fallback, failures, expiry, content FROM push_job
                """)
            let again = try StoreFixture(folder: fixture.folder)
            try await again.store.apply(.remove(.upTo(.max)), for: .ada)
            let jobs = try await again.store.leasePushJobs(at: .at(600)).jobs
            #expect(jobs.map(\.user) == [.bob, .cleo])
            await again.store.close()
        }
    }

    @Test func `a file in which two rows have one number opens, and each of them leaves by and by`() async throws {
        try await withPhones { fixture in
            await fixture.store.close()
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await database.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO push_job (place, number, is_fallback, failures, expiry)
                        SELECT place + 1000000, number, is_fallback, failures, expiry FROM push_job
                        """)
            }
            try database.close()
            for _ in 0..<2 {
                let again = try StoreFixture(folder: fixture.folder)
                let jobs = try await again.store.leasePushJobs(at: .at(600)).jobs
                #expect(jobs.map(\.user) == [.ada, .bob, .cleo])
                for job in jobs { try await again.store.settle(job, as: .finish, at: .at(601)) }
                await again.store.close()
            }
            let last = try StoreFixture(folder: fixture.folder)
            #expect(try await last.statistics().pushJobs == 0)
            await last.store.close()
        }
    }
}
