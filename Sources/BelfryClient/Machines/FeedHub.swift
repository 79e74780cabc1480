/// The session's subscriptions: the server accepts one for each feed, and the app may have several.
///
/// A pure machine.
struct FeedHub {
    private enum Subscription {
        /// Not answered yet; with the position that it named, if any.
        case asked(after: JSONValue?)
        case open
    }

    private var feeds: [String: Subscription] = [:]

    /// Forgets the earlier session, whose subscriptions do not apply to a new one.
    mutating func begin() { feeds = [:] }

    /// - Returns: the frames to send; none if all waiting subscriptions will get the same answer. One that needs more
    ///   subscribes again.
    mutating func subscribe(_ frame: ClientFrame, to feed: String) -> [ClientFrame] {
        let before = feeds[feed]
        if case .asked = before { return [] }
        feeds[feed] = .asked(after: frame.members["after"])
        return (before == nil ? [] : [Self.unsubscribe(feed)]) + [frame]
    }

    /// The last subscription to the feed has ended.
    mutating func leave(_ feed: String) -> [ClientFrame] {
        feeds.removeValue(forKey: feed) == nil ? [] : [Self.unsubscribe(feed)]
    }

    /// - Returns: for a frame `feed`, the offset behind which the following items begin; nil if the newest ones follow.
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
            // A subscription without a position begins with the next item, whatever the server reports.
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
