import GRDB
import Inbox
import Push

/// Reads devices, as of the snapshot that `db` is in.
struct DeviceReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// The user's devices, the one seen last first.
    func devices(of user: UserID) throws -> [Device] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(DeviceRecord.columns) FROM device WHERE inbox = (SELECT id FROM inbox WHERE user = ?)
                ORDER BY last_seen_at DESC, row DESC
                """)
        return try statement.all([user.rawValue]) { row in
            let record = try DeviceRecord(row)
            var device = record.device
            device.badge = record.badge?.number
            return device
        }
    }

    /// The user who registered this device last.
    func owner(ofDevice id: String, app: String) throws -> UserID? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT user FROM device JOIN inbox ON inbox.id = device.inbox
                WHERE device.id = ? AND app = ? ORDER BY last_seen_at DESC, row DESC LIMIT 1
                """)
        return try statement.first([id, app]) { UserID(known: try $0.text(0)) } ?? nil
    }
}
