/// Identifies an event that was sent before: its idempotency key, and a digest of all of it.
package struct KeyedEvent: Sendable, Hashable {
    package let key: String
    /// See ``Publication/Entry/fingerprint``.
    package let fingerprint: UInt64

    package init(key: String, fingerprint: UInt64) {
        self.key = key
        self.fingerprint = fingerprint
    }
}
