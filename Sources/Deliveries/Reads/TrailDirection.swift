/// Which way the trail is searched, by the ids of events. Ids stand in the order of time.
package enum TrailDirection: Sendable, Hashable {
    /// From the last event before an id to the first. An event's later pages come before its earlier ones.
    case back
    /// From an id on.
    case on
}
