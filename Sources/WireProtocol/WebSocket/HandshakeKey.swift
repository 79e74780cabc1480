import Crypto

/// A server's proof that it understood a WebSocket handshake (RFC 6455 §4.2.2).
enum HandshakeKey {
    /// The only version.
    static let version = "13"

    /// The value of `Sec-WebSocket-Accept` for a key.
    static func accept(for key: String) -> String {
        let salted = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        // SHA-1 protects no secret here; the protocol requires it.
        var hash = Insecure.SHA1()
        Array(salted.utf8).withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Base64.encode(Array(hash.finalize()))
    }
}
