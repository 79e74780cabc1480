/// The key that signed a verified token, in two bytes: each open session keeps one, so that it can be judged again
/// without its token.
package struct TokenSigner: Sendable, Hashable {
    /// No identifiable key: never trusted again.
    package static let unknown = TokenSigner(key: 0, namesKey: false)

    /// The key's number, from ``KeyNumbers``.
    let key: UInt16
    /// Whether the token has a `kid`: once keys have names, only the key with that name verifies it.
    let namesKey: Bool
}
