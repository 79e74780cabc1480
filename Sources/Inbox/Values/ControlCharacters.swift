extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 has a control character, of C0, DEL or C1: they end lines, and drive the terminal of whoever
    /// looks.
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

extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 can be what somebody or something is called: it shows, on one line, and leaves the direction
    /// of what stands beside it as it is (Unicode UAX #9 §2). Two names that look alike and differ in such a sign would
    /// be two people.
    var isName: Bool {
        var shows = false
        for byte in self {
            // As nearly all names are.
            if byte &- 0x21 < 0x5E {
                shows = true
            } else if byte >= 0x80 {
                return String(decoding: self, as: UTF8.self).unicodeScalars.areName
            } else if byte != 0x20 {
                return false
            }
        }
        return shows
    }
}

extension String.UnicodeScalarView {
    fileprivate var areName: Bool {
        var shows = false
        for scalar in self {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: return false
            default: break
            }
            if properties.isBidiControl { return false }
            // The pattern without dots is a symbol to Unicode, and as empty as a blank.
            let isEmpty = properties.isWhitespace || properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
            shows = shows || !isEmpty
        }
        return shows
    }
}

extension String {
    /// What ``isName`` asks for, in a message after a number of bytes: "expected an id of 1 to 200 bytes, …".
    package static let nameExpectation = "with at least one visible character and no control or direction characters"

    /// Whether it has a sign that changes the direction of what stands beside it (Unicode UAX #9 §2).
    package var hasSignOfDirection: Bool {
        !utf8.allSatisfy { $0 < 0x80 } && unicodeScalars.contains { $0.properties.isBidiControl }
    }

    /// Whether it can be what somebody or something is called; see ``UnsafeRawBufferPointer/isName``.
    package var isName: Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).isName }
    }

    /// Whether it has a control character, and so is no name that could stand in a log line.
    package var hasControlCharacter: Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).hasControlCharacter }
    }

    /// With each control character written out, as `\u001b`: what JSON reads as the same. So is whatever ends a line,
    /// or turns the order of what is shown around, as U+202E does: it could make a line look like another one.
    package var escapingControlCharacters: String { escapingControlCharacters(except: []) }

    /// - Parameter kept: what stays as it is, such as the ends of lines.
    package func escapingControlCharacters(except kept: [Unicode.Scalar]) -> String {
        guard hasControlCharacter || unicodeScalars.contains(where: \.isDirection) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control || scalar.isDirection, !kept.contains(scalar) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether it is a line's or paragraph's end (U+2028, U+2029), or one of the marks, embeddings, overrides and
    /// isolates that tell in which direction text runs (Unicode Standard Annex #9, §2).
    fileprivate var isDirection: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
