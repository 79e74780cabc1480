import WireProtocol

/// One endpoint of a service: its method and path, the query that it understands, and what serves it.
struct Route<Handler: Sendable>: Sendable {
    let method: String
    /// A `{name}` in it stands for one segment of any text that is not empty.
    let path: String
    let query: RouteQuery
    let handler: Handler

    /// - Parameter query: none by default.
    init(_ method: String, _ path: String, query: RouteQuery = [], _ handler: Handler) {
        self.method = method
        self.path = path
        self.query = query
        self.handler = handler
    }
}

/// The parameters that an endpoint understands in the query.
enum RouteQuery: Sendable, ExpressibleByArrayLiteral {
    /// Others are refused: ignoring a misspelt one would do something else unnoticed.
    case only([String])
    /// Others are ignored.
    case any(knowing: [String] = [])

    init(arrayLiteral names: String...) { self = .only(names) }

    /// Why a query is refused; nil if it is not.
    func refusal(of query: HTTPQuery) -> Problem? {
        guard case .only(let known) = self, let unknown = query.items.first(where: { !known.contains($0.name) })
        else { return nil }
        return .unknownParameter(unknown.name, known: known)
    }
}
