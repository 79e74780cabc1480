/// What backends and administrators can call.
enum LocalEndpoint: Sendable, Hashable {
    case directory(DirectoryRoutes.Call)
    case trail(TrailRoutes.Call)
    case feedItem(FeedItemRoutes.Call)
    case settings, writeSettings
    /// A person's inbox, in their place.
    case inbox(InboxRoutes.Endpoint)
    case events, feedItems, feedMark, moveFeedMark, health, push, devices, device, writeDevice, testPush, reload
    case catalogs

    /// What a query may say. A name that is misspelt would do something else, and nobody would hear of it.
    var parameters: [String]? {
        switch self {
        case .events: ["dryRun"]
        case .trail(.event): ["user", "after", "limit"]
        case .trail(.key): ["key", "publisher", "user", "after", "limit"]
        case .trail(.person): ["before", "limit"]
        case .trail(.patch): PatchRoute.parameters
        case .directory(.members): ["after", "limit"]
        case .device: ["app"]
        case .inbox(.readAll), .inbox(.seen): ["upTo"]
        // Who looks after a process adds what they like.
        case .health: nil
        case .directory, .trail(.retract), .inbox, .settings, .writeSettings, .feedItems, .feedItem, .feedMark,
            .moveFeedMark, .push,
            .devices, .writeDevice, .testPush, .reload, .catalogs:
            []
        }
    }
}
