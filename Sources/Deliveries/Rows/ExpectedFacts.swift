package import Inbox

/// Facts about many people that the rules are about to ask for, one by one.
///
/// A rule reads like a rule if it asks about one person at a time. Over a network that would take a round trip for each
/// question: ten thousand recipients would take seconds. So a rule that serves many people announces them first, as a
/// set, and an engine behind a network fetches all their facts at once.
package enum ExpectedFacts {
    /// The inboxes of these people, with their owners' settings and devices. Who has no inbox gets one.
    case recipients([UserID])
    /// As `recipients`, but nobody gets an inbox.
    case people([UserID])
    /// The notifications in these inboxes that an event with the key may still grow, with their contents.
    case openBatches([(inbox: Int64, key: String)])
    /// As `people`, the owners of these inboxes.
    case owners([Int64])
    /// These notifications, with their contents. Push-only ones are left out.
    case notifications([NotificationID])
    /// These devices, with their owners' inboxes.
    case devices([Int64])
    /// As `people`, and their waiting pushes that an acknowledgement may cancel.
    case waitingPushes([UserID])
}
