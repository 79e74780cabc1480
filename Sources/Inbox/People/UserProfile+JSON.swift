package import JSON

extension UserProfile {
    /// RFC 5321 §4.5.3.1.3 allows a path of 256 bytes, including its angle brackets.
    private static let maximumEmailBytes = 254
    /// Longer than any tag or zone name in use.
    private static let maximumNameBytes = 64

    /// Reads a backend's profile, and checks the members that Belfry uses; null counts as absent.
    package init(json: JSONNode) throws(EventProblem) {
        let members = try EventMembers(json, in: JSONPointer(), known: nil)
        let locale = try members.text("locale", maximumBytes: Self.maximumNameBytes)
        let language = locale.flatMap(LocaleTag.canonical)
        guard (language == nil) == (locale == nil) else {
            throw .invalidValue(members.place("locale"), expected: "a language tag (BCP 47) such as pt-BR")
        }
        let zone = try members.text("zone", maximumBytes: Self.maximumNameBytes)
        let zoneName = zone.flatMap(ZoneNames.name)
        guard (zoneName == nil) == (zone == nil) else {
            let hint = zone.flatMap(ZoneNames.nearest).map { "; did you mean \"\($0)\"?" } ?? ""
            throw .invalidValue(
                members.place("zone"), expected: "a name of the time zone database such as Europe/Berlin\(hint)")
        }
        let email = try members.text("email", maximumBytes: Self.maximumEmailBytes)
        if let email, !Self.isAddress(email) {
            throw .invalidValue(members.place("email"), expected: "an address such as ada@example.com")
        }
        self.init(locale: language, zone: zoneName, email: email, json: try members.copy())
    }

    /// Reads a stored profile, which was checked when it came.
    package init(stored json: JSONObject) {
        self.init(
            locale: json["locale"]?.string, zone: json["zone"]?.string.map { ZoneNames.name($0) ?? $0 },
            email: json["email"]?.string, json: json)
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return at != text.utf8.startIndex && text.utf8.index(after: at) != text.utf8.endIndex
            && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    }

    /// The form in which addresses are compared: in practice letter case does not count, whatever RFC 5321 §2.4 allows.
    package static func searchForm(ofEmail email: String) -> String { email.lowercased() }
}
