import Store

/// The recipients of one verdict as bytes: about four for each recipient.
///
/// A recipient is stored as the distance of its inbox from the one before, a zigzag varint, and the number of its
/// notification, 0 without one.
package struct RecipientList: Sendable, Hashable {
    package struct Recipient: Sendable, Hashable {
        package let inbox: Int64
        /// Nil for a recipient without a notification.
        package let notification: Int64?

        package init(inbox: Int64, notification: Int64?) {
            (self.inbox, self.notification) = (inbox, notification)
        }
    }

    /// All recipients but ``last``, as bytes.
    private var others: [UInt8] = []
    /// The inbox of the last recipient in `others`.
    private var inbox: Int64 = 0
    /// Kept apart until the next one comes: most events have one recipient, for whom this allocates nothing.
    private var last: Recipient?

    package init() {}

    /// Takes what ``bytes`` returned; only for reading.
    package init(bytes: some Sequence<UInt8>) { others = Array(bytes) }

    package mutating func append(_ recipient: Recipient) {
        if let last {
            others.appendVarint(distance(of: last))
            others.appendVarint(last.number)
            inbox = last.inbox
        }
        last = recipient
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    package var byteCount: Int {
        guard let last else { return others.count }
        return others.count + distance(of: last).varintBytes + last.number.varintBytes
    }

    /// Appends ``bytes``.
    package func append(to bytes: inout [UInt8]) {
        if !others.isEmpty { bytes += others }
        guard let last else { return }
        bytes.appendVarint(distance(of: last))
        bytes.appendVarint(last.number)
    }

    private func distance(of recipient: Recipient) -> UInt64 {
        let distance = recipient.inbox - inbox
        return UInt64(bitPattern: (distance << 1) ^ (distance >> 63))
    }

    /// Whether the bytes are such a list.
    package static func isReadable(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty { guard rest.takeVarint() != nil, rest.takeVarint() != nil else { return false } }
        return true
    }

    /// Nil if the bytes are damaged.
    package var recipients: [Recipient]? {
        var recipients: [Recipient] = []
        var (rest, inbox) = (bytes[...], Int64(0))
        while !rest.isEmpty {
            guard let distance = rest.takeVarint(), let notification = rest.takeVarint() else { return nil }
            inbox &+= Int64(bitPattern: distance >> 1) ^ -Int64(bitPattern: distance & 1)
            recipients.append(
                Recipient(inbox: inbox, notification: notification == 0 ? nil : Int64(bitPattern: notification)))
        }
        return recipients
    }
}

extension RecipientList.Recipient {
    fileprivate var number: UInt64 { UInt64(bitPattern: notification ?? 0) }
}

extension UInt64 {
    /// How many bytes it takes as a varint.
    fileprivate var varintBytes: Int { Swift.max(1, (bitWidth - leadingZeroBitCount + 6) / 7) }
}
