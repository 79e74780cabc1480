/// Writes JSON directly into bytes (RFC 8259). It handles commas; the caller handles nesting.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { $0.member("unread", 5) }
/// send(json.bytes)
/// ```
package struct JSONWriter {
    package internal(set) var bytes: [UInt8] = []
    /// Whether a comma is due before the next value or key.
    var needsComma = false

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

    package mutating func key(_ name: JSONName) {
        separate()
        bytes.append(contentsOf: name.encoded)
        needsComma = false
    }

    /// Like ``key(_:)-(StaticString)`` for a key that is data and may need escapes.
    package mutating func key(dynamic key: String) {
        writeQuoted(key, isKey: true)
    }

    package mutating func member(_ key: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { writeMember(key, UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter value: characters that need no escapes.
    package mutating func member(_ key: StaticString, _ value: StaticString) {
        let isSeparated = needsComma
        bytes.append(atMost: key.utf8CodeUnitCount + 4 + value.utf8CodeUnitCount + 2) { room in
            room.append(key: key, isSeparated: isSeparated)
            room.append(UInt8(ascii: "\""))
            room.append(value)
            room.append(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    package mutating func member(_ key: StaticString, _ value: Int) { member(key, Int64(value)) }

    /// Numbers are most of a frame's members, so key and digits are written at once.
    package mutating func member(_ key: StaticString, _ value: Int64) {
        let isSeparated = needsComma
        bytes.append(atMost: key.utf8CodeUnitCount + 4 + DecimalDigits.maximumBytes) { room in
            room.append(key: key, isSeparated: isSeparated)
            room.append(decimal: value)
        }
        needsComma = true
    }

    /// Four members at once, because each separate one would check the room again.
    package mutating func members(
        _ one: (key: StaticString, value: Int64), _ two: (key: StaticString, value: Int64),
        _ three: (key: StaticString, value: Int64), _ four: (key: StaticString, value: Int64)
    ) {
        let isSeparated = needsComma
        let keyBytes =
            one.key.utf8CodeUnitCount + two.key.utf8CodeUnitCount + three.key.utf8CodeUnitCount
            + four.key.utf8CodeUnitCount
        bytes.append(atMost: keyBytes + 4 * (4 + DecimalDigits.maximumBytes)) { room in
            room.append(key: one.key, isSeparated: isSeparated)
            room.append(decimal: one.value)
            room.append(key: two.key, isSeparated: true)
            room.append(decimal: two.value)
            room.append(key: three.key, isSeparated: true)
            room.append(decimal: three.value)
            room.append(key: four.key, isSeparated: true)
            room.append(decimal: four.value)
        }
        needsComma = true
    }

    /// A member whose text the caller writes directly into the JSON.
    ///
    /// - Parameters:
    ///   - maximumBytes: the most bytes that `write` may write.
    ///   - write: writes characters that need no escapes, and returns the number of bytes.
    package mutating func member(
        _ key: StaticString, maximumBytes: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) {
        let isSeparated = needsComma
        bytes.append(atMost: key.utf8CodeUnitCount + 4 + maximumBytes + 2) { room in
            room.append(key: key, isSeparated: isSeparated)
            room.append(UInt8(ascii: "\""))
            room.write { write(UnsafeMutableBufferPointer(rebasing: $0[..<maximumBytes])) }
            room.append(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        let isSeparated = needsComma
        let word: StaticString = value ? "true" : "false"
        bytes.append(atMost: key.utf8CodeUnitCount + 4 + word.utf8CodeUnitCount) { room in
            room.append(key: key, isSeparated: isSeparated)
            room.append(word)
        }
        needsComma = true
    }

    package mutating func member(_ key: StaticString, _ value: JSONValue) {
        self.key(key)
        self.value(value)
    }

    /// A member whose value is encoded JSON.
    package mutating func member(_ key: StaticString, raw json: [UInt8]) {
        self.key(key)
        raw(json)
    }

    /// A member whose value is encoded JSON.
    package mutating func member(_ key: StaticString, raw json: String) {
        var json = json
        let isSeparated = needsComma
        json.withUTF8 { json in
            bytes.append(atMost: key.utf8CodeUnitCount + 4 + json.count) { room in
                room.append(key: key, isSeparated: isSeparated)
                room.append(UnsafeRawBufferPointer(json))
            }
        }
        needsComma = true
    }

    /// A member whose value is encoded JSON.
    package mutating func member(_ key: StaticString, raw json: some Sequence<UInt8>) {
        self.key(key)
        raw(json)
    }
}
