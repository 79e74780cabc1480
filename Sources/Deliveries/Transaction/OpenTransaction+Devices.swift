package import Inbox
package import Push
import Store

/// Devices that pushes go to, from memory where they were looked up before. A device's row changes only through here.
extension OpenTransaction {
    /// Nil if the device is gone or damaged.
    package func device(row: Int64) throws -> KnownDevice? {
        if let known = memory.devices.value(for: row) { return known }
        guard let record = try devices.record(row: row), !record.isDamaged,
            let user = try user(ofInbox: record.inbox)
        else { return nil }
        let device = KnownDevice(
            row: row, inbox: record.inbox,
            target: PushTarget(user: user, device: record.device), badge: record.badge)
        memory.devices.keep(device, for: row)
        return device
    }

    /// Writes what the device's icon shows, if that has changed.
    package func write(_ badge: DeviceRecord.Badge, of device: KnownDevice) throws {
        if device.badge == badge { return }
        try devices.write(badge, row: device.row)
        var device = device
        device.badge = badge
        memory.devices.keep(device, for: device.row)
    }

    package func update(row: Int64, to device: Device, in app: AppName) throws {
        memory.devices.forget(row)
        try devices.update(row: row, to: device, in: app)
    }

    package func deleteDevice(row: Int64) throws {
        memory.devices.forget(row)
        try devices.delete(row: row)
    }
}
