/// Why the gateway closes a live connection; the hundred tells clients the next step.
package enum LiveCloseCode: UInt16, CaseIterable, Sendable {
    case badFrame = 4000
    case badToken = 4001
    case revoked = 4002
    case unsupportedVersion = 4003

    case overloaded = 4100
    case rateExceeded = 4101
    case tooManySessions = 4102
    case internalError = 4103
    case helloTimeout = 4104
    case keysPending = 4105

    case drain = 4200
    case noPong = 4201
    case tokenExpired = 4202
    case slow = 4203

    /// The reason in the close frame.
    package var reason: String {
        switch self {
        case .badFrame: "a frame was not understood"
        case .badToken: "the token is not accepted"
        case .revoked: "access was revoked"
        case .unsupportedVersion: "this version of the protocol is not supported"
        case .overloaded: "the gateway is overloaded"
        case .rateExceeded: "too many frames"
        case .tooManySessions: "too many sessions of this user"
        case .internalError: "the gateway has a fault"
        case .helloTimeout: "no hello came in time"
        case .keysPending: "the keys of the token's issuer are not known yet"
        case .drain: "the gateway is leaving"
        case .noPong: "no sign of life"
        case .tokenExpired: "the token has expired or no longer counts"
        case .slow: "the client reads too slowly"
        }
    }

    package var advice: LiveCloseAdvice { LiveCloseAdvice(closeCode: rawValue) }
}
