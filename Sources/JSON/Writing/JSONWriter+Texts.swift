/// Texts in quotes (RFC 8259 §7), as values or as keys, with the comma before them, if due, and the colon behind a key.
extension JSONWriter {
    mutating func writeQuoted(_ text: String, isKey: Bool) {
        var text = text
        text.withUTF8 { writeQuoted(UnsafeRawBufferPointer($0), isKey: isKey) }
    }

    mutating func writeQuoted(_ utf8: UnsafeRawBufferPointer, isKey: Bool) {
        let isSeparated = needsComma
        var isCopied = false
        bytes.append(atMost: utf8.count + 4) { room in
            if isSeparated { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            isCopied = room.append(unlessEscaped: utf8)
            guard isCopied else { return room.removeAll() }
            room.append(UInt8(ascii: "\""))
            if isKey { room.append(UInt8(ascii: ":")) }
        }
        if !isCopied { writeEscaped(utf8, isKey: isKey) }
        needsComma = !isKey
    }

    /// Writes a key and its text at once; possible for most texts, because they need no escapes.
    mutating func writeMember(_ key: StaticString, _ utf8: UnsafeRawBufferPointer) {
        let isSeparated = needsComma
        var isCopied = false
        bytes.append(atMost: key.utf8CodeUnitCount + 4 + utf8.count + 2) { room in
            room.append(key: key, isSeparated: isSeparated)
            room.append(UInt8(ascii: "\""))
            isCopied = room.append(unlessEscaped: utf8)
            guard isCopied else { return room.removeAll() }
            room.append(UInt8(ascii: "\""))
        }
        needsComma = true
        guard !isCopied else { return }
        needsComma = isSeparated
        self.key(key)
        writeEscaped(utf8, isKey: false)
        needsComma = true
    }

    /// Writes a text that needs no escapes.
    mutating func writePlain(_ text: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        let isSeparated = needsComma
        bytes.append(atMost: text.count + 4) { room in
            if isSeparated { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            room.append(UnsafeRawBufferPointer(text))
            room.append(UInt8(ascii: "\""))
            if isKey { room.append(UInt8(ascii: ":")) }
        }
        needsComma = !isKey
    }

    private mutating func writeEscaped(_ utf8: UnsafeRawBufferPointer, isKey: Bool) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var runStart = 0
        for index in 0..<utf8.count {
            let byte = utf8[index]
            guard JSONEscapes.isNeeded(for: byte) else { continue }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[runStart..<index]))
            writeEscape(byte)
            runStart = index + 1
        }
        // Not as a slice, which would be appended byte by byte.
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[runStart...]))
        bytes.append(UInt8(ascii: "\""))
        if isKey { bytes.append(UInt8(ascii: ":")) }
    }

    private mutating func writeEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 0xF))
        }
    }

    private func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
