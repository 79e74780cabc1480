package import Inbox

/// Feeds, and how far people have viewed them. Calls and completions as in ``Store``.
package protocol FeedDirectory: Sendable {
    /// Appends items to a feed, all or none, and creates the feed with its first item. An item whose id the feed
    /// already has is not appended again.
    func append(
        _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<[FeedReceipt], StoreError>) -> Void)

    /// Replaces the item with the id of the publication's only item; nil if the feed has none.
    func replace(
        _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void)

    /// Removes the item with this id; nil if the feed has none.
    /// - Parameter publication: without items.
    func remove(
        item id: String, _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void)

    /// Reads items; nil if the pass does not hold.
    func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void)

    /// How far a person has viewed the feed; nil if the pass does not hold.
    func mark(
        of feed: String, by user: UserID, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedMark?, StoreError>) -> Void)

    /// Moves a person's mark forward, at most to the feed's head.
    func markViewed(
        _ feed: String, upTo place: FeedMark.Place, by user: UserID,
        completion: @escaping @Sendable (Result<FeedMark, StoreError>) -> Void)

    /// The news of each feed; takes some microseconds a feed, however much that is.
    func summaries(
        of requests: [FeedSummaries.Request], for viewer: FeedViewer,
        completion: @escaping @Sendable (Result<FeedSummaries, StoreError>) -> Void)
}
