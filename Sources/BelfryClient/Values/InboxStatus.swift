public import Foundation

/// The state of an ``Inbox``'s connection.
///
/// A value: it may go to any actor.
public enum InboxStatus: Sendable, Hashable {
    /// A connection is being made, for the first time or again.
    case connecting
    /// The session has begun.
    case live
    /// The connection was lost. The next attempt is at `retryAt`, or sooner if somebody looks.
    case waiting(retryAt: Date)
    /// The client has stopped for good. Make another ``Inbox`` after the cause is gone.
    case stopped(StopReason)

    /// `connecting`, `live`, `waiting` or `stopped`.
    public var word: String {
        switch self {
        case .connecting: "connecting"
        case .live: "live"
        case .waiting: "waiting"
        case .stopped: "stopped"
        }
    }
}

/// Why an ``Inbox`` has stopped for good.
public enum StopReason: String, Sendable, Hashable, CaseIterable {
    /// The app has called ``Inbox/close()``.
    case closed
    /// The app's closure gave no token: nobody is signed in.
    case signedOut = "signed_out"
    /// The server refuses the token: its key was replaced, or it belongs to another user.
    case tokenRefused = "token_refused"
    /// The person was erased.
    case revoked
    /// The server does not support this version of the protocol.
    case unsupportedVersion = "unsupported_version"
    /// The server has found a protocol error of this client.
    case mistake = "protocol"
    /// The app's URL is no address of a server.
    case invalidAddress = "invalid_address"
}

/// The reason for a request for a token.
public enum TokenReason: String, Sendable, Hashable {
    /// The client has no token yet.
    case first
    /// The server wants a new token on the open connection.
    case renew
    /// The server refused the last token because of its age.
    case expired
}
