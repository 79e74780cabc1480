import Inbox
import WireProtocol

/// The field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), with which tools that publish over HTTP
/// name a request. It means the same as the event's member `key`.
enum IdempotencyKey {
    private static let field = "Idempotency-Key"

    /// The key: a string in quotes (RFC 8941 §3.3.3), or the bare text that most tools send. Nil without one.
    static func read(_ head: HTTPRequestHead) throws(Problem) -> String? {
        guard let value = head.idempotencyKey else { return nil }
        guard let key = text(value), (1...Event.maximumKeyBytes).contains(key.utf8.count), key.isName else {
            throw Problem(
                status: 422, code: "invalid_value",
                detail: "\(field): expected a string of 1 to \(Event.maximumKeyBytes) bytes, \(String.nameExpectation)")
        }
        return key
    }

    /// Refuses the field where it would have no effect: several events have keys of their own, and an item of a feed
    /// has an id.
    static func refuse(in head: HTTPRequestHead, expecting expectation: String) throws(Problem) {
        guard head.idempotencyKey != nil else { return }
        throw Problem(status: 422, code: "invalid_value", detail: "\(field): expected none here; \(expectation)")
    }

    private static func text(_ value: String) -> String? {
        guard value.hasPrefix("\"") else { return value }
        var text = ""
        var (isEscaped, hasEnded) = (false, false)
        for sign in value.unicodeScalars.dropFirst() {
            switch (sign, isEscaped) {
            case _ where hasEnded: return nil
            case ("\"", true), ("\\", true):
                text.unicodeScalars.append(sign)
                isEscaped = false
            case (_, true): return nil
            case ("\\", false): isEscaped = true
            case ("\"", false): hasEnded = true
            case (_, false): text.unicodeScalars.append(sign)
            }
        }
        return hasEnded ? text : nil
    }
}
