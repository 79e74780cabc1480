/// Which key a verified token was signed with, in two bytes: each open session keeps one, so that it can be judged
/// again without its token.
package struct TokenSigner: Sendable, Hashable {
    /// No key that can be named: never trusted again.
    package static let unknown = TokenSigner(key: 0, namesKey: false)

    /// The key's number, from ``KeyNumbers``.
    let key: UInt16
    /// Whether the token has a `kid`: where keys have names, such a token is verified by the key of that name only.
    let namesKey: Bool
}
