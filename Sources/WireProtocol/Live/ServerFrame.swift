package import JSON

/// Writes the gateway's frames for a live connection; `type` comes first in each.
///
/// Notifications and items are encoded once, and passed in as JSON bytes.
package enum ServerFrame {
    private static func frame(
        _ type: StaticString, capacity: Int = 160, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        json.object { json in
            json.member("type", type)
            body(&json)
        }
        return json.bytes
    }

    // MARK: The session

    /// - Parameters:
    ///   - heartbeat: the interval of `beat`; written in milliseconds.
    ///   - isRecovered: whether the session continues at the position that it asked for.
    package static func ready(
        session: String, epoch: String, seq: Int64, unread: Int64, unseen: Int64, heartbeat: Duration,
        limits: LiveLimits, isRecovered: Bool
    ) -> [UInt8] {
        frame("ready", capacity: 320) { json in
            json.member("session", session)
            json.member("epoch", epoch)
            json.member("seq", seq)
            json.member("unread", unread)
            json.member("unseen", unseen)
            json.member("heartbeat", heartbeat.milliseconds)
            json.key("limits")
            limits.write(to: &json)
            json.member("recovered", isRecovered)
        }
    }

    package static func beat(seq: Int64, unread: Int64) -> [UInt8] {
        frame("beat") { json in
            json.member("seq", seq)
            json.member("unread", unread)
        }
    }

    /// The token is about to expire; `within` is written in milliseconds.
    package static func renew(within: Duration) -> [UInt8] {
        frame("renew") { $0.member("within", within.milliseconds) }
    }

    /// The node is leaving; `delay` is this client's own time slot, written in milliseconds.
    package static func drain(reconnectIn delay: Duration) -> [UInt8] {
        frame("drain") { $0.member("reconnectIn", delay.milliseconds) }
    }

    // MARK: Answers

    /// - Parameter id: the id of the client's frame, as JSON text (``ClientFrame/id``).
    package static func ok(id: String) -> [UInt8] {
        frame("ok") { $0.member("id", raw: id) }
    }

    /// - Parameters:
    ///   - id: the id of the client's frame, as JSON text; nil without one.
    ///   - message: the code's meaning by default.
    package static func error(id: String?, _ code: LiveErrorCode, message: String? = nil) -> [UInt8] {
        frame("error") { json in
            if let id { json.member("id", raw: id) }
            json.member("code", code.rawValue)
            json.member("message", message ?? code.meaning)
            json.member("temporary", code.isTemporary)
        }
    }

    // MARK: Settings

    /// The person's settings have changed.
    /// - Parameter settings: a JSON object; its members become members of the frame.
    package static func prefs(_ settings: some BidirectionalCollection<UInt8>) -> [UInt8] {
        frame("prefs", capacity: 32 + settings.count) { $0.raw(settings.dropFirst().dropLast()) }
    }

    // MARK: The inbox

    /// Room for most notifications, so that the buffer does not grow while a frame is written.
    private static let notificationCapacity = 768

    /// - Parameter notification: writes one value directly into the frame.
    package static func new(_ change: LiveChange, notification: (inout JSONWriter) -> Void) -> [UInt8] {
        frame("new", of: notification, change)
    }

    /// - Parameter notification: writes one value directly into the frame.
    package static func update(_ change: LiveChange, notification: (inout JSONWriter) -> Void) -> [UInt8] {
        frame("update", of: notification, change)
    }

    private static func frame(
        _ type: StaticString, of notification: (inout JSONWriter) -> Void, _ change: LiveChange
    ) -> [UInt8] {
        frame(type, capacity: notificationCapacity) { json in
            json.members(of: change)
            json.key("notification")
            notification(&json)
        }
    }

    package static func read(_ change: LiveChange, _ selection: LiveSelection) -> [UInt8] {
        frame("read") { json in
            json.members(of: change)
            selection.writeMembers(to: &json)
        }
    }

    package static func removed(_ change: LiveChange, _ selection: LiveSelection) -> [UInt8] {
        frame("removed") { json in
            json.members(of: change)
            selection.writeMembers(to: &json)
        }
    }

    package static func seen(_ change: LiveChange, upTo: Int64) -> [UInt8] {
        frame("seen") { json in
            json.members(of: change)
            json.member("upTo", upTo)
        }
    }

    /// Changes `from` to `to`, both included, were not sent: fetch them.
    package static func gap(from: Int64, to: Int64, unread: Int64) -> [UInt8] {
        frame("gap") { json in
            json.member("from", from)
            json.member("to", to)
            json.member("unread", unread)
        }
    }

    /// - Parameter notifications: a JSON array, the first page.
    package static func reset(
        epoch: String, seq: Int64, unread: Int64, unseen: Int64, notifications: some Collection<UInt8>
    ) -> [UInt8] {
        frame("reset", capacity: 160 + notifications.count) { json in
            json.member("epoch", epoch)
            json.member("seq", seq)
            json.member("unread", unread)
            json.member("unseen", unseen)
            json.member("notifications", raw: notifications)
        }
    }

    // MARK: Feeds

    /// - Parameters:
    ///   - item: JSON; null for a removed item.
    ///   - change: the offset of an earlier item, and the member that tells the change of it.
    ///   - id: the id of a removed item.
    package static func item(
        feed: String, offset: Int64, item: some Collection<UInt8>, change: (member: StaticString, target: Int64)? = nil,
        id: String? = nil
    ) -> [UInt8] {
        frame("item", capacity: 96 + item.count) { json in
            json.member("feed", feed)
            json.member("offset", offset)
            if let change { json.member(change.member, change.target) }
            if let id { json.member("id", id) }
            json.member("item", raw: item)
        }
    }

    /// A subscription's state; if `isRecovered`, the items after the client's position follow.
    package static func feed(_ feed: String, epoch: String, offset: Int64, isRecovered: Bool) -> [UInt8] {
        frame("feed") { json in
            json.member("feed", feed)
            json.member("epoch", epoch)
            json.member("offset", offset)
            json.member("recovered", isRecovered)
        }
    }

    /// A subscription has ended, because the user may no longer read the feed.
    package static func unsubscribed(feed: String, code: LiveErrorCode) -> [UInt8] {
        frame("unsubscribed") { json in
            json.member("feed", feed)
            json.member("code", code.rawValue)
        }
    }

    /// Items `from` to `to` of a feed, both included, were not sent.
    package static func gap(feed: String, from: Int64, to: Int64) -> [UInt8] {
        frame("gap") { json in
            json.member("feed", feed)
            json.member("from", from)
            json.member("to", to)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of change: LiveChange) {
        members(("seq", change.seq), ("unread", change.unread), ("unseen", change.unseen), ("delta", change.delta))
        if change.isReplay { member("replay", true) }
    }
}
