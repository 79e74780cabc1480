package import Inbox
package import Store

/// Feeds, and how far people have viewed them.
extension StoreEngine {
    package func append(
        _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<[FeedReceipt], StoreError>) -> Void
    ) {
        write(rows: publication.items.count, isRehearsal: false, owner: publication.feed, completion) { open in
            .success(try FeedWriter(open: open).append(publication))
        }
    }

    package func replace(
        _ publication: FeedPublication, completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void
    ) {
        write(completion) { open in try FeedWriter(open: open).replace(publication) }
    }

    package func remove(
        item id: String, _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void
    ) {
        write(completion) { open in try FeedWriter(open: open).remove(id, from: publication) }
    }

    package func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void
    ) {
        readItems(of: feed, query, with: pass, completion: completion)
    }

    package func readItems(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void
    ) {
        read(completion) { reads in
            try FeedNews(reads: reads.feeds).holds(pass) ? FeedPages(reads: reads.feeds).page(of: feed, query) : nil
        }
    }

    package func mark(
        of feed: String, by user: UserID, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedMark?, StoreError>) -> Void
    ) {
        read(completion) { reads in
            let news = FeedNews(reads: reads.feeds)
            return try news.holds(pass) ? news.mark(of: feed, by: user) : nil
        }
    }

    package func summaries(
        of requests: [FeedSummaries.Request], for viewer: FeedViewer,
        completion: @escaping @Sendable (Result<FeedSummaries, StoreError>) -> Void
    ) {
        read(completion) { reads in try FeedNews(reads: reads.feeds).summaries(of: requests, for: viewer) }
    }

    package func markViewed(
        _ feed: String, upTo place: FeedMark.Place, by user: UserID,
        completion: @escaping @Sendable (Result<FeedMark, StoreError>) -> Void
    ) {
        write(for: user, completion) { open in try FeedWriter(open: open).markViewed(feed, upTo: place, by: user) }
    }
}
