import Transport
import WireProtocol

/// How `belfry echo` speaks, in either role. An object, so that it is one word in each of many sessions.
final class EchoOptions: Sendable {
    let poller: PollerKind
    /// Over all frames of a message, inflated; a longer one closes its WebSocket with 1009.
    let maximumMessageBytes: Int
    /// Nil for no compression.
    let deflate: DeflateSettings?

    init(poller: PollerKind, maximumMessageBytes: Int, deflate: DeflateSettings?) {
        self.poller = poller
        self.maximumMessageBytes = maximumMessageBytes
        self.deflate = deflate
    }
}
