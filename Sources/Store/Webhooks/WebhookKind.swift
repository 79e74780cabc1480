/// What an endpoint may hear of. The name is the `type` of the webhook, and the word in the settings.
package enum WebhookKind: String, Sendable, Hashable, CaseIterable {
    /// A person has seen notifications.
    case seen = "notification.seen"
    /// A person has read notifications.
    case read = "notification.read"
    /// A notification's question has its answer.
    case answered = "notification.answered"
    /// A push service has given its last word about a push.
    case verdict = "push.verdict"
    /// A push service says that a device no longer exists.
    case gone = "device.gone"
}
