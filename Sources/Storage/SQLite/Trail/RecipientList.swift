/// Recipients of one verdict as bytes: about four each, whoever they are.
///
/// Each is the distance from the one before, as a zigzag varint, and the number of their notification, or 0 without
/// one.
struct RecipientList: Sendable, Hashable {
    struct Recipient: Sendable, Hashable {
        let inbox: Int64
        /// Nil for somebody who got none.
        let notification: Int64?
    }

    /// All but ``last``, in bytes.
    private var others: [UInt8] = []
    /// The inbox of the last one of those.
    private var inbox: Int64 = 0
    /// By itself until the next one comes: most events have one recipient, for whom nothing is allocated so.
    private var last: Recipient?

    init() {}

    /// Takes what ``bytes`` gave; to be read only.
    init(bytes: some Sequence<UInt8>) { others = Array(bytes) }

    mutating func append(_ recipient: Recipient) {
        if let last {
            others.appendVarint(distance(of: last))
            others.appendVarint(last.number)
            inbox = last.inbox
        }
        last = recipient
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    var byteCount: Int {
        guard let last else { return others.count }
        return others.count + distance(of: last).varintBytes + last.number.varintBytes
    }

    /// Appends ``bytes``.
    func append(to bytes: inout [UInt8]) {
        if !others.isEmpty { bytes += others }
        guard let last else { return }
        bytes.appendVarint(distance(of: last))
        bytes.appendVarint(last.number)
    }

    private func distance(of recipient: Recipient) -> UInt64 {
        let distance = recipient.inbox - inbox
        return UInt64(bitPattern: (distance << 1) ^ (distance >> 63))
    }

    /// Nil if the bytes are damaged.
    var recipients: [Recipient]? {
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
