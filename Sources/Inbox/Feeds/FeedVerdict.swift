/// What a rule says of one person and one feed.
package enum FeedVerdict: Sendable, Hashable {
    case allowed
    case refused
    /// The store knows who is in the topic.
    case ifMember(of: String)
}
