import JSON

/// The samples as calls that publish them.
extension CatalogPage {
    var calls: String? {
        let calls = catalog.eventRules.compactMap(call)
        guard !calls.isEmpty else { return nil }
        return "### Publishing them\n\nWith recipients of your own:\n\n" + calls.joined(separator: "\n\n")
    }

    /// Nil for an event of which no example can be made.
    private func call(_ rule: Catalog.EventRule) -> String? {
        guard let route = rule.routes.first else { return nil }
        var event = CatalogSample(of: rule, to: route.list, as: route.type).event
        event.data = rule.sample?.data ?? event.data
        let lists = rule.routes.map(\.list).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        event.to = lists.enumerated().map { place, list in
            let users = [UserID(rawValue: "reader-\(place + 1)")].compactMap(\.self)
            let own = rule.sample?.own[list].map { data in Dictionary(users.map { ($0, data) }) { first, _ in first } }
            return Event.RecipientList(name: list, users: users, own: own ?? [:])
        }
        do throws(EventProblem) { _ = try catalog.route(event) } catch { return nil }
        return
            "```sh\ncurl --unix-socket data/belfry.sock http://belfry/v1/events -d '\(Self.quoted(json(of: event)))'\n```"
    }

    private func json(of event: Event) -> JSONValue {
        var json: JSONObject = ["type": .string(event.type)]
        if let actor = event.actor { json["actor"] = .object(actor) }
        let lists = event.to.map { list in
            let people = list.users.map { user -> JSONValue in
                guard let own = list.own[user] else { return .string(user.rawValue) }
                return ["user": .string(user.rawValue), "data": .object(own)]
            }
            return JSONObject.Member(key: list.name, value: .array(people))
        }
        json["to"] = .object(JSONObject(lists))
        if !event.data.isEmpty { json["data"] = .object(event.data) }
        return .object(json)
    }

    /// As it stands in a shell's single quotes, which know no escape: JSON has one of its own.
    private static func quoted(_ json: JSONValue) -> String {
        PrettyJSON(json).text.split(separator: "'" as Character, omittingEmptySubsequences: false)
            .joined(separator: "\\u0027")
    }
}
