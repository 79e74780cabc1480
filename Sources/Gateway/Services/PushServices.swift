package import Push

/// The push services that a server knows.
package struct PushServices: Sendable, Equatable {
    /// The services that Belfry comes with. A further one takes a folder of its own and a place in this list.
    package static let standard = PushServices([APNsService(), FCMService(), OneSignalService(), WebPushService()])

    let all: [any PushService]
    package let providers: ProviderList

    init(_ services: [any PushService]) {
        all = services
        providers = ProviderList(services.map(\.provider))
    }

    subscript(provider: Device.Provider) -> (any PushService)? { all.first { $0.provider == provider } }

    /// A sender for each service that the settings set up.
    ///
    /// - Throws: ``ServerError`` for an unreadable key, with the setting that names it.
    func makeSenders(
        _ settings: Settings.Push, _ tools: SenderTools
    ) async throws -> [Device.Provider: any PushSender] {
        var senders: [Device.Provider: any PushSender] = [:]
        for service in all { senders[service.provider] = try await service.makeSender(settings, tools) }
        return senders
    }

    package static func == (one: Self, other: Self) -> Bool { Array(one.providers) == Array(other.providers) }
}
