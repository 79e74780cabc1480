import Cluster
import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Inboxes and their owners. An inbox's row is its person's lock.
final class PostgresInboxes: PostgresPart, InboxRows {
    // MARK: Looking

    func record(of user: UserID) throws -> InboxRecord? {
        if let known = rows.facts.inbox(of: user) { return known }
        try fetch([user])
        return rows.facts.inbox(of: user) ?? nil
    }

    /// Locks and reads the inboxes of these people, in the order of their numbers.
    func fetch(_ users: [UserID]) throws {
        // Notifications that are not written yet tell the counts.
        try rows.gathered.writeNotifications()
        try rows.gathered.writeInboxes()
        let keys = PostgresValue.texts(users.map(\.key))
        try connection.queue(InboxRecord.lock, [keys])
        for user in users { rows.facts.keep(nil, of: user) }
        for row in try connection.run(InboxRecord.lockedQuery) {
            guard let user = UserID(key: try row.text(InboxRecord.userColumn)) else { continue }
            rows.facts.keep(try InboxRecord(row), of: user)
        }
    }

    /// One question for everybody whom the transaction has looked up, unless this node is alone.
    func isLiveElsewhere(_ user: UserID) throws -> Bool {
        if let known = rows.facts.isElsewhere(user) { return known }
        guard try hasOtherNodes() else { return false }
        let users = Set(rows.facts.unknownElsewhere + [user])
        let keys = Set(
            try connection.run(
                """
                SELECT presence.key FROM presence JOIN node ON node.id = presence.node
                WHERE presence.key = ANY ($1) AND node.id <> $2 AND lease_end > clock_timestamp()
                """,
                [.texts(users.map { NewsSubject.inbox($0).presenceKey }), .int64(rows.node)]
            ).map { try $0.text(0) })
        for user in users { rows.facts.keep(isElsewhere: keys.contains(NewsSubject.inbox(user).presenceKey), user) }
        return rows.facts.isElsewhere(user) ?? false
    }

    /// Asked in each transaction: a node that has just come may already have sessions.
    private func hasOtherNodes() throws -> Bool {
        if let known = rows.facts.hasOtherNodes { return known }
        let found = try connection.run(
            "SELECT FROM node WHERE id <> $1 AND lease_end > clock_timestamp() LIMIT 1", [.int64(rows.node)])
        rows.facts.hasOtherNodes = !found.isEmpty
        return !found.isEmpty
    }

    func user(ofInbox id: Int64) throws -> UserID? {
        if let user = rows.facts.user(ofInbox: id) { return user }
        return try connection.run(#"SELECT "user" FROM inbox WHERE id = $1"#, [.int64(id)]).first
            .flatMap { UserID(key: try $0.text(0)) }
    }

    /// Looks up whose inboxes these are.
    func owners(of inboxes: [Int64]) throws -> [UserID] {
        let unknown = Set(inboxes.filter { rows.facts.user(ofInbox: $0) == nil })
        if !unknown.isEmpty {
            let found = try connection.run(
                #"SELECT id, "user" FROM inbox WHERE id = ANY($1)"#, [.int64s(Array(unknown))])
            for row in found {
                guard let user = UserID(key: try row.text(1)) else { continue }
                rows.facts.keep(user, ofInbox: try row.int64(0))
            }
        }
        return inboxes.compactMap { rows.facts.user(ofInbox: $0) }
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
            try create([(user, epoch)])
            if let record = try record(of: user) { return record }
        }
    }

    /// Creates inboxes for these people. Those whom another transaction has just given one are not known yet.
    func create(_ new: [(user: UserID, epoch: String)]) throws {
        for user in new.map(\.user) { rows.facts.forget(user) }
        let created = try connection.run(
            """
            INSERT INTO inbox ("user", epoch, app, seq, unread, unseen, total, devices)
            SELECT new."user", new.epoch, new.app, 0, 0, 0, 0, 0
            FROM unnest($1, $2, $3) WITH ORDINALITY AS new ("user", epoch, app, number) ORDER BY number
            ON CONFLICT ("user") DO NOTHING RETURNING id, "user", epoch
            """,
            [
                .texts(new.map(\.user.key)), .texts(new.map(\.epoch)),
                .texts(new.map { $0.user.app.isUnnamed ? nil : $0.user.app.text }),
            ])
        for row in created {
            guard let user = UserID(key: try row.text(1)) else { continue }
            rows.facts.keep(InboxRecord(id: try row.int64(0), epoch: try row.text(2)), of: user)
        }
    }

    func write(_ record: InboxRecord) throws {
        rows.facts.changed(inbox: record.id)
        rows.gathered.add(record)
    }

    func write(_ profile: UserProfile, inbox: Int64) throws {
        rows.facts.changed(inbox: inbox)
        let json = String(decoding: JSONValue.object(profile.json).encoded, as: UTF8.self)
        try connection.queue(
            "UPDATE inbox SET profile = $1, email = $2 WHERE id = $3",
            [.text(json), .text(profile.email.map(UserProfile.searchForm(ofEmail:))), .int64(inbox)])
    }

    func write(_ settings: UserSettings, inbox: Int64) throws {
        rows.facts.changed(inbox: inbox)
        try connection.queue(
            "UPDATE inbox SET settings = $1 WHERE id = $2",
            [.text(String(decoding: settings.json.encoded, as: UTF8.self)), .int64(inbox)])
    }

    func write(device: Reader, inbox: Int64) throws {
        rows.facts.changed(inbox: inbox)
        try connection.queue(
            "UPDATE inbox SET device_locale = $1, device_zone = $2 WHERE id = $3",
            [.text(device.locale), .text(device.zone), .int64(inbox)])
    }

    func delete(inbox: Int64) throws {
        rows.facts.deleted(inbox: inbox)
        try connection.queue("DELETE FROM inbox WHERE id = $1", [.int64(inbox)])
    }
}
