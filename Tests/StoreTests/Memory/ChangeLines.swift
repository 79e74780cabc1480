import Inbox

@testable import SQLiteStore
@testable import Store

extension Recovery {
    /// All that a client is told of it, a line a change.
    var described: [String] { changes.map { $0.map(\.described) } ?? ["reset"] }
}

extension InboxChange {
    /// All that a client is told of it.
    var described: String {
        switch kind {
        case .new(let notification): "\(stamp) new \(notification.described)"
        case .update(let notification): "\(stamp) update \(notification.described)"
        case .read(let selection): "\(stamp) read \(selection)"
        case .seen(let seq): "\(stamp) seen \(seq)"
        case .removed(let selection): "\(stamp) removed \(selection)"
        }
    }
}

extension Notification {
    fileprivate var described: String {
        """
        \(id.text) rev \(rev) seq \(seq) \(createdAt) \(isRead) \(isSeen) \(content.type) \(content.displayText) \
        \(String(decoding: content.body, as: UTF8.self))
        """
    }
}
