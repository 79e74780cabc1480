import WireProtocol

/// Finds what serves a method and a path; patterns are paths whose `*` segments stand for one segment of any text but none.
struct Router<Endpoint: Sendable>: Sendable {
    enum Match {
        /// With what stood for each `*`.
        case found(Endpoint, [String])
        /// What answers a path that is known by other methods only, or by none, and a query that is not understood.
        case unserved(HTTPResponse)
    }

    private struct Route: Sendable {
        let method: String
        let segments: [String]
        let endpoint: Endpoint

        func matches(_ path: [String]) -> Bool {
            segments.count == path.count
                && segments.indices.allSatisfy { segments[$0] == path[$0] || segments[$0] == "*" && path[$0] != "" }
        }

        /// What of the path stands for a `*`.
        func parameters(in path: [String]) -> [String] {
            segments.indices.compactMap { segments[$0] == "*" ? path[$0] : nil }
        }
    }

    private let routes: [Route]
    /// Those without a `*`, by their whole path.
    private let plain: [String: [Route]]

    init(_ routes: [(method: String, pattern: String, endpoint: Endpoint)]) {
        self.routes = routes.map { route in
            Route(
                method: route.method, segments: route.pattern.split(separator: "/").map(String.init),
                endpoint: route.endpoint)
        }
        plain = Dictionary(
            grouping: self.routes.filter { !$0.segments.contains("*") },
            by: { "/" + $0.segments.joined(separator: "/") })
    }

    /// As ``match(_:)``, and refuses a query with other parameters than those.
    ///
    /// - Parameter parameters: which ones an endpoint knows; nil for any.
    func match(_ head: HTTPRequestHead, _ parameters: (Endpoint) -> [String]?) -> Match {
        let match = match(head)
        guard !head.query.items.isEmpty, case .found(let endpoint, _) = match, let known = parameters(endpoint),
            let unknown = head.query.items.first(where: { !known.contains($0.name) })
        else { return match }
        return .unserved(Problem.unknownParameter(unknown.name, known: known).response)
    }

    /// As ``match(_:_:)``; finds a target that is spelled just as a route's path is without looking through the routes.
    func match(_ head: HTTPRequestHead) -> Match {
        let method = head.method == "HEAD" ? "GET" : head.method
        if let route = plain[head.target]?.first(where: { $0.method == method }) { return .found(route.endpoint, []) }
        return match(head.method, head.segments)
    }

    /// `HEAD` is served by what serves `GET`.
    ///
    /// - Parameter segments: the path's, each decoded by itself: an encoded slash stays inside its segment.
    func match(_ method: String, _ segments: [String]) -> Match {
        let method = method == "HEAD" ? "GET" : method
        var others: [String] = []
        for route in routes where route.matches(segments) {
            if route.method == method { return .found(route.endpoint, route.parameters(in: segments)) }
            // Patterns may overlap, and each would name its own.
            if !others.contains(route.method) { others.append(route.method) }
        }
        return .unserved(others.isEmpty ? unknown(segments) : .methodNotAllowed(others))
    }

    private func unknown(_ segments: [String]) -> HTTPResponse {
        let isKnownWithoutSlash = segments.last == "" && routes.contains { $0.matches(Array(segments.dropLast())) }
        return (isKnownWithoutSlash ? Problem.needlessSlash : Problem.notFound).response
    }
}
