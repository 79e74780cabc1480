package import WireProtocol

/// A text message from a server to any number of its shard's clients: encoded once, and its bytes are shared.
package final class OutgoingMessage {
    /// The whole frame.
    let frame: [UInt8]

    /// - Parameter text: UTF-8.
    package init(text: [UInt8]) { frame = FrameEncoder.text(text) }

    /// How many bytes wait for a client that does not take it, at most.
    package var byteCount: Int { frame.count }
}
