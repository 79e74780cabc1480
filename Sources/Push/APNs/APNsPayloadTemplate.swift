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
        guard message.shared === content, Self.fits(message) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.count + middle.count + tail.count + Self.roomForNumbers)
        bytes += head
        bytes.append(decimal: message.badge)
        bytes += middle
        bytes.append(ownValueOf: message)
        bytes += tail
        return bytes.count <= APNsPayload.maximumBytes ? bytes : nil
    }

    /// For the badge and our own member: grows by itself if that is not enough.
    private static let roomForNumbers = 160
}

extension [UInt8] {
    /// As ``PushMessage/ownValue(withdrawn:)`` of nothing withdrawn.
    fileprivate mutating func append(ownValueOf message: PushMessage) {
        // An epoch that needs escapes is none of ours, but nothing forbids it.
        guard let notification = message.notification, Self.isPlain(message.position.epoch) else {
            return append(contentsOf: message.ownValue(withdrawn: []))
        }
        append(octetsOf: #"{"id":""#)
        append(octetsOf: notification.text)
        append(octetsOf: #"","rev":"#)
        append(decimal: message.rev)
        append(octetsOf: #","epoch":""#)
        append(octetsOf: message.position.epoch)
        append(octetsOf: #"","seq":"#)
        append(decimal: message.position.seq)
        append(UInt8(ascii: "}"))
    }

    /// Whether it stands for itself in a JSON string (RFC 8259 §7).
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        } ?? false
    }

    /// As `append(contentsOf: text.utf8)`, which takes the bytes one by one.
    private mutating func append(octetsOf text: String) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
        if isDone == nil { append(contentsOf: text.utf8) }
    }

    fileprivate mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}
