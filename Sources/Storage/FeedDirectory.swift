package import Inbox

/// Feeds, and how far people have looked at them. Calls and completions as in ``Store``.
package protocol FeedDirectory: Sendable {
    /// Appends items to a feed, all or none, creating the feed at its first item. An item whose id the feed has already
    /// is not appended again.
    func append(
        _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<[FeedReceipt], StoreError>) -> Void)

    /// Puts the publication's only item in the place of the one that has its id; nil if the feed has none.
    func replace(
        _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void)

    /// Takes the item of an id out; nil if the feed has none.
    /// - Parameter publication: without items.
    func remove(
        item id: String, _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void)

    /// Reads items; nil without a pass that holds.
    func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void)

    /// How far a person has looked; nil without a pass that holds.
    func mark(
        of feed: String, by user: UserID, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedMark?, StoreError>) -> Void)

    /// A person has looked so far, at most to the feed's head.
    func markViewed(
        _ feed: String, upTo place: FeedMark.Place, by user: UserID,
        completion: @escaping @Sendable (Result<FeedMark, StoreError>) -> Void)

    /// What is new; some microseconds a feed, however much that is.
    func summaries(
        of requests: [FeedSummaries.Request], for viewer: FeedViewer,
        completion: @escaping @Sendable (Result<FeedSummaries, StoreError>) -> Void)
}
