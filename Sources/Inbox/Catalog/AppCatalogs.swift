package import JSON

/// The catalogs of all apps that one Belfry serves, app by app.
///
/// A class: each event takes the current ones, and a copy would count a dozen references.
package final class AppCatalogs: Sendable {
    /// All catalogs, in the order in which they were given.
    package let catalogs: [Catalog]
    private let unnamed: CatalogSet
    private let named: [AppName: CatalogSet]
    /// The apps that have an event type, for types of named apps.
    private let appsByEvent: [String: [AppName]]

    /// - Parameter apps: the named apps. Without any, all catalogs are in the unnamed app, and their `app` only tells
    ///   which devices get their pushes.
    /// - Throws: ``CatalogError`` if two catalogs have one name, if one names another app, or if catalogs of one app do
    ///   not go together: see ``CatalogSet``.
    package init(_ catalogs: [Catalog], apps: [AppName] = []) throws(CatalogError) {
        var issues = Self.doubledNames(among: catalogs)
        var byApp: [AppName: [Catalog]] = [.unnamed: []]
        for app in apps { byApp[app] = [] }
        for catalog in catalogs {
            if apps.isEmpty || catalog.app.isEmpty {
                byApp[.unnamed]?.append(catalog)
            } else if let app = AppName(catalog.app), byApp[app] != nil {
                byApp[app]?.append(catalog)
            } else {
                let known = apps.map(\.text).sorted()
                let message = "auth.apps has no app \"\(catalog.app)\"; expected \(Spelling.list(known)), or no app"
                issues.append(.init(place: catalog.source, key: "app", message: message))
            }
        }
        var sets: [AppName: CatalogSet] = [:]
        for (app, catalogs) in byApp {
            do throws(CatalogError) {
                sets[app] = try CatalogSet(catalogs)
            } catch {
                issues += error.issues
            }
        }
        guard issues.isEmpty, let unnamed = sets.removeValue(forKey: .unnamed) else {
            throw CatalogError(issues: issues)
        }
        self.catalogs = catalogs
        self.unnamed = unnamed
        self.named = sets
        appsByEvent = sets.reduce(into: [:]) { apps, set in
            for event in set.value.eventTypes { apps[event, default: []].append(set.key) }
        }
    }

    private static func doubledNames(among catalogs: [Catalog]) -> [CatalogError.Issue] {
        var byName: [String: Catalog] = [:]
        return catalogs.compactMap { catalog in
            guard let other = byName.updateValue(catalog, forKey: catalog.name) else { return nil }
            let message = "\(other.source.file) has a catalog of this name; expected another one"
            return .init(place: catalog.source, key: "catalog", message: message)
        }
    }

    /// The app's catalogs; an unknown app has none.
    package subscript(app: AppName) -> CatalogSet { app.isUnnamed ? unnamed : named[app] ?? .none }

    /// The app of an event that names none: the one whose catalogs have its type. An unknown type is nobody's, so the
    /// unnamed app may refuse it.
    ///
    /// - Throws: a problem if several apps have the type.
    package func app(ofEvent event: JSONNode) throws(EventProblem) -> AppName {
        guard !named.isEmpty, let type = event["type"]?.string, let apps = appsByEvent[type] else { return .unnamed }
        let all = apps + (unnamed.catalog(forEvent: type) == nil ? [] : [.unnamed])
        guard all.count == 1 else { throw .severalApps(type, all.map(\.text).sorted()) }
        return all[0]
    }

    /// The event types of all apps, sorted.
    package var eventTypes: [String] {
        named.isEmpty ? unnamed.eventTypes : Set(catalogs.flatMap(\.eventTypes)).sorted()
    }
}
