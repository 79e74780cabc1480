/// A push's content by reference: a fan-out has thousands of pushes under way that say the same, and a content has two
/// dozen parts that copying would count one by one.
package final class SharedPushContent: Sendable {
    package let content: PushContent
    /// As in ``PushTerms``: asked of each push that leaves.
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
