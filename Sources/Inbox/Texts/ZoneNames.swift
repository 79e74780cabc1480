import _FoundationICU

/// The names of time zones (IANA time zone database): `Europe/Berlin`.
package enum ZoneNames {
    private static let all: Set<String> = {
        var status = U_ZERO_ERROR
        let zones = swift_ucal_openTimeZones(&status)
        defer { swift_uenum_close(zones) }
        var names: Set<String> = []
        while let name = swift_uenum_next(zones, nil, &status) { names.insert(String(cString: name)) }
        return names
    }()

    package static func isKnown(_ name: String) -> Bool { all.contains(name) }

    /// The zone that a misspelt name was probably meant to be; nil if none is near.
    package static func nearest(to name: String) -> String? { Spelling.nearest(to: name, among: all) }
}
