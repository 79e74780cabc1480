package import JSON

/// `{"rev": 3, "preferences": {"types": {"LIKE": {"push": false}}, "categories": {}}, "mutes": [{"subject": "room:789",
/// "until": "…"}], "quietHours": {…}, "snooze": {"until": "…"}}`; parts that are not set are null or empty.
extension UserSettings {
    private static let members = ["rev", "preferences", "mutes", "quietHours", "snooze"]

    package var json: JSONValue {
        [
            "rev": .int(revision),
            "preferences": ["types": Self.json(types), "categories": Self.json(categories)],
            "mutes": mutesJSON,
            "quietHours": quietHours?.json ?? .null,
            "snooze": snoozedUntil.map { ["until": .string($0.iso8601)] } ?? .null,
        ]
    }

    /// In the order of their subjects, octet by octet.
    package var mutesJSON: JSONValue {
        .array(
            mutes.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }.map { subject, mute in
                ["subject": .string(subject.text), "until": mute.until.map { .string($0.iso8601) } ?? .null]
            })
    }

    private static func json(_ choices: [ExactText: ChannelChoice]) -> JSONValue {
        let sorted = choices.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        return .object(JSONObject(sorted.map { JSONObject.Member(key: $0.key.text, value: $0.value.json) }))
    }

    /// Reads the form of ``json``. Unknown members are refused, so that a typing mistake is not taken for a choice.
    package init(_ json: JSONValue) throws(PreferenceProblem) {
        let members = try SettingsMembers(json, known: Self.members)
        if let revision = members.value("rev") {
            guard let number = revision.int else {
                throw .wrongType(members.place(of: "rev"), expected: "a whole number", found: revision)
            }
            self.revision = number
        }
        if let preferences = members.value("preferences") {
            try read(preferences, at: members.place(of: "preferences"))
        }
        try readMutes(members)
        quietHours = nil
        if let json = members.value("quietHours") {
            quietHours = try QuietHours(json, at: members.place(of: "quietHours"))
        }
        if let json = members.value("snooze") {
            let snooze = try SettingsMembers(json, at: members.place(of: "snooze"), known: ["until"])
            snoozedUntil = try snooze.moment("until")
        }
    }

    private mutating func read(_ preferences: JSONValue, at place: JSONPointer) throws(PreferenceProblem) {
        let edits = try PreferenceEdits(preferences, at: place)
        types = edits.types.compactMapValues { $0.applied(to: nil) }
        categories = edits.categories.compactMapValues { $0.applied(to: nil) }
    }

    private mutating func readMutes(_ members: SettingsMembers) throws(PreferenceProblem) {
        let elements = try members.array("mutes", maximum: Self.maximumMutes) ?? []
        for (index, element) in elements.enumerated() {
            let place = members.place(of: "mutes").appending(String(index))
            let mute = try SettingsMembers(element, at: place, known: ["subject", "until"])
            guard let subject = try mute.text("subject", Self.subjectForm) else {
                throw .missingField("subject", in: place, expected: Self.subjectForm)
            }
            guard Self.isSubject(subject) else {
                throw .invalidValue(mute.place(of: "subject"), expected: Self.subjectForm)
            }
            mutes[ExactText(subject)] = Mute(until: try mute.moment("until"))
        }
    }
}

extension ChannelChoice {
    /// `{"push": false}`
    package var json: JSONValue {
        var object = JSONObject()
        if let inApp { object["inApp"] = .bool(inApp) }
        if let push { object["push"] = .bool(push) }
        return .object(object)
    }
}
