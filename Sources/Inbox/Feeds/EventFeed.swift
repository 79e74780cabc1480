import JSON

/// A catalog's rule for items that an event publishes to feeds: `{feed: "query:{{id}}", each: queries, item: post}`.
package struct EventFeed: Sendable, Hashable {
    /// The most feeds for one event.
    static let maximumFeeds = 1_000

    /// The name before the open value; the whole name if there is no such value.
    let prefix: String
    /// The path of the open value: in the data, or in each element of ``list``; nil for a fixed name.
    let path: [String]?
    let suffix: String
    /// The path of the list whose elements each name a feed; nil for one feed. The list may be in the event's data or
    /// in recipients' own data.
    let list: [String]?
    /// The path of the item in the event's data; an event without a value there publishes nothing.
    package let item: [String]

    /// The name as the catalog writes it.
    package var text: String { prefix + (path.map { "{{\($0.joined(separator: "."))}}" } ?? "") + suffix }

    /// An example of a name of this form.
    var example: String { prefix + (path == nil ? "" : "x") + suffix }

    /// The names of the feeds to which an event publishes; each name once.
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

    /// The values that may hold the open part of a name.
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
                add(own, at: JSONPointer().appending(["to", recipients.name, user.name, "data"]))
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
    /// The items that the event publishes, read by the feeds' rules.
    /// - Parameter rule: returns the rule of a feed by its name.
    func items(of event: Event, rule: (String) -> FeedRule?) throws(EventProblem) -> [EventItem] {
        var items: [EventItem] = []
        for feed in self {
            guard let value = JSONValue.object(event.data).at(feed.item), value != .null else { continue }
            for name in try feed.names(for: event) {
                guard let rule = rule(name), rule.keepsItems else { continue }
                do throws(FeedItemProblem) {
                    let item = try rule.item(
                        value, of: event.app.key(name), at: event.occurredAt ?? Timestamp(milliseconds: 0))
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
