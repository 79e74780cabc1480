package import Inbox

/// What an engine behind a network fetches together, see ``ExpectedFacts``.
extension OpenTransaction {
    /// Announces facts about several people or devices to an engine that fetches them together.
    package func expect(_ facts: () throws -> ExpectedFacts) throws {
        if rows.fetchesTogether { try rows.expect(facts()) }
    }

    /// Announces people whose inboxes this transaction does not know yet.
    /// - Parameter areRecipients: whether each of them gets an inbox.
    package func expect(_ users: some Sequence<UserID>, areRecipients: Bool) throws {
        guard rows.fetchesTogether else { return }
        let unknown = users.filter { !isRemembered($0) }
        if !unknown.isEmpty { try rows.expect(areRecipients ? .recipients(unknown) : .people(unknown)) }
    }

    /// Looks up what the writes of one group will ask for: their keys first, as only a new event is delivered.
    package func expectFacts(of writes: some Collection<any Write>) throws {
        var keys: [EventKey] = []
        for write in writes { write.gatherKeys(into: &keys) }
        try lookUpKeys(keys)
        guard rows.fetchesTogether else { return }
        var people = ExpectedPeople()
        for write in writes { write.gatherPeople(into: &people, in: self) }
        try expect(people.recipients, areRecipients: !people.includeEverybody)
        try expect(people.others, areRecipients: false)
        if !people.acknowledging.isEmpty { try rows.expect(.waitingPushes(people.acknowledging)) }
        var batches: [(inbox: Int64, key: String)] = []
        for write in writes { try write.gatherBatches(into: &batches, in: self) }
        if !batches.isEmpty { try rows.expect(.openBatches(batches)) }
    }
}
