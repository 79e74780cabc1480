import Inbox

/// The payload of one content, cut where its pushes differ from device to device: at the number for the icon, and at our
/// own member.
struct APNsPayloadTemplate: Sendable {
    private let content: SharedPushContent
    private let head: [UInt8]
    private let middle: [UInt8]
    private let tail: [UInt8]

    /// Nil for a content without a number, or too large for one payload.
    ///
    /// - Parameters:
    ///   - message: one that ``fits(_:)``.
    ///   - content: the message's.
    init?(of message: PushMessage, _ content: SharedPushContent) {
        let payload = APNsPayload(message)
        guard let places = payload.places, let badge = places.badge else { return nil }
        self.content = content
        head = Array(payload.bytes[..<badge.lowerBound])
        middle = Array(payload.bytes[badge.upperBound..<places.own.lowerBound])
        tail = Array(payload.bytes[places.own.upperBound...])
    }

    /// Whether the message says what its content says, and to whom, and nothing else.
    static func fits(_ message: PushMessage) -> Bool {
        message.count <= 1 && message.group == nil && message.withdrawn.isEmpty
    }

    /// The message's payload, byte for byte as ``APNsPayload`` makes it; nil if this is not its template.
    func payload(of message: PushMessage) -> [UInt8]? {
        // An epoch that needs escapes is none of ours, but nothing forbids it.
        guard message.shared === content, Self.fits(message), let notification = message.notification,
            Self.isPlain(message.position.epoch)
        else { return nil }
        // An array that grows piece by piece takes longer than all of its pieces.
        let id = notification.text
        let ownBytes = id.utf8.count + message.position.epoch.utf8.count + Self.roomForNumbers
        let room = head.count + middle.count + tail.count + ownBytes
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            var bytes = BoundedBytes(buffer)
            bytes.append(head)
            bytes.append(decimal: message.badge)
            bytes.append(middle)
            // As ``PushMessage/ownValue(withdrawn:)`` of nothing withdrawn.
            bytes.append(#"{"id":""#)
            bytes.append(id)
            bytes.append(#"","rev":"#)
            bytes.append(decimal: message.rev)
            bytes.append(#","epoch":""#)
            bytes.append(message.position.epoch)
            bytes.append(#"","seq":"#)
            bytes.append(decimal: message.position.seq)
            bytes.append("}")
            bytes.append(tail)
            count = bytes.count
        }
        return bytes.count <= APNsPayload.maximumBytes ? bytes : nil
    }

    /// For three numbers of 20 digits, and the names in our own member.
    private static let roomForNumbers = 160

    /// Whether it stands for itself in a JSON string (RFC 8259 §7).
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        } ?? false
    }
}
