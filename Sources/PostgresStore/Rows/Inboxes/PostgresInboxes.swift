import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Inboxes and their owners. An inbox's row is its person's lock.
final class PostgresInboxes: PostgresPart, InboxRows {
    // MARK: Looking

    func record(of user: UserID) throws -> InboxRecord? {
        while true {
            try connection.queue(InboxRecord.lock, [.text(user.key)])
            let found = try connection.run(InboxRecord.lockedQuery, [.text(user.key)])
            guard let row = found.first else { return nil }
            // It may have been created between the two.
            if try row.bool(InboxRecord.isLockedColumn) { return try InboxRecord(row) }
        }
    }

    func isLiveElsewhere(_ user: UserID) throws -> Bool {
        guard rows.node.hasOthers else { return false }
        return try connection.run(
            """
            SELECT EXISTS (
                SELECT 1 FROM presence JOIN node ON node.id = presence.node
                WHERE presence.key = $1 AND node.id <> $2 AND lease_end > clock_timestamp()
            )
            """, [.text(NewsSubject.inbox(user).presenceKey), .int64(rows.node.number)])[0].bool(0)
    }

    func user(ofInbox id: Int64) throws -> UserID? {
        try connection.run(#"SELECT "user" FROM inbox WHERE id = $1"#, [.int64(id)]).first
            .flatMap { UserID(key: try $0.text(0)) }
    }

    func lastID() throws -> Int64 { try connection.run("SELECT coalesce(max(id), 0) FROM inbox")[0].int64(0) }

    func count(of app: AppName) throws -> Int64 {
        guard app.isUnnamed else {
            return try connection.run("SELECT count(*) FROM inbox WHERE app = $1", [.text(app.text)])[0].int64(0)
        }
        // Most people are of no named app, and are in no index: what the others leave of all numbers.
        return try connection.run(
            "SELECT coalesce(max(id), 0) - (SELECT count(*) FROM inbox WHERE app IS NOT NULL) FROM inbox")[0].int64(0)
    }

    func users(
        of app: AppName, after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID?)] {
        let values: [PostgresValue] = [.int64(id), .int64(last), .int64(broadcast), .int64(Int64(limit))]
        let rows =
            app.isUnnamed
            ? try connection.run(Self.range, values)
            : try connection.run(Self.rangeOfApp, values + [.text(app.text)])
        return try rows.map { row in (try row.int64(0), UserID(key: try row.text(1))) }
    }

    private static let range = range("app IS NULL")
    private static let rangeOfApp = range("app = $5")

    private static func range(_ ofApp: String) -> PostgresStatement {
        PostgresStatement(
            composed: """
                SELECT id, "user" FROM inbox WHERE id > $1 AND id <= $2 AND \(ofApp) AND NOT EXISTS (
                    SELECT FROM broadcast_known WHERE broadcast = $3 AND broadcast_known.inbox = inbox.id)
                ORDER BY id LIMIT $4
                """)
    }

    // MARK: Writing

    func create(for user: UserID, epoch: String) throws -> InboxRecord {
        // Another transaction may create it at the same time, or delete that one again.
        while true {
            let new = try connection.run(
                """
                INSERT INTO inbox ("user", epoch, app, seq, unread, unseen, total, devices)
                VALUES ($1, $2, $3, 0, 0, 0, 0, 0) ON CONFLICT ("user") DO NOTHING RETURNING id
                """,
                [.text(user.key), .text(epoch), .text(user.app.isUnnamed ? nil : user.app.text)])
            if let row = new.first { return InboxRecord(id: try row.int64(0), epoch: epoch) }
            if let record = try record(of: user) { return record }
        }
    }

    func write(_ record: InboxRecord) throws {
        let state = record.state
        try connection.queue(
            "UPDATE inbox SET seq = $1, unread = $2, unseen = $3, total = $4, devices = $5 WHERE id = $6",
            [
                .int64(state.seq), .int64(state.unread), .int64(state.unseen), .int64(state.total),
                .int64(record.devices), .int64(record.id),
            ])
    }

    func write(_ profile: UserProfile, inbox: Int64) throws {
        let json = String(decoding: JSONValue.object(profile.json).encoded, as: UTF8.self)
        try connection.queue(
            "UPDATE inbox SET profile = $1, email = $2 WHERE id = $3",
            [.text(json), .text(profile.email.map(UserProfile.searchForm(ofEmail:))), .int64(inbox)])
    }

    func write(_ settings: UserSettings, inbox: Int64) throws {
        try connection.queue(
            "UPDATE inbox SET settings = $1 WHERE id = $2",
            [.text(String(decoding: settings.json.encoded, as: UTF8.self)), .int64(inbox)])
    }

    func write(device: Reader, inbox: Int64) throws {
        try connection.queue(
            "UPDATE inbox SET device_locale = $1, device_zone = $2 WHERE id = $3",
            [.text(device.locale), .text(device.zone), .int64(inbox)])
    }

    func delete(inbox: Int64) throws {
        try connection.queue("DELETE FROM inbox WHERE id = $1", [.int64(inbox)])
    }
}
