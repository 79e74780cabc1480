/// A number in its written form (RFC 8259 §6), for numbers that a `Double` would round: 18446744073709551001 and …002
/// may be ids of two people. Two numbers are equal if they are written the same.
package struct JSONNumber: Sendable, Hashable {
    package let text: String

    /// A number that the parser has found.
    init(parsed text: String) { self.text = text }

    /// Nil for a text that is no number.
    package init?(_ text: String) {
        guard Self.isNumber(text.utf8) else { return nil }
        self.text = text
    }

    /// Nil for values that JSON cannot express.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// The nearest `Double`; infinite for a number that is too large.
    package var double: Double { Double(text) ?? .nan }

    /// The number as a parsed ``JSONValue``.
    package var value: JSONValue { exactDouble.map { .double($0) } ?? .number(self) }

    /// The equal whole number, in any spelling: 5 for 5.0 and 50e-1. Nil for other numbers, and for those that are too
    /// large.
    package var int: Int64? {
        let parts = Parts(text.utf8).normalized
        if parts.digits.isEmpty { return 0 }
        guard parts.exponent >= 0, parts.digits.count + parts.exponent <= Self.maximumDigits else { return nil }
        let digits = parts.digits + Array(repeating: UInt8(ascii: "0"), count: parts.exponent)
        return Int64((parts.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
    }

    /// The `Double` whose shortest text is exactly equal; nil if there is none.
    var exactDouble: Double? {
        let double = double
        guard double.isFinite else { return nil }
        return Parts(text.utf8).normalized == Parts(double.description.utf8).normalized ? double : nil
    }

    /// The digits, if the number is written as a whole one: the text of a numeric id.
    package var wholeText: String? { text.utf8.allSatisfy { $0 == minus || Self.isDigit($0) } ? text : nil }

    private var minus: UInt8 { UInt8(ascii: "-") }
    /// Of an `Int64`.
    private static let maximumDigits = 19

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isNumber(_ text: String.UTF8View) -> Bool {
        var rest = text[...]
        func skipDigits() -> Int {
            let count = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        func skip(_ signs: String) -> Bool {
            guard let first = rest.first, signs.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        _ = skip("-")
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = skipDigits()
        guard count == 1 || count > 1 && !startsWithZero else { return false }
        if skip("."), skipDigits() == 0 { return false }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// A number in parts: its value is the digits, as a whole number, times ten to the exponent.
    private struct Parts: Equatable {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0

        init(_ text: String.UTF8View) {
            let end = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
            var hasPoint = false
            for byte in text[..<end] {
                switch byte {
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: "."): hasPoint = true
                default:
                    digits.append(byte)
                    if hasPoint { exponent -= 1 }
                }
            }
            guard end < text.endIndex else { return }
            let written = String(text[text.index(after: end)...]) ?? ""
            // An exponent that does not fit is far beyond all numbers in use.
            let far = written.hasPrefix("-") ? -Self.farAway : Self.farAway
            exponent += min(max(Int(written) ?? far, -Self.farAway), Self.farAway)
        }

        private static let farAway = 1 << 40

        /// Without leading and trailing zeros, so that equal numbers have equal parts.
        var normalized: Parts {
            var parts = self
            while parts.digits.last == UInt8(ascii: "0") {
                parts.digits.removeLast()
                parts.exponent += 1
            }
            parts.digits = Array(parts.digits.drop { $0 == UInt8(ascii: "0") })
            if parts.digits.isEmpty { parts.exponent = 0 }
            return parts
        }
    }
}
