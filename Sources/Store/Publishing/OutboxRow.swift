/// An event in the outbox.
package struct OutboxRow: Sendable, Hashable {
    package let id: Int64
    /// The event, as JSON.
    package let event: [UInt8]
    /// How often it could not be stored.
    package let tries: Int

    package init(id: Int64, event: [UInt8], tries: Int) {
        (self.id, self.event, self.tries) = (id, event, tries)
    }
}
