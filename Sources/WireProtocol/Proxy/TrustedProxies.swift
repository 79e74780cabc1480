/// The proxies whose statements about a client's address are believed.
package struct TrustedProxies: Sendable, Equatable {
    /// Thrown for an entry that is neither an address nor a network.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let entry: String

        package var description: String {
            "'\(entry)' is no address such as ::1, no network such as 10.0.0.0/8, and not the word unix"
        }
    }

    package static let none = TrustedProxies(networks: [], trustsUnixSockets: false)

    private let networks: [IPNetwork]
    private let trustsUnixSockets: Bool

    private init(networks: [IPNetwork], trustsUnixSockets: Bool) {
        self.networks = networks
        self.trustsUnixSockets = trustsUnixSockets
    }

    /// - Parameter entries: addresses, networks, or `unix` for all peers of Unix sockets.
    package init(_ entries: [String]) throws(Malformed) {
        var networks: [IPNetwork] = []
        for entry in entries where entry != "unix" {
            guard let network = IPNetwork(entry) else { throw Malformed(entry: entry) }
            networks.append(network)
        }
        self.init(networks: networks, trustsUnixSockets: entries.contains("unix"))
    }

    /// - Parameter peer: nil for the peer of a Unix socket.
    package func trusts(_ peer: IPAddress?) -> Bool {
        guard let peer else { return trustsUnixSockets }
        return networks.contains { $0.contains(peer) }
    }

    /// The client behind a trusted proxy, by its `X-Forwarded-For`: the last address there that is no trusted proxy's.
    ///
    /// Each proxy appends the address that it sees, so addresses further left are only the client's own claim.
    /// - Returns: nil if the field is missing or its end is no address; a trusted proxy's address if there is no other.
    package func client(forwardedIn headers: HTTPHeaders) -> IPAddress? {
        var client: IPAddress?
        for element in headers.elements(of: "X-Forwarded-For").reversed() {
            // Nothing further left can be believed: the last proxy with a readable address counts as the client.
            guard let address = Self.address(in: element) else { break }
            client = address
            guard trusts(address) else { break }
        }
        return client
    }

    /// Reads the forms of addresses that proxies write: bare, in brackets, with a port, or quoted.
    private static func address(in element: String) -> IPAddress? {
        var text = Substring(element)
        if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 { text = text.dropFirst().dropLast() }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        if let address = IPAddress(text) { return address }
        // One colon: IPv4 with a port. With more, the port could not be told from the address.
        guard let colon = text.firstIndex(of: ":"), isPort(text[colon...]) else { return nil }
        return IPAddress(text[..<colon])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.hasPrefix(":") && UInt16(text.dropFirst()) != nil && text.dropFirst().utf8.allSatisfy(\.isDigit)
    }
}
