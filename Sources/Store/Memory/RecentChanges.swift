import Inbox

/// The last changes of all inboxes in the order of commits, as bytes within a limit: the oldest are overwritten first.
///
/// Each change holds the distance to its inbox's previous one, and a content is written once for all its recipients. So
/// a change takes some twenty bytes, a content its own length, and neither takes an allocation.
struct RecentChanges: Sendable {
    /// How many changes of an inbox are looked up at most: a client that missed more gets them from the store.
    static var maximumChanges: Int64 { 64 }
    /// How many bytes of bodies are read at most: they are copied while all other inboxes wait.
    static var maximumBodyBytes: Int { 64 << 10 }

    private var ring: ByteRing

    init(maximumBytes: Int) { ring = ByteRing(maximumBytes: maximumBytes) }

    var figures: RememberedChanges { RememberedChanges(changes: ring.count, bytes: ring.allocatedBytes) }

    /// Adds the next committed change.
    ///
    /// - Parameters:
    ///   - previous: the position of the inbox's previous change.
    ///   - contents: those that were written for the same commit.
    /// - Returns: its position; ``ByteRing/Position/none`` if the change or its content is too large.
    mutating func append(
        _ change: InboxChange, after previous: ByteRing.Position, sharing contents: inout WrittenContents
    ) -> ByteRing.Position {
        var content = ByteRing.Position.none
        // One switch for both, as each look into a kind counts its references up and down.
        let payloadBytes: Int
        switch change.kind {
        case .new(let notification), .update(let notification):
            content = write(notification.content, sharing: &contents)
            guard content != .none else { return .none }
            payloadBytes = Notification.maximumBytes
        case .read(.ids(let ids)), .removed(.ids(let ids)): payloadBytes = NotificationID.maximumBytes(of: ids)
        case .read(.upTo), .removed(.upTo), .seen: payloadBytes = Int64.maximumVarintBytes
        }
        let maximumBytes = InboxChange.maximumHeadBytes + payloadBytes
        return ring.append(maximumBytes: maximumBytes, counts: true) { position, room in
            room.append(change, previous: position.distance(to: previous), content: position.distance(to: content))
        }
    }

    private mutating func write(_ content: Content, sharing contents: inout WrittenContents) -> ByteRing.Position {
        let known = contents.position(of: content)
        if ring.has(known) { return known }
        let position = ring.append(maximumBytes: content.maximumBytes) { $1.append(content) }
        contents.add(content, at: position)
        return position
    }

    /// All changes of an inbox after `seq`, up to its newest, `head`, as they were committed. Nil if one is gone, or
    /// they are too many or too large.
    ///
    /// - Parameter newest: the position of the newest one.
    func changes(after seq: Int64, upTo head: Int64, newest: ByteRing.Position) -> [InboxChange]? {
        guard seq >= 0, seq <= head, head - seq <= Self.maximumChanges else { return nil }
        var changes: [InboxChange] = []
        changes.reserveCapacity(Int(head - seq))
        var position = newest
        var room = Self.maximumBodyBytes
        while head - Int64(changes.count) > seq {
            guard var bytes = ring.bytes(from: position),
                let (change, previous) = bytes.takeChange(content: { self.content($0, before: position, room) }),
                change.stamp.seq == head - Int64(changes.count)
            else { return nil }
            changes.append(change)
            room -= change.kind.notification?.content.body.count ?? 0
            position = position.back(previous)
        }
        changes.reverse()
        return changes
    }

    private func content(_ distance: UInt64, before position: ByteRing.Position, _ room: Int) -> Content? {
        guard var bytes = ring.bytes(from: position.back(distance)) else { return nil }
        return bytes.takeContent(maximumBodyBytes: room)
    }
}

extension ByteRing.Position {
    /// The distance back to an earlier position; 0 for none.
    fileprivate func distance(to earlier: Self) -> UInt64 { earlier == .none ? 0 : number - earlier.number }

    fileprivate func back(_ distance: UInt64) -> Self {
        distance == 0 || distance > number ? .none : Self(number: number - distance)
    }
}
