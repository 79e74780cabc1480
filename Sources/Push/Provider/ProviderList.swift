/// The push services that a program knows.
package struct ProviderList: Sendable, RandomAccessCollection {
    private let providers: [Device.Provider]
    private let byPlace: [Device.Provider?]

    /// - Parameter providers: with unique names and places.
    package init(_ providers: [Device.Provider]) {
        var byPlace = [Device.Provider?](repeating: nil, count: Device.Provider.most)
        for provider in providers {
            precondition(byPlace[provider.place] == nil, "two providers have the place \(provider.place)")
            byPlace[provider.place] = provider
        }
        precondition(Set(providers.map(\.name)).count == providers.count, "two providers have one name")
        (self.providers, self.byPlace) = (providers, byPlace)
    }

    /// Nil for an unknown name.
    package subscript(name name: String) -> Device.Provider? { providers.first { $0.name == name } }

    /// Nil for an unknown place, as in a damaged row.
    package subscript(place place: Int) -> Device.Provider? { byPlace.indices.contains(place) ? byPlace[place] : nil }

    package var startIndex: Int { providers.startIndex }
    package var endIndex: Int { providers.endIndex }
    package subscript(index: Int) -> Device.Provider { providers[index] }
}

extension ProviderList {
    /// The services that Belfry supports.
    package static let standard = ProviderList([.apns, .fcm, .onesignal, .webpush])
}
