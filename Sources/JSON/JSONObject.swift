/// The members of a JSON object in the order in which they were written.
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

    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    static let fewMembers = 16

    /// A key that an earlier member has, too; nil if there is none.
    package var repeatedKey: String? {
        // Nearly all objects are so small that comparing all pairs costs less than a set.
        if members.count <= Self.fewMembers {
            for later in members.indices.dropFirst() {
                for earlier in 0..<later where members[earlier].key == members[later].key { return members[later].key }
            }
            return nil
        }
        var seen: Set<String> = []
        return members.first { !seen.insert($0.key).inserted }?.key
    }

    /// Reading gives the first member of that key; writing replaces it or appends; nil removes it.
    package subscript(key: String) -> JSONValue? {
        get {
            // By its place, so that only what is found is copied.
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
