/// The members of a JSON object in their written order.
///
/// Objects here are small (an actor, a room), so a scan beats a hash table and the order survives a round trip.
/// Of members with equal keys the first one counts.
package struct JSONObject: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init(_ members: [Member] = []) { self.members = members }

    /// A copy of a parsed object; empty for other values.
    package init(copying node: JSONNode) {
        members = []
        members.reserveCapacity(node.memberCount)
        node.forEachMember { members.append(Member(key: $0.key.text, value: $0.value.value)) }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    /// Reading gives the first member of this key. Writing replaces it or appends one; nil removes it.
    package subscript(key: String) -> JSONValue? {
        get {
            // By index, so that only the result is copied.
            for index in members.indices where members[index].key == key { return members[index].value }
            return nil
        }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}
