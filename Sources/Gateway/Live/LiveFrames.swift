import Inbox
import JSON
import WireProtocol

/// The frames about the inbox and feeds for live sessions, as JSON.
enum LiveFrames {
    static func frame(for change: consuming InboxChange, isReplay: Bool) -> [UInt8] {
        let stamp = LiveChange(
            seq: change.stamp.seq, unread: change.stamp.unread, unseen: change.stamp.unseen,
            delta: change.stamp.delta, isReplay: isReplay)
        switch change.kind {
        case .new(let notification): return ServerFrame.new(stamp) { notification.write(to: &$0) }
        case .update(let notification): return ServerFrame.update(stamp) { notification.write(to: &$0) }
        case .read(let selection): return ServerFrame.read(stamp, selection.wire)
        case .removed(let selection): return ServerFrame.removed(stamp, selection.wire)
        case .seen(let upTo): return ServerFrame.seen(stamp, upTo: upTo)
        }
    }

    static func reset(_ state: InboxState, _ notifications: [Notification]) -> [UInt8] {
        var json = JSONWriter(capacity: 512 * notifications.count)
        json.array { json in
            for notification in notifications { notification.write(to: &json) }
        }
        return ServerFrame.reset(
            epoch: state.epoch, seq: state.seq, unread: state.unread, unseen: state.unseen, notifications: json.bytes)
    }

    /// - Parameter id: that of a removed item.
    static func item(
        _ item: [UInt8], of feed: String, offset: Int64, _ change: FeedChange? = nil, id: String? = nil
    ) -> [UInt8] {
        guard let change else { return ServerFrame.item(feed: feed, offset: offset, item: item) }
        return ServerFrame.item(
            feed: feed, offset: offset, item: item, change: (change.member, change.target),
            id: change.isRemoval ? id : nil)
    }
}

extension InboxChange.Selection {
    /// Ids that are not a notification's select nothing.
    init(_ selection: LiveSelection) {
        switch selection {
        case .ids(let ids): self = .ids(ids.compactMap { NotificationID($0) })
        case .upTo(let seq): self = .upTo(seq)
        }
    }

    fileprivate var wire: LiveSelection {
        switch self {
        case .ids(let ids): .ids(ids.map(\.text))
        case .upTo(let seq): .upTo(seq)
        }
    }
}

extension FeedChange {
    /// The member's name in frames and lists; its value is the item's offset.
    var member: StaticString {
        switch self {
        case .replaces: "replaces"
        case .removes: "removes"
        }
    }

    var isRemoval: Bool { if case .removes = self { true } else { false } }
}
