/// A rendered text in which only a number is still open: "… people upvoted your post".
package struct CountedText: Sendable, Hashable {
    /// The number goes between these: none of it for one piece.
    package var pieces: [String]

    package init(pieces: [String]) { self.pieces = pieces }

    package func text(count: Int) -> String { pieces.joined(separator: String(count)) }
}
