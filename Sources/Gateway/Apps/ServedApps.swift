import Inbox
import WireProtocol

/// The apps that a node serves, and which of them an administrative call means.
struct ServedApps: Sendable {
    /// Sorted; the unnamed app has its place only if somebody can have a token of it.
    private let all: [AppName]

    init(_ settings: Settings) {
        let named = settings.namedApps
        let hasUnnamed = named.isEmpty || settings.isDevelopment || settings.auth.keySource != KeySource()
        all = (hasUnnamed ? [.unnamed] : []) + named
    }

    var haveNames: Bool { all.contains { !$0.isUnnamed } }

    /// The app that a query names; nil if it names none.
    func given(in query: HTTPQuery) throws(Problem) -> AppName? {
        // An empty name is one, too: the unnamed app's.
        guard let text = query.items.first(where: { $0.name == "app" })?.value else { return nil }
        guard let app = all.first(where: { $0.text == text }) else { throw .parameter("app: \(expectation)") }
        return app
    }

    /// The app that a call means: the one it names, or the only one.
    func meant(by query: HTTPQuery) throws(Problem) -> AppName {
        if let app = try given(in: query) { return app }
        guard all.count == 1 else {
            throw Problem(status: 400, code: "missing_app", detail: "this server has several apps: \(expectation)")
        }
        return all[0]
    }

    private var expectation: String {
        haveNames
            ? "expected ?app=, one of \(Spelling.list(all.map { "\"\($0.text)\"" }))"
            : "expected none: this server's only app has no name"
    }
}
