/// The people who may read a feed. Everyone else is refused, live and over REST; only backends publish.
package enum FeedAccess: Sendable, Hashable {
    /// Everybody with a valid token.
    case everybody
    /// People whose token has this claim, and in it the text that the rule's `*` stands for. May be a dotted path.
    case claim(String)
    /// The members of a topic; a `*` in its name is filled with the text that the rule's `*` stands for.
    case members(of: FeedPattern)
}
