package import JSON

/// Changes of preferences: `{"types": {"LIKE": {"push": false}}, "categories": {"room": null}}`. Names that are absent
/// stay; null is back to the app's default.
package struct PreferenceEdits: Sendable, Hashable {
    package var types: [ExactText: ChannelEdit]
    package var categories: [ExactText: ChannelEdit]

    package init(types: [ExactText: ChannelEdit] = [:], categories: [ExactText: ChannelEdit] = [:]) {
        self.types = types
        self.categories = categories
    }

    /// The edits that turn the default choices into these.
    package init(_ settings: UserSettings) {
        types = settings.types.mapValues(ChannelEdit.init)
        categories = settings.categories.mapValues(ChannelEdit.init)
    }

    package init(_ json: JSONValue) throws(PreferenceProblem) { try self.init(json, at: JSONPointer()) }

    init(_ json: JSONValue, at place: JSONPointer) throws(PreferenceProblem) {
        let members = try SettingsMembers(json, at: place, known: ["types", "categories"])
        types = try Self.edits("types", members)
        categories = try Self.edits("categories", members)
    }

    private static func edits(
        _ key: String, _ members: SettingsMembers
    ) throws(PreferenceProblem) -> [ExactText: ChannelEdit] {
        guard let json = members.value(key) else { return [:] }
        let named = try SettingsMembers(json, at: members.place(of: key), known: nil)
        guard named.members.count <= UserSettings.maximumChoices else {
            throw .invalidValue(named.place, expected: "at most \(UserSettings.maximumChoices) members")
        }
        var edits: [ExactText: ChannelEdit] = [:]
        for member in named.members {
            edits[ExactText(member.key)] = try ChannelEdit(member.value, at: named.place(of: member.key))
        }
        return edits
    }

    // MARK: Checking

    /// Finds names that no catalog has, and types that nobody can switch off.
    package func check(_ catalogs: [Catalog]) throws(PreferenceProblem) {
        let place = JSONPointer()
        let known = Set(catalogs.flatMap(\.typeNames).map { ExactText($0) })
        for (name, edit) in types {
            guard known.contains(name) else {
                throw .unknownType(name.text, in: place.appending("types"), known: known.map(\.text).sorted())
            }
            let isRequired = catalogs.contains {
                $0.notificationType(named: name.text)?.preferences.isRequired ?? false
            }
            if edit.silences && isRequired { throw .requiredType(name.text, in: place.appending("types")) }
        }
        let names = Set(catalogs.flatMap(\.categoryNames).map { ExactText($0) })
        for name in categories.keys where !names.contains(name) {
            throw .unknownCategory(name.text, in: place.appending("categories"), known: names.map(\.text).sorted())
        }
    }
}

extension Catalog {
    /// The described categories, then those that types name, each once.
    package var categoryNames: [String] {
        var names = categories.map(\.name)
        for type in typeNames.compactMap(notificationType(named:)) {
            guard let category = type.category, !names.contains(category) else { continue }
            names.append(category)
        }
        return names
    }
}

extension ChannelEdit {
    /// - Parameter json: null resets both channels to the app's default.
    fileprivate init(_ json: JSONValue, at place: JSONPointer) throws(PreferenceProblem) {
        guard json != .null else {
            self = .reset
            return
        }
        let members = try SettingsMembers(json, at: place, known: ["inApp", "push"])
        self.init()
        for member in members.members {
            let edit: Edit
            switch member.value {
            case .null: edit = .reset
            case .bool(let choice): edit = .set(choice)
            default:
                throw .wrongType(
                    members.place(of: member.key), expected: "true, false or null", found: member.value)
            }
            if member.key == "push" { push = edit } else { inApp = edit }
        }
    }
}
