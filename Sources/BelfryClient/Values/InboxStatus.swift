public import Foundation

/// How the connection of an ``Inbox`` is.
///
/// A value: it may go to any actor.
public enum InboxStatus: Sendable, Hashable {
    /// A connection is being made, for the first time or again.
    case connecting
    /// The server has said that the session has begun.
    case live
    /// The connection is lost. The next attempt is at `retryAt`, or sooner if somebody looks.
    case waiting(retryAt: Date)
    /// The client has stopped for good. Make another ``Inbox`` when something has changed.
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
    /// The server does not accept the token: its key was replaced, or it is another user's.
    case tokenRefused = "token_refused"
    /// The person was erased.
    case revoked
    /// The server does not speak this version of the protocol.
    case unsupportedVersion = "unsupported_version"
    /// The server takes this client to be wrong.
    case mistake = "protocol"
    /// What the app gave is no address of a server.
    case invalidAddress = "invalid_address"
}

/// Why the app is asked for a token.
public enum TokenReason: String, Sendable, Hashable {
    /// There is none yet.
    case first
    /// The server wants another one on the open connection.
    case renew
    /// The server refused the one before because of its age.
    case expired
}
