/// An `ack` as clients write it, read without a JSON parser: each notification brings one from each session that shows it,
/// and setting a parser up takes ten times as long.
enum BriefAck {
    /// What ``ClientFrame/encoded`` and `JSON.stringify` write before the number.
    private static let head: StaticString = #"{"type":"ack","seq":"#
    /// So many digits fit into 63 bits, whatever they are.
    private static let maximumDigits = 18

    /// The `seq` of a frame that is nothing but an `ack` without an id, in that order and without spaces. Nil for all others,
    /// also for those that are no frames: the parser says what is in them.
    static func seq(in text: UnsafeRawBufferPointer) -> Int64? {
        let head = UnsafeRawBufferPointer(start: head.utf8Start, count: head.utf8CodeUnitCount)
        let digits = text.dropFirst(head.count).dropLast()
        guard text.starts(with: head), text.last == UInt8(ascii: "}"), (1...maximumDigits).contains(digits.count) else {
            return nil
        }
        // JSON has no leading zeros (RFC 8259 §6).
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
        var seq: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            seq = seq * 10 + Int64(digit)
        }
        return seq
    }
}
