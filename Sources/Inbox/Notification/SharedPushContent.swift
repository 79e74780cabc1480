/// A push's content by reference: thousands of pushes of a fan-out share one content, and a copy would count its two
/// dozen parts one by one.
package final class SharedPushContent: Sendable {
    package let content: PushContent
    /// ``PushTerms/isWantedByDefault``, kept because every push that leaves needs it.
    package let isWantedByDefault: Bool

    package init(_ content: PushContent) {
        self.content = content
        isWantedByDefault = content.terms.isWantedByDefault
    }
}

extension SharedPushContent: Hashable {
    package static func == (one: SharedPushContent, other: SharedPushContent) -> Bool {
        one === other || one.content == other.content
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
