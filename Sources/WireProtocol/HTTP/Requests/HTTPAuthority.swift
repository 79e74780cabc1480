/// A host and an optional port, in the form of `Host` and targets (RFC 3986 §3.2, RFC 9110 §7.2).
package struct HTTPAuthority: Sendable, Hashable {
    /// As written; an IPv6 address keeps its brackets. Empty if the client knows no name.
    package let host: String
    package let port: UInt16?

    /// User names are refused, because HTTP forbids them (RFC 9110 §4.2.4). A comma is refused although RFC 3986 allows
    /// it: an intermediary may join two `Host` fields with one.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var host = bytes[...]
        var port: UInt16?
        let bracket = bytes.firstIndex(of: UInt8(ascii: "]"))
        let colon = bytes[(bracket ?? 0)...].firstIndex(of: UInt8(ascii: ":"))
        if let colon {
            host = bytes[..<colon]
            let digits = bytes[(colon + 1)...]
            // An empty port is allowed, and means the scheme's own.
            if !digits.isEmpty {
                guard digits.count <= 5, digits.allSatisfy(\.isDigit),
                    let number = UInt16(String(decoding: digits, as: UTF8.self))
                else { return nil }
                port = number
            }
        }
        (self.host, self.port) = (String(decoding: host, as: UTF8.self), port)
        if let bracket {
            guard host.first == UInt8(ascii: "["), bracket == host.endIndex - 1, host.contains(UInt8(ascii: ":")),
                IPAddress(String(decoding: host.dropFirst().dropLast(), as: UTF8.self)) != nil
            else { return nil }
        } else {
            guard host.allSatisfy({ $0.isLetter || $0.isDigit || "-._~%!$&'()*+;=".utf8.contains($0) }) else {
                return nil
            }
        }
    }
}
