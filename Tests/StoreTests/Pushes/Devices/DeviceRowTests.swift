import Foundation
import GRDB
import Inbox
import Push
import Synchronization
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Which rows devices get, and that nothing of the device before is left in one.
struct DeviceRowTests {
    /// Changes the file of a store that is closed meanwhile.
    private func changed(_ fixture: StoreFixture, _ sql: String) async throws -> StoreFixture {
        await fixture.store.close()
        try execute(sql, in: fixture)
        return try StoreFixture(folder: fixture.folder)
    }

    private func execute(_ sql: String, in fixture: StoreFixture) throws {
        let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    private func numbers(_ sql: String, in fixture: StoreFixture) throws -> [Int64] {
        let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        defer { #expect(throws: Never.self) { try database.close() } }
        return try database.read { try Int64.fetchAll($0, sql: sql) }
    }

    private func register(_ names: ClosedRange<Int>, _ fixture: StoreFixture) async throws {
        for name in names {
            try await fixture.store.register(
                .phone("phone-\(name)", token: "token-\(name)"), for: .user("user-\(name)"))
        }
    }

    @Test func `with the last row taken, new devices get those that others have left, and none get one twice`()
        async throws
    {
        try await withStore {
            $0.maximumDevices = 6
        } _: { fixture in
            try await register(1...6, fixture)
            for name in [2, 3, 5] {
                #expect(try await fixture.store.unregister("phone-\(name)", of: .user("user-\(name)")))
            }
            try await register(7...8, fixture)
            #expect(
                try numbers("SELECT row FROM device WHERE id IN ('phone-7', 'phone-8') ORDER BY id", in: fixture) == [
                    2, 3,
                ])
            #expect(try await fixture.store.unregister("phone-1", of: .user("user-1")))
            try await register(9...10, fixture)
            #expect(
                try numbers("SELECT row FROM device WHERE id IN ('phone-9', 'phone-10')", in: fixture).sorted() == [
                    1, 5,
                ])
            #expect(try await fixture.statistics().devices == 6)
        }
    }

    @Test func `the search for rows that are free goes on where it ended, also with statements that are prepared anew`()
        async throws
    {
        let search = DeviceRowSearch()
        @Sendable func free(_ db: Database) throws -> Int64? { try FreeDeviceRows(db, upTo: 6, search).free() }
        @Sendable func take(_ row: Int64, _ db: Database) throws {
            try db.execute(
                sql: """
                    INSERT INTO device (row, inbox, app, id, provider, token, registered_at, last_seen_at)
                    VALUES (?1, 1, '', 'phone-' || ?1, 'apns', 'token-' || ?1, 0, 0)
                    """, arguments: [row])
        }
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try await database.write { db in
            for row in [1, 2, 4, 6] as [Int64] { try take(row, db) }
            #expect(try free(db) == 3)
            try take(3, db)
            try db.execute(sql: "DELETE FROM device WHERE row = 1")
            search.freed(1)
            #expect(try free(db) == 5)
            try take(5, db)
            #expect(try free(db) == 1)
            try take(1, db)
            #expect(try free(db) == nil)
            try db.execute(sql: "DELETE FROM device WHERE row = 4")
            #expect(try free(db) == nil, "it was not told, and so does not look")
            search.freed(4)
            #expect(try free(db) == 4)
            try take(4, db)
            #expect(try free(db) == nil)
            // As if the transaction were undone in which the last row was taken.
            try db.execute(sql: "DELETE FROM device WHERE row = 5")
            search.forget()
            #expect(try free(db) == 5)
        }
    }

    @Test func `a row that was taken in a transaction that is undone is free for the next one`() async throws {
        let epochs = Epochs()
        try await withStore {
            $0.maximumDevices = 2
            $0.makeEpoch = { epochs.next() }
        } _: { fixture in
            try await register(1...2, fixture)
            for name in 3...4 { _ = try await fixture.store.state(of: .user("user-\(name)")) }
            #expect(try await fixture.store.unregister("phone-1", of: .user("user-1")))
            let refusals = Mutex<[StoreError?]>([])
            try await fixture.whileHeld {
                epochs.fail()  // the publication makes an inbox, which fails, and so undoes both registrations
                for name in 3...4 {
                    let device = Device.phone("phone-\(name)", token: "token-\(name)")
                    fixture.store.register(device, for: .user("user-\(name)")) { result in
                        let refusal = if case .failure(let error) = result { error } else { nil as StoreError? }
                        refusals.withLock { $0.append(refusal) }
                    }
                }
                let entry = try fixture.entry("said", to: [.cleo])
                fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { result in
                    #expect(throws: StoreError.self) { try result.get() }
                }
            }
            try await fixture.store.apply(.read(.ids([])), for: .user("user-1"))
            // Each was tried once more, for itself.
            #expect(refusals.withLock { $0 } == [nil, .tooManyDevices])
            #expect(try numbers("SELECT row FROM device WHERE id = 'phone-3'", in: fixture) == [1])
            epochs.mend()
            #expect(try await fixture.store.unregister("phone-2", of: .user("user-2")))
            try await register(4...4, fixture)
            #expect(try numbers("SELECT row FROM device WHERE id = 'phone-4'", in: fixture) == [2])
        }
    }

    @Test func `where no row is free, a store that has rested does not look for one again`() async throws {
        try await withStore {
            $0.maximumDevices = 2
            $0.restDelay = .milliseconds(1)
        } _: { fixture in
            try await register(1...2, fixture)
            await #expect(throws: StoreError.tooManyDevices) { try await register(3...3, fixture) }
            // The store does not hear of this: whoever looked would find the row.
            try execute("DELETE FROM device WHERE id = 'phone-1'", in: fixture)
            await withCheckedContinuation { rested in fixture.sqlite.withIdleWriter { _ in rested.resume() } }
            await #expect(throws: StoreError.tooManyDevices) { try await register(3...3, fixture) }
        }
    }

    @Test func `a device beyond the maximum is refused, and nothing is changed; all others go on`() async throws {
        try await withStore {
            $0.maximumDevices = 2
        } _: { fixture in
            try await register(1...2, fixture)
            for _ in 1...2 {
                await #expect(throws: StoreError.tooManyDevices) { try await register(3...3, fixture) }
            }
            #expect(try numbers("SELECT id FROM inbox", in: fixture).count == 2)
            // A known one, with another token; and one that takes another's token, and so its place.
            try await fixture.store.register(.phone("phone-1", token: "token-new"), for: .user("user-1"))
            try await fixture.store.register(.phone("phone-4", token: "token-2"), for: .user("user-4"))
            #expect(try await fixture.store.owner(ofDevice: "phone-2") == nil)
            try await fixture.say("hi", to: .user("user-1"), .user("user-2"), .user("user-4"))
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.map(\.device.id) == ["phone-1", "phone-4"])
            #expect(try await fixture.store.unregister("phone-1", of: .user("user-1")))
            try await register(5...5, fixture)
            await #expect(throws: StoreError.tooManyDevices) { try await register(6...6, fixture) }
        }
    }

    @Test(arguments: [.finish, .retry(at: .at(20)), .abandon(reason: "no"), .forgetDevice] as [PushAction])
    func `a row that is used again has nothing of the device before`(_ action: PushAction) async throws {
        try await withStore {
            $0.maximumDevices = 2
        } _: { fixture in
            let (before, after) = (UserID.user("user-1"), UserID.user("user-3"))
            try await register(1...2, fixture)
            try await fixture.say("shown", to: before)
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            try await fixture.say("to be read", to: before)
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish)
            // A badge push waits for it, a push is put off or on its way, and one waits behind that.
            try await fixture.store.apply(.read(.upTo(1)), for: before, at: .at(1))
            try await fixture.say("on its way", to: before, at: .at(2))
            let leased = try await fixture.job(at: .at(2))
            try await fixture.say("behind", to: before, at: .at(2))
            #expect(try await fixture.store.unregister("phone-1", of: before))
            #expect(try numbers("SELECT count(*) FROM push_job", in: fixture) == [0])
            #expect(try fixture.marks().isEmpty)
            #expect(try await fixture.statistics().pushJobs == 0)
            try await register(3...3, fixture)
            #expect(try numbers("SELECT row FROM device WHERE id = 'phone-3'", in: fixture) == [1])
            try await fixture.say("new", to: after, at: .at(3))
            try await fixture.store.settle(leased, as: action, at: .at(3))
            let job = try await fixture.job(at: .at(3))
            #expect((job.user, job.body, job.device.id) == (after, "new", "phone-3"))
            #expect((job.message.badge, job.message.withdrawn) == (1, []))
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            #expect(try await fixture.store.leasePushJobs(at: .at(99)).jobs.isEmpty)
            #expect(try numbers("SELECT count(*) FROM push_job", in: fixture) == [0])
            #expect(try fixture.marks().mapValues { $0.map(\.notification) } == [1: [1]])
        }
    }

    @Test func `pushes to the last device there is room for go their way`() async throws {
        try await withStore { first in
            try await register(1...2, first)
            let last = PushJobNumber.devices.upperBound
            let fixture = try await changed(first, "UPDATE device SET row = \(last) WHERE id = 'phone-2'")
            // The highest row is taken, and so the gap is used.
            try await register(3...3, fixture)
            #expect(try numbers("SELECT row FROM device ORDER BY row", in: fixture) == [1, 2, last])
            let user = UserID.user("user-2")
            try await fixture.say("one", to: user)
            try await fixture.say("two", to: user)
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(0))
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            let badge = try await fixture.job(at: .at(9))
            #expect((badge.message.badge, badge.message.withdrawn.count) == (1, 1))
            try await fixture.store.settle(badge, as: .finish, at: .at(9))
            try await fixture.say("three", to: user, at: .at(9))
            fixture.store.acknowledge(user, upTo: 3)
            #expect(try await fixture.store.unregister("phone-2", of: user))
            #expect(try numbers("SELECT count(*) FROM push_job", in: fixture) == [0])
            #expect(try fixture.marks().isEmpty)
            await fixture.store.close()
        }
    }

    @Test func `a notification that the queue has no number for is not pushed, and meets no one else's pushes`()
        async throws
    {
        try await withStore { first in
            try await first.say("before", to: .ada)
            try await first.store.apply(.remove(.upTo(1)), for: .ada)
            let last = PushJobNumber.notifications.upperBound
            let fixture = try await changed(first, "UPDATE inbox SET seq = \(last - 1) WHERE user = 'ada'")
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(.phone("bobs", token: "token-b"), for: .bob)
            for number in 1...4 { try await fixture.say("hi \(number)", to: .ada, .bob) }
            fixture.store.acknowledge(.ada, upTo: .max)
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada)
            #expect(try await fixture.statistics().pushJobs == 4)
            for number in 1...4 {
                let job = try await fixture.job(at: .at(9))
                #expect((job.user, job.body) == (.bob, "hi \(number)"))
                try await fixture.store.settle(job, as: .finish, at: .at(9))
            }
            await fixture.store.close()
        }
    }
}
