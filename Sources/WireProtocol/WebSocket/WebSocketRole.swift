/// Which end of a WebSocket this is: clients mask their frames, servers do not (RFC 6455 §5.1).
package enum WebSocketRole: Sendable, Hashable {
    case server
    case client
}
