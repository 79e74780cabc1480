/// Checks for unknown and repeated keys in objects.
extension JSONNode {
    private static var fewMembers: Int { 16 }

    /// The first key that is not `known`; nil if there is none.
    ///
    /// - Parameter repeated: gets the first repeated key, unless there is an unknown one.
    package func firstUnknownKey(known: [StaticString], repeated: inout String?) -> String? {
        precondition(known.count <= UInt64.bitWidth)
        var (met, unknown, again): (UInt64, JSONKey?, JSONKey?) = (0, nil, nil)
        forEachMember { member in
            guard unknown == nil else { return }
            guard let place = known.indices.first(where: { member.key.isEqual(to: known[$0]) }) else {
                unknown = member.key
                return
            }
            if met & 1 << UInt64(place) != 0, again == nil { again = member.key }
            met |= 1 << UInt64(place)
        }
        if let unknown { return unknown.text }
        repeated = again?.text
        return nil
    }

    /// A repeated key; nil if there is none.
    package var repeatedKey: String? {
        let count = memberCount
        guard count > 1 else { return nil }
        // Nearly all objects are so small that comparing all pairs costs less than a set.
        guard count <= Self.fewMembers else { return repeatedText }
        return withUnsafeTemporaryAllocation(of: JSONKey.self, capacity: count) { room in
            var (keys, isASCII, repeated): (Int, Bool, JSONKey?) = (0, true, nil)
            forEachMember { member in
                let key = member.key
                isASCII = isASCII && key.isASCII
                if repeated == nil, room[..<keys].contains(where: { $0.isEqual(to: key) }) { repeated = key }
                room.initializeElement(at: keys, to: key)
                keys += 1
            }
            // Outside ASCII, keys may be equal texts with different octets.
            return isASCII ? repeated?.text : repeatedText
        }
    }

    /// The path to an object with a repeated key, at any depth, followed by that key; nil if there is none.
    package var repeatedPath: [String]? { repeatedKey.map { [$0] } ?? innerRepeatedPath }

    /// The same for the values inside this one, whose own keys are known to be unique.
    package var innerRepeatedPath: [String]? {
        var path: [String]?
        if isObject {
            forEachMember { member in
                guard path == nil, member.value.isContainer else { return }
                if let rest = member.value.repeatedPath { path = [member.key.text] + rest }
            }
        } else if isArray {
            var index = 0
            forEachElement { element in
                if path == nil, element.isContainer, let rest = element.repeatedPath { path = [String(index)] + rest }
                index += 1
            }
        }
        return path
    }

    private var repeatedText: String? {
        var (seen, repeated): (Set<String>, String?) = ([], nil)
        forEachMember { member in
            if repeated == nil, !seen.insert(member.key.text).inserted { repeated = member.key.text }
        }
        return repeated
    }
}
