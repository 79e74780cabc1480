import Inbox
import JSON
import WireProtocol

/// All categories and types that people can choose from, and one person's choices.
struct PreferenceList: Sendable {
    let catalogs: [Catalog]
    /// The reader's wishes; each catalog has languages of its own.
    let languages: LanguageRanges

    /// Writes the members `categories` and `types`.
    func write(_ settings: UserSettings, to json: inout JSONWriter) {
        json.key("categories")
        json.array { json in
            for catalog in catalogs {
                let language = language(of: catalog)
                for name in catalog.categoryNames {
                    write(category: name, of: catalog, in: language, settings, to: &json)
                }
            }
        }
        json.key("types")
        json.array { json in
            for catalog in catalogs {
                let language = language(of: catalog)
                for type in catalog.notificationTypes { write(type, of: catalog, in: language, settings, to: &json) }
            }
        }
    }

    private func language(of catalog: Catalog) -> String {
        catalog.language(of: languages.wanted, refusing: languages.refused)
    }

    private func write(
        category name: String, of catalog: Catalog, in language: String, _ settings: UserSettings,
        to json: inout JSONWriter
    ) {
        let category = catalog.category(named: name)
        json.object { json in
            json.member("catalog", catalog.name)
            json.member("name", name)
            json.member("title", category?.title(in: language) ?? name)
            if let data = category?.data, !data.isEmpty { json.member("data", .object(data)) }
            json.member("choice", settings.categories[ExactText(name)]?.json ?? [:])
        }
    }

    private func write(
        _ type: NotificationType, of catalog: Catalog, in language: String, _ settings: UserSettings,
        to json: inout JSONWriter
    ) {
        let preferences = type.preferences
        // Mutes end, and concern events, not types.
        let reception = settings.reception(of: type, about: [], at: Timestamp(milliseconds: 0))
        json.object { json in
            json.member("catalog", catalog.name)
            json.member("name", type.name)
            json.member("title", type.title(in: language))
            json.member("category", type.category.map { .string($0) } ?? .null)
            json.member("required", preferences.isRequired)
            if preferences.isPushOnly { json.member("pushOnly", true) }
            json.member("default", ["inApp": .bool(preferences.inApp), "push": .bool(preferences.push)])
            json.member("choice", settings.types[ExactText(type.name)]?.json ?? [:])
            json.member("effective", Self.json(reception))
        }
    }

    private static func json(_ reception: Reception) -> JSONValue {
        switch reception {
        case .refused: ["inApp": false, "push": false]
        case .accepted(let pushes): ["inApp": true, "push": .bool(pushes)]
        case .pushOnly: ["inApp": false, "push": true]
        }
    }
}
