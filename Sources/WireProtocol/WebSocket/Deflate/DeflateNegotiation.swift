/// Agrees on permessage-deflate in the opening handshake (RFC 7692 §7.1), always without context takeover.
///
/// Names compare without case.
package enum DeflateNegotiation {
    private static let name = "permessage-deflate"

    /// The server's choice: the first acceptable offer, or nil if it declines all.
    ///
    /// An offer with a parameter that is unknown, repeated or has a wrong value is declined, and the next is tried (RFC
    /// 7692 §5, §7.1). So is an offer with a window of 256 bytes, because zlib cannot make raw deflate with it. Other
    /// extensions are ignored.
    /// - Parameter offers: the values of the request's `Sec-WebSocket-Extensions` fields, one for each line.
    /// - Returns: the agreement, and the value of the response's `Sec-WebSocket-Extensions` field.
    /// - Throws: for a malformed header, which a server answers with 400.
    package static func accept(
        offers: [String], settings: DeflateSettings
    ) throws(ExtensionListViolation) -> (agreement: DeflateAgreement, responseValue: String)? {
        for offer in try ExtensionListParser.extensions(in: offers) where offer.name.equalsIgnoringCase(name) {
            guard let parameters = DeflateParameters(reading: offer.parameters) else { continue }
            let bits = min(parameters.serverWindowBits ?? settings.windowBits, settings.windowBits)
            guard Deflater.windows.contains(bits) else { continue }
            var response = "\(name); server_no_context_takeover; client_no_context_takeover"
            // The server may name it unasked, and must if it was asked (RFC 7692 §7.1.2.1).
            if bits < 15 || parameters.serverWindowBits != nil { response += "; server_max_window_bits=\(bits)" }
            return (DeflateAgreement(windowBits: bits), response)
        }
        return nil
    }

    /// The value of a client's `Sec-WebSocket-Extensions` field.
    ///
    /// `client_max_window_bits` lets a server that is short of memory ask for a smaller window instead of declining.
    package static let offer = "\(name); client_no_context_takeover; server_no_context_takeover; client_max_window_bits"

    /// The agreement in the server's answer to ``offer``; nil if the server declined.
    ///
    /// A server may name `server_max_window_bits` unasked (RFC 7692 §7.1.2.1); inflating works with every window. An
    /// answer of `client_max_window_bits=8` fails the connection. RFC 7692 allows it, but zlib cannot keep to it, and
    /// no server sends it unless it was configured so.
    /// - Parameter response: the values of the response's `Sec-WebSocket-Extensions` fields, one for each line.
    /// - Throws: if the client must fail the connection.
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
