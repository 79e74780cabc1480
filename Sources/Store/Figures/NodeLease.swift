package import Inbox

/// One of the nodes that share a store, as the database knows it.
package struct NodeLease: Sendable, Hashable {
    package let name: String
    /// By the database's clock.
    package let leaseEnd: Timestamp
    /// Whether its lease has not ended, by the database's clock.
    package let isAlive: Bool
    /// Whether it has left, and its sessions are on their way to others.
    package let hasLeft: Bool
    /// How many people have a session there.
    package let people: Int

    package init(name: String, leaseEnd: Timestamp, isAlive: Bool, hasLeft: Bool, people: Int) {
        (self.name, self.leaseEnd, self.isAlive) = (name, leaseEnd, isAlive)
        (self.hasLeft, self.people) = (hasLeft, people)
    }
}
