import WireProtocol

/// What messages to a client look like.
enum MessageForm: Hashable, Sendable {
    /// A WebSocket's frame, compressed where the sides have agreed on it.
    case frame(DeflateAgreement?)
    /// An event of an event stream.
    case event
}
