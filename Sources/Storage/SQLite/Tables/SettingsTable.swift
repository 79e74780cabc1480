import GRDB
import Inbox
import JSON

/// What people have chosen: `inbox.settings`.
struct SettingsTable {
    private let update: Statement

    init(_ db: Database) throws {
        update = try db.cachedStatement(sql: "UPDATE inbox SET settings = ? WHERE id = ?")
    }

    func write(_ settings: UserSettings, inbox: Int64) throws {
        try update.execute(arguments: [String(decoding: settings.json.encoded, as: UTF8.self), inbox])
    }

    /// Reads what ``write(_:inbox:)`` wrote; the usual ones for nil.
    static func settings(_ text: String?) throws -> UserSettings {
        guard let text else { return UserSettings() }
        do {
            return try UserSettings(JSONValue(parsing: Array(text.utf8)))
        } catch {
            throw DamagedRow(table: "inbox")
        }
    }
}
