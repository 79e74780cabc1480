package import Inbox
package import Push

/// Devices that pushes go to.
package protocol DeviceRows: AnyObject {
    func record(row: Int64) throws -> DeviceRecord?
    func record(inbox: Int64, app: String, id: String) throws -> DeviceRecord?
    /// A token is another one in each app.
    func record(provider: Device.Provider, token: String, in app: AppName) throws -> DeviceRecord?
    /// In the order of their apps and ids.
    func records(inbox: Int64) throws -> [DeviceRecord]
    func records(lastSeenBefore time: Timestamp, limit: Int) throws -> [DeviceRecord]
    /// Those that get the pushes of an app; an empty name stands for all apps, on either side. None whose token is
    /// awaited. In the order of their apps and ids.
    func targets(inbox: Int64, app: String) throws -> [DeviceTarget]
    /// A row for a new device; nil if there is no room for one.
    func freeRow() throws -> Int64?

    /// - Parameters:
    ///   - row: a free one.
    ///   - app: the owner's.
    func insert(_ device: Device, inbox: Int64, row: Int64, in app: AppName) throws
    /// Writes everything but the device's id and app.
    func update(row: Int64, to device: Device, in app: AppName) throws
    func write(_ badge: DeviceRecord.Badge, row: Int64) throws
    func delete(row: Int64) throws
}
