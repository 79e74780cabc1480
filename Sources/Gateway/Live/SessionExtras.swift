import Inbox
import Transport
import WireProtocol

/// What not all sessions have at any time: apart from what all have, and there only while it is needed.
///
/// A word each, 64 bytes with malloc's own: those that follow a feed keep it.
final class SessionExtras {
    /// Who comes, as far as the handshake told; let go after the hello, since claims take more than a whole session.
    final class Newcomer {
        /// Nil where the hello has to bring a token.
        let credentials: Credentials?
        /// Why it is closed as soon as it is open.
        let refusal: LiveCloseCode?
        /// What is wrong with the handshake's token; a token in the hello takes its place.
        let problem: TokenProblem?

        init(credentials: Credentials?, refusal: LiveCloseCode?, problem: TokenProblem?) {
            self.credentials = credentials
            self.refusal = refusal
            self.problem = problem
        }
    }

    /// The peer takes less than it gets.
    final class Stall {
        let since: Moment
        /// How many bytes it had taken then.
        let takenBytes: Int

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
