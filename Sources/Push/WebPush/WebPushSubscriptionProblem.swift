/// What is wrong with a subscription; the client's mistake.
package struct WebPushSubscriptionProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where in the subscription, as a JSON pointer (RFC 6901): `/keys/p256dh`. Empty for the whole.
    package let pointer: String
    /// What was expected. Never what was found: it may be a secret.
    package let reason: String

    init(_ pointer: String, _ reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    package var description: String { "\"\(pointer)\": \(reason)" }
}
