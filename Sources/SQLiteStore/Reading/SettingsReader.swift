import Deliveries
import GRDB
import Inbox
import Store

/// Reads people's settings, as of the snapshot that `db` is in.
struct SettingsReader {
    private let db: Database
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    /// Damaged settings count as default ones, as they do for deliveries.
    func settings(of user: UserID) throws -> UserSettings {
        let statement = try db.cachedStatement(sql: "SELECT id, settings FROM inbox WHERE user = ?")
        let settings = try statement.first([user.rawValue]) { row in
            try damage.sound(DamagedRow(table: "inbox", key: row.name)) {
                try Person.settings(row.optionalText(1))
            }
        }
        return (settings ?? nil) ?? UserSettings()
    }

    func facts(of user: UserID) throws -> PersonFacts {
        let statement = try db.cachedStatement(sql: InboxRecord.query)
        let record = try statement.first([user.rawValue], InboxRecord.init)
        if let record, record.isDamaged { damage.leaveOut(DamagedRow(table: "inbox", key: "\(record.id)")) }
        let person = record?.person
        return PersonFacts(
            settings: person?.settings ?? UserSettings(), profile: person?.profile.reader ?? Reader(),
            device: person?.device ?? Reader())
    }
}
