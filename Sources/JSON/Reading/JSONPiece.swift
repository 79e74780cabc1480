/// A constant run of JSON, made once: keys, brackets, and constant values.
package struct JSONPiece: Sendable, Hashable {
    let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
}

/// Writes JSON that is mostly the same each time: constant pieces, and differing values between them.
///
/// A piece has its own commas. Behind a value it begins with a comma or a closing bracket; at the beginning it has no
/// comma.
extension JSONWriter {
    /// Leaves out a value, and returns the place for it. The JSON before and behind that place becomes pieces.
    package mutating func gap() -> Int {
        separate()
        return bytes.count
    }

    /// Writes a piece that a value follows.
    package mutating func piece(_ piece: JSONPiece) {
        assert(continues(with: piece))
        bytes.append(contentsOf: piece.bytes)
        needsComma = false
    }

    /// Writes a piece followed by a text.
    package mutating func piece(_ piece: JSONPiece, _ text: String) {
        assert(continues(with: piece))
        let isWritten = text.withOctets { utf8 in
            var isCopied = false
            bytes.append(atMost: piece.bytes.count + utf8.count + 2) { room in
                piece.bytes.withUnsafeBytes { room.append($0) }
                room.append(UInt8(ascii: "\""))
                isCopied = room.append(unlessEscaped: utf8)
                guard isCopied else { return room.removeAll() }
                room.append(UInt8(ascii: "\""))
            }
            return isCopied
        }
        if isWritten {
            needsComma = true
        } else {
            self.piece(piece)
            value(text)
        }
    }

    /// Writes the last piece, which may be empty.
    package mutating func lastPiece(_ piece: JSONPiece) {
        assert(piece.bytes.isEmpty || continues(with: piece))
        bytes.append(contentsOf: piece.bytes)
        needsComma = true
    }

    private func continues(with piece: JSONPiece) -> Bool {
        switch piece.bytes.first {
        case UInt8(ascii: ","): needsComma
        case UInt8(ascii: "}"), UInt8(ascii: "]"): true
        default: !needsComma
        }
    }
}
