import CSimdjson

/// FNV-1a, 64 bits, of the text that a ``JSONWriter`` would write, computed without the text.
///
/// Tells documents apart, whatever their spelling; it is no protection against attackers. Unequal numbers are never
/// written the same.
struct ShortestTextHash {
    private(set) var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ json: JSONNode) {
        switch json.kind {
        case BELFRY_JSON_BOOL: add(belfry_json_bool(json.node) ? "true" : "false")
        case BELFRY_JSON_INT64: add(belfry_json_int64(json.node))
        case BELFRY_JSON_DOUBLE: addWritten { $0.value(belfry_json_double(json.node)) }
        case BELFRY_JSON_NUMBER: addWritten { $0.value(json.number) }
        case BELFRY_JSON_STRING: if let text = json.utf8 { addQuoted(text) }
        case BELFRY_JSON_ARRAY:
            var isFirst = true
            add(UInt8(ascii: "["))
            json.forEachElement { element in
                separate(&isFirst)
                add(element)
            }
            add(UInt8(ascii: "]"))
        case BELFRY_JSON_OBJECT:
            var isFirst = true
            add(UInt8(ascii: "{"))
            json.forEachMember { member in
                separate(&isFirst)
                addQuoted(member.key.utf8)
                add(UInt8(ascii: ":"))
                add(member.value)
            }
            add(UInt8(ascii: "}"))
        default: add("null")
        }
    }

    private mutating func separate(_ isFirst: inout Bool) {
        if !isFirst { add(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) { for byte in bytes { add(byte) } }

    private mutating func add(_ text: StaticString) {
        add(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func add(_ number: Int64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalDigits.maximumBytes) { room in
            add(
                UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<DecimalDigits.write(number, to: room)])
            )
        }
    }

    private mutating func addQuoted(_ text: UnsafeRawBufferPointer) {
        guard !JSONEscapes.areNeeded(in: text) else { return addWritten { $0.writeQuoted(text, isKey: false) } }
        add(UInt8(ascii: "\""))
        add(text)
        add(UInt8(ascii: "\""))
    }

    /// For values that are too rare for code of their own here.
    private mutating func addWritten(_ write: (inout JSONWriter) -> Void) {
        var text = JSONWriter()
        write(&text)
        text.bytes.withUnsafeBytes { add($0) }
    }
}

extension JSONNode {
    /// FNV-1a, 64 bits, of the document's shortest text, as in ``JSONValue/encoded``.
    package var shortestTextHash: UInt64 {
        var hash = ShortestTextHash()
        hash.add(self)
        return hash.state
    }
}
