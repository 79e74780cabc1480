/// What a request to the sink is for, as its path tells.
package enum SinkRoute: Sendable, Hashable {
    case push(Device.Provider)
    /// Google's token endpoint, where FCM's access tokens come from.
    case token

    /// - Parameter path: with the query, if there is one.
    /// - Returns: nil for what no push service has, such as the sink's own pages.
    package init?(path: String) {
        let path = path.prefix { $0 != "?" }
        if path.hasPrefix("/3/") {
            self = .push(.apns)
        } else if path.hasPrefix("/v1/projects/") {
            self = .push(.fcm)
        } else if path == "/notifications" || path == "/api/v1/notifications" {
            self = .push(.onesignal)
        } else if path.hasPrefix("/webpush/") {
            self = .push(.webpush)
        } else if path == "/token" {
            self = .token
        } else {
            return nil
        }
    }

    /// The word for it in scripts and logs.
    package var name: String {
        switch self {
        case .push(let provider): provider.rawValue
        case .token: "token"
        }
    }

    /// - Parameter name: as ``name``.
    package init?(name: String) {
        guard let route = Self.all.first(where: { $0.name == name }) else { return nil }
        self = route
    }

    package static let all = Device.Provider.allCases.map(SinkRoute.push) + [.token]
}
