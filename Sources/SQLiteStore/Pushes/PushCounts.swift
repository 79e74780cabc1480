import Push

/// A number of pushes for each provider, or the change of one.
struct PushCounts: Sendable, Hashable {
    /// By ``Push/Device/Provider/place``.
    private var numbers = [Int64](repeating: 0, count: Device.Provider.most)

    var isZero: Bool { numbers.allSatisfy { $0 == 0 } }

    var sum: Int64 { numbers.reduce(0, +) }

    subscript(provider: Device.Provider) -> Int64 {
        get { numbers[provider.place] }
        _modify { yield &numbers[provider.place] }
    }

    /// - Parameter place: one without a provider counts nothing.
    mutating func add(_ number: Int64, ofPlace place: Int) {
        if numbers.indices.contains(place) { numbers[place] += number }
    }

    mutating func add(_ changes: PushCounts) {
        for place in numbers.indices { numbers[place] += changes.numbers[place] }
    }

    func by(_ providers: ProviderList) -> [Device.Provider: Int64] {
        Dictionary(uniqueKeysWithValues: providers.map { ($0, self[$0]) })
    }
}
