/// A run of JSON that never changes, made once: keys, brackets, and values that are always the same.
package struct JSONPiece: Sendable, Hashable {
    let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
}

/// JSON of which most is the same each time is written in pieces, with what differs between them.
///
/// A piece brings its commas along, and none is put before it: behind a value it begins with a comma or closes what is
/// open, and where nothing stands before it, with no comma.
extension JSONWriter {
    /// Leaves a value out, and returns where it is to stand: what is written before and behind that are pieces.
    package mutating func gap() -> Int {
        separate()
        return bytes.count
    }

    /// Writes a piece behind which a value follows.
    package mutating func piece(_ piece: JSONPiece) {
        assert(continues(with: piece))
        bytes.append(contentsOf: piece.bytes)
        needsComma = false
    }

    /// Writes a piece and the text behind it.
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

    /// Writes a piece behind which nothing is missing; it may be empty.
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
