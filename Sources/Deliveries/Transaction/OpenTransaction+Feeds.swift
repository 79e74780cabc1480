import Inbox
import Store

/// Feeds as this transaction has left them so far.
extension OpenTransaction {
    /// Creates the feed if there is none.
    package func feed(named name: String) throws -> FeedRecord {
        try knownFeed(named: name) ?? feeds.create(name, epoch: feeds.firstEpoch(of: name))
    }

    /// Nil if there is none.
    package func knownFeed(named name: String) throws -> FeedRecord? {
        try memory.feeds.value(for: ExactText(name)) ?? feeds.record(named: name)
    }

    package func keep(_ record: FeedRecord, named name: String) { memory.feeds.keep(record, for: ExactText(name)) }
}
