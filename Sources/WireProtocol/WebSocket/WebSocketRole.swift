/// The end of a WebSocket: clients mask their frames, servers do not (RFC 6455 §5.1).
package enum WebSocketRole: Sendable, Hashable {
    case server
    case client
}
