import WireProtocol

/// The local addresses that sessions connect from.
package enum SourceAddresses {
    /// Fewer than an address's ephemeral ports (ip_local_port_range: 28,232 by default). The rest stays free for
    /// others, and for closed connections that the kernel still remembers.
    private static let sessionsPerAddress = 20_000

    /// Whether a URL's host is surely this machine.
    package static func isLoopback(_ host: String) -> Bool {
        guard let address = IPAddress(host) else { return host == "localhost" }
        return address.isV4 ? host.hasPrefix("127.") : host == "::1"
    }

    /// Addresses of 127.0.0.0/8 for this number of sessions, if the server is there; else none, for the system's
    /// choice.
    package static func loopback(for host: String, sessions: Int) -> [String] {
        guard isLoopback(host), IPAddress(host)?.isV4 == true else { return [] }
        let count = (sessions + sessionsPerAddress - 1) / sessionsPerAddress
        // From the second address on, because all other programs use the first.
        return count <= 1 ? [] : (0..<count).map { "127.0.\($0 / 250).\($0 % 250 + 2)" }
    }
}
