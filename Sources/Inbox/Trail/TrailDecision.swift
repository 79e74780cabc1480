/// The decision about one person when an event was accepted.
package enum TrailDecision: Sendable, Hashable {
    /// The event made a notification.
    case created(PushDecision)
    /// The event joined an open batch.
    case grew(PushDecision)
    /// The event made a push only, or was to: the type or the person keeps it out of the inbox.
    case pushOnly(PushDecision)
    /// The person is the event's actor, and gets nothing.
    case isActor
    /// No route names the person's list.
    case unrouted
    /// The person has muted this subject.
    case muted(String)
    /// The person or the app does not want this type; old trails do not say which.
    case preferenceOff(Chooser?)

    package var isPushOnly: Bool { if case .pushOnly = self { true } else { false } }
}
