/// Base64 with padding (RFC 4648 §4), for the few short keys of the WebSocket handshake.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0..<4 {
                text.append(digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 0x3F] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isDigit(_ letter: UInt8) -> Bool {
        letter.isLetter || letter.isDigit || letter == UInt8(ascii: "+") || letter == UInt8(ascii: "/")
    }

    /// Whether `text` stands for exactly 16 bytes: 22 digits and two signs of padding.
    static func isSixteenBytes(_ text: String) -> Bool {
        let text = text.utf8
        return text.count == 24 && text.suffix(2).allSatisfy { $0 == padding } && text.prefix(22).allSatisfy(isDigit)
    }
}
