import WireProtocol

/// Finds the route for a method and a path. A path without a parameter goes before those with one; otherwise the first
/// match wins. The table's first route is found soonest.
struct Router<Handler: Sendable>: Sendable {
    enum Match {
        /// With the text of each parameter of the path.
        case found(Handler, [String])
        /// The answer for a path with other methods only, for an unknown path, or for a query that is not understood.
        case unserved(HTTPResponse)
    }

    /// A path, taken apart.
    private struct Pattern: Sendable {
        /// Nil for a parameter.
        let segments: [String?]
        /// The path's parts before, between and behind its parameters.
        private let parts: [[UInt8]]
        /// The path's last byte; nil for a parameter.
        private let last: UInt8?

        init(_ path: String) {
            segments = path.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
            parts = path.split(separator: /{[^}]*}/, omittingEmptySubsequences: false).map { Array($0.utf8) }
            last = parts.last?.last
        }

        var hasParameters: Bool { parts.count > 1 }

        func matches(_ path: [String]) -> Bool {
            segments.count == path.count
                && zip(segments, path).allSatisfy { wanted, found in wanted.map { $0 == found } ?? !found.isEmpty }
        }

        /// The texts of the path's parameters, if none of it is encoded; nil for a path that does not match, or has to
        /// be decoded first.
        func parameters(inPlain path: UnsafeBufferPointer<UInt8>) -> [String]? {
            // Most paths have another last byte, which is cheaper to see than other parts.
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

        /// The texts of the path's parameters.
        func parameters(in path: [String]) -> [String] {
            zip(segments, path).compactMap { wanted, found in wanted == nil ? found : nil }
        }
    }

    /// Those without a parameter come first.
    let routes: [Route<Handler>]
    private let patterns: [Pattern]
    /// The first route's path, if it has no parameter: a request for it needs no lookup.
    private let firstPath: String?
    /// Routes without a parameter, by their whole path.
    private let plain: [String: [Int]]
    /// Routes with a parameter, by their method.
    private let open: [String: [Int]]

    init(_ table: [Route<Handler>]) {
        let whole = table.filter { !Pattern($0.path).hasParameters }
        let routes = whole + table.filter { Pattern($0.path).hasParameters }
        self.routes = routes
        patterns = routes.map { Pattern($0.path) }
        firstPath = table.first.flatMap { $0.path == routes[0].path ? $0.path : nil }
        plain = Dictionary(grouping: whole.indices, by: { routes[$0].path })
        open = Dictionary(grouping: routes.indices.dropFirst(whole.count), by: { routes[$0].method })
    }

    /// The route for `GET` also serves `HEAD`.
    func match(_ head: HTTPRequestHead) -> Match {
        guard let (index, parameters) = find(head) else {
            let methods = methods(at: head.segments)
            return .unserved(methods.isEmpty ? unknown(head.segments) : .methodNotAllowed(methods))
        }
        if !head.query.items.isEmpty, let problem = routes[index].query.refusal(of: head.query) {
            return .unserved(problem.response)
        }
        return .found(routes[index].handler, parameters)
    }

    func route(for head: HTTPRequestHead) -> Route<Handler>? { find(head).map { routes[$0.index] } }

    private func find(_ head: HTTPRequestHead) -> (index: Int, parameters: [String])? {
        let method = head.method == "HEAD" ? "GET" : head.method
        return find(method, plain: head.target) ?? find(method, head.segments)
    }

    /// Finds a target without encoded characters, and without decoding it; nil for others.
    private func find(_ method: String, plain target: String) -> (index: Int, parameters: [String])? {
        if target == firstPath, routes[0].method == method { return (0, []) }
        if let index = plain[target]?.first(where: { routes[$0].method == method }) { return (index, []) }
        var target = target
        return target.withUTF8 { target in
            for index in open[method] ?? [] {
                if let parameters = patterns[index].parameters(inPlain: target) { return (index, parameters) }
            }
            return nil
        }
    }

    /// - Parameter segments: the path's, each decoded by itself: an encoded slash stays inside its segment.
    func find(_ method: String, _ segments: [String]) -> (index: Int, parameters: [String])? {
        for index in routes.indices where routes[index].method == method && patterns[index].matches(segments) {
            return (index, patterns[index].parameters(in: segments))
        }
        return nil
    }

    /// The methods of a path, without `HEAD`, which works wherever `GET` does.
    func methods(at segments: [String]) -> [String] {
        var methods: [String] = []
        for (route, pattern) in zip(routes, patterns) where pattern.matches(segments) {
            // Patterns may overlap, and name the same method.
            if !methods.contains(route.method) { methods.append(route.method) }
        }
        return methods
    }

    private func unknown(_ segments: [String]) -> HTTPResponse {
        let isKnownWithoutSlash = segments.last == "" && patterns.contains { $0.matches(Array(segments.dropLast())) }
        return (isKnownWithoutSlash ? Problem.needlessSlash : Problem.notFound).response
    }
}
