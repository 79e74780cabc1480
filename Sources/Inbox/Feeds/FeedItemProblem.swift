/// Why an item cannot go into its feed: it is not as the feed's rule says.
package struct FeedItemProblem: Error, Sendable, Hashable {
    /// `wrong_type` or `invalid_value`.
    package let code: String
    /// Where in the item, as a JSON pointer (RFC 6901).
    package let pointer: String
    package let message: String
}
