package import Inbox
package import Push

/// Live Activities on devices. Whoever changes those of a device holds the lock of its inbox.
package protocol ActivityRows: AnyObject {
    /// What a device's app has told; nil for a device without Live Activities, and for a damaged row.
    func device(_ row: Int64) throws -> ActivityDevice?
    func write(_ device: ActivityDevice, row: Int64) throws

    /// Nil if there is none, and for a damaged row.
    func activity(_ place: ActivityPlace) throws -> DeviceActivity?
    /// Those of a device, in the order of their keys, octet by octet; without damaged ones.
    func activities(device: Int64) throws -> [(key: String, activity: DeviceActivity)]
    /// Writes one in place of what is there.
    func write(_ activity: DeviceActivity, at place: ActivityPlace, inbox: Int64, _ provider: Device.Provider) throws
    func delete(_ place: ActivityPlace) throws
    /// Removes all about a device.
    func delete(device: Int64) throws
    /// Removes at most `limit` that ended before a time.
    func delete(_ limit: Int, endedBefore time: Timestamp) throws

    /// Those with a push that is due, the longest first. Nothing is locked.
    func due(_ limit: Int, for provider: Device.Provider, at now: Timestamp) throws -> [DueActivity]
    /// When the next push is due; nil without any.
    func nextDue(for provider: Device.Provider) throws -> Timestamp?
    /// Has those due whose pushes are under way.
    func endLeases(at now: Timestamp) throws
    /// The process' clock was moved, and all due times with it.
    func move(by span: Duration) throws
}

/// An activity's key on one device.
package struct ActivityPlace: Sendable, Hashable {
    /// The device's row number.
    package let device: Int64
    package let key: String

    package init(device: Int64, key: String) { (self.device, self.key) = (device, key) }
}

/// An activity whose push is due, and the inbox of its person.
package struct DueActivity: Sendable, Hashable {
    package let place: ActivityPlace
    package let inbox: Int64

    package init(place: ActivityPlace, inbox: Int64) { (self.place, self.inbox) = (place, inbox) }
}
