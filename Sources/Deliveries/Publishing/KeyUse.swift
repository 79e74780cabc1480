package import Store

/// The use of a key.
package struct KeyUse {
    package let fingerprint: UInt64
    package let event: String
    package let recipients: Int
    package let created: Int
    package let updated: Int
    package let suppressed: Int

    /// The answer to a repeated event.
    package var outcome: PublishOutcome {
        PublishOutcome(
            event: event, recipients: recipients, created: created, updated: updated, suppressed: suppressed,
            isReplay: true)
    }

    package init(fingerprint: UInt64, event: String, recipients: Int, created: Int, updated: Int, suppressed: Int) {
        (self.fingerprint, self.event, self.recipients) = (fingerprint, event, recipients)
        (self.created, self.updated, self.suppressed) = (created, updated, suppressed)
    }

    package init(fingerprint: UInt64, outcome: PublishOutcome) {
        self.init(
            fingerprint: fingerprint, event: outcome.event, recipients: outcome.recipients, created: outcome.created,
            updated: outcome.updated, suppressed: outcome.suppressed)
    }
}
