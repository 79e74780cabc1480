import Crypto
import Inbox

/// The UUID by which OneSignal recognizes a repeated request (OneSignal, "Idempotent requests"). All attempts at one
/// push share it, so that a push is not shown twice after a lost reply.
enum IdempotencyKey {
    /// Made from the push's identity, not from its content: a retry may carry another badge.
    static func text(of message: PushMessage, to device: Device) -> String {
        var words = [device.app, device.id, device.token, message.collapseID]
        if let notification = message.notification {
            words += [notification.text, String(message.rev)]
        } else {
            // A badge or a test: each state of the inbox is a different push.
            words += [message.position.epoch, String(message.position.seq), String(message.badge)]
            words.append(String(message.expiry.milliseconds))
        }
        var hash = SHA256()
        for word in words {
            hash.update(data: Array(word.utf8))
            hash.update(data: [0])
        }
        return uuid(Array(hash.finalize().prefix(16)))
    }

    /// 16 bytes in the form of a version 4 UUID (RFC 9562 §5.4): OneSignal's older pages allow only versions 3 and 4.
    private static func uuid(_ bytes: [UInt8]) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
