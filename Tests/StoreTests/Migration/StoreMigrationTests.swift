import Foundation
import GRDB
import Inbox
import Migration
import Postgres
import PostgresStore
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Stores that move from SQLite to PostgreSQL, and back.
@Suite(.enabled(if: StoreServer.url != nil, "needs a server of PostgreSQL"))
struct StoreMigrationTests {
    @Test(arguments: Seeds.some(2, of: 12))
    func `a store that moved there and back has every row as it was`(_ seed: UInt64) async throws {
        try await MigrationFixture.use(seed: seed) { fixture, _ in
            let before = try MigrationFixture.dump(fixture.folder)
            for table in MigratedTable.all { #expect(before[table.name]?.isEmpty == false, "\(table.name) is empty") }
            let up = try fixture.up { try $0.run() }
            #expect(up.isEqual, "\(up.tables.filter { !$0.isEqual })")
            for line in up.tables {
                #expect(line.source.rows == Int64(before[line.table]?.count ?? -1), "\(line.table)")
            }
            let back = try fixture.back { try $0.run() }
            #expect(back.isEqual, "\(back.tables.filter { !$0.isEqual })")
            let after = try MigrationFixture.dump(fixture.copyFolder)
            #expect(before.keys.sorted() == after.keys.sorted())
            for (table, rows) in before { #expect(rows == after[table], "\(table)") }
            let file = fixture.copyFolder + "/belfry.sqlite"
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            // The source is as it was.
            #expect(try MigrationFixture.dump(fixture.folder) == before)
        }
    }

    private struct Interruption: Error {}

    @Test(arguments: Seeds.some(2, of: 12))
    func `a copy that is interrupted anywhere goes on where it was, and no server opens it before its end`(
        _ seed: UInt64
    ) async throws {
        try await MigrationFixture.use(seed: seed, steps: 80) { fixture, _ in
            var random = SeededRandom(seed: seed)
            /// Interrupts a migration after a few steps, until it is done.
            func persist(
                _ migrate: ((StoreMigration) throws -> MigrationReport) throws -> MigrationReport,
                between: () throws -> Void
            ) throws -> MigrationReport {
                while true {
                    var left = 1 + random.next(below: 40)
                    do {
                        return try migrate { migration in
                            try migration.run { _ in
                                left -= 1
                                if left == 0 { throw Interruption() }
                            }
                        }
                    } catch is Interruption {
                        try between()
                        // Comparing starts anew each time.
                        if random.next(below: 3) == 0 { return try migrate { try $0.run() } }
                    }
                }
            }
            let up = try persist({ try fixture.up($0) }) {
                #expect(throws: UnfitDatabase.unfinishedMigration) {
                    try StoreServer.store(
                        fixture.folder, PostgresStoreOptions(.init(makeEpoch: { "e" }, isLive: { _ in false })))
                }
                #expect(throws: MigrationProblem.unfinishedSource(at: "\(fixture.address)")) {
                    try fixture.back { _ in }
                }
            }
            #expect(up.isEqual, "\(up.tables.filter { !$0.isEqual })")
            let back = try persist({ try fixture.back($0) }) {
                let path = fixture.copyFolder + "/belfry.sqlite"
                #expect(throws: StoreOpenError.unfinishedMigration(path: path)) {
                    try StoreFixture(folder: fixture.copyFolder)
                }
            }
            #expect(back.isEqual, "\(back.tables.filter { !$0.isEqual })")
            #expect(try MigrationFixture.dump(fixture.folder) == MigrationFixture.dump(fixture.copyFolder))
        }
    }

    @Test func `clients resume, keys hold, lists are the same, and pushes leave as they would have`() async throws {
        try await MigrationFixture.use(seed: 77) { fixture, history in
            // As the store in SQLite would have gone on, from a copy of its files.
            let twin = fixture.folder + "-twin"
            try FileManager.default.copyItem(atPath: fixture.folder, toPath: twin)
            let here = try StoreFixture(folder: twin, yaml: StoreHistory.yaml, StoreHistory.configure)
            _ = try fixture.up { try $0.run() }
            let there = try Engine.$current.withValue(.postgres) {
                try StoreFixture(folder: fixture.folder, yaml: StoreHistory.yaml, StoreHistory.configure)
            }
            for user in StoreHistory.users {
                let state = try await here.store.state(of: user)
                #expect(try await there.store.state(of: user) == state)
                for seq in Swift.max(0, state.seq - 12)...state.seq {
                    let position = InboxPosition(epoch: state.epoch, seq: seq)
                    let missed = try await here.store.recover(user, from: position).described
                    #expect(try await there.store.recover(user, from: position).described == missed)
                }
                for filter in [false, true] {
                    let query = PageQuery(start: .offset(0), limit: 1_000, filter: .init(unreadOnly: filter))
                    let (one, other) = try await (here.store.page(query, of: user), there.store.page(query, of: user))
                    #expect(one.notifications.map(\.id) == other.notifications.map(\.id))
                    #expect(one.texts == other.texts)
                }
            }
            for feed in ["posts", "news", "tagged", "none yet"] {
                let (one, other) = try await (here.store.items(of: feed, .newest), there.store.items(of: feed, .newest))
                #expect(one.head == other.head && one.items == other.items, "\(feed)")
            }
            for (entry, event) in history.keys.suffix(30) {
                let outcome = try #require(try await there.publish(entry, at: history.now).first)
                #expect(outcome.isReplay && outcome.event == event)
            }
            // Each wave of pushes, until none is left: one for each device. The engines order devices differently.
            var now = history.now
            for _ in 0..<200 {
                let (one, other) = try await (
                    here.store.leasePushJobs(at: now), there.store.leasePushJobs(at: now)
                )
                #expect(one.jobs.map(Self.told).sorted() == other.jobs.map(Self.told).sorted())
                for job in one.jobs { try await here.store.settle(job, as: .finish, at: now) }
                for job in other.jobs { try await there.store.settle(job, as: .finish, at: now) }
                guard one.jobs.isEmpty else { continue }
                guard let next = one.nextDue, next > now else { break }
                now = next
            }
            // New numbers lie behind the highest ones of before.
            for fixture in [here, there] {
                try await fixture.say("new", to: .user("somebody new"), at: now)
                try await fixture.store.register(.phone("new", token: "new", at: now), for: .ada)
            }
            #expect(try await here.ids(of: .user("somebody new")) == there.ids(of: .user("somebody new")))
            await here.remove()
            await there.store.close()
        }
    }

    private static func told(_ job: PushJob) -> String {
        "\(job.message.texts.title) \(job.body) \(job.message.badge) \(job.message.collapseID) \(job.device.id) \(job.user.name)"
    }

    @Test func `only an empty place or the unfinished copy of the same store is filled`() async throws {
        try await MigrationFixture.use(seed: 5, steps: 20) { fixture, _ in
            try await MigrationFixture.use(seed: 6, steps: 20) { other, _ in
                #expect(throws: Interruption.self) { try fixture.up { try $0.run { _ in throw Interruption() } } }
                let target = try PostgresEnd(fixture.address, isTarget: true)
                #expect(throws: MigrationProblem.busy(at: "\(fixture.address)")) {
                    try PostgresEnd(fixture.address, isTarget: true)
                }
                #expect(throws: UnfitDatabase.inMigration) {
                    try StoreServer.store(
                        fixture.folder, PostgresStoreOptions(.init(makeEpoch: { "e" }, isLive: { _ in false })))
                }
                let source = try SQLiteEnd(folder: other.folder, isTarget: false)
                #expect(throws: MigrationProblem.otherSource(at: "\(fixture.address)")) {
                    try StoreMigration(from: source, to: target).run()
                }
                // The folder belongs to one at a time.
                #expect(throws: StoreOpenError.folderInUse(path: other.folder)) {
                    try SQLiteEnd(folder: other.folder, isTarget: false)
                }
                target.close()
                source.close()
                #expect(try fixture.up { try $0.run() }.isEqual)
                #expect(throws: MigrationProblem.notEmpty(at: "\(fixture.address)", table: "inbox")) {
                    try fixture.up { try $0.run() }
                }
                #expect(try fixture.up(isCopy: false) { try $0.compare() }.isEqual)
                let filled = try SQLiteEnd(folder: other.folder, isTarget: true)
                let database = try PostgresEnd(fixture.address, isTarget: false)
                #expect(throws: MigrationProblem.notEmpty(at: other.folder, table: "inbox")) {
                    try StoreMigration(from: database, to: filled).run()
                }
                filled.close()
                database.close()
            }
        }
    }

    @Test func `a source without a store, and a database with a running node, are refused`() async throws {
        try await MigrationFixture.use(seed: 8, steps: 5) { fixture, _ in
            let missing = fixture.folder + "-missing"
            #expect(
                throws: MigrationProblem.noStore(at: "the folder \(missing)", expected: "the file belfry.sqlite")
            ) { try SQLiteEnd(folder: missing, isTarget: false) }
            #expect(!FileManager.default.fileExists(atPath: missing))
            #expect(
                throws: MigrationProblem.noStore(at: "\(fixture.address)", expected: "tables that Belfry has made")
            ) { try PostgresEnd(fixture.address, isTarget: false) }
            let node = try StoreServer.store(
                fixture.folder, PostgresStoreOptions(.init(makeEpoch: { "e" }, isLive: { _ in false })))
            for isTarget in [false, true] {
                #expect(throws: MigrationProblem.inUse(at: "\(fixture.address)", nodes: ["belfry"])) {
                    try PostgresEnd(fixture.address, isTarget: isTarget)
                }
            }
            await node.close()
        }
    }

    @Test func `a row that differs is found, and a node that was there meanwhile`() async throws {
        try await MigrationFixture.use(seed: 9, steps: 40) { fixture, _ in
            var didChange = false
            let report = try fixture.up { migration in
                try migration.run { step in
                    guard step == .completing, !didChange else { return }
                    didChange = true
                    _ = try fixture.query("UPDATE notification SET is_seen = NOT is_seen WHERE inbox = 1")
                }
            }
            #expect(report.tables.filter { !$0.isEqual }.map(\.table) == ["notification"])
            // Not finished: what is found once is found again.
            #expect(try !fixture.up { try $0.run() }.isEqual)
            _ = try fixture.query("UPDATE notification SET is_seen = NOT is_seen WHERE inbox = 1")
            #expect(throws: MigrationProblem.usedMeanwhile(at: "\(fixture.address)")) {
                try fixture.up { migration in
                    try migration.run { step in
                        guard step == .completing else { return }
                        _ = try fixture.query(
                            "INSERT INTO node (name, channel, lease_end) VALUES ('late', '', clock_timestamp())")
                    }
                }
            }
            #expect(try fixture.up { try $0.run() }.isEqual)
        }
    }

    @Test func `a text that PostgreSQL cannot hold is told, without its words`() async throws {
        try await MigrationFixture.use(seed: 10, steps: 5) { fixture, _ in
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await database.write {
                try $0.execute(sql: "UPDATE topic SET name = CAST(x'610062' AS TEXT) WHERE id = 1")
            }
            try database.close()
            #expect(
                throws: MigrationProblem.damagedRow(
                    at: fixture.folder, table: "topic",
                    reason: "name has U+0000, which PostgreSQL's texts cannot hold")
            ) { try fixture.up { try $0.run() } }
        }
    }

    @Test func `no table and no column of either engine is forgotten`() async throws {
        try await MigrationFixture.use(seed: 11, steps: 5) { fixture, _ in
            _ = try fixture.up { try $0.run() }
            let known = Dictionary(
                uniqueKeysWithValues: (MigratedTable.all + [.epoch]).map { ($0.name, Set($0.columns.map(\.name))) })
            var found: [String: Set<String>] = [:]
            for row in try fixture.query(
                "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()")
            {
                found[try row.text(0), default: []].insert(try row.text(1))
            }
            // What nodes tell each other, what is made anew, and what applications leave in their own database.
            let own = ["node", "presence", "mail", "note", "duty", "clock", "schema_step", "push_line", "outbox"]
            found["broadcast"]?.remove("node")
            for (table, columns) in found where !own.contains(table) { #expect(columns == known[table], "\(table)") }
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            let tables = try await database.read { db in
                try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            }
            let others: Set = ["read_span", "clock", "grdb_migrations", "inbox_floor"]
            #expect(Set(tables).subtracting(others) == Set(known.keys))
        }
    }
}
