import Inbox
import JSON
import Testing

struct AppCatalogsTests {
    private static func catalog(_ name: String, app: String? = nil, event: String = "said") throws -> Catalog {
        try Catalog(
            yaml: """
                catalog: \(name)
                \(app.map { "app: \($0)" } ?? "")
                events:
                  \(event): {routes: [{to: people, type: \(name.uppercased())}]}
                types:
                  \(name.uppercased()): {text: "{{text}}"}
                """, file: "\(name).yaml")
    }

    private static func app(_ name: String) -> AppName { AppName(name) ?? .unnamed }
    private static let apps = [app("golf"), app("rooms")]

    private func app(of type: String, _ catalogs: AppCatalogs) throws -> AppName {
        try Array("{\"type\":\"\(type)\"}".utf8).withUnsafeBytes { try catalogs.app(ofEvent: JSONNode(parsing: $0)) }
    }

    @Test func `without named apps all catalogs are in the unnamed one, whatever devices they name`() throws {
        let catalogs = try AppCatalogs([Self.catalog("a", app: "golf"), Self.catalog("b", event: "heard")])
        #expect(catalogs[.unnamed].catalogs.map(\.name) == ["a", "b"])
        #expect(catalogs[Self.app("golf")].catalogs.isEmpty)
        #expect(try app(of: "said", catalogs) == .unnamed)
    }

    @Test func `a named app has the catalogs that name it, and an event's type tells its app`() throws {
        let catalogs = try AppCatalogs(
            [
                Self.catalog("a", app: "golf"), Self.catalog("b", app: "rooms", event: "heard"),
                Self.catalog("c", event: "felt"),
            ], apps: Self.apps)
        #expect(catalogs[Self.app("golf")].catalogs.map(\.name) == ["a"])
        #expect(catalogs[.unnamed].catalogs.map(\.name) == ["c"])
        #expect(try app(of: "said", catalogs) == Self.app("golf"))
        #expect(try app(of: "heard", catalogs) == Self.app("rooms"))
        #expect(try app(of: "felt", catalogs) == .unnamed)
        #expect(try app(of: "nothing", catalogs) == .unnamed)
    }

    @Test func `two apps may have an event type, which then does not tell the app`() throws {
        let catalogs = try AppCatalogs(
            [Self.catalog("a", app: "golf"), Self.catalog("b", app: "rooms")], apps: Self.apps)
        #expect { try app(of: "said", catalogs) } throws: { error in
            let problem = error as? EventProblem
            return problem?.code == "ambiguous_event_type" && problem?.message.contains("\"golf\"") == true
        }
    }

    @Test func `two catalogs of one app may not route one event`() throws {
        let pair = [try Self.catalog("a", app: "golf"), try Self.catalog("b", app: "golf")]
        #expect(throws: CatalogError.self) { try AppCatalogs(pair, apps: Self.apps) }
    }

    @Test func `a catalog of an unknown app, or with another's name, is refused`() throws {
        let strange = try Self.catalog("a", app: "glof")
        let error = #expect(throws: CatalogError.self) { try AppCatalogs([strange], apps: Self.apps) }
        #expect(error?.issues.map(\.key) == ["app"])
        let pair = [try Self.catalog("a", app: "golf"), try Self.catalog("a", app: "rooms")]
        #expect(throws: CatalogError.self) { try AppCatalogs(pair, apps: Self.apps) }
    }
}
