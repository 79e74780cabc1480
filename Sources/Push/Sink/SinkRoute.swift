/// The purpose of a request to the sink, told by its path.
package enum SinkRoute: Sendable, Hashable {
    case push(Device.Provider)
    /// Google's token endpoint, which issues FCM's access tokens.
    case token

    /// The name in scripts and logs.
    package var name: String {
        switch self {
        case .push(let provider): provider.name
        case .token: "token"
        }
    }

    /// All routes of a sink for these providers.
    static func all(of providers: ProviderList) -> [SinkRoute] { providers.map(SinkRoute.push) + [.token] }
}
