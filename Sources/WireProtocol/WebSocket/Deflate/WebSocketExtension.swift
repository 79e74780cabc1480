/// One element of a `Sec-WebSocket-Extensions` field: an offer of the client or the server's answer (RFC 6455 §9.1).
struct WebSocketExtension: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: String
        /// Without quotes, never empty; nil for a parameter without a value.
        let value: String?
    }

    let name: String
    /// In order, including repeated ones.
    let parameters: [Parameter]
}
