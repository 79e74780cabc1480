/// Recipients of one verdict as bytes: about four each, whoever they are.
///
/// Each is the distance from the one before, as a zigzag varint, and the number of their notification, or 0 without one.
struct RecipientList: Sendable, Hashable {
    struct Recipient: Sendable, Hashable {
        let inbox: Int64
        /// Nil for somebody who got none.
        let notification: Int64?
    }

    private(set) var bytes: [UInt8]
    private var last: Int64 = 0

    init() { bytes = [] }

    /// Takes what ``bytes`` gave; to be read only.
    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    mutating func append(_ recipient: Recipient) {
        let distance = recipient.inbox - last
        last = recipient.inbox
        bytes.appendVarint(UInt64(bitPattern: (distance << 1) ^ (distance >> 63)))
        bytes.appendVarint(UInt64(bitPattern: recipient.notification ?? 0))
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

extension [UInt8] {
    /// Seven bits a byte, the lowest first; the top bit says that more follow (LEB128).
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the number at the front; nil if it is cut off or too long.
    mutating func takeVarint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
