extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 has a control character (C0, DEL or C1): these end lines, and control the terminal of a
    /// reader.
    var hasControlCharacter: Bool {
        for index in indices where self[index] &- 0x20 >= 0x5F {
            let byte = self[index]
            if byte < 0x80 { return true }
            // U+0080 to U+009F: only these have this first octet and so low a second one.
            if byte < 0xA0, index > startIndex, self[index - 1] == 0xC2 { return true }
        }
        return false
    }
}

extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 can be a name: it is visible, stays on one line, and leaves the direction of the text beside
    /// it unchanged (Unicode UAX #9 §2). Otherwise two people could have names that look the same.
    var isName: Bool {
        var shows = false
        for byte in self {
            // The usual case: visible ASCII.
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
            if scalar.isControl || scalar.properties.isBidiControl { return false }
            shows = shows || scalar.isVisible
        }
        return shows
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    fileprivate var isVisible: Bool {
        // To Unicode the Braille pattern without dots is a symbol, but it looks like a blank.
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
    }
}

extension String {
    /// The rule of ``isName``, for a message behind a number of bytes: "expected an id of 1 to 200 bytes, …".
    package static let nameExpectation = "with at least one visible character and no control or direction characters"

    /// Whether any part of the text is visible.
    package var isVisible: Bool {
        utf8.contains { $0 &- 0x21 < 0x5E } || unicodeScalars.contains { $0.isVisible && !$0.isControl }
    }

    /// Whether the text can be a name; see ``UnsafeRawBufferPointer/isName``.
    package var isName: Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).isName }
    }

    /// Whether the text has a control character, so that it must not stand in a log line.
    package var hasControlCharacter: Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).hasControlCharacter }
    }

    /// The text with each control character escaped as in JSON: `\u001b`. Line ends and direction controls such as
    /// U+202E are escaped too: they could make one line look like another.
    package var escapingControlCharacters: String { escapingControlCharacters(except: []) }

    /// - Parameter kept: characters that stay as they are, such as line ends.
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
    /// Whether the scalar ends a line or paragraph (U+2028, U+2029), or is a mark, embedding, override or isolate of
    /// text direction (Unicode Standard Annex #9, §2).
    fileprivate var isDirection: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
