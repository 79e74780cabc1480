/// The letters of the protocols' grammars.
extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isLetter: Bool { (lowercased >= 0x61 && lowercased <= 0x7A) }
    var isVisibleASCII: Bool { self > 0x20 && self < 0x7F }
    var isControl: Bool { self < 0x20 || self == 0x7F }
    var isSpaceOrTab: Bool { self == .space || self == .tab }

    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// `tchar` of RFC 9110 §5.6.2.
    var isTokenCharacter: Bool {
        if isDigit || isLetter { return true }
        return switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    var hexadecimalValue: UInt8? {
        if isDigit { return self - 0x30 }
        return lowercased >= 0x61 && lowercased <= 0x66 ? lowercased - 0x61 + 10 : nil
    }
}

extension Collection<UInt8> {
    /// Whether this is a `token` of RFC 9110 §5.6.2.
    package var isToken: Bool { !isEmpty && allSatisfy(\.isTokenCharacter) }
}

extension String {
    /// Compares without the case of ASCII letters, as names and tokens of HTTP are compared.
    @inline(__always)
    func equalsIgnoringCase(_ other: String) -> Bool {
        // Compares lengths first, because most compared names differ in length.
        utf8.count == other.utf8.count && hasSameLetters(as: other)
    }

    /// - Parameter other: as long as this one.
    private func hasSameLetters(as other: String) -> Bool {
        var (one, other) = (self, other)
        // Compares in place: reading octets through the strings takes ten times as long.
        return one.withUTF8 { one in
            other.withUTF8 { other in
                var place = 0
                // Nearly all clients write names the same way, so few letters need a look at their case.
                while place < one.count {
                    guard one[place] == other[place] || one[place].lowercased == other[place].lowercased else {
                        return false
                    }
                    place += 1
                }
                return true
            }
        }
    }
}
