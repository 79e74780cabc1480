/// Escapes of targets and forms (RFC 3986 §2.1).
enum PercentEncoding {
    /// Decodes `bytes`; nil for a broken escape, invalid UTF-8 or NUL.
    ///
    /// - Parameter plusIsSpace: whether `+` means a space, as in queries of forms.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else {
                    return nil
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(.space)
            default:
                decoded.append(byte)
            }
        }
        return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
    }

    /// `text` with escapes for all bytes that would end a request line or split it.
    static func escapingInvisible(_ text: String) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return text.utf8.flatMap { byte in
            byte.isVisibleASCII ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
    }
}
