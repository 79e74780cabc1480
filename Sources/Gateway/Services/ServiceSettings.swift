/// The settings of one push service.
protocol ServiceSettings: Sendable, Equatable {
    /// With all defaults.
    init()
}

/// The settings of all push services, by type: a further service brings its own.
struct ServiceSettingsByType: Sendable, Equatable {
    private var chosen: [ObjectIdentifier: any ServiceSettings] = [:]

    subscript<Own: ServiceSettings>(type: Own.Type) -> Own {
        get { chosen[ObjectIdentifier(type)] as? Own ?? Own() }
        set { chosen[ObjectIdentifier(type)] = newValue }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.isContained(in: other) && other.isContained(in: one)
    }

    private func isContained(in other: Self) -> Bool {
        chosen.allSatisfy { type, settings in settings.isEqual(to: other.chosen[type]) }
    }
}

extension ServiceSettings {
    /// - Parameter other: nil for all defaults.
    fileprivate func isEqual(to other: (any ServiceSettings)?) -> Bool { self == (other as? Self ?? Self()) }
}
