import Deliveries
import GRDB
import Inbox
import Push
import Store

/// Live Activities on devices: `activity` and `activity_device`.
final class ActivityTable: ActivityRows {
    private let findDevice: Statement
    private let writeDevice: Statement
    private let deleteDevice: Statement
    private let find: Statement
    private let findAll: Statement
    private let write: Statement
    private let delete: Statement
    private let deleteAll: Statement
    private let deleteOver: Statement
    private let findDue: Statement
    private let findNext: Statement
    private let endLeases: Statement
    private let shift: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        // They never run at the same time, and rarely at all.
        let room = ArgumentRoom(capacity: 16_384)
        func statement(_ sql: String) throws -> Statement { try Statement(db, sql: sql, room: room) }
        findDevice = try statement("SELECT state FROM activity_device WHERE device = ?")
        writeDevice = try statement("INSERT OR REPLACE INTO activity_device (device, state) VALUES (?, ?)")
        deleteDevice = try statement("DELETE FROM activity_device WHERE device = ?")
        find = try statement("SELECT state, due FROM activity WHERE device = ? AND key = ?")
        findAll = try statement("SELECT state, due, key FROM activity WHERE device = ? ORDER BY key")
        write = try statement(
            """
            INSERT OR REPLACE INTO activity (device, key, inbox, provider, due, is_sending, ends_at, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        delete = try statement("DELETE FROM activity WHERE device = ? AND key = ?")
        deleteAll = try statement("DELETE FROM activity WHERE device = ?")
        deleteOver = try statement(
            """
            DELETE FROM activity WHERE (device, key) IN (
                SELECT device, key FROM activity WHERE ends_at < ? ORDER BY ends_at LIMIT ?)
            """)
        findDue = try statement(
            "SELECT device, key, inbox FROM activity WHERE provider = ? AND due <= ? ORDER BY due, device, key LIMIT ?")
        findNext = try statement(
            "SELECT due FROM activity WHERE provider = ? AND due IS NOT NULL ORDER BY due LIMIT 1")
        endLeases = try statement("UPDATE activity SET due = ? WHERE is_sending")
        shift = try statement("UPDATE activity SET due = due + ?1 WHERE due BETWEEN -?2 AND ?2")
    }

    // MARK: Devices

    func device(_ row: Int64) throws -> ActivityDevice? {
        try findDevice.first([row]) { stored -> ActivityDevice? in
            var stored = CheckedRow(stored)
            if let bytes = stored.optionalBytes(0), let device = ActivityDevice(json: bytes) { return device }
            damage.leaveOut(DamagedRow(table: "activity_device", key: "\(row)"))
            return nil
        } ?? nil
    }

    func write(_ device: ActivityDevice, row: Int64) throws {
        try writeDevice.execute(arguments: [row, device.json])
    }

    // MARK: Activities

    func activity(_ place: ActivityPlace) throws -> DeviceActivity? {
        try find.first([place.device, place.key]) { read($0, place) } ?? nil
    }

    func activities(device: Int64) throws -> [(key: String, activity: DeviceActivity)] {
        try findAll.all([device]) { row -> (key: String, activity: DeviceActivity)? in
            let key = try row.text(2)
            return read(row, ActivityPlace(device: device, key: key)).map { (key, $0) }
        }.compactMap { $0 }
    }

    private func read(_ row: StoredRow, _ place: ActivityPlace) -> DeviceActivity? {
        var row = CheckedRow(row)
        let due = row.optionalTime(1)
        if let bytes = row.optionalBytes(0), let activity = DeviceActivity(json: bytes, due: due), !row.isDamaged {
            return activity
        }
        damage.leaveOut(DamagedRow(table: "activity", key: "\(place.device)"))
        return nil
    }

    func write(_ activity: DeviceActivity, at place: ActivityPlace, inbox: Int64, _ provider: Device.Provider) throws {
        try write.execute(arguments: [
            place.device, place.key, inbox, provider.place, activity.due?.milliseconds, activity.isSending,
            activity.end.milliseconds, activity.json,
        ])
    }

    func delete(_ place: ActivityPlace) throws { try delete.execute(arguments: [place.device, place.key]) }

    func delete(device: Int64) throws {
        try deleteAll.execute(arguments: [device])
        try deleteDevice.execute(arguments: [device])
    }

    func delete(_ limit: Int, endedBefore time: Timestamp) throws {
        try deleteOver.execute(arguments: [time.milliseconds, limit])
    }

    // MARK: Pushes

    func due(_ limit: Int, for provider: Device.Provider, at now: Timestamp) throws -> [DueActivity] {
        try findDue.all([provider.place, now.milliseconds, limit]) { row in
            DueActivity(
                place: ActivityPlace(device: try row.int(0), key: try row.text(1)), inbox: try row.int(2))
        }
    }

    func nextDue(for provider: Device.Provider) throws -> Timestamp? {
        try findNext.first([provider.place]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    func endLeases(at now: Timestamp) throws { try endLeases.execute(arguments: [now.milliseconds]) }

    func move(by span: Duration) throws {
        try shift.execute(arguments: [span.milliseconds, CheckedRow.furthest])
    }
}
