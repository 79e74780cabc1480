/// What was decided about one person when an event was taken in.
package enum TrailDecision: Sendable, Hashable {
    /// A notification came into being.
    case created(PushDecision)
    /// An open batch took the event in.
    case grew(PushDecision)
    /// Whoever did it is not told.
    case isActor
    /// No route names the list in which the person stands.
    case unrouted
    /// The subject that the person has muted.
    case muted(String)
    /// The person, or the app's default, does not want this type.
    case preferenceOff
}
