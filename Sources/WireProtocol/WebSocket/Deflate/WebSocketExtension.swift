/// One element of a `Sec-WebSocket-Extensions` field: an offer of the client or the server's answer (RFC 6455 §9.1).
struct WebSocketExtension: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: String
        /// Without its quotes; nil where there is none. Never empty.
        let value: String?
    }

    let name: String
    /// As they were written, repeated ones too.
    let parameters: [Parameter]
}
