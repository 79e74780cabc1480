/// What apps can call.
enum PublicEndpoint: Sendable, Hashable {
    case live
    case inbox(InboxRoutes.Endpoint)
    case devices(DeviceRoutes.Endpoint)
    case settings(PreferenceRoutes.Endpoint)
    case feed(FeedRoutes.Endpoint)
    case poll, recentTagged
    case explain
    case client(ClientFiles.Place)
    case health

    /// What a query may say; nil for anything.
    ///
    /// A call that changes something refuses what it does not know: it would change more than was meant, or another
    /// app's. Apps that are on phones already read the inbox, mark it and register in ways that nobody can mend, with
    /// parameters against caches for one: of the calls that they make, what is not known is left out.
    var parameters: [String]? {
        switch self {
        case .live, .poll, .recentTagged, .client, .health: nil
        case .inbox(.list), .inbox(.groups), .inbox(.unreadCount), .inbox(.read): nil
        // These reach as far as they say, and without that to the end.
        case .inbox(.readAll), .inbox(.seen), .inbox(.clear): ["upTo"]
        case .devices(.list), .devices(.pushKey), .devices(.playerID), .devices(.registerDevice): nil
        case .settings(.preferences), .settings(.mutes), .settings(.quietHours): nil
        case .feed(.items): ["after", "before", "epoch", "limit", "tags"]
        case .devices: ["app"]
        case .inbox, .settings, .feed, .explain: []
        }
    }
}
