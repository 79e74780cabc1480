import CSimdjson

/// Why bytes are not JSON.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package let reason: String
    package var description: String { "invalid JSON: \(reason)" }
}

extension JSONValue {
    /// Deeper documents are refused: reading one is recursive, and nobody nests an event this deep.
    package static let maximumDepth = 64

    /// Reads one whole document (RFC 8259); anything behind it is an error.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        var root = belfry_json_node()
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        if let reason = belfry_json_parse(start, bytes.count, Self.maximumDepth, &root) {
            throw JSONSyntaxError(reason: String(cString: reason))
        }
        self.init(reading: root)
    }

    package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        // `withUnsafeBytes` is untyped in what it throws, so the error takes the way out as a value.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }
        }
        self = try result.get()
    }

    package init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: Array(text.utf8)) }

    private init(reading node: belfry_json_node) {
        switch belfry_json_kind_of(node) {
        case BELFRY_JSON_BOOL: self = .bool(belfry_json_bool(node))
        case BELFRY_JSON_INT64: self = .int(belfry_json_int64(node))
        case BELFRY_JSON_DOUBLE: self = .double(belfry_json_double(node))
        case BELFRY_JSON_STRING: self = .string(String(reading: belfry_json_string, of: node))
        case BELFRY_JSON_ARRAY: self = .array(Self.elements(of: node))
        case BELFRY_JSON_OBJECT: self = .object(JSONObject(Self.members(of: node)))
        default: self = .null
        }
    }

    private static func elements(of node: belfry_json_node) -> [JSONValue] {
        var (place, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &place, &end)
        var elements: [JSONValue] = []
        while place.index != end.index {
            elements.append(JSONValue(reading: place))
            place = belfry_json_next_element(place)
        }
        return elements
    }

    private static func members(of node: belfry_json_node) -> [JSONObject.Member] {
        var (place, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &place, &end)
        var members: [JSONObject.Member] = []
        while place.index != end.index {
            let key = String(reading: belfry_json_member_key, of: place)
            members.append(.init(key: key, value: JSONValue(reading: belfry_json_member_value(place))))
            place = belfry_json_next_member(place)
        }
        return members
    }
}

extension String {
    /// simdjson has checked the UTF-8 already; a copy is all that is left to do.
    fileprivate init(
        reading text: (belfry_json_node, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>?, of node: belfry_json_node
    ) {
        var count = 0
        guard let start = text(node, &count) else {
            self = ""
            return
        }
        self = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
