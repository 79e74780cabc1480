import GRDB
import Inbox

/// Reads what people have chosen, as of the snapshot that `db` is in.
struct SettingsReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func settings(of user: UserID) throws -> UserSettings {
        let statement = try db.cachedStatement(sql: "SELECT settings FROM inbox WHERE user = ?")
        let text = try statement.first([user.rawValue]) { try $0.optionalText(0) } ?? nil
        return try SettingsTable.settings(text)
    }

    func facts(of user: UserID) throws -> PersonFacts {
        let statement = try db.cachedStatement(sql: InboxRecord.query)
        let person = try statement.first([user.rawValue]) { try InboxRecord($0) }?.person
        return PersonFacts(
            settings: person?.settings ?? UserSettings(), profile: person?.profile.reader ?? Reader(),
            device: person?.device ?? Reader())
    }
}
