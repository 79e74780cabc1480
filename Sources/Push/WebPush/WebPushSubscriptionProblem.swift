/// A mistake in a subscription, made by the client.
package struct WebPushSubscriptionProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place, as a JSON pointer (RFC 6901): `/keys/p256dh`. Empty for the whole subscription.
    package let pointer: String
    /// The expectation. Never the value that was found, which may be a secret.
    package let reason: String

    init(_ pointer: String, _ reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    package var description: String { "\"\(pointer)\": \(reason)" }
}
