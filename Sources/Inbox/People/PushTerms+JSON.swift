import JSON

extension PushTerms {
    /// Writes `{"category":"social","inApp":false,"push":false,"required":true,"subjects":[["actor:user-7"]]}`, without
    /// the members that have their usual values.
    func write(to json: inout JSONWriter) {
        json.object { json in
            if let category { json.member("category", category) }
            if !preferences.inApp { json.member("inApp", false) }
            if !preferences.push { json.member("push", false) }
            if preferences.isRequired { json.member("required", true) }
            if preferences.isPushOnly { json.member("pushOnly", true) }
            if preferences.pushesAlone { json.member("pushesAlone", true) }
            if !subjects.isEmpty {
                json.member("subjects", .array(subjects.map { .array($0.map(JSONValue.string)) }))
            }
        }
    }

    /// Reads what ``write(to:)`` wrote; nil for anything else.
    init?(json: JSONValue) {
        guard let object = json.object else { return nil }
        var preferences = ChannelPreferences(
            inApp: object["inApp"]?.bool ?? true, push: object["push"]?.bool ?? true,
            isRequired: object["required"]?.bool ?? false)
        preferences.isPushOnly = object["pushOnly"]?.bool ?? false
        preferences.pushesAlone = object["pushesAlone"]?.bool ?? false
        self.init(
            category: object["category"]?.string, preferences: preferences,
            subjects: (object["subjects"]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) })
    }
}
