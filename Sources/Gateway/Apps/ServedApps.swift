import Inbox
import WireProtocol

/// The apps that a node serves, and which of them an administrative call means.
struct ServedApps: Sendable {
    /// Sorted; the unnamed app is among them only if somebody can have a token of it.
    private let all: [AppName]

    init(_ settings: Settings) {
        let named = settings.namedApps
        let hasUnnamed = named.isEmpty || settings.hasUnnamedTokens
        all = (hasUnnamed ? [.unnamed] : []) + named
    }

    /// Every app to which an event may have belonged.
    var candidates: [AppName] { all.contains(.unnamed) ? all : [.unnamed] + all }

    var haveNames: Bool { all.contains { !$0.isUnnamed } }

    /// The app that a query names; nil if it names none.
    func given(in query: HTTPQuery) throws(Problem) -> AppName? {
        guard let text = Self.name(in: query) else { return nil }
        // There may be catalogs and people without a named app, even where nobody can have a token of it.
        if text.isEmpty { return .unnamed }
        guard let app = all.first(where: { $0.text == text }) else { throw .parameter("app: \(expectation)") }
        return app
    }

    /// The app of a call whose `app` may also be a device's label in the unnamed app.
    func labelled(by query: HTTPQuery, of publisher: Publisher) throws(Problem) -> AppName {
        let text = Self.name(in: query)
        if let text, !all.contains(where: { $0.text == text }) { return try publisher.app(given: .unnamed) ?? .unnamed }
        return try meant(by: query, of: publisher)
    }

    /// The app that a publisher's call names, or else the publisher's own; nil without either.
    func given(in query: HTTPQuery, of publisher: Publisher) throws(Problem) -> AppName? {
        // Before it is looked for, as a publisher of one app is told nothing of others.
        if let text = Self.name(in: query) { try publisher.check(app: text) }
        return try publisher.app(given: given(in: query))
    }

    /// The app that a call means: the one it names, the publisher's, or the only one.
    func meant(by query: HTTPQuery, of publisher: Publisher? = nil) throws(Problem) -> AppName {
        let named =
            if let publisher { try given(in: query, of: publisher) } else { try given(in: query) }
        if let named { return named }
        guard all.count == 1 else {
            throw Problem(status: 400, code: "missing_app", detail: "this server has several apps: \(expectation)")
        }
        return all[0]
    }

    /// An empty name is one, too: the unnamed app's.
    private static func name(in query: HTTPQuery) -> String? { query.items.first { $0.name == "app" }?.value }

    private var expectation: String {
        haveNames
            ? "expected ?app=, one of \(Spelling.list(all.map { "\"\($0.text)\"" }))"
            : "expected none: this server's only app has no name"
    }
}
