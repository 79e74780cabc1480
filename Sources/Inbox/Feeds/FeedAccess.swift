/// Who may read a feed. Everyone else is refused, live and over REST; publishing is the backends'.
package enum FeedAccess: Sendable, Hashable {
    /// Everybody with a valid token.
    case everybody
    /// Whose token has, in the claim of this name, what the rule's `*` stands for. The name may be a dotted path.
    case claim(String)
    /// The members of a topic; a `*` in its name stands for what the rule's `*` stands for.
    case members(of: FeedPattern)
}
