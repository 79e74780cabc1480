import Inbox
import Transport
import WireProtocol

/// What few sessions have at any time: apart from what all have, and there only while it is needed.
final class SessionExtras {
    /// Who comes, as far as the handshake told; let go after the hello, since claims take more than a whole session.
    struct Newcomer {
        /// Nil where the hello has to bring a token.
        let credentials: Credentials?
        /// Why it is closed as soon as it is open.
        let refusal: LiveCloseCode?
    }

    /// The peer takes less than it gets.
    struct Stall: Equatable {
        let since: Moment
        /// How many bytes it had taken then.
        let takenBytes: Int
    }

    var newcomer: Newcomer?
    var stall: Stall?
    var heldSettings: OutgoingMessage?
    var feedClaims = FeedClaims()
    var memberships: [FeedMembership] = []
    var subscriptionCount = 0

    var isEmpty: Bool {
        newcomer == nil && stall == nil && heldSettings == nil && feedClaims == FeedClaims() && subscriptionCount == 0
    }
}
