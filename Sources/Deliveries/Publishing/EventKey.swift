package import Inbox

/// A key within its publisher's own keys.
package struct EventKey: Hashable {
    package let publisher: ExactText
    package let key: ExactText

    package init(_ key: String, of publisher: String) {
        (self.publisher, self.key) = (ExactText(publisher), ExactText(key))
    }

    /// The key's digest alone, as most keys are of one publisher.
    package var digest: UInt64 { key.digest }
}
