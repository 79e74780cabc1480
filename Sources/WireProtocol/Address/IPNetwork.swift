/// Addresses with the same first bits, such as `10.0.0.0/8`; a single address is a network of one.
package struct IPNetwork: Sendable, Hashable {
    private let first: IPAddress
    /// The number of shared bits, of 128; for IPv4 it includes the 96 bits before the address.
    private let length: Int

    /// Reads `ADDRESS` or `ADDRESS/BITS`; further bits of the address are ignored, as in most tools.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        var length = 128
        if parts.count == 2 {
            let longest = address.isV4 ? 32 : 128
            guard parts[1].utf8.allSatisfy(\.isDigit), let bits = Int(parts[1]), bits <= longest else { return nil }
            length = bits + 128 - longest
        }
        self.length = length
        first = address.masked(to: length)
    }

    package func contains(_ address: IPAddress) -> Bool { address.masked(to: length) == first }
}
