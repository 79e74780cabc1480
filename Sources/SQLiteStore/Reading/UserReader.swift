import Deliveries
import GRDB
import Inbox
import Store

/// Reads people's profiles, as of the snapshot that `db` is in.
struct UserReader {
    private let db: Database
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func isKnown(_ user: UserID) throws -> Bool {
        try db.cachedStatement(sql: "SELECT 1 FROM inbox WHERE user = ?").first([user.rawValue]) { _ in true } ?? false
    }

    /// A damaged profile counts as none, as it does for deliveries.
    func profile(of user: UserID) throws -> UserProfile? {
        let find = try db.cachedStatement(sql: "SELECT id, profile FROM inbox WHERE user = ? AND profile IS NOT NULL")
        return try find.first([user.rawValue]) { row in
            try damage.sound(DamagedRow(table: "inbox", key: row.name)) { try Person.profile(row.optionalText(1)) }
        } ?? nil
    }

    func user(withEmail email: String) throws -> UserID? {
        let statement = try db.cachedStatement(sql: "SELECT user FROM inbox WHERE email = ? ORDER BY id LIMIT 1")
        return try statement.first([UserProfile.searchForm(ofEmail: email)]) { try UserID(stored: $0.text(0)) }
    }
}
