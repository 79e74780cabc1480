import JSON

/// Reads an `ack` or a `state` without a JSON parser. Each session that shows a notification sends an `ack`, and
/// setting up a parser takes several times as long.
enum BriefFrame {
    /// Any number with so many digits fits into 63 bits.
    private static let maximumDigits = 18

    /// The frame, with its members in any order. Nil unless the text is an `ack` or a `state` with known members, each
    /// once and written plainly. The parser then reads the text, and reports mistakes.
    static func read(_ text: UnsafeRawBufferPointer) -> ClientFrame? {
        var scanner = Scanner(text)
        var members = Members()
        guard scanner.skip("{") else { return nil }
        repeat {
            guard let key = scanner.plainText(), scanner.skip(":"), members.take(key, &scanner) else { return nil }
        } while scanner.skip(",")
        guard scanner.skip("}"), scanner.isAtEnd else { return nil }
        return members.frame
    }

    private struct Members {
        private var type: UnsafeRawBufferPointer?
        /// The raw text.
        private var id: UnsafeRawBufferPointer?
        private var seq: Int64?
        private var isActive: Bool?

        /// Reads a member's value; false for one that is unknown, came before, or is not written plainly.
        mutating func take(_ key: UnsafeRawBufferPointer, _ scanner: inout Scanner) -> Bool {
            if key.holds("seq") {
                guard seq == nil, let value = scanner.number() else { return false }
                seq = value
            } else if key.holds("type") {
                guard type == nil, let value = scanner.plainText() else { return false }
                type = value
            } else if key.holds("id") {
                guard id == nil, let value = scanner.name() else { return false }
                id = value
            } else if key.holds("active") {
                guard isActive == nil, let value = scanner.truth() else { return false }
                isActive = value
            } else {
                return false
            }
            return true
        }

        var frame: ClientFrame? {
            guard let type, let kind = kind(type) else { return nil }
            return ClientFrame(id: id.map { String(decoding: $0, as: UTF8.self) }, kind)
        }

        private func kind(_ type: UnsafeRawBufferPointer) -> ClientFrame.Kind? {
            switch (seq, isActive) {
            case (let seq?, nil): type.holds("ack") ? .ack(seq: seq) : nil
            case (nil, let isActive?): type.holds("state") ? .state(isActive: isActive) : nil
            case (nil, nil), (_?, _?): nil
            }
        }
    }

    /// Reads JSON's simplest values from the front of a text, with the white space before them.
    private struct Scanner {
        private let text: UnsafeRawBufferPointer
        private var place = 0

        init(_ text: UnsafeRawBufferPointer) { self.text = text }

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return place == text.count
            }
        }

        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            skipSpace()
            guard place < text.count, text[place] == UInt8(ascii: mark) else { return false }
            place += 1
            return true
        }

        /// The text between quotes; nil if it has escapes, or characters outside ASCII.
        mutating func plainText() -> UnsafeRawBufferPointer? {
            guard skip("\"") else { return nil }
            let start = place
            while place < text.count {
                let byte = text[place]
                place += 1
                if byte == UInt8(ascii: "\"") { return UnsafeRawBufferPointer(rebasing: text[start..<(place - 1)]) }
                guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") else { return nil }
            }
            return nil
        }

        /// A whole number, 0 or more.
        mutating func number() -> Int64? {
            skipSpace()
            let start = place
            var number: Int64 = 0
            while place < text.count {
                let digit = text[place] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                guard place - start < BriefFrame.maximumDigits else { return nil }
                number = number * 10 + Int64(digit)
                place += 1
            }
            // JSON has no leading zeros (RFC 8259 §6).
            guard place > start, place - start == 1 || text[start] != UInt8(ascii: "0") else { return nil }
            return number
        }

        /// The raw text of a string or a whole number.
        mutating func name() -> UnsafeRawBufferPointer? {
            skipSpace()
            let start = place
            let isText = place < text.count && text[place] == UInt8(ascii: "\"")
            guard isText ? plainText() != nil : number() != nil else { return nil }
            return UnsafeRawBufferPointer(rebasing: text[start..<place])
        }

        mutating func truth() -> Bool? {
            skipSpace()
            if skip(word: "true") { return true }
            if skip(word: "false") { return false }
            return nil
        }

        private mutating func skip(word: StaticString) -> Bool {
            let end = place + word.utf8CodeUnitCount
            guard end <= text.count, UnsafeRawBufferPointer(rebasing: text[place..<end]).holds(word) else {
                return false
            }
            place = end
            return true
        }

        private mutating func skipSpace() {
            // RFC 8259 §2.
            while place < text.count {
                switch text[place] {
                case 0x20, 0x09, 0x0A, 0x0D: place += 1
                default: return
                }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func holds(_ word: StaticString) -> Bool {
        hasSameOctets(as: UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
