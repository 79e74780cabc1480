/// One subscription to a feed: entries in the order of their offsets, each once.
///
/// A pure machine.
struct FeedSubscription {
    enum Effect: Equatable {
        case entry(FeedEntry)
        /// Send ``frame`` again.
        case again
        /// The server's error.
        case refused(BelfryError)
    }

    /// The id that answers refer to. All subscriptions of one feed share it, because they are refused together.
    static func id(of feed: String) -> String { "feed " + feed }

    let feed: String
    private var place: FeedStart
    private var isOpen = false

    init(feed: String, start: FeedStart) {
        self.feed = feed
        place = start
    }

    /// The frame that subscribes at the current place.
    var frame: ClientFrame {
        var members: [String: JSONValue] = ["id": .string(Self.id(of: feed)), "feed": .string(feed)]
        switch place {
        case .next: break
        case .newest: members["after"] = 0
        case .after(let position):
            members["after"] = ["epoch": .string(position.epoch), "offset": .integer(position.offset)]
        }
        return ClientFrame(type: "subscribe", members: members)
    }

    /// - Parameter from: for a frame `feed`, the offset behind which the following items begin, from ``FeedHub``.
    mutating func receive(_ frame: ServerFrame, from: Int64?) -> [Effect] {
        // A server that is leaving is asked again on the next connection.
        if frame.type == "error", frame.id == Self.id(of: feed) {
            return frame.error.code == "leaving" ? [] : [.refused(frame.error)]
        }
        if frame.type == "ready" || frame.type == "unsubscribed" && frame.feed == feed { return again() }
        guard frame.feed == feed else { return [] }
        switch frame.type {
        case "feed": return begin(frame, from: from)
        case "gap" where isOpen:
            // Too much was missed, or came too fast: the newest items are enough.
            place = .newest
            return again()
        case "item" where isOpen: return take(frame)
        default: return []
        }
    }

    private mutating func again() -> [Effect] {
        isOpen = false
        return [.again]
    }

    private mutating func begin(_ frame: ServerFrame, from: Int64?) -> [Effect] {
        guard let epoch = frame.epoch, let offset = frame.offset else { return [] }
        isOpen = true
        if place == .next { place = .after(FeedPosition(epoch: epoch, offset: offset)) }
        if case .after(let position) = place, position.epoch == epoch, position.offset >= from ?? offset { return [] }
        // The following items begin at the place that another subscription asked for.
        if from != nil { return again() }
        place = .after(FeedPosition(epoch: epoch, offset: 0))
        return [.entry(.reset(epoch: epoch))]
    }

    private mutating func take(_ frame: ServerFrame) -> [Effect] {
        guard case .after(let last) = place, let offset = frame.offset, offset > last.offset else { return [] }
        let position = FeedPosition(epoch: last.epoch, offset: offset)
        place = .after(position)
        let item = frame["item"] ?? .null
        if let removes = frame["removes"]?.integer {
            return [.entry(.removed(id: frame.id, removes: removes, at: position))]
        }
        if let replaces = frame["replaces"]?.integer {
            return [.entry(.replaced(item, replaces: replaces, at: position))]
        }
        return [.entry(.item(item, at: position))]
    }
}
