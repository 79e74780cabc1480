import GRDB
import Inbox
import JSON

/// Reads who people are, as of the snapshot that `db` is in.
struct UserReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func profile(of user: UserID) throws -> UserProfile? {
        let text = try db.cachedStatement(sql: "SELECT profile FROM inbox WHERE user = ?").first([user.rawValue]) {
            try $0.optionalText(0)
        }
        guard let text = text ?? nil else { return nil }
        guard let json = try JSONValue(parsing: Array(text.utf8)).object else { throw DamagedRow(table: "inbox") }
        return UserProfile(stored: json)
    }

    func user(withEmail email: String) throws -> UserID? {
        let statement = try db.cachedStatement(sql: "SELECT user FROM inbox WHERE email = ? ORDER BY id LIMIT 1")
        return try statement.first([UserProfile.searchForm(ofEmail: email)]) { try UserID(stored: $0.text(0)) }
    }
}
