/// Random UUIDs (RFC 9562, version 4) in lower case.
enum UUIDText {
    static func random() -> String {
        let high = UInt64.random(in: .min ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = UInt64.random(in: .min ... .max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].flatMap { word in
            let text = String(word, radix: 16)
            return Array(String(repeating: "0", count: 16 - text.count) + text)
        }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
