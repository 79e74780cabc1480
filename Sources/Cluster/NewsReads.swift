package import Deliveries
package import Inbox
package import Store

/// What a search for news asks of an engine, as of one moment.
package protocol NewsReads {
    func heads(of subjects: [NewsSubject]) throws -> [NewsHead]

    /// The inboxes of these people, ready for what came behind these numbers. May answer for more people than are asked.
    func inboxes(after places: [UserID: Int64]) throws -> any InboxReads

    /// The items and changes of a feed behind an offset, in their order, and how far they go.
    ///
    /// - Parameter epoch: nil if the feed had no item.
    /// - Returns: nil if the feed has begun anew since, or what is missing is gone.
    func told(
        of feed: String, epoch: String?, after offset: Int64, limit: Int
    ) throws -> (items: [Commit.FeedDelivery], end: Int64)?
}
