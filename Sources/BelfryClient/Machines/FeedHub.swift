/// What the client knows of feeds: the server takes one subscription to a feed a session, and the app may have several.
///
/// A pure machine.
struct FeedHub {
    private enum Subscription {
        /// Not answered yet; with the offset that it named, if it named a place.
        case asked(after: JSONValue?)
        case open
    }

    private var feeds: [String: Subscription] = [:]

    /// Nothing of the session before holds on another one.
    mutating func begin() { feeds = [:] }

    /// - Returns: what to send: nothing if all who wait will hear the same answer. Whoever needs more than that
    ///   subscribes again.
    mutating func subscribe(_ frame: ClientFrame, to feed: String) -> [ClientFrame] {
        let before = feeds[feed]
        if case .asked = before { return [] }
        feeds[feed] = .asked(after: frame.members["after"])
        return (before == nil ? [] : [Self.unsubscribe(feed)]) + [frame]
    }

    /// Nobody follows the feed any more.
    mutating func leave(_ feed: String) -> [ClientFrame] {
        feeds.removeValue(forKey: feed) == nil ? [] : [Self.unsubscribe(feed)]
    }

    /// - Returns: of a frame `feed`: the offset behind which the items begin that follow; nil if the newest do.
    mutating func receive(_ frame: ServerFrame) -> Int64? {
        switch frame.type {
        case "unsubscribed":
            if let feed = frame.feed { feeds.removeValue(forKey: feed) }
        case "error":
            if let feed = feeds.keys.first(where: { FeedSubscription.id(of: $0) == frame.id }) {
                feeds.removeValue(forKey: feed)
            }
        case "feed":
            guard let feed = frame.feed, case .asked(let after) = feeds[feed] else { break }
            feeds[feed] = .open
            // Without a place it begins with the next item, whatever the server calls that.
            guard let after else { return frame.offset }
            return frame.isRecovered ? after["offset"]?.integer : nil
        default: break
        }
        return nil
    }

    private static func unsubscribe(_ feed: String) -> ClientFrame {
        ClientFrame(type: "unsubscribe", members: ["feed": .string(feed)])
    }
}
