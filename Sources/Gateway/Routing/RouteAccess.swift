/// Who may call an endpoint.
enum RouteAccess: Sendable, Hashable {
    /// Whoever reaches the listener.
    case everybody
    /// A client with a user's token.
    case user
    /// A client with a user's token, and one without where the settings allow it.
    case guest
    /// A client with a user's token, which may also come in the first frame.
    case session
    /// A publisher; nil for one with any right.
    case publisher(PublisherRight?)
    /// Somebody who may use the console.
    case `operator`
}

extension PublicService.Handler {
    var access: RouteAccess {
        switch self {
        case .always, .anybody: .everybody
        case .session, .events: .session
        case .poll, .polled, .user: .user
        case .guest: .guest
        }
    }
}

extension ConsoleService.Handler {
    var access: RouteAccess {
        switch self {
        case .file, .who, .login, .logout, .signIn, .signedIn, .live, .call: .operator
        }
    }
}

extension PublishingService.Handler {
    var access: RouteAccess {
        switch self {
        case .always: .everybody
        case .head(let right, _): .publisher(right)
        case .call(let right, _): .publisher(right)
        }
    }
}
