import JSON

/// One object of a person's settings, with known members only; null counts as absent.
struct SettingsMembers {
    let place: JSONPointer
    private let object: JSONObject

    /// - Parameter known: nil if the keys are free names.
    init(_ value: JSONValue, at place: JSONPointer = JSONPointer(), known: [String]?) throws(PreferenceProblem) {
        guard let object = value.object else {
            throw .wrongType(place, expected: "an object", found: value)
        }
        var seen: Set<ExactText> = []
        for key in object.keys {
            if let known, !known.contains(key) { throw .unknownField(key, in: place, known: known) }
            guard seen.insert(ExactText(key)).inserted else {
                throw .invalidValue(place.appending(key), expected: "each member once")
            }
        }
        self.place = place
        self.object = object
    }

    var members: [JSONObject.Member] { object.members }

    func place(of key: String) -> JSONPointer { place.appending(key) }

    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    func required(_ key: String, _ expected: String) throws(PreferenceProblem) -> JSONValue {
        guard let value = value(key) else { throw .missingField(key, in: place, expected: expected) }
        return value
    }

    func text(_ key: String, _ expected: String) throws(PreferenceProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw .wrongType(place(of: key), expected: expected, found: value) }
        return text
    }

    func moment(_ key: String) throws(PreferenceProblem) -> Timestamp? {
        guard let text = try text(key, Timestamp.settingForm) else { return nil }
        return try Timestamp(setting: text, at: place(of: key))
    }

    func array(_ key: String, maximum: Int) throws(PreferenceProblem) -> [JSONValue]? {
        guard let value = value(key) else { return nil }
        guard let array = value.array else {
            throw .wrongType(place(of: key), expected: "an array", found: value)
        }
        guard array.count <= maximum else {
            throw .invalidValue(place(of: key), expected: "at most \(maximum) elements")
        }
        return array
    }

    func zone(_ key: String) throws(PreferenceProblem) -> String? {
        let expected = "a name of the time zone database such as Europe/Berlin"
        guard let zone = try text(key, expected) else { return nil }
        guard let name = ZoneNames.name(zone) else {
            let hint = ZoneNames.nearest(to: zone).map { "; did you mean \"\($0)\"?" } ?? ""
            throw .invalidValue(place(of: key), expected: expected + hint)
        }
        return name
    }
}

extension Timestamp {
    fileprivate static let settingForm = "a date and time with an offset, such as 2025-07-04T15:02:44Z"

    init(setting text: String, at place: JSONPointer) throws(PreferenceProblem) {
        guard let time = Timestamp(iso8601: text) else { throw .invalidValue(place, expected: Self.settingForm) }
        self = time
    }
}
