import Inbox
import Transport

extension LiveSession {
    /// Nil after the hello.
    var newcomer: SessionExtras.Newcomer? {
        get { extras?.newcomer }
        set { withExtras { $0.newcomer = newValue } }
    }

    /// Set while output waits; nil while the peer takes all it gets.
    var stall: SessionExtras.Stall? {
        get { extras?.stall }
        set { withExtras { $0.stall = newValue } }
    }

    /// News of the user's settings that wait for their turn.
    var heldSettings: OutgoingMessage? {
        get { extras?.heldSettings }
        set { withExtras { $0.heldSettings = newValue } }
    }

    /// The token's claims about feeds.
    var feedClaims: FeedClaims {
        get { extras?.feedClaims ?? FeedClaims() }
        set { withExtras { $0.feedClaims = newValue } }
    }

    var memberships: [FeedMembership] {
        get { extras?.memberships ?? [] }
        set { withExtras { $0.memberships = newValue } }
    }

    /// Nil for a client with a WebSocket.
    var stream: StreamExtras? { extras as? StreamExtras }
    var way: LiveWay { stream?.way ?? .webSocket }

    private func withExtras(_ change: (SessionExtras) -> Void) {
        let extras = extras ?? SessionExtras()
        change(extras)
        self.extras = extras.isEmpty ? nil : extras
    }
}
