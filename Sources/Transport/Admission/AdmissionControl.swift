import WireProtocol

/// Decides which connections are admitted, by the number of open ones and the rate of new ones.
struct AdmissionControl: Sendable {
    private let limits: AdmissionLimits
    private var bucket: TokenBucket?
    private var connectionsByClient: [IPAddress: Int] = [:]
    /// Admitted and not released.
    private(set) var connections = 0
    private var rate = AcceptRate()

    init(_ limits: AdmissionLimits) {
        self.limits = limits
        bucket = limits.connectionsPerSecond > 0 ? TokenBucket(perSecond: limits.connectionsPerSecond) : nil
    }

    /// The number of counted addresses.
    var clients: Int { connectionsByClient.count }

    /// Counts a new connection, or returns the reason against it.
    ///
    /// - Parameter address: nil if a proxy has yet to tell it; ``identify(_:as:)`` counts it later.
    mutating func admit(_ address: IPAddress?, at now: ContinuousClock.Instant) -> AdmissionRefusal? {
        if limits.connections > 0, connections >= limits.connections { return .tooManyConnections }
        if let address, isFull(address.client) { return .tooManyConnectionsFromAddress }
        // Checked last, so that a connection refused for another reason takes no token.
        if bucket?.take(at: now) == false { return .connectingTooFast }
        connections += 1
        if let address { add(address.client) }
        rate.count(at: now)
        return nil
    }

    /// Counts an admitted connection for a new address. If a reason speaks against that, returns it and changes
    /// nothing.
    mutating func identify(_ old: IPAddress?, as new: IPAddress?) -> AdmissionRefusal? {
        guard old?.client != new?.client else { return nil }
        if let new, isFull(new.client) { return .tooManyConnectionsFromAddress }
        if let old { remove(old.client) }
        if let new { add(new.client) }
        return nil
    }

    /// An admitted connection has closed.
    mutating func release(_ address: IPAddress?) {
        connections -= 1
        if let address { remove(address.client) }
    }

    mutating func acceptRate(at now: ContinuousClock.Instant) -> Int { rate.rate(at: now) }

    private func isFull(_ client: IPAddress) -> Bool {
        limits.connectionsPerAddress > 0 && connectionsByClient[client, default: 0] >= limits.connectionsPerAddress
    }

    /// Without a limit nothing is counted.
    private mutating func add(_ client: IPAddress) {
        if limits.connectionsPerAddress > 0 { connectionsByClient[client, default: 0] += 1 }
    }

    private mutating func remove(_ client: IPAddress) {
        guard let count = connectionsByClient[client] else { return }
        connectionsByClient[client] = count > 1 ? count - 1 : nil
    }
}
