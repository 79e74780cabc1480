import WireProtocol

/// What a session without a WebSocket needs beside the rest. WebSockets do without its memory.
final class StreamExtras: SessionExtras {
    /// The session's name, to which its client posts frames.
    let name: String
    /// Either of those without a WebSocket.
    let way: LiveWay
    /// Of a client that polls, whose connections are not the session's.
    let address: IPAddress?
    /// The epoch of its places; empty before the recovery.
    var epoch = ""

    init(_ way: LiveWay, name: String = newName(), address: IPAddress? = nil) {
        (self.way, self.name, self.address) = (way, name, address)
    }

    static func newName() -> String { RandomName.make(prefix: "ses_") }

    override var isEmpty: Bool { false }
}
