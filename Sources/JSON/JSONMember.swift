/// A member of an object where the parser put it, valid as long as its ``JSONNode``.
package struct JSONMember {
    package let key: JSONKey
    package let value: JSONNode
}

extension [JSONMember] {
    /// The value of the first member of that key; nil where there is none.
    package func value(of key: StaticString) -> JSONNode? {
        for member in self where member.key == key { return member.value }
        return nil
    }

    /// A key that an earlier member has, too; nil if there is none.
    package var repeatedKey: String? {
        // Nearly all objects are so small that comparing all pairs costs less than a set. Other than ASCII, keys may be equal
        // texts without having the same octets.
        guard count <= Self.fewMembers, allSatisfy(\.key.isASCII) else { return repeatedText }
        for later in indices {
            for earlier in 0..<later where self[earlier].key == self[later].key { return self[later].key.text }
        }
        return nil
    }

    private var repeatedText: String? {
        var seen: Set<String> = []
        for member in self {
            let key = member.key.text
            guard seen.insert(key).inserted else { return key }
        }
        return nil
    }

    private static var fewMembers: Int { 16 }
}
