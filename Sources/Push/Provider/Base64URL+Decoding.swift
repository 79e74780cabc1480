extension Base64URL {
    /// The bytes that `text` stands for; nil if anything else than the alphabet is in it.
    ///
    /// Strict, so that each value has one spelling: padding and stray bits in the last letter are refused.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let (bytes, stray) = decoded(text), stray == 0 else { return nil }
        return bytes
    }

    /// The same for what people hand on: takes the plain alphabet and padding too, since pages that copy a subscription by
    /// hand often use `btoa`, and does not look at stray bits.
    package static func decodeLeniently(_ text: some StringProtocol) -> [UInt8]? {
        var letters = Array(text.utf8)
        for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "+"): letters[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): letters[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return decoded(letters)?.bytes
    }

    /// The whole bytes, and the bits that are left.
    private static func decoded(_ text: some Collection<UInt8>) -> (bytes: [UInt8], stray: UInt32)? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (pending, pendingBits): (UInt32, Int) = (0, 0)
        for letter in text {
            guard let value = value(of: letter) else { return nil }
            pending = pending << 6 | value
            pendingBits += 6
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
            }
        }
        // Six bits alone are no byte.
        return pendingBits < 6 ? (bytes, pending & (1 << UInt32(pendingBits) - 1)) : nil
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
