import Foundation
import _FoundationICU

/// The names of time zones (IANA time zone database, links included): `Europe/Berlin`, `CET`, `US/Pacific`.
package enum ZoneNames {
    /// All names that ICU knows, including its own.
    private static let all: Set<String> = {
        var status = U_ZERO_ERROR
        let zones = swift_ucal_openTimeZones(&status)
        defer { swift_uenum_close(zones) }
        var names: Set<String> = []
        while let name = swift_uenum_next(zones, nil, &status) { names.insert(String(cString: name)) }
        return names
    }()

    /// Abbreviations that ICU has from Java. The database has no such names: IST is the time of India, of Ireland and
    /// of Israel.
    private static let abbreviations: Set<String> = [
        "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET", "IST", "JST",
        "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST",
    ]

    /// The database's names, by their form in small letters.
    private static let names = Dictionary(
        uniqueKeysWithValues: all.compactMap { name -> (String, String)? in
            let isOfDatabase =
                !abbreviations.contains(name) && !name.hasPrefix("SystemV/") && name != "Etc/Unknown"
                && TimeZone(identifier: name) != nil
            return isOfDatabase ? (name.lowercased(), name) : nil
        })

    /// The database's spelling of a zone's name, whatever the letter case; nil for any other text. An offset
    /// (`GMT+05:30`) is no zone: it has no summer time.
    package static func name(_ text: String) -> String? { names[text.lowercased()] }

    /// Whether some version accepted the name as a zone: rules have become stricter, and stored names stay valid.
    package static func isKnown(_ name: String) -> Bool { all.contains(name) }

    /// The likely meaning of a misspelt name; nil if no name is near.
    package static func nearest(to name: String) -> String? { Spelling.nearest(to: name, among: names.values) }
}
