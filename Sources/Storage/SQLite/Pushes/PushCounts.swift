import Push

/// A number of pushes of each provider, or by how much it has changed.
struct PushCounts: Sendable, Hashable {
    /// By ``Push/Device/Provider/place``.
    private var numbers = [Int64](repeating: 0, count: Device.Provider.allCases.count)

    var isZero: Bool { numbers.allSatisfy { $0 == 0 } }

    var byProvider: [Device.Provider: Int64] {
        Dictionary(uniqueKeysWithValues: Device.Provider.allCases.map { ($0, self[$0]) })
    }

    subscript(provider: Device.Provider) -> Int64 {
        get { numbers[provider.place] }
        _modify { yield &numbers[provider.place] }
    }

    mutating func add(_ changes: PushCounts) {
        for place in numbers.indices { numbers[place] += changes.numbers[place] }
    }
}
