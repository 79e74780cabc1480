import WireProtocol

/// The parameters that an endpoint understands in the query.
enum RouteQuery: Sendable, ExpressibleByArrayLiteral {
    /// Others are refused: ignoring a misspelt one would do something else unnoticed.
    case only([RouteParameter])
    /// Others are ignored.
    case any(knowing: [RouteParameter] = [])

    init(arrayLiteral parameters: RouteParameter...) { self = .only(parameters) }

    var parameters: [RouteParameter] {
        switch self {
        case .only(let known), .any(let known): known
        }
    }

    func adding(_ parameter: RouteParameter) -> RouteQuery {
        let all = parameters.filter { $0.name != parameter.name } + [parameter]
        return if case .only = self { .only(all) } else { .any(knowing: all) }
    }

    /// Why a query is refused; nil if it is not.
    func refusal(of query: HTTPQuery) -> Problem? {
        if case .only(let known) = self,
            let unknown = query.items.first(where: { item in !known.contains { $0.name == item.name } })
        {
            return .unknownParameter(unknown.name, known: known.map(\.name))
        }
        // Only one of the two would count, and readers differ about which.
        let doubled = parameters.first { known in !known.isList && query.items.count { $0.name == known.name } > 1 }
        return doubled.map { .parameter($0.name, "expected once") }
    }
}

/// A parameter of a query.
struct RouteParameter: Sendable, ExpressibleByStringLiteral {
    let name: String
    /// Whether it may be given several times, which means all of its values.
    var isList = false

    init(stringLiteral name: String) { self.name = name }

    /// A parameter that has several values, separated by commas or given one by one.
    static func list(_ name: String) -> RouteParameter {
        var parameter = RouteParameter(stringLiteral: name)
        parameter.isList = true
        return parameter
    }
}
