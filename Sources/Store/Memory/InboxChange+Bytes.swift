import Inbox

// How ``RecentChanges`` writes a change: its mark, the distance to the inbox's previous one, its stamp, and its kind's
// values. Numbers are varints; those near the change's `seq` are written as the distance to it, which is mostly 0.

/// The kind of a change.
private enum ChangeMark: UInt8 {
    case new = 1
    case update, readIDs, readUpTo, seen, removedIDs, removedUpTo

    /// Flags of ``new`` and ``update``.
    static var isRead: UInt8 { 0x40 }
    static var isSeen: UInt8 { 0x80 }
    static var flags: UInt8 { isRead | isSeen }
}

extension Int64 {
    static var maximumVarintBytes: Int { 10 }

    /// How many bytes it takes as a signed varint.
    fileprivate var varintBytes: Int {
        let bits = Self.bitWidth - ((self << 1) ^ (self >> 63) | 1).leadingZeroBitCount
        return (bits + 6) / 7
    }
}

extension InboxChange {
    /// The most bytes of a change, without its kind's values.
    static var maximumHeadBytes: Int { 1 + 5 * Int64.maximumVarintBytes }
}

extension Notification {
    /// The most bytes of a notification, without its content.
    static var maximumBytes: Int { 7 * Int64.maximumVarintBytes }
}

extension NotificationID {
    static func maximumBytes(of ids: [Self]) -> Int {
        ids.reduce(Int64.maximumVarintBytes) { $0 + $1.inbox.varintBytes + $1.sequence.varintBytes }
    }
}

extension OutputSpan<UInt8> {
    /// - Parameters:
    ///   - previous: the distance back to the inbox's previous change; 0 for none.
    ///   - content: the distance back to the content.
    mutating func append(_ change: InboxChange, previous: UInt64, content: UInt64) {
        let stamp = change.stamp
        switch change.kind {
        case .new(let notification):
            append(.new, flags: notification.flags, stamp, previous: previous)
            append(notification, at: stamp.seq, content: content)
        case .update(let notification):
            append(.update, flags: notification.flags, stamp, previous: previous)
            append(notification, at: stamp.seq, content: content)
        case .read(.ids(let ids)):
            append(.readIDs, stamp, previous: previous)
            append(ids)
        case .read(.upTo(let seq)):
            append(.readUpTo, stamp, previous: previous)
            appendVarint(signed: seq)
        case .seen(let seq):
            append(.seen, stamp, previous: previous)
            appendVarint(signed: seq)
        case .removed(.ids(let ids)):
            append(.removedIDs, stamp, previous: previous)
            append(ids)
        case .removed(.upTo(let seq)):
            append(.removedUpTo, stamp, previous: previous)
            appendVarint(signed: seq)
        }
    }

    private mutating func append(_ mark: ChangeMark, flags: UInt8 = 0, _ stamp: ChangeStamp, previous: UInt64) {
        append(mark.rawValue | flags)
        appendVarint(previous)
        appendVarint(signed: stamp.seq)
        appendVarint(signed: stamp.unread)
        appendVarint(signed: stamp.unseen)
        appendVarint(signed: stamp.delta)
    }

    private mutating func append(_ notification: Notification, at seq: Int64, content: UInt64) {
        appendVarint(content)
        appendVarint(signed: notification.id.inbox)
        appendVarint(signed: seq &- notification.id.sequence)
        appendVarint(signed: seq &- notification.seq)
        appendVarint(signed: seq &- notification.place)
        appendVarint(signed: notification.rev)
        appendVarint(signed: notification.createdAt.milliseconds)
    }

    private mutating func append(_ ids: [NotificationID]) {
        appendVarint(UInt64(ids.count))
        for id in ids {
            appendVarint(signed: id.inbox)
            appendVarint(signed: id.sequence)
        }
    }
}

extension Notification {
    fileprivate var flags: UInt8 { (isRead ? ChangeMark.isRead : 0) | (isSeen ? ChangeMark.isSeen : 0) }
}

extension ArraySlice<UInt8> {
    /// Removes and returns a change, and the distance back to the previous one; nil for other bytes, or if its content
    /// is gone.
    ///
    /// - Parameter content: finds the content by the distance back to it.
    mutating func takeChange(content: (UInt64) -> Content?) -> (InboxChange, previous: UInt64)? {
        guard let byte = popFirst(), let mark = ChangeMark(rawValue: byte & ~ChangeMark.flags),
            let previous = takeVarint(), let seq = takeSignedVarint(), let unread = takeSignedVarint(),
            let unseen = takeSignedVarint(), let delta = takeSignedVarint()
        else { return nil }
        let stamp = ChangeStamp(seq: seq, unread: unread, unseen: unseen, delta: delta)
        let kind: InboxChange.Kind? =
            switch mark {
            case .new: takeNotification(flags: byte, at: seq, content).map { .new($0) }
            case .update: takeNotification(flags: byte, at: seq, content).map { .update($0) }
            case .readIDs: takeIDs().map { .read(.ids($0)) }
            case .readUpTo: takeSignedVarint().map { .read(.upTo($0)) }
            case .seen: takeSignedVarint().map { .seen(upTo: $0) }
            case .removedIDs: takeIDs().map { .removed(.ids($0)) }
            case .removedUpTo: takeSignedVarint().map { .removed(.upTo($0)) }
            }
        return kind.map { (InboxChange(stamp: stamp, kind: $0), previous) }
    }

    private mutating func takeNotification(
        flags: UInt8, at seq: Int64, _ content: (UInt64) -> Content?
    ) -> Notification? {
        guard let distance = takeVarint(), let inbox = takeSignedVarint(), let age = takeSignedVarint(),
            let changeAge = takeSignedVarint(), let placeAge = takeSignedVarint(), let rev = takeSignedVarint(),
            let createdAt = takeSignedVarint(),
            let content = content(distance)
        else { return nil }
        return Notification(
            id: NotificationID(inbox: inbox, sequence: seq &- age), content: content,
            createdAt: Timestamp(milliseconds: createdAt), rev: rev, seq: seq &- changeAge,
            isRead: flags & ChangeMark.isRead != 0, isSeen: flags & ChangeMark.isSeen != 0,
            place: seq &- placeAge)
    }

    private mutating func takeIDs() -> [NotificationID]? {
        // Each id takes at least two bytes.
        guard let number = takeVarint(), let idCount = Int(exactly: number), idCount <= count / 2 else { return nil }
        var ids: [NotificationID] = []
        ids.reserveCapacity(idCount)
        for _ in 0..<idCount {
            guard let inbox = takeSignedVarint(), let sequence = takeSignedVarint() else { return nil }
            ids.append(NotificationID(inbox: inbox, sequence: sequence))
        }
        return ids
    }
}
