import Inbox
import JSON

/// All categories and types that people can choose from, and what holds for one person.
struct PreferenceList: Sendable {
    let catalogs: [Catalog]
    /// The reader's language tag; nil for each catalog's own language.
    let locale: String?

    /// Writes the members `categories` and `types`.
    func write(_ settings: UserSettings, to json: inout JSONWriter) {
        json.key("categories")
        json.array { json in
            for catalog in catalogs {
                for name in catalog.categoryNames { write(category: name, of: catalog, settings, to: &json) }
            }
        }
        json.key("types")
        json.array { json in
            for catalog in catalogs {
                for type in catalog.notificationTypes { write(type, of: catalog, settings, to: &json) }
            }
        }
    }

    private func write(
        category name: String, of catalog: Catalog, _ settings: UserSettings, to json: inout JSONWriter
    ) {
        let category = catalog.category(named: name)
        json.object { json in
            json.member("catalog", catalog.name)
            json.member("name", name)
            json.member("title", category?.title(in: locale) ?? name)
            if let data = category?.data, !data.isEmpty { json.member("data", .object(data)) }
            json.member("choice", settings.categories[ExactText(name)]?.json ?? [:])
        }
    }

    private func write(
        _ type: NotificationType, of catalog: Catalog, _ settings: UserSettings, to json: inout JSONWriter
    ) {
        let preferences = type.preferences
        // Mutes end, and are about events, not about types.
        let reception = settings.reception(of: type, about: [], at: Timestamp(milliseconds: 0))
        json.object { json in
            json.member("catalog", catalog.name)
            json.member("name", type.name)
            json.member("title", type.title(in: locale))
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
