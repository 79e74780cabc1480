package import Inbox

/// One request to a provider, as its lane's machines know it.
package struct LaneTicket: Sendable, Hashable {
    /// From 0, in the order of sending.
    package let number: Int
    package let sentAt: Timestamp
}
