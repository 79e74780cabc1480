import CSimdjson

/// A value of the document that this thread parsed last, read from the parser's memory: unused values are never copied.
///
/// Valid until the thread parses again, ``JSONValue/init(parsing:)-(UnsafeRawBufferPointer)`` included.
package struct JSONNode {
    let node: belfry_json_node

    /// Reads one whole document (RFC 8259) by the rules of ``JSONValue``. A byte order mark before it is skipped
    /// (§8.1).
    package init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        var root = belfry_json_node()
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        if let reason = belfry_json_parse(start, bytes.count, JSONValue.maximumDepth, &root) {
            throw JSONSyntaxError(in: bytes, fallback: String(cString: reason))
        }
        node = root
    }

    init(_ node: belfry_json_node) { self.node = node }

    var kind: belfry_json_kind { belfry_json_kind_of(node) }

    package var isNull: Bool { kind == BELFRY_JSON_NULL }
    package var isObject: Bool { kind == BELFRY_JSON_OBJECT }
    package var isArray: Bool { kind == BELFRY_JSON_ARRAY }
    var isContainer: Bool {
        let kind = kind
        return kind == BELFRY_JSON_OBJECT || kind == BELFRY_JSON_ARRAY
    }
    package var isNumber: Bool { [BELFRY_JSON_INT64, BELFRY_JSON_DOUBLE, BELFRY_JSON_NUMBER].contains(kind) }

    /// A word for an error message: "a string", "an object".
    package var kindInWords: String {
        switch kind {
        case BELFRY_JSON_BOOL: "a boolean"
        case BELFRY_JSON_INT64, BELFRY_JSON_DOUBLE, BELFRY_JSON_NUMBER: "a number"
        case BELFRY_JSON_STRING: "a string"
        case BELFRY_JSON_ARRAY: "an array"
        case BELFRY_JSON_OBJECT: "an object"
        default: "null"
        }
    }

    /// The number of an array's elements; 0 for other values.
    package var count: Int { isArray ? belfry_json_count(node) : 0 }

    /// A whole number that fits, in any spelling: 5, 5.0 and 50e-1 are equal.
    package var int: Int64? {
        switch kind {
        case BELFRY_JSON_INT64: belfry_json_int64(node)
        case BELFRY_JSON_DOUBLE, BELFRY_JSON_NUMBER: number.int
        default: nil
        }
    }

    /// A number that is not spelled like an `Int64`, as a copy that lasts.
    var number: JSONValue {
        guard kind == BELFRY_JSON_NUMBER else { return .double(belfry_json_double(node)) }
        return JSONNumber(parsed: String(checkedUTF8: numberText)).value
    }

    /// The digits of a number that no machine type holds.
    var numberText: UnsafeRawBufferPointer {
        var count = 0
        let start = belfry_json_number(node, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    package var bool: Bool? { kind == BELFRY_JSON_BOOL ? belfry_json_bool(node) : nil }

    /// A string's octets, which simdjson has checked to be UTF-8. Valid as long as this node.
    package var utf8: UnsafeRawBufferPointer? {
        var count = 0
        guard let start = belfry_json_string(node, &count) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// A string, as a copy that lasts.
    package var string: String? { utf8.map { String(checkedUTF8: $0) } }

    /// A copy that lasts.
    package var value: JSONValue {
        switch kind {
        case BELFRY_JSON_BOOL: .bool(belfry_json_bool(node))
        case BELFRY_JSON_INT64: .int(belfry_json_int64(node))
        case BELFRY_JSON_DOUBLE, BELFRY_JSON_NUMBER: number
        case BELFRY_JSON_STRING: .string(string ?? "")
        case BELFRY_JSON_ARRAY: .array((elements ?? []).map(\.value))
        case BELFRY_JSON_OBJECT: .object(JSONObject(copying: self))
        default: .null
        }
    }
}
