extension JSONWriter {
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func value(_ value: Bool) {
        separate()
        bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
    }

    // No generics: in another module they would read each digit through the integer's protocol.

    package mutating func value(_ value: Int) { self.value(Int64(value)) }

    package mutating func value(_ value: Int64) {
        separate()
        bytes.append(atMost: DecimalDigits.maximumBytes) { $0.append(decimal: value) }
    }

    /// Infinity and NaN are written as null, because JSON lacks them.
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
        case .number(let number): raw(number.text.utf8)
        case .string(let value): self.value(value)
        case .array(let elements):
            array { json in
                for element in elements { json.value(element) }
            }
        case .object(let object): self.object { $0.members(of: object) }
        }
    }

    /// The members of `object` without braces, for an object that is being written.
    package mutating func members(of object: JSONObject) {
        for member in object.members {
            key(dynamic: member.key)
            value(member.value)
        }
    }

    /// Writes encoded JSON: a value or a run of members. Must not be empty.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes encoded JSON: a value or a run of members. Must not be empty.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Ends a line of JSON lines: the next value begins a new document.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
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
