import Inbox
import Storage
import WireProtocol

/// Who may read which feed: what the catalogs say, and the setting `feeds.undeclared` for feeds that none names.
struct FeedGate {
    let node: Node

    /// The feed's rule; nil for a feed that is not there for anybody.
    func rule(for feed: String) -> FeedRule? {
        if let rule = node.currentCatalogs.feedRule(for: feed) { return rule }
        return node.settings.feeds.undeclared == .public ? .undeclared(feed) : nil
    }

    /// Whether the feed's items can be read later.
    func keepsItems(of feed: String) -> Bool { rule(for: feed)?.keepsItems ?? true }

    /// What the rules ask of a token. Kept by sessions in place of all its claims.
    func claims(of credentials: Credentials) -> FeedClaims {
        FeedClaims(credentials.claims, named: node.currentCatalogs.feedClaims)
    }

    /// On what condition this user may read the feed; nil: on none.
    func pass(to feed: String, for user: UserID, with claims: FeedClaims) -> FeedPass? {
        switch rule(for: feed)?.verdict(on: feed, with: claims) {
        case nil, .refused: nil
        case .allowed: .open
        case .ifMember(let topic): .member(user, of: topic)
        }
    }

    /// Reads items; nil without a pass that holds.
    func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void
    ) {
        let isKept = keepsItems(of: feed)
        // Of a feed that keeps nothing the store is asked, too: it knows who is in a topic, and may have older items.
        node.store.items(of: feed, query, with: pass) { [node] result in
            completion(isKept ? result : result.map { $0.map { _ in node.liveOnlyFeeds.page(for: query) } })
        }
    }

    /// What to ask the store about a feed for whom a poll is; nil for a feed that they may not read, or that keeps
    /// nothing.
    ///
    /// - Parameter claims: nil for a caller who is believed without a token.
    func request(_ feed: String, with claims: FeedClaims?) -> FeedSummaries.Request? {
        guard let rule = rule(for: feed), rule.keepsItems else { return nil }
        switch rule.verdict(on: feed, with: claims) {
        case .refused: return nil
        case .allowed: return .init(feed)
        case .ifMember(let topic): return .init(feed, topic: topic)
        }
    }
}

extension Problem {
    static let feedRefused = Problem(
        status: 403, code: "feed_refused", detail: "this feed is not open to the token's user")
}
