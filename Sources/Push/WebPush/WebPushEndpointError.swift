/// Why an endpoint is refused; see ``WebPushEndpoint``.
package enum WebPushEndpointError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLong, invalidCharacter, notSecure, userInformation, invalidHost, hostNotAllowed, noPath

    /// The expectation, without the value that was found.
    package var description: String {
        switch self {
        case .tooLong: "expected a URL of at most \(WebPushEndpoint.maximumBytes) bytes"
        case .invalidCharacter: "expected a URL of ASCII characters, the others escaped, and without a fragment"
        case .notSecure: "expected an https URL"
        case .userInformation: "expected a URL without a user's name"
        case .invalidHost: "expected a host's name, and a port from 1 to 65535 if there is one"
        case .hostNotAllowed: "expected the host of a push service that this server uses (push.webPush.hosts)"
        case .noPath: "expected a URL with a path"
        }
    }
}
