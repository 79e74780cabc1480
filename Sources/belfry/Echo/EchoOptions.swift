import Transport
import WireProtocol

/// The options of `belfry echo`, in either role. A class, so that each of many sessions holds one word.
final class EchoOptions: Sendable {
    let poller: PollerKind
    /// The longest message over all frames, inflated; a longer one closes its WebSocket with 1009.
    let maximumMessageBytes: Int
    /// Nil for no compression.
    let deflate: DeflateSettings?

    init(poller: PollerKind, maximumMessageBytes: Int, deflate: DeflateSettings?) {
        self.poller = poller
        self.maximumMessageBytes = maximumMessageBytes
        self.deflate = deflate
    }
}
