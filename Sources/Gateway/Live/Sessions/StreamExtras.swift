/// What a session over an event stream needs beside that. WebSockets do without its memory.
final class StreamExtras: SessionExtras {
    /// The session's name, to which its client posts frames.
    let name: String
    /// The epoch of its places.
    let epoch: String

    /// - Parameter earlier: what the session has needed so far.
    init(_ earlier: SessionExtras?, name: String, epoch: String) {
        (self.name, self.epoch) = (name, epoch)
        super.init()
        guard let earlier else { return }
        (newcomer, stall, heldSettings) = (earlier.newcomer, earlier.stall, earlier.heldSettings)
        (feedClaims, memberships) = (earlier.feedClaims, earlier.memberships)
    }

    override var isEmpty: Bool { false }
}
