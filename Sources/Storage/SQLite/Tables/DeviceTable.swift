import GRDB
import Inbox
import Push

/// One row of `device`.
struct DeviceRecord {
    let row: Int64
    let inbox: Int64
    let device: Device

    static let columns = "row, inbox, id, provider, token, registered_at"

    /// - Parameter row: the ``columns``.
    init(_ row: Row) throws {
        guard let provider = Device.Provider(rawValue: try row.text(3)) else { throw DamagedRow(table: "device") }
        self.row = try row.int(0)
        inbox = try row.int(1)
        device = Device(
            id: try row.text(2), provider: provider, token: try row.text(4),
            registeredAt: Timestamp(milliseconds: try row.int(5)))
    }
}

struct DeviceTable {
    private let insert: Statement
    private let update: Statement
    private let delete: Statement
    private let find: Statement
    private let findName: Statement
    private let findToken: Statement
    private let findInbox: Statement

    init(_ db: Database) throws {
        let select = "SELECT \(DeviceRecord.columns) FROM device WHERE"
        insert = try db.cachedStatement(
            sql: "INSERT INTO device (inbox, id, provider, token, registered_at) VALUES (?, ?, ?, ?, ?)")
        update = try db.cachedStatement(
            sql: "UPDATE device SET provider = ?, token = ?, registered_at = ? WHERE row = ?")
        delete = try db.cachedStatement(sql: "DELETE FROM device WHERE row = ?")
        find = try db.cachedStatement(sql: "\(select) row = ?")
        findName = try db.cachedStatement(sql: "\(select) inbox = ? AND id = ?")
        findToken = try db.cachedStatement(sql: "\(select) provider = ? AND token = ?")
        findInbox = try db.cachedStatement(sql: "SELECT row FROM device WHERE inbox = ?")
    }

    func record(row: Int64) throws -> DeviceRecord? { try find.first([row], DeviceRecord.init) }

    func record(inbox: Int64, id: String) throws -> DeviceRecord? {
        try findName.first([inbox, id], DeviceRecord.init)
    }

    func record(provider: Device.Provider, token: String) throws -> DeviceRecord? {
        try findToken.first([provider.rawValue, token], DeviceRecord.init)
    }

    func rows(inbox: Int64) throws -> [Int64] { try findInbox.all([inbox]) { try $0.int(0) } }

    func insert(_ device: Device, inbox: Int64) throws {
        try insert.execute(
            arguments: [
                inbox, device.id, device.provider.rawValue, device.token, device.registeredAt.milliseconds,
            ])
    }

    func update(row: Int64, to device: Device) throws {
        try update.execute(
            arguments: [device.provider.rawValue, device.token, device.registeredAt.milliseconds, row])
    }

    func delete(row: Int64) throws { try delete.execute(arguments: [row]) }
}
