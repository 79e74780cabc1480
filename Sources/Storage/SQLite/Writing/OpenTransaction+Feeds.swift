import Inbox

/// Feeds as this transaction has left them so far.
extension OpenTransaction {
    /// Created if there is none.
    func feed(named name: String) throws -> FeedRecord {
        try knownFeed(named: name) ?? feeds.create(name, epoch: feedReader.firstEpoch(of: name))
    }

    /// Nil if there is none.
    func knownFeed(named name: String) throws -> FeedRecord? {
        try memory.feeds.value(for: ExactText(name)) ?? feedReader.record(named: name)
    }

    func keep(_ record: FeedRecord, named name: String) { memory.feeds.keep(record, for: ExactText(name)) }
}
