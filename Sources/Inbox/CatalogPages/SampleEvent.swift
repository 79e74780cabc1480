package import JSON

/// A catalog's event as a backend publishes it: its sample or a generated one, with given people as recipients.
package struct SampleEvent: Sendable {
    package let type: String
    /// The text in the app, by the first type to which the event leads.
    package let text: String?
    package var json: JSONValue

    /// Nil for an event that has no example and none can be made for.
    ///
    /// - Parameter people: the people of a recipient list, by its place among the event's lists and the number of
    ///   lists.
    init?(_ rule: Catalog.EventRule, of catalog: Catalog, to people: (_ place: Int, _ count: Int) -> [UserID]) {
        guard let route = rule.routes.first else { return nil }
        let sample = CatalogSample(of: rule, to: route.list, as: route.type)
        var event = sample.event
        event.data = rule.sample?.data ?? event.data
        let lists = rule.routes.map(\.list).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        event.to = lists.enumerated().map { place, list in
            let users = people(place, lists.count)
            let own = rule.sample?.own[list].map { data in Dictionary(users.map { ($0, data) }) { first, _ in first } }
            return Event.RecipientList(name: list, users: users, own: own ?? [:])
        }
        event.to.removeAll(where: \.isEmpty)
        do throws(EventProblem) { _ = try catalog.route(event) } catch { return nil }
        type = rule.name
        // A generated example may lack shown values.
        text = try? sample.content(of: route.type, in: catalog).displayText
        json = Self.json(of: event)
    }

    /// The shell command that publishes the event.
    package func call(socket: String) -> String {
        "curl --unix-socket \(socket) http://belfry/v1/events -d '\(Self.quoted(json))'"
    }

    private static func json(of event: Event) -> JSONValue {
        var json: JSONObject = ["type": .string(event.type)]
        if let actor = event.actor { json["actor"] = .object(actor) }
        let lists = event.to.map { list in
            let people = list.users.map { user -> JSONValue in
                guard let own = list.own[user] else { return .string(user.name) }
                return ["user": .string(user.name), "data": .object(own)]
            }
            return JSONObject.Member(key: list.name, value: .array(people))
        }
        json["to"] = .object(JSONObject(lists))
        if !event.data.isEmpty { json["data"] = .object(event.data) }
        return .object(json)
    }

    /// Quoted for a shell's single quotes. These have no escape, so JSON's own escape is used.
    private static func quoted(_ json: JSONValue) -> String {
        PrettyJSON(json).text.split(separator: "'" as Character, omittingEmptySubsequences: false)
            .joined(separator: "\\u0027")
    }
}

extension Catalog {
    /// The catalog's events with examples, for these people. In an event with several recipient lists each of the first
    /// people stands in one list; in an event with one list all people stand in it.
    package func samples(to people: [UserID]) -> [SampleEvent] {
        eventRules.compactMap { rule in
            SampleEvent(rule, of: self) { place, count in
                count == 1 ? people : place < people.count ? [people[place]] : []
            }
        }
    }
}
