package import Store

/// What a read may ask about webhooks.
package protocol WebhookReads {
    /// By endpoint; those without any are left out.
    func counts() throws -> [String: WebhookCount]
    /// An endpoint's dead letters, the newest first.
    func deadLetters(of endpoint: String, limit: Int) throws -> [DeadLetter]
}
