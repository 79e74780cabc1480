/// A rule's answer for one person and one feed.
package enum FeedVerdict: Sendable, Hashable {
    case allowed
    case refused
    /// Only if the person is in the topic, which the store knows.
    case ifMember(of: String)
}
