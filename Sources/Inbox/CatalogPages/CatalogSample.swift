import JSON

/// An example of an event that leads to a type: the catalog's own, or one made from the values that the type needs.
struct CatalogSample {
    /// The time of all examples, so that a page reads the same whenever it is made.
    static let time = Timestamp(milliseconds: 1_751_630_400_000)  // 2025-07-04T12:00:00Z

    let event: Event

    /// - Parameter list: the recipient list by which the event leads to the type.
    init(of rule: Catalog.EventRule, to list: String, as type: NotificationType) {
        var event = rule.sample?.event(rule.name, to: list) ?? Self.madeUp(rule.name, for: type)
        event.to = [.init(name: list, users: UserID("reader-id").map { [$0] } ?? [])]
        self.event = event
    }

    private static func madeUp(_ name: String, for type: NotificationType) -> Event {
        let actor: JSONObject = [
            "id": "actor-id", "username": "actor", "firstName": "Actor", "name": "Actor Name",
        ]
        let needed = type.requiredPointers.filter { $0.hasPrefix("/data/") }.map { $0.dropFirst("/data/".count) }
        let data = needed.reduce(into: JSONObject()) { data, pointer in
            let path = pointer.split(separator: "/").map(String.init)
            data = setting(path[...], in: data, to: path.joined(separator: " "))
        }
        return Event(type: name, actor: actor, data: data)
    }

    /// The object with a text at the path; a value that is already there stays.
    private static func setting(_ path: ArraySlice<String>, in object: JSONObject, to text: String) -> JSONObject {
        guard let key = path.first else { return object }
        var object = object
        let rest = path.dropFirst()
        let value = object[key]
        object[key] = rest.isEmpty ? value ?? .string(text) : .object(setting(rest, in: value?.object ?? [:], to: text))
        return object
    }

    /// The type's rendering of the example.
    ///
    /// - Throws: ``EventProblem`` for an example that lacks shown values; only a generated one can.
    func content(
        of type: NotificationType, in catalog: Catalog, for reader: Reader = Reader()
    ) throws(EventProblem) -> Content {
        let event = try catalog.route(event, at: Self.time).event
        return type.content(for: event, reader: reader, at: Self.time, growing: nil)
    }
}
