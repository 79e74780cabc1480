import WireProtocol

/// Finds what serves a method and a path; patterns are paths whose `*` segments stand for one segment of any text but
/// none. A pattern without a `*` goes before those with one, and else the first one that matches. The first of a table
/// is found soonest.
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

        /// What the pattern has before, between and behind its `*`.
        private let parts: [[UInt8]]
        /// What it ends with; nil for a `*`.
        private let last: UInt8?

        init(method: String, pattern: String, endpoint: Endpoint) {
            self.method = method
            self.endpoint = endpoint
            segments = pattern.split(separator: "/").map(String.init)
            parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
            last = parts.last?.last
        }

        var hasParameters: Bool { parts.count > 1 }

        /// What of a path stands for a `*`, where nothing of it is encoded; nil for a path that does not match, or has
        /// to be taken apart to tell.
        func parameters(inPlain path: UnsafeBufferPointer<UInt8>) -> [String]? {
            // Most end otherwise, which is seen sooner than that they go on otherwise.
            if let last, path.last != last { return nil }
            var parameters: [String] = []
            var rest = path[...]
            for (index, part) in parts.enumerated() {
                if index > 0 {
                    var end = rest.startIndex
                    while end < rest.endIndex, path[end] != UInt8(ascii: "/") {
                        if [UInt8(ascii: "%"), UInt8(ascii: "?")].contains(path[end]) { return nil }
                        end += 1
                    }
                    guard end > rest.startIndex else { return nil }
                    parameters.append(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[end...]
                }
                guard rest.starts(with: part) else { return nil }
                rest = rest.dropFirst(part.count)
            }
            return rest.isEmpty ? parameters : nil
        }

        /// What of the path stands for a `*`.
        func parameters(in path: [String]) -> [String] {
            segments.indices.compactMap { segments[$0] == "*" ? path[$0] : nil }
        }
    }

    private let routes: [Route]
    /// The path of the first one, if it has no `*`: who asks for it need not be looked up.
    private let firstPath: String?
    /// Those without a `*`, by their whole path.
    private let plain: [String: [Route]]
    /// Those with a `*`, by their method.
    private let open: [String: [Route]]

    init(_ routes: [(method: String, pattern: String, endpoint: Endpoint)]) {
        let all = routes.map { Route(method: $0.method, pattern: $0.pattern, endpoint: $0.endpoint) }
        let (whole, starred) = (all.filter { !$0.hasParameters }, all.filter(\.hasParameters))
        self.routes = whole + starred
        firstPath = routes.first.flatMap { $0.pattern.utf8.contains(UInt8(ascii: "*")) ? nil : $0.pattern }
        plain = Dictionary(grouping: whole, by: { "/" + $0.segments.joined(separator: "/") })
        open = Dictionary(grouping: starred, by: \.method)
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

    /// As ``match(_:_:)``; finds what serves a target that needs no decoding without taking it apart.
    func match(_ head: HTTPRequestHead) -> Match {
        let method = head.method == "HEAD" ? "GET" : head.method
        var target = head.target
        if target == firstPath, routes[0].method == method { return .found(routes[0].endpoint, []) }
        if let route = plain[target]?.first(where: { $0.method == method }) { return .found(route.endpoint, []) }
        let match: Match? = target.withUTF8 { target in
            for route in open[method] ?? [] {
                if let parameters = route.parameters(inPlain: target) {
                    return Match.found(route.endpoint, parameters)
                }
            }
            return nil
        }
        return match ?? self.match(head.method, head.segments)
    }

    /// `HEAD` is served by what serves `GET`.
    ///
    /// - Parameter segments: the path's, each decoded by itself: an encoded slash stays inside its segment.
    func match(_ method: String, _ segments: [String]) -> Match {
        let method = method == "HEAD" ? "GET" : method
        for route in routes where route.method == method && route.matches(segments) {
            return .found(route.endpoint, route.parameters(in: segments))
        }
        let methods = methods(at: segments)
        return .unserved(methods.isEmpty ? unknown(segments) : .methodNotAllowed(methods))
    }

    /// The methods that a path is known by; `HEAD` goes without saying where there is `GET`.
    func methods(at segments: [String]) -> [String] {
        var methods: [String] = []
        for route in routes where route.matches(segments) {
            // Patterns may overlap, and each would name its own.
            if !methods.contains(route.method) { methods.append(route.method) }
        }
        return methods
    }

    private func unknown(_ segments: [String]) -> HTTPResponse {
        let isKnownWithoutSlash = segments.last == "" && routes.contains { $0.matches(Array(segments.dropLast())) }
        return (isKnownWithoutSlash ? Problem.needlessSlash : Problem.notFound).response
    }
}
