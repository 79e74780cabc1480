/// Agrees on permessage-deflate in the opening handshake (RFC 7692 §7.1), always without context takeover.
///
/// Names compare without case.
package enum DeflateNegotiation {
    private static let name = "permessage-deflate"

    /// The server's choice: the first offer that it can keep to, or nil where it declines them all.
    ///
    /// An offer with a parameter that is unknown, repeated or has a wrong value is declined, and the next is looked at
    /// (RFC 7692 §5, §7.1); so is one that wants a window of 256 bytes, which zlib cannot make raw deflate with. Other
    /// extensions are passed over.
    /// - Parameter offers: the values of the request's `Sec-WebSocket-Extensions` fields, a line each.
    /// - Returns: what is agreed on, and the value of the response's `Sec-WebSocket-Extensions` field.
    /// - Throws: where the header is broken anywhere, which a server answers with 400.
    package static func accept(
        offers: [String], settings: DeflateSettings
    ) throws(ExtensionListViolation) -> (agreement: DeflateAgreement, responseValue: String)? {
        for offer in try ExtensionListParser.extensions(in: offers) where offer.name.equalsIgnoringCase(name) {
            guard let parameters = DeflateParameters(reading: offer.parameters) else { continue }
            let bits = min(parameters.serverWindowBits ?? settings.windowBits, settings.windowBits)
            guard Deflater.windows.contains(bits) else { continue }
            var response = "\(name); server_no_context_takeover; client_no_context_takeover"
            // May be said without having been asked for, and must be if it was (RFC 7692 §7.1.2.1).
            if bits < 15 || parameters.serverWindowBits != nil { response += "; server_max_window_bits=\(bits)" }
            return (DeflateAgreement(windowBits: bits), response)
        }
        return nil
    }

    /// The value of a client's `Sec-WebSocket-Extensions` field.
    ///
    /// `client_max_window_bits` lets a server that is short of memory ask for a smaller window instead of declining.
    package static let offer = "\(name); client_no_context_takeover; server_no_context_takeover; client_max_window_bits"

    /// The client's reading of the server's answer to ``offer``; nil where the server declined it.
    ///
    /// A server may name `server_max_window_bits` unasked (RFC 7692 §7.1.2.1); every window is fine for inflating. An
    /// answer of `client_max_window_bits=8` fails the connection: RFC 7692 lets a server choose it, but zlib cannot
    /// keep to it, and no server does unless it was told to.
    /// - Parameter response: the values of the response's `Sec-WebSocket-Extensions` fields, a line each.
    /// - Throws: where the client must fail the connection.
    package static func read(
        response: [String], settings: DeflateSettings
    ) throws(DeflateResponseViolation) -> DeflateAgreement? {
        let chosen = try chosenExtensions(in: response)
        guard let first = chosen.first else { return nil }
        guard chosen.allSatisfy({ $0.name.equalsIgnoringCase(name) }) else { throw .notOffered }
        guard chosen.count == 1 else { throw .repeated }
        guard let parameters = DeflateParameters(reading: first.parameters) else { throw .invalidParameters }
        guard !parameters.serverKeepsContext else { throw .contextTakeover }
        let bits: Int
        switch parameters.clientWindow {
        case nil: bits = settings.windowBits
        case .bits(let limit): bits = min(limit, settings.windowBits)
        // Only an offer may name the parameter without a value (RFC 7692 §7.1.2.2).
        case .negotiable: throw .invalidParameters
        }
        guard Deflater.windows.contains(bits) else { throw .windowTooSmall }
        return DeflateAgreement(windowBits: bits)
    }

    private static func chosenExtensions(
        in response: [String]
    ) throws(DeflateResponseViolation) -> [WebSocketExtension] {
        do throws(ExtensionListViolation) {
            return try ExtensionListParser.extensions(in: response)
        } catch {
            throw .list(error)
        }
    }
}
