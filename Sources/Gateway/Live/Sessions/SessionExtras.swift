import Inbox
import Transport
import WireProtocol

/// A session's rarely needed data: apart from the rest, and only as long as it is needed.
///
/// A word each, 64 bytes with malloc's own: sessions that follow a feed keep it.
class SessionExtras {
    /// The result of the handshake. Released after the hello, since claims take more memory than a whole session.
    final class Newcomer {
        /// Nil if the hello has to bring a token.
        let credentials: Credentials?
        /// Why the session is closed as soon as it is open.
        let refusal: LiveCloseCode?
        /// The problem with the handshake's token; a token in the hello replaces it.
        let problem: TokenProblem?
        /// The first frames of a client without a WebSocket, from its request.
        let frames: [ClientFrame]

        init(credentials: Credentials?, refusal: LiveCloseCode?, problem: TokenProblem?, frames: [ClientFrame]) {
            self.credentials = credentials
            self.refusal = refusal
            self.problem = problem
            self.frames = frames
        }
    }

    /// The peer takes less than it gets.
    final class Stall {
        var since: Moment
        /// How many bytes it had taken by then.
        var takenBytes: Int
        /// Bytes of answers that were queued for it since it last took everything.
        var answeredBytes = 0

        init(since: Moment, takenBytes: Int) {
            self.since = since
            self.takenBytes = takenBytes
        }
    }

    var newcomer: Newcomer?
    var stall: Stall?
    var heldSettings: OutgoingMessage?
    var feedClaims = FeedClaims()
    var memberships: [FeedMembership] = []

    var isEmpty: Bool {
        newcomer == nil && stall == nil && heldSettings == nil && feedClaims == FeedClaims() && memberships.isEmpty
    }
}
