import Foundation
import GRDB
import Inbox
import Push
import Testing

@testable import SQLiteStore
@testable import Store

/// When an inbox's own row is written, and that its counts are right where it was not.
struct InboxRowTests {
    /// Ada's numbers in `inbox` and in `inbox_state`, in this order.
    private func rows(of fixture: StoreFixture) throws -> (stored: [Int64], told: [Int64]) {
        let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        defer { #expect(throws: Never.self) { try other.close() } }
        return try other.read { db in
            func numbers(_ table: String) throws -> [Int64] {
                let row = try Row.fetchOne(
                    db, sql: "SELECT seq, unread, unseen, total, devices FROM \(table) WHERE user = 'ada'")
                return try #require(row).databaseValues.compactMap(Int64.fromDatabaseValue)
            }
            return (try numbers("inbox"), try numbers("inbox_state"))
        }
    }

    @Test func `new notifications leave the inbox's row as it is, and tell what it holds`() async throws {
        try await withStore { fixture in
            for text in ["one", "two", "three"] { try await fixture.say(text, to: .ada, .bob) }
            #expect(try rows(of: fixture) == ([0, 0, 0, 0, 0], [3, 3, 3, 3, 0]))
            try await fixture.store.apply(.seen(upTo: 2), for: .ada)
            #expect(try rows(of: fixture) == ([4, 3, 1, 3, 0], [4, 3, 1, 3, 0]))
            try await fixture.say("four", to: .ada)
            #expect(try rows(of: fixture) == ([4, 3, 1, 3, 0], [5, 4, 2, 4, 0]))
            try await fixture.store.apply(.remove(.upTo(.max)), for: .ada)
            #expect(try rows(of: fixture) == ([6, 0, 0, 0, 0], [6, 0, 0, 0, 0]))
        }
    }

    @Test func `a notification that grows, or a device, is written to the inbox's row with all that came before`()
        async throws
    {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)
            try await fixture.say("one", to: .ada)
            try await fixture.add(2, to: .ada)
            #expect(try rows(of: fixture) == ([3, 2, 2, 2, 0], [3, 2, 2, 2, 0]))
            try await fixture.say("two", to: .ada)
            try await fixture.store.register(.phone(), for: .ada)
            #expect(try rows(of: fixture) == ([4, 3, 3, 3, 1], [4, 3, 3, 3, 1]))
        }
    }

    @Test(arguments: [1, 50_000])
    func `an inbox with additions is read again where memory has forgotten it`(_ cachedInboxes: Int) async throws {
        try await withStore {
            $0.cachedInboxes = cachedInboxes
        } _: { fixture in
            let users = (1...9).map { UserID.user("user-\($0)") }
            // In one commit: each of them is forgotten, and met again, before it is written.
            for round in 1...2 {
                try await fixture.whileHeld {
                    for _ in 1...3 {
                        let entry = try fixture.entry("said", to: users)
                        fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { _ in }
                    }
                    fixture.store.apply(.read(.upTo(1)), for: users[4], at: .at(0)) { _ in }
                    let entry = try fixture.entry("said", to: users)
                    fixture.store.publish(Publication(publisher: "b", entries: [entry], now: .at(0))) { _ in }
                }
                // An inbox that is not there yet is created behind all of them.
                _ = try await fixture.store.state(of: .user("behind \(round)"))
                for user in users {
                    let state = try await fixture.store.state(of: user)
                    let hasRead = user == users[4]
                    #expect(state.seq == Int64(4 * round + (hasRead ? 1 : 0)))
                    #expect(state.total == Int64(4 * round))
                    #expect(state.unread == Int64(4 * round - (hasRead ? 1 : 0)))
                    #expect(fixture.told(to: user).map(\.stamp.seq) == Array(1...state.seq))
                }
            }
            #expect(try await fixture.statistics().unreadDrift == 0)
        }
    }

    @Test(arguments: [1, 15, 16, 17, 40])
    func `an event reaches each of its people, however many rows a statement takes`(_ count: Int) async throws {
        try await withStore {
            $0.maximumRows = 3
        } _: { fixture in
            let users = (1...count).map { UserID.user("user-\($0)") }
            // One of them has a phone, and another one as many notifications as there is room for.
            let (called, full) = (users[count / 2], users[count / 3])
            try await fixture.store.register(.phone(), for: called)
            for number in 1...4 { try await fixture.say("old \(number)", to: full) }
            let outcome = try await fixture.publish(fixture.entry("shouted", "new", to: users))
            #expect(outcome.first?.created == count)
            for user in users {
                #expect(try await fixture.texts(of: user) == ["new"] + (user == full ? ["old 4", "old 3"] : []))
                let state = try await fixture.store.state(of: user)
                #expect(state.unread == state.total)
            }
            let jobs = try await fixture.store.leasePushJobs(at: .at(0)).jobs
            #expect(jobs.map(\.user).contains(called))
            #expect(try await fixture.statistics().unreadDrift == 0)
        }
    }

    @Test func `a person who is erased after notifications came begins anew`() async throws {
        try await withStore { fixture in
            try await fixture.say("one", to: .ada, .bob)
            _ = try await fixture.store.erase(.ada)
            #expect(try await fixture.store.state(of: .ada).seq == 0)
            try await fixture.say("two", to: .ada)
            let state = try await fixture.store.state(of: .ada)
            #expect((state.seq, state.unread, state.total) == (1, 1, 1))
        }
    }

    @Test func `old changes go although most of what happens are new notifications`() async throws {
        try await withStore {
            $0.changeLogLength = 8
        } _: { fixture in
            for _ in 1...20 {
                try await fixture.say("hi", to: .ada)
                try await fixture.store.apply(.read(.upTo(.max)), for: .ada)
            }
            let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            let oldest = try await other.read { try Int64.fetchOne($0, sql: "SELECT min(seq) FROM change") }
            try other.close()
            // One look in two changes, a quarter of the log.
            #expect(oldest.map { (31...34).contains($0) } == true)
        }
    }

    @Test func `a program that does not know of this does not open the store`() async throws {
        let fixture = try StoreFixture()
        await fixture.store.close()
        let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        // To such a program, this one's migration is as unknown as that of another time is to this one.
        #expect(Schema.migrations.migrations.contains("6"))
        try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
        try database.close()
        #expect(throws: StoreOpenError.newerSchema(path: fixture.folder + "/belfry.sqlite")) {
            try StoreFixture(folder: fixture.folder)
        }
        await fixture.remove()
    }
}
