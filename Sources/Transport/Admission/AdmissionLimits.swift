/// Limits on a node's connections; 0 sets no limit.
package struct AdmissionLimits: Sendable, Hashable {
    /// Open at the same time.
    package var connections: Int
    /// Open at the same time, from one IPv4 address or one IPv6 network of 64 bits.
    package var connectionsPerAddress: Int
    /// New ones; a second's worth may come at once.
    package var connectionsPerSecond: Int

    package init(connections: Int = 0, connectionsPerAddress: Int = 0, connectionsPerSecond: Int = 0) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.connectionsPerSecond = connectionsPerSecond
    }
}
