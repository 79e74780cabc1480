import JSON

/// The parts of an event's data that something reads: declared paths, and the elements of lists that types show.
struct KnownData: Sendable {
    private struct Member: Sendable {
        let name: String
        /// The known members of the value, or of each element of a list; empty where any member is known.
        var members: [Member] = []
    }

    /// More warnings would not help a publisher.
    private static let mostTold = 8
    /// A member's name comes from the publisher, and may be as long as an event.
    private static let pointerCut = TextCut(maximum: 120)

    private var members: [Member] = []

    /// - Parameters:
    ///   - declared: the paths that backends send.
    ///   - types: the types to which the event leads.
    ///   - shownInFeeds: the paths that the event publishes to feeds.
    init(declared: [[String]], types: [NotificationType], shownInFeeds: Set<[String]>) {
        let wholes = types.flatMap(\.plan.shownPaths) + Array(shownInFeeds)
        for path in declared {
            let elements = types.flatMap { $0.plan.shownElements[path] ?? [] }
            let isWhole = elements.isEmpty || wholes.contains { $0.starts(with: path) || path.starts(with: $0) }
            for element in isWhole ? [[]] : elements { Self.insert(path + element, into: &members) }
        }
    }

    private static func insert(_ path: [String], into members: inout [Member]) {
        guard let name = path.first else { return }
        let rest = Array(path.dropFirst())
        guard let place = members.firstIndex(where: { $0.name == name }) else {
            var member = Member(name: name)
            insert(rest, into: &member.members)
            return members.append(member)
        }
        // A value that is declared as a whole stays whole.
        if rest.isEmpty || members[place].members.isEmpty {
            members[place].members = []
            return
        }
        insert(rest, into: &members[place].members)
    }

    /// A warning for each member that nothing reads: most likely a misspelt name.
    ///
    /// Costs a few comparisons for an event without such members.
    func warnings(about event: Event) -> [String] {
        var found: [String] = []
        Self.look(in: event.data, members, { JSONPointer().appending("data") }, &found)
        for list in event.to where !list.own.isEmpty {
            for (place, user) in list.users.enumerated() where found.count < Self.mostTold {
                guard let own = list.own[user] else { continue }
                let count = found.count
                Self.look(
                    in: own, members,
                    { JSONPointer().appending("to").appending(list.name).appending(String(place)).appending("data") },
                    &found)
                // The next recipients are likely to have the same mistake.
                if found.count > count { break }
            }
        }
        return found
    }

    private static func look(
        in object: JSONObject, _ members: [Member], _ pointer: () -> JSONPointer, _ found: inout [String]
    ) {
        // By index, so that nothing is copied.
        for index in object.members.indices where found.count < mostTold {
            let key = object.members[index].key
            guard let known = members.firstIndex(where: { $0.name == key }) else {
                let text = pointerCut.cut(pointer().appending(key).text)
                found.append("nothing reads \"\(text)\"\(hint(for: key, among: members))")
                continue
            }
            if members[known].members.isEmpty { continue }
            let place = { pointer().appending(key) }
            switch object.members[index].value {
            case .object(let inner): look(in: inner, members[known].members, place, &found)
            case .array(let elements): look(inElements: elements, members[known].members, place, &found)
            case .null, .bool, .int, .double, .number, .string: break
            }
        }
    }

    /// Stops at the first element that has such a member.
    private static func look(
        inElements elements: [JSONValue], _ members: [Member], _ pointer: () -> JSONPointer, _ found: inout [String]
    ) {
        let count = found.count
        for (place, element) in elements.enumerated() {
            guard case .object(let inner) = element else { continue }
            look(in: inner, members, { pointer().appending(String(place)) }, &found)
            if found.count > count { return }
        }
    }

    private static func hint(for name: String, among members: [Member]) -> String {
        Spelling.nearest(to: name, among: members.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
    }
}
