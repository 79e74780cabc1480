import CSimdjson

/// Arrays and objects.
extension JSONNode {
    /// The first child, and the place behind the last one.
    private var children: (first: belfry_json_node, end: belfry_json_node) {
        var (first, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &first, &end)
        return (first, end)
    }

    /// Reads the member at a place, and moves the place behind it.
    private static func readMember(at place: inout belfry_json_node) -> JSONMember {
        var member = belfry_json_member()
        place = belfry_json_read_member(place, &member)
        return JSONMember(
            key: JSONKey(utf8: UnsafeRawBufferPointer(start: member.key, count: member.key_count)),
            value: JSONNode(member.value))
    }

    /// The elements of an array.
    package var elements: [JSONNode]? {
        guard isArray else { return nil }
        var elements: [JSONNode] = []
        elements.reserveCapacity(belfry_json_count(node))
        forEachElement { elements.append($0) }
        return elements
    }

    /// Calls `body` with each element of an array, in order; does nothing for other values.
    package func forEachElement<Failure: Error>(_ body: (JSONNode) throws(Failure) -> Void) throws(Failure) {
        guard isArray else { return }
        var (place, end) = children
        while place.index != end.index {
            try body(JSONNode(place))
            place = belfry_json_next_element(place)
        }
    }

    /// The number of an object's members; 0 for other values.
    package var memberCount: Int { isObject ? belfry_json_count(node) : 0 }

    /// Calls `body` with each member of an object, in order; does nothing for other values.
    package func forEachMember<Failure: Error>(_ body: (JSONMember) throws(Failure) -> Void) throws(Failure) {
        guard isObject else { return }
        var (place, end) = children
        while place.index != end.index { try body(Self.readMember(at: &place)) }
    }

    /// How many bytes it takes as JSON without spaces; fewer where characters are escaped or numbers have fractions.
    package var byteCount: Int {
        switch kind {
        case BELFRY_JSON_INT64: return String(belfry_json_int64(node)).utf8.count
        case BELFRY_JSON_NUMBER: return numberText.count
        case BELFRY_JSON_STRING: return (utf8?.count ?? 0) + 2
        case BELFRY_JSON_ARRAY, BELFRY_JSON_OBJECT:
            // The brackets, and a comma behind all but one.
            var count = 1 + max(belfry_json_count(node), 1)
            forEachElement { count += $0.byteCount }
            forEachMember { count += $0.key.utf8.count + 3 + $0.value.byteCount }
            return count
        default: return 4
        }
    }

    /// The first member of this key in an object; nil without one.
    package subscript(key: StaticString) -> JSONNode? {
        guard isObject else { return nil }
        var value = belfry_json_node()
        let isThere = key.withUTF8Buffer { key in
            key.withMemoryRebound(to: CChar.self) { belfry_json_find(node, $0.baseAddress, $0.count, &value) }
        }
        return isThere ? JSONNode(value) : nil
    }
}
