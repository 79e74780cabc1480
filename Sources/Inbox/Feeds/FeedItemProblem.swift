/// Why an item cannot go into its feed: it breaks the feed's rule.
package struct FeedItemProblem: Error, Sendable, Hashable {
    /// `wrong_type` or `invalid_value`.
    package let code: String
    /// The place in the item, as a JSON pointer (RFC 6901).
    package let pointer: String
    package let message: String
}
