import Foundation
import GRDB
import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// How the queue of pushes of an older version is brought into the order in which jobs leave.
struct QueueMigrationTests {
    private func makeQueue(upTo version: String) throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database, upTo: version)
        return database
    }

    // MARK: Jobs

    @Test func `a store that found jobs by two numbers finds each of them by one, with all that it held`() async throws
    {
        let database = try makeQueue(upTo: "9")
        // Each column has a value of its own: none may come to stand in another.
        let kept = [
            "is_fallback": "12", "failures": "13", "expiry": "14", "fold_key": "'f'", "fold": "15", "collapse": "'c'",
            "withdrawn": "'w'", "seq": "16", "deadline": "17", "held_from": "18", "is_shown": "19", "shown_as": "'s'",
        ].sorted { $0.key < $1.key }
        try await database.write { db in
            for notification in [-2, -1, 1, 2] {
                try db.execute(
                    sql: """
                        INSERT INTO push_job (
                            device, notification, provider, available_at, \(kept.map(\.key).joined(separator: ", "))
                        ) VALUES (8, \(notification), 'fcm', 11, \(kept.map(\.value).joined(separator: ", ")))
                        """)
            }
            // Only the columns that must be there.
            try db.execute(
                sql: """
                    INSERT INTO push_job (device, notification, provider, available_at, is_fallback, failures, expiry)
                    VALUES (9, 1, 'fcm', 12, 0, 0, 14)
                    """)
        }
        try Schema.migrations.migrate(database)
        try await database.read { db in
            let places = try places(db)
            #expect(places.map(\.device) == [8, 8, 8, 8, 9])
            #expect(places.map(\.notification) == [-2, -1, 1, 2, 1])
            #expect(places.map(\.position.provider) == [1, 1, 1, 1, 1])
            #expect(places.map(\.availableAt.milliseconds) == [11, 11, 11, 11, 12])
            let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM push_job"))
            #expect(Set(row.columnNames) == Set(kept.map(\.key) + ["place", "number", "content"]))
            for (column, value) in kept {
                let values = try String.fetchAll(
                    db,
                    sql:
                        "SELECT DISTINCT quote(\(column)) FROM push_job WHERE number < \(PushJobNumber(device: 9, notification: 0).rawValue)"
                )
                #expect(values == [value], "\(column)")
            }
            let bare = try #require(try Row.fetchOne(db, sql: "SELECT * FROM push_job ORDER BY place DESC"))
            #expect(
                bare == [
                    "place": QueuePlace.first(of: .fcm, at: Timestamp(milliseconds: 12)).rawValue,
                    "number": PushJobNumber(device: 9, notification: 1).rawValue, "is_fallback": 0, "failures": 0,
                    "expiry": 14, "fold_key": nil, "fold": nil, "collapse": nil, "withdrawn": nil, "seq": nil,
                    "deadline": nil, "held_from": nil, "is_shown": 0, "shown_as": nil, "content": nil,
                ])
            #expect(try PushMark.all(db).isEmpty)
        }
    }

    @Test func `jobs leave in the order of before, each from a place of its own`() async throws {
        let database = try makeQueue(upTo: "10")
        // Not in their order, several of one moment, and times that no place can tell.
        let latest = QueuePlace.last(of: .apns, at: Timestamp(milliseconds: .max)).availableAt.milliseconds
        let times = [7, 5, .max, 5, 6, -1, .min, 5, latest, 1 << 42, 0, latest - 1] as [Int64]
        let jobs = ProviderList.standard.reversed().flatMap { provider in
            times.enumerated().map { offset, time in
                let device = Int64(provider.place * 100 + offset % 3 + 1)
                return (provider, time, PushJobNumber(device: device, notification: Int64(offset + 1)))
            }
        }
        try await database.write { db in
            for (provider, time, number) in jobs {
                try db.execute(
                    sql: """
                        INSERT INTO push_job (number, provider, available_at, is_fallback, failures, expiry)
                        VALUES (?, ?, ?, 1, 0, 1)
                        """, arguments: [number.rawValue, provider.name, time])
            }
        }
        try Schema.migrations.migrate(database)
        let places = try await database.read(places)
        #expect(places.count == jobs.count)
        for provider in ProviderList.standard {
            let before = jobs.filter { $0.0 == provider }.sorted { ($0.1, $0.2.rawValue) < ($1.1, $1.2.rawValue) }
            let after = places.filter { $0.position.provider == provider.place }
            #expect(after.map(\.number) == before.map(\.2))
            #expect(after.map(\.availableAt.milliseconds) == before.map { min(max($0.1, 0), latest) })
            #expect(Set(after.map(\.position)).count == times.count)
            #expect(after.allSatisfy { QueuePlace.all(of: provider).contains($0.position) })
        }
    }

    @Test func `jobs keep their times and their order when places make room for more providers`() async throws {
        let database = try makeQueue(upTo: "18")
        // A moment whose turns are more than one has now, and jobs of the next one.
        let turns = [0, 1, 1 << 17 - 1, 1 << 17, 1 << 17 + 1, 1 << 19 - 1] as [Int64]
        let jobs = ProviderList.standard.flatMap { provider in
            ([(5, turns), (6, [0, 7]), (12, [3])] as [(Int64, [Int64])]).flatMap { time, turns in
                turns.map { turn in
                    let moment = Int64(provider.place) << 42 + time
                    return (provider, time, place: moment << 19 + turn)
                }
            }
        }
        try await database.write { db in
            for (index, job) in jobs.enumerated().shuffled() {
                try db.execute(
                    sql: "INSERT INTO push_job (place, number, is_fallback, failures, expiry) VALUES (?, ?, 0, 0, 1)",
                    arguments: [job.place, index])
            }
            // A place of no provider.
            try db.execute(
                sql: "INSERT INTO push_job (place, number, is_fallback, failures, expiry) VALUES (-7, 99, 0, 0, 1)")
        }
        try Schema.migrations.migrate(database)
        let places = try await database.read(places)
        #expect(places.map(\.number.rawValue) == jobs.indices.map(Int64.init))
        #expect(places.map(\.position.provider) == jobs.map(\.0.place))
        for (place, job) in zip(places, jobs) {
            #expect((job.1...(job.1 + 4)).contains(place.availableAt.milliseconds))
        }
        #expect(places[6].availableAt.milliseconds == 6 || places[6].position > places[5].position)
    }

    @Test func `the queue has its indexes, and only those`() async throws {
        let database = try makeQueue(upTo: "10")
        try Schema.migrations.migrate(database)
        let indexes = try await database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('push_job', 'push_mark')
                    ORDER BY name
                    """)
        }
        #expect(
            indexes == [
                "CREATE INDEX push_job_fold ON push_job (fold_key, number) WHERE fold_key IS NOT NULL"
            ])
    }

    private func places(_ db: Database) throws -> [PushTurns.Place] {
        try Row.fetchAll(db, sql: "SELECT place, number FROM push_job ORDER BY place").map { row in
            PushTurns.Place(
                position: QueuePlace(rawValue: row["place"]), number: PushJobNumber(rawValue: row["number"]))
        }
    }

    // MARK: Marks

    @Test func `each device's shown notifications are known with provider, time and collapse id`() async throws {
        let database = try makeQueue(upTo: "10")
        let (lastDevice, lastNotification) = (
            PushJobNumber.devices.upperBound, PushJobNumber.notifications.upperBound
        )
        let expected: [Int64: [PushMark]] = [
            1: [PushMark(notification: 1, provider: .apns)],
            2: [
                PushMark(notification: 1, provider: .fcm, collapse: "shared", sentAt: .at(3)),
                PushMark(notification: 2, provider: .apns, collapse: "shared"),
                PushMark(notification: 300, provider: .webpush, sentAt: .at(1)),
                PushMark(notification: lastNotification, provider: .onesignal, collapse: "", sentAt: .at(2)),
            ],
            lastDevice: [
                PushMark(
                    notification: lastNotification, provider: .apns, collapse: "🔔 ü", sentAt: .init(milliseconds: 0))
            ],
        ]
        try await database.write { db in
            for (device, marks) in expected {
                for mark in marks.reversed() {
                    try db.execute(
                        sql: """
                            INSERT INTO push_job (number, provider, is_fallback, failures, expiry, collapse, sent_at)
                            VALUES (?, ?, 1, 2, 3, ?, ?)
                            """,
                        arguments: [
                            PushJobNumber(device: device, notification: mark.notification).rawValue,
                            mark.provider.name, mark.collapse, mark.sentAt?.milliseconds,
                        ])
                }
            }
            // Waits for another device, and shows nothing that a mark tells of.
            try db.execute(
                sql: """
                    INSERT INTO push_job (number, provider, available_at, is_fallback, failures, expiry, is_shown)
                    VALUES (?, 'apns', 1, 1, 0, 1, 1)
                    """, arguments: [PushJobNumber(device: 3, notification: 1).rawValue])
        }
        try Schema.migrations.migrate(database)
        let (marks, jobs) = try await database.read { (try PushMark.all($0), try places($0)) }
        #expect(marks == expected)
        #expect(jobs.map(\.number) == [PushJobNumber(device: 3, notification: 1)])
    }

    // MARK: Damage

    @Test(arguments: ["11", "NULL"])
    func `a row without a known owner goes, and all others stay`(_ time: String) throws {
        let folder = NSTemporaryDirectory() + "belfry-queue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/belfry.sqlite"
        let pool = try DatabasePool(path: path)
        try Schema.migrations.migrate(pool, upTo: "10")
        try pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO push_job (number, provider, available_at, is_fallback, failures, expiry)
                    VALUES (1, 'apns', \(time), 1, 0, 1), (2, 'apnt', \(time), 1, 0, 1), (3, 'fcm', \(time), 1, 0, 1)
                    """)
        }
        try pool.close()
        _ = try OpenedDatabase(path: path, readers: 1)
        let database = try DatabaseQueue(path: path)
        let kept = try database.read { db in
            let jobs = try Int64.fetchAll(db, sql: "SELECT number FROM push_job ORDER BY number")
            let marks = try [UInt8](Data.fetchOne(db, sql: "SELECT marks FROM push_mark") ?? Data())
            return jobs + (try #require([PushMark](bytes: marks, of: .standard))).map(\.notification)
        }
        #expect(kept == [1, 3])
        try database.close()
        try FileManager.default.removeItem(atPath: folder)
    }
}
