import JSON

/// What a catalog says that an event publishes to feeds, beside what it tells people: `{feed: "query:{{id}}", each:
/// queries, item: post}`.
package struct EventFeed: Sendable, Hashable {
    /// So many feeds at most for one event.
    static let maximumFeeds = 1_000

    /// A name, in which one value may be left open.
    let prefix: String
    /// Where that value is: in the data, or in each element of ``list``; nil for a name that is always the same.
    let path: [String]?
    let suffix: String
    /// The list whose elements name a feed each; nil for one feed. It may be the event's, or among what recipients have
    /// of their own.
    let list: [String]?
    /// Where the item is in the event's data; an event that has nothing there publishes nothing.
    package let item: [String]

    /// As the catalog has it.
    package var text: String { prefix + (path.map { "{{\($0.joined(separator: "."))}}" } ?? "") + suffix }

    /// A name of this shape.
    var example: String { prefix + (path == nil ? "" : "x") + suffix }

    /// The names of the feeds to which an event publishes, each once.
    func names(for event: Event) throws(EventProblem) -> [String] {
        guard let path else { return [prefix + suffix] }
        var names: [String] = []
        var seen: Set<ExactText> = []
        for (data, place) in values(in: event) {
            let place = place.appending(path)
            let text: String
            switch data.at(path) {
            case .string(let value)?: text = value
            case .int(let value)?: text = String(value)
            case nil, .null?: throw .missingField(place, expected: "a value for the name of the feed \(self.text)")
            case let other?: throw .wrongType(place, expected: "a text or a whole number", found: other.kind)
            }
            let name = prefix + text + suffix
            guard !text.isEmpty, FeedName.isValid(name) else {
                throw .invalidValue(place, expected: "a value that makes \(FeedName.expectation)")
            }
            if seen.insert(ExactText(name)).inserted { names.append(name) }
        }
        return names
    }

    /// Where names' values are looked for.
    private func values(in event: Event) -> [(value: JSONValue, place: JSONPointer)] {
        let data = JSONPointer().appending("data")
        guard let list else { return [(.object(event.data), data)] }
        var all: [(value: JSONValue, place: JSONPointer)] = []
        func add(_ object: JSONObject, at place: JSONPointer) {
            for (number, element) in (JSONValue.object(object).at(list)?.array ?? []).enumerated() {
                all.append((element, place.appending(list).appending(String(number))))
            }
        }
        add(event.data, at: data)
        for recipients in event.to {
            for user in recipients.users {
                guard let own = recipients.own[user] else { continue }
                add(own, at: JSONPointer().appending(["to", recipients.name, user.rawValue, "data"]))
            }
        }
        return all
    }
}

/// An item that an event publishes.
package struct EventItem: Sendable {
    package let item: FeedItem
    /// How many items the feed keeps.
    package let length: Int
}

extension [EventFeed] {
    /// What the event publishes, as the feeds' rules find it.
    /// - Parameter rule: of the feed of this name.
    func items(of event: Event, rule: (String) -> FeedRule?) throws(EventProblem) -> [EventItem] {
        var items: [EventItem] = []
        for feed in self {
            guard let value = JSONValue.object(event.data).at(feed.item), value != .null else { continue }
            for name in try feed.names(for: event) {
                guard let rule = rule(name), rule.keepsItems else { continue }
                do throws(FeedItemProblem) {
                    let item = try rule.item(value, of: name, at: event.occurredAt ?? Timestamp(milliseconds: 0))
                    items.append(EventItem(item: item, length: rule.length))
                } catch {
                    throw .inItem(error, at: JSONPointer().appending(["data"] + feed.item))
                }
            }
        }
        guard items.count <= EventFeed.maximumFeeds else {
            throw .invalidValue(
                JSONPointer().appending("data"), expected: "at most \(EventFeed.maximumFeeds) feeds for one event")
        }
        return items
    }
}

extension EventProblem {
    fileprivate static func inItem(_ problem: FeedItemProblem, at place: JSONPointer) -> Self {
        Self(problem.code, text: place.text + problem.pointer, problem.message)
    }
}
