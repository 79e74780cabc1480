import Inbox

/// The payload of one content, cut where its pushes differ from device to device: at the number for the icon, and at
/// Belfry's own member.
///
/// A class, so that each push holds one reference instead of all pieces.
final class APNsPayloadTemplate: Sendable {
    private let content: SharedPushContent
    private let head: [UInt8]
    private let middle: [UInt8]
    private let tail: [UInt8]

    /// Nil for a content without a number, and for one that is too large for one payload.
    ///
    /// - Parameters:
    ///   - message: a message that ``fits(_:)``.
    ///   - content: the content of the message.
    init?(of message: PushMessage, _ content: SharedPushContent) {
        let payload = APNsPayload(message)
        guard let places = payload.places, let badge = places.badge else { return nil }
        self.content = content
        head = Array(payload.bytes[..<badge.lowerBound])
        middle = Array(payload.bytes[badge.upperBound..<places.own.lowerBound])
        tail = Array(payload.bytes[places.own.upperBound...])
    }

    /// Whether the message shows its content unchanged, and nothing else.
    static func fits(_ message: PushMessage) -> Bool {
        message.count <= 1 && !message.isGrowth && message.group == nil && message.withdrawn.isEmpty
            && message.shared?.content.answers.isEmpty != false
    }

    /// Appends the message's payload, with the same bytes as ``APNsPayload``; false, and nothing appended, if this is
    /// not the template of the message.
    func write(_ message: PushMessage, to bytes: inout [UInt8]) -> Bool {
        // Epochs that Belfry makes need no escapes, but others are possible.
        guard message.shared === content, Self.fits(message), let notification = message.notification,
            Self.isPlain(message.position.epoch)
        else { return false }
        let (id, epoch, rev, badge, seq) = (
            notification.text, message.position.epoch, message.rev, message.badge, message.position.seq
        )
        let ownBytes = id.utf8.count + epoch.utf8.count + Self.roomForNumbers
        let start = bytes.count
        // Appended as one piece, because growing the array for each piece would take longer than all of them.
        bytes.append(addingCapacity: head.count + middle.count + tail.count + ownBytes) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                var bytes = BoundedBytes(buffer)
                bytes.append(head)
                bytes.append(decimal: badge)
                bytes.append(middle)
                // The same as ``PushMessage/ownValue(_:)`` without actions and withdrawn ids.
                bytes.append(#"{"id":""#)
                bytes.append(id)
                bytes.append(#"","rev":"#)
                bytes.append(decimal: rev)
                bytes.append(#","epoch":""#)
                bytes.append(epoch)
                bytes.append(#"","seq":"#)
                bytes.append(decimal: seq)
                bytes.append("}")
                bytes.append(tail)
                count = bytes.count
            }
        }
        guard bytes.count - start <= APNsPayload.maximumBytes else {
            bytes.removeLast(bytes.count - start)
            return false
        }
        return true
    }

    /// Room for three numbers of 20 digits, and the names in Belfry's own member.
    private static let roomForNumbers = 160

    /// Whether the text needs no escapes in a JSON string (RFC 8259 §7).
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        } ?? false
    }
}
