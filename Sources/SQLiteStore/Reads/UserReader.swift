import Deliveries
import GRDB
import Inbox
import Store

/// Reads people's profiles and settings, as of the snapshot that `db` is in.
struct UserReader: UserReads {
    private let db: Database
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func isKnown(_ user: UserID) throws -> Bool {
        try db.statement(sql: "SELECT 1 FROM inbox WHERE user = ?").first([user.key]) { _ in true } ?? false
    }

    func profile(of user: UserID) throws -> UserProfile? {
        let find = try db.statement(sql: "SELECT id, profile FROM inbox WHERE user = ? AND profile IS NOT NULL")
        return try find.first([user.key]) { row in
            try damage.sound(DamagedRow(table: "inbox", key: row.name)) { try Person.profile(row.optionalText(1)) }
        } ?? nil
    }

    func user(withEmail email: String, in app: AppName) throws -> UserID? {
        let statement = try db.statement(sql: "SELECT user FROM inbox WHERE email = ? AND app IS ? ORDER BY id LIMIT 1")
        return try statement.first([UserProfile.searchForm(ofEmail: email), app.column]) {
            try UserID(stored: $0.text(0))
        }
    }

    func revocations() throws -> [Revocation] {
        try db.statement(sql: "SELECT user, issued_before FROM revocation").all([]) { row -> Revocation? in
            var row = CheckedRow(row)
            let (key, time) = (row.text(0), row.time(1))
            if !row.isDamaged, let user = UserID(key: key) { return Revocation(user: user, issuedBefore: time) }
            damage.leaveOut(DamagedRow(table: "revocation", key: key))
            return nil
        }.compactMap { $0 }
    }

    // MARK: Settings

    func settings(of user: UserID) throws -> UserSettings {
        let statement = try db.statement(sql: "SELECT id, settings FROM inbox WHERE user = ?")
        let settings = try statement.first([user.key]) { row in
            try damage.sound(DamagedRow(table: "inbox", key: row.name)) {
                try Person.settings(row.optionalText(1))
            }
        }
        return (settings ?? nil) ?? UserSettings()
    }

    func facts(of user: UserID) throws -> PersonFacts {
        let statement = try db.statement(sql: InboxRecord.query)
        let record = try statement.first([user.key], InboxRecord.init)
        if let record, record.isDamaged { damage.leaveOut(DamagedRow(table: "inbox", key: "\(record.id)")) }
        let person = record?.person
        return PersonFacts(
            settings: person?.settings ?? UserSettings(), profile: person?.profile.reader ?? Reader(),
            device: person?.device ?? Reader())
    }
}
