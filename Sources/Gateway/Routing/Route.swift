/// One endpoint of a service: its method and path, what it takes and gives, and what serves it.
struct Route<Handler: Sendable>: Sendable {
    let method: String
    /// A `{name}` in it stands for one segment of any text that is not empty.
    let path: String
    let query: RouteQuery
    let body: RouteBody
    let answers: RouteAnswers
    let handler: Handler

    /// - Parameters:
    ///   - query: none by default.
    ///   - body: none by default.
    init(
        _ method: String, _ path: String, query: RouteQuery = [], takes body: RouteBody = .nothing,
        gives answers: RouteAnswers, _ handler: Handler
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.answers = answers
        self.handler = handler
    }

    /// The same route, which may also give a problem with this status.
    func giving(_ problem: Int) -> Route {
        Route(method, path, query: query, takes: body, gives: answers.or(problem), handler)
    }

    /// The same route with one more parameter in its query.
    func taking(_ parameter: RouteParameter) -> Route {
        Route(method, path, query: query.adding(parameter), takes: body, gives: answers, handler)
    }
}

/// What an endpoint takes as a request's body.
enum RouteBody: Sendable {
    /// A body is not looked at.
    case nothing
    case json
    /// JSON, or no body at all.
    case optionalJSON
    /// JSON, or a stream of lines that are each JSON.
    case jsonOrLines
    /// As ``jsonOrLines``, or CloudEvents in any of their content modes.
    case events
}
