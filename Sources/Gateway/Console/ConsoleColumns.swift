import Push

/// The names of the figures of which the console keeps an hour, in their order. Rates are per second.
struct ConsoleColumns: Sendable, Equatable {
    static let fixed = [
        "sessions", "connections", "framesSent", "framesReceived", "framesFolded", "closedSlow", "refusedConnections",
        "events", "eventsRefused", "publishP50", "publishP90", "publishP99", "commits", "groupSize", "commitP50",
        "commitP99", "waitingRows", "acks", "pushesInFlight", "memory", "cpu",
    ]
    static let ofProvider = ["queue", "accepted", "device_gone", "busy", "refused", "expired"]

    let names: [String]

    /// - Parameter providers: the push services' names.
    init(providers: [String]) {
        names = Self.fixed + providers.flatMap { provider in Self.ofProvider.map { "push.\(provider).\($0)" } }
    }
}
