/// What a catalog says of the feeds of one shape: who may read them, and where their items say what.
package struct FeedRule: Sendable {
    /// How many items a feed keeps where its rule does not say so.
    package static let defaultLength = 10_000

    package let pattern: FeedPattern
    package let access: FeedAccess
    /// Where an item has its id; nil for items without one.
    let id: [String]?
    /// Where an item has its author: an e-mail address or a user id.
    let author: [String]?
    /// Where the feed writes an item's stamp.
    let time: [String]?
    /// Where an item has its tags.
    let tags: [String]?
    /// In which clients' times are read that name no zone; nil: such times are refused.
    package let zone: String?
    /// How many items a feed keeps; 0 for one that only tells who listens.
    package let length: Int
    /// Where the catalog says so; nil for ``undeclared``.
    let source: CatalogError.Place?

    /// What holds for a feed that no catalog names: items are passed on as they are.
    package static func undeclared(_ feed: String) -> FeedRule {
        FeedRule(
            pattern: FeedPattern(exactly: feed), access: .everybody, id: nil, author: nil, time: nil, tags: nil,
            zone: nil, length: defaultLength, source: nil)
    }

    /// Whether items can be found again by an id.
    package var namesItems: Bool { id != nil }

    /// False for a feed that is live only: an item reaches who is subscribed when it is published, and nobody later.
    package var keepsItems: Bool { length > 0 }

    /// Whether somebody may read `feed`.
    ///
    /// - Parameter claims: what their token says; nil for somebody who is believed without a token.
    package func verdict(on feed: String, with claims: FeedClaims?) -> FeedVerdict {
        guard let name = pattern.match(feed) else { return .refused }
        switch access {
        case .everybody: return .allowed
        case .claim(let claim): return claims?.contains(name, in: claim) ?? true ? .allowed : .refused
        case .members(let topic): return .ifMember(of: topic.filled(with: name))
        }
    }

    /// The claim that the rule asks for, if it asks for one.
    var claim: String? { if case .claim(let name) = access { name } else { nil } }
}
