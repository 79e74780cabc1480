/// A catalog's rule for feeds of one form: who may read them, and where their items have id, author, time and tags.
package struct FeedRule: Sendable {
    /// The number of items that a feed keeps if its rule does not say it.
    package static let defaultLength = 10_000

    package let pattern: FeedPattern
    package let access: FeedAccess
    /// The path of an item's id; nil for items without one.
    let id: [String]?
    /// The path of an item's author: an e-mail address or a user id.
    let author: [String]?
    /// The path where the feed writes an item's stamp.
    let time: [String]?
    /// The path of an item's tags.
    let tags: [String]?
    /// The zone of client times that name none; if nil, such times are refused.
    package let zone: String?
    /// The number of items that a feed keeps; 0 for one that is live only.
    package let length: Int
    /// The rule's place in a catalog; nil for ``undeclared``.
    let source: CatalogError.Place?

    /// The rule for a feed that no catalog names: items are passed on as they are.
    package static func undeclared(_ feed: String) -> FeedRule {
        FeedRule(
            pattern: FeedPattern(exactly: feed), access: .everybody, id: nil, author: nil, time: nil, tags: nil,
            zone: nil, length: defaultLength, source: nil)
    }

    /// Whether the feed's items have ids.
    package var namesItems: Bool { id != nil }

    /// False for a feed that is live only: an item reaches only people who are subscribed when it is published.
    package var keepsItems: Bool { length > 0 }

    /// Whether a person may read `feed`.
    ///
    /// - Parameter claims: the claims of the person's token; nil for a person who is trusted without a token.
    package func verdict(on feed: String, with claims: FeedClaims?) -> FeedVerdict {
        guard let name = pattern.match(feed) else { return .refused }
        switch access {
        case .everybody: return .allowed
        case .claim(let claim): return claims?.contains(name, in: claim) ?? true ? .allowed : .refused
        case .members(let topic): return .ifMember(of: topic.filled(with: name))
        }
    }

    /// The claim that the rule asks for, if any.
    var claim: String? { if case .claim(let name) = access { name } else { nil } }
}
