import WireProtocol

/// From which addresses of this machine sessions connect.
package enum SourceAddresses {
    /// Leaves some of an address' ephemeral ports (ip_local_port_range: 28,232 by default) to others, and to
    /// connections whose end is not forgotten yet.
    private static let sessionsPerAddress = 20_000

    /// Whether a URL's host is this machine in any case.
    package static func isLoopback(_ host: String) -> Bool {
        guard let address = IPAddress(host) else { return host == "localhost" }
        return address.isV4 ? host.hasPrefix("127.") : host == "::1"
    }

    /// Enough of 127.0.0.0/8 for so many sessions, if the server is there; else none, for the system's choice.
    package static func loopback(for host: String, sessions: Int) -> [String] {
        guard isLoopback(host), IPAddress(host)?.isV4 == true else { return [] }
        let count = (sessions + sessionsPerAddress - 1) / sessionsPerAddress
        // From the second one on: the first is everybody else's.
        return count <= 1 ? [] : (0..<count).map { "127.0.\($0 / 250).\($0 % 250 + 2)" }
    }
}
