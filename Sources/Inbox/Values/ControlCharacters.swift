extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 has a control character, of C0, DEL or C1: they end lines, and drive the terminal of whoever looks.
    var hasControlCharacter: Bool {
        for index in indices where self[index] &- 0x20 >= 0x5F {
            let byte = self[index]
            if byte < 0x80 { return true }
            // U+0080 to U+009F, the only ones whose first octet is this and whose second is that low.
            if byte < 0xA0, index > startIndex, self[index - 1] == 0xC2 { return true }
        }
        return false
    }
}

extension String {
    /// Whether it has a control character, and so is no name that could stand in a log line.
    package var hasControlCharacter: Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).hasControlCharacter }
    }

    /// With each control character written out, as `\u001b`: what JSON reads as the same.
    package var escapingControlCharacters: String { escapingControlCharacters(except: []) }

    /// - Parameter kept: what stays as it is, such as the ends of lines.
    package func escapingControlCharacters(except kept: [Unicode.Scalar]) -> String {
        guard hasControlCharacter else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control, !kept.contains(scalar) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
