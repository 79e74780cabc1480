/// Values of the headers `ce-…`, which are attributes of CloudEvents (HTTP Protocol Binding for CloudEvents 1.0.2
/// §3.1.3.2, https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md).
package enum CloudEventField {
    /// An attribute's text: a string in double quotes is unescaped first (RFC 7230 §3.2.6), then percent-encoding is
    /// decoded once.
    ///
    /// - Returns: nil for a character outside of ASCII, a broken escape, an open quote, and octets that are not UTF-8.
    package static func decode(_ value: String) -> String? {
        guard value.utf8.allSatisfy({ $0 < 0x80 }), let octets = unquoted(value.utf8) else { return nil }
        return PercentEncoding.decode(octets)
    }

    private static func unquoted(_ value: String.UTF8View) -> [UInt8]? {
        guard value.first == UInt8(ascii: "\"") else { return Array(value) }
        var octets: [UInt8] = []
        var rest = value.dropFirst().makeIterator()
        while let octet = rest.next() {
            switch octet {
            case UInt8(ascii: "\""): return rest.next() == nil ? octets : nil
            case UInt8(ascii: "\\"):
                guard let escaped = rest.next() else { return nil }
                octets.append(escaped)
            default: octets.append(octet)
            }
        }
        return nil
    }
}
