/// Writes JSON straight into bytes (RFC 8259); commas are its own care, nesting the caller's.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { $0.member("unread", 5) }
/// send(json.bytes)
/// ```
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    // MARK: Containers

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        close(UInt8(ascii: "]"))
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    // MARK: Members

    /// Writes the key; the next value belongs to it.
    package mutating func key(_ key: StaticString) {
        writePlain(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount), isKey: true)
    }

    /// Like ``key(_:)-(StaticString)`` for a key that is data and may need escapes.
    package mutating func key(dynamic key: String) {
        writeQuoted(key, isKey: true)
    }

    package mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        self.value(value)
    }

    package mutating func member(_ key: StaticString, _ value: Int) {
        self.key(key)
        self.value(value)
    }

    /// Numbers make up most of a frame's members, so key and digits are written at once.
    package mutating func member(_ key: StaticString, _ value: Int64) {
        let isSeparated = needsComma
        bytes.append(addingCapacity: key.utf8CodeUnitCount + 4 + Self.maximumDigits + 1) { room in
            Self.writeKey(key, isSeparated, to: &room)
            Self.writeNumber(value.magnitude, isNegative: value < 0, to: &room)
        }
        needsComma = true
    }

    /// A member whose value is text that its owner writes where it is to lie.
    ///
    /// - Parameters:
    ///   - maximumBytes: how many bytes `write` may write.
    ///   - write: writes characters that need no escapes, and returns how many bytes they take.
    package mutating func member(
        _ key: StaticString, maximumBytes: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) {
        let isSeparated = needsComma
        bytes.append(addingCapacity: key.utf8CodeUnitCount + 4 + maximumBytes + 2) { room in
            Self.writeKey(key, isSeparated, to: &room)
            room.append(UInt8(ascii: "\""))
            room.withUnsafeMutableBufferPointer { room, end in
                end += write(UnsafeMutableBufferPointer(rebasing: room[end..<(end + maximumBytes)]))
            }
            room.append(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        self.value(value)
    }

    package mutating func member(_ key: StaticString, _ value: JSONValue) {
        self.key(key)
        self.value(value)
    }

    /// A member whose value is JSON already.
    package mutating func member(_ key: StaticString, raw json: [UInt8]) {
        self.key(key)
        raw(json)
    }

    /// A member whose value is JSON already.
    package mutating func member(_ key: StaticString, raw json: some Sequence<UInt8>) {
        self.key(key)
        raw(json)
    }

    // MARK: Values

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func value(_ value: Bool) {
        separate()
        bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
    }

    // No generics: in another module they would read each digit through the integer's protocol.

    package mutating func value(_ value: Int) { write(UInt64(value.magnitude), isNegative: value < 0) }
    package mutating func value(_ value: Int64) { write(value.magnitude, isNegative: value < 0) }

    /// JSON has no infinity and no NaN: they are written as null.
    package mutating func value(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    package mutating func value(_ value: String) { writeQuoted(value, isKey: false) }

    /// - Parameter value: characters that need no escapes.
    package mutating func value(_ value: StaticString) {
        writePlain(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount), isKey: false)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .int(let value): self.value(value)
        case .double(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let elements):
            array { json in
                for element in elements { json.value(element) }
            }
        case .object(let object): self.object { $0.members(of: object) }
        }
    }

    /// The members of `object`, without braces: for adding them to an object that is being written.
    package mutating func members(of object: JSONObject) {
        for member in object.members {
            key(dynamic: member.key)
            value(member.value)
        }
    }

    /// A value, or a run of members, that is JSON already. It must not be empty.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// A value, or a run of members, that is JSON already. It must not be empty.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Ends a line of JSON lines: the next value begins another document.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Bytes

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func write(_ magnitude: UInt64, isNegative: Bool) {
        separate()
        bytes.append(addingCapacity: Self.maximumDigits + 1) { room in
            Self.writeNumber(magnitude, isNegative: isNegative, to: &room)
        }
    }

    /// There must be room for a sign and ``maximumDigits``.
    @inline(__always)
    private static func writeNumber(_ magnitude: UInt64, isNegative: Bool, to room: inout OutputSpan<UInt8>) {
        if isNegative { room.append(UInt8(ascii: "-")) }
        room.withUnsafeMutableBufferPointer { room, end in
            let start = end
            var rest = magnitude
            repeat {
                room[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
                end += 1
            } while rest > 0
            room[start..<end].reverse()
        }
    }

    /// There must be room for the key and four bytes.
    @inline(__always)
    private static func writeKey(_ key: StaticString, _ isSeparated: Bool, to room: inout OutputSpan<UInt8>) {
        if isSeparated { room.append(UInt8(ascii: ",")) }
        room.append(UInt8(ascii: "\""))
        room.append(copying: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        room.append(UInt8(ascii: "\""))
        room.append(UInt8(ascii: ":"))
    }

    /// Of 64 bits.
    private static let maximumDigits = 20

    private mutating func writeQuoted(_ text: String, isKey: Bool) {
        var text = text
        text.withUTF8 { writeQuoted($0, isKey: isKey) }
    }

    mutating func writeQuoted(_ utf8: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        guard JSONEscapes.areNeeded(in: utf8) else { return writePlain(utf8, isKey: isKey) }
        separate()
        writeEscaped(utf8)
        if isKey { bytes.append(UInt8(ascii: ":")) }
        needsComma = !isKey
    }

    /// Writes a text that needs no escapes, with the comma before it, if one is due, and the colon behind a key.
    private mutating func writePlain(_ text: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        let isSeparated = needsComma
        // At once: each append by itself would ask anew whether there is room, and whether the bytes are ours alone.
        bytes.append(addingCapacity: text.count + 4) { room in
            if isSeparated { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            room.append(copying: text)
            room.append(UInt8(ascii: "\""))
            if isKey { room.append(UInt8(ascii: ":")) }
        }
        needsComma = !isKey
    }

    private mutating func writeEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var runStart = 0
        for index in 0..<utf8.count {
            let byte = utf8[index]
            guard JSONEscapes.isNeeded(for: byte) else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart..<index]))
            writeEscape(byte)
            runStart = index + 1
        }
        // Not as a slice, which is appended byte by byte.
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart...]))
        bytes.append(UInt8(ascii: "\""))
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

extension JSONValue {
    /// The shortest JSON text of this value.
    package var encoded: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.value(self)
        return json.bytes
    }
}
