import CSimdjson

/// Arrays and objects.
extension JSONNode {
    /// The first child, and the place behind the last.
    private var children: (first: belfry_json_node, end: belfry_json_node) {
        var (first, end) = (belfry_json_node(), belfry_json_node())
        belfry_json_children(node, &first, &end)
        return (first, end)
    }

    private static func key(at place: belfry_json_node) -> JSONKey {
        var count = 0
        let start = belfry_json_member_key(place, &count)
        return JSONKey(utf8: UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The elements of an array.
    package var elements: [JSONNode]? {
        guard isArray else { return nil }
        var elements: [JSONNode] = []
        elements.reserveCapacity(belfry_json_count(node))
        forEachElement { elements.append($0) }
        return elements
    }

    /// Calls `body` with each element of an array, in their order; with none of anything else.
    package func forEachElement<Failure: Error>(_ body: (JSONNode) throws(Failure) -> Void) throws(Failure) {
        guard isArray else { return }
        var (place, end) = children
        while place.index != end.index {
            try body(JSONNode(place))
            place = belfry_json_next_element(place)
        }
    }

    /// Calls `body` with each member of an object, in their order; with none of anything else.
    package func forEachMember<Failure: Error>(
        _ body: (_ key: JSONKey, _ value: JSONNode) throws(Failure) -> Void
    ) throws(Failure) {
        guard isObject else { return }
        var (place, end) = children
        while place.index != end.index {
            try body(Self.key(at: place), JSONNode(belfry_json_member_value(place)))
            place = belfry_json_next_member(place)
        }
    }

    /// The first member of that key in an object; nil where there is none.
    package subscript(key: StaticString) -> JSONNode? {
        guard isObject else { return nil }
        var (place, end) = children
        while place.index != end.index {
            if Self.key(at: place) == key { return JSONNode(belfry_json_member_value(place)) }
            place = belfry_json_next_member(place)
        }
        return nil
    }

    /// As ``JSONObject/repeatedKey`` of this object; nil of anything else.
    package var repeatedKey: String? {
        guard isObject else { return nil }
        var (place, end) = children
        let first = place
        // Many are compared by a set.
        guard belfry_json_count(node) <= JSONObject.fewMembers else { return repeatedText }
        while place.index != end.index {
            let key = Self.key(at: place)
            // Such keys may be equal texts without having the same octets.
            guard key.isASCII else { return repeatedText }
            var earlier = first
            while earlier.index != place.index {
                if Self.key(at: earlier) == key { return key.text }
                earlier = belfry_json_next_member(earlier)
            }
            place = belfry_json_next_member(place)
        }
        return nil
    }

    private var repeatedText: String? {
        var seen: Set<String> = []
        var (place, end) = children
        while place.index != end.index {
            let key = Self.key(at: place).text
            guard seen.insert(key).inserted else { return key }
            place = belfry_json_next_member(place)
        }
        return nil
    }

    var members: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(belfry_json_count(node))
        forEachMember { members.append(.init(key: $0.text, value: $1.value)) }
        return members
    }
}
