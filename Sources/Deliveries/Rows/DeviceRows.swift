package import Inbox
package import Push

/// Devices that pushes go to.
package protocol DeviceRows: AnyObject {
    func record(row: Int64) throws -> DeviceRecord?
    func record(inbox: Int64, app: String, id: String) throws -> DeviceRecord?
    func record(provider: Device.Provider, token: String) throws -> DeviceRecord?
    /// In the order of their apps and ids.
    func records(inbox: Int64) throws -> [DeviceRecord]
    func records(lastSeenBefore time: Timestamp, limit: Int) throws -> [DeviceRecord]
    /// Those that get the pushes of an app; an empty name stands for all apps, on either side. None whose token is
    /// awaited. In the order of their apps and ids.
    func targets(inbox: Int64, app: String) throws -> [DeviceTarget]
    /// A row for a new device; nil if there is no room for one.
    func freeRow() throws -> Int64?

    /// - Parameter row: a free one.
    func insert(_ device: Device, inbox: Int64, row: Int64) throws
    /// Writes everything but the device's id and app.
    func update(row: Int64, to device: Device) throws
    func write(_ badge: DeviceRecord.Badge, row: Int64) throws
    func delete(row: Int64) throws
}
