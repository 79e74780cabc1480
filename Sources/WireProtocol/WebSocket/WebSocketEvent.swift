/// An event in a peer's bytes.
package enum WebSocketEvent {
    /// A complete message in valid UTF-8.
    case text(WebSocketPayload)
    case binary(WebSocketPayload)
    /// A ping, with the frame that answers it.
    case ping(pong: [UInt8])
    case pong
    /// Write this close frame, if there is one, then close the connection. Always the last.
    indirect case finish(WebSocketEnding, closeFrame: [UInt8]?)
}
