/// What was decided about one person when an event was taken in.
package enum TrailDecision: Sendable, Hashable {
    /// A notification came into being.
    case created(PushDecision)
    /// An open batch took the event in.
    case grew(PushDecision)
    /// Only a push came into being, or was to: neither the type nor the person has it in the inbox.
    case pushOnly(PushDecision)
    /// Whoever did it is not told.
    case isActor
    /// No route names the list in which the person stands.
    case unrouted
    /// The subject that the person has muted.
    case muted(String)
    /// The person, or the app, does not want this type; in old trails it does not say who.
    case preferenceOff(Chooser?)

    package var isPushOnly: Bool { if case .pushOnly = self { true } else { false } }
}
