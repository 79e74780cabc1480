/// Percent-encoding (RFC 3986 §2.1) of a foreign text, so that it stays one segment of a path or one value of a form.
package enum PercentEncoding {
    /// Escapes all but letters, digits, `-`, `_` and `~`. Dots are escaped because two of them lead to another path.
    package static func encode(_ text: String) -> String {
        // The usual case: nearly all device tokens need no escapes.
        let isPlainText = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPlain) }
        if isPlainText ?? text.utf8.allSatisfy(isPlain) { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                encoded.append(byte)
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                encoded.append(contentsOf: (hex.utf8.count < 2 ? "%0" : "%").utf8)
                encoded.append(contentsOf: hex.utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x7E: true
        default: false
        }
    }
}
