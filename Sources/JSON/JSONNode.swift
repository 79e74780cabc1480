import CSimdjson

/// A value of the document that was parsed last on this thread, read where the parser put it: what nobody asks for is
/// never copied.
///
/// Valid until the thread parses again, ``JSONValue/init(parsing:)-(UnsafeRawBufferPointer)`` included.
package struct JSONNode {
    private let node: belfry_json_node

    /// Reads one whole document (RFC 8259) as ``JSONValue`` does.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        var root = belfry_json_node()
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        if let reason = belfry_json_parse(start, bytes.count, JSONValue.maximumDepth, &root) {
            throw JSONSyntaxError(reason: String(cString: reason))
        }
        node = root
    }

    private init(_ node: belfry_json_node) { self.node = node }

    private var kind: belfry_json_kind { belfry_json_kind_of(node) }

    package var isNull: Bool { kind == BELFRY_JSON_NULL }
    package var isObject: Bool { kind == BELFRY_JSON_OBJECT }
    package var isNumber: Bool { int != nil || kind == BELFRY_JSON_DOUBLE }

    /// A whole number that fits.
    package var int: Int64? { kind == BELFRY_JSON_INT64 ? belfry_json_int64(node) : nil }
    package var bool: Bool? { kind == BELFRY_JSON_BOOL ? belfry_json_bool(node) : nil }

    package var string: String? {
        guard kind == BELFRY_JSON_STRING else { return nil }
        var count = 0
        return Self.text(belfry_json_string(node, &count), count)
    }

    /// The elements of an array.
    package var elements: [JSONNode]? {
        guard kind == BELFRY_JSON_ARRAY else { return nil }
        var (place, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &place, &end)
        var elements: [JSONNode] = []
        elements.reserveCapacity(belfry_json_count(node))
        while place.index != end.index {
            elements.append(JSONNode(place))
            place = belfry_json_next_element(place)
        }
        return elements
    }

    /// The first member of that key in an object; nil where there is none.
    package subscript(key: StaticString) -> JSONNode? {
        guard isObject else { return nil }
        let key = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var (place, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &place, &end)
        while place.index != end.index {
            var count = 0
            let start = belfry_json_member_key(place, &count)
            if count == key.count, key.elementsEqual(UnsafeRawBufferPointer(start: start, count: count)) {
                return JSONNode(belfry_json_member_value(place))
            }
            place = belfry_json_next_member(place)
        }
        return nil
    }

    /// A copy that lasts.
    package var value: JSONValue {
        switch kind {
        case BELFRY_JSON_BOOL: .bool(belfry_json_bool(node))
        case BELFRY_JSON_INT64: .int(belfry_json_int64(node))
        case BELFRY_JSON_DOUBLE: .double(belfry_json_double(node))
        case BELFRY_JSON_STRING: .string(string ?? "")
        case BELFRY_JSON_ARRAY: .array((elements ?? []).map(\.value))
        case BELFRY_JSON_OBJECT: .object(JSONObject(members))
        default: .null
        }
    }

    private var members: [JSONObject.Member] {
        var (place, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &place, &end)
        var members: [JSONObject.Member] = []
        members.reserveCapacity(belfry_json_count(node))
        while place.index != end.index {
            var count = 0
            let key = Self.text(belfry_json_member_key(place, &count), count)
            members.append(.init(key: key, value: JSONNode(belfry_json_member_value(place)).value))
            place = belfry_json_next_member(place)
        }
        return members
    }

    /// simdjson has checked the UTF-8 already; a copy is all that is left to do.
    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
