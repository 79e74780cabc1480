package import Inbox

/// Facts about many people that the rules are about to ask for, one by one.
///
/// A rule reads like a rule if it asks about one person at a time. Over a network that would take a round trip for each
/// question: ten thousand recipients would take seconds. So a rule that serves many people announces them first, as a
/// set, and an engine behind a network fetches all their facts at once.
package enum ExpectedFacts {
    /// The inboxes of these people, with their owners' settings and the devices that get pushes.
    case recipients([UserID])
    /// The notifications in these inboxes that an event with the key may still grow.
    case openBatches([(inbox: Int64, key: String)])
    /// These devices, with their owners' inboxes.
    case devices([Int64])
    /// The waiting pushes of these people that an acknowledgement may cancel.
    case waitingPushes([UserID])
}
