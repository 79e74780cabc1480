import Inbox
import Store
import WireProtocol

/// Decides who may read which feed of an app, by the catalogs, and by the setting `feeds.undeclared` for feeds in no catalog.
struct FeedGate {
    let node: Node
    let app: AppName
    private var catalogs: CatalogSet { node.catalogs(of: app) }

    init(node: Node, app: AppName) { (self.node, self.app) = (node, app) }

    /// Refuses a name in a path that no feed can have.
    static func check(_ feed: String) throws(Problem) {
        guard FeedName.mayBeKnown(feed) else { throw .parameter("feed: expected \(FeedName.expectation)") }
    }

    /// Whether the items of the feed with this key can be read later.
    static func keepsItems(ofKey feed: String, _ node: Node) -> Bool {
        FeedGate(node: node, app: AppName(ofKey: feed)).keepsItems(of: AppName.name(ofKey: feed))
    }

    /// The feed's rule; nil for a feed that exists for nobody.
    func rule(for feed: String) -> FeedRule? {
        if let rule = catalogs.feedRule(for: feed) { return rule }
        return node.settings.feeds.undeclared == .public ? .undeclared(feed) : nil
    }

    /// Whether the feed's items can be read later.
    func keepsItems(of feed: String) -> Bool { rule(for: feed)?.keepsItems ?? true }

    /// The claims that the rules ask for; sessions keep these instead of all claims.
    func claims(of credentials: Credentials) -> FeedClaims {
        FeedClaims(credentials.claims, named: catalogs.feedClaims)
    }

    /// The condition under which this user may read the feed; nil if the user may not.
    func pass(to feed: String, for user: UserID, with claims: FeedClaims) -> FeedPass? {
        switch rule(for: feed)?.verdict(on: feed, with: claims) {
        case nil, .refused: nil
        case .allowed: .open
        case .ifMember(let topic): .member(user, of: app.key(topic))
        }
    }

    /// Reads items; nil if the pass does not hold.
    func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void
    ) {
        let isKept = keepsItems(of: feed)
        // A feed that keeps nothing is read from the store, too: the store knows a topic's members, and may have older
        // items.
        node.store.items(of: app.key(feed), query, with: pass) { [node] result in
            completion(isKept ? result : result.map { $0.map { _ in node.liveOnlyFeeds.page(for: query) } })
        }
    }

    /// The store's request for one feed of a poll; nil for a feed that the caller may not read, or that keeps nothing.
    ///
    /// - Parameter claims: nil for a trusted caller without a token.
    func request(_ feed: String, with claims: FeedClaims?) -> FeedSummaries.Request? {
        guard let rule = rule(for: feed), rule.keepsItems else { return nil }
        switch rule.verdict(on: feed, with: claims) {
        case .refused: return nil
        case .allowed: return .init(app.key(feed))
        case .ifMember(let topic): return .init(app.key(feed), topic: app.key(topic))
        }
    }
}

extension Problem {
    static let feedRefused = Problem(
        status: 403, code: LiveErrorCode.feedRefused.rawValue, detail: LiveErrorCode.feedRefused.meaning)
}
