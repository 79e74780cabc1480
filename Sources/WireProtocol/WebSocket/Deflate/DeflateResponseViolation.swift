/// Why a client cannot accept a server's choice of extensions (RFC 7692 §7.1, RFC 6455 §9.1).
package enum DeflateResponseViolation: Error, Sendable, Hashable {
    /// The field is malformed.
    case list(ExtensionListViolation)
    /// An extension other than permessage-deflate, the only one that is offered.
    case notOffered
    /// permessage-deflate is chosen more than once.
    case repeated
    /// A parameter is unknown, repeated, or has a forbidden value.
    case invalidParameters
    /// The server would keep a context, which the offer forbids.
    case contextTakeover
    /// The server wants a window of 256 bytes, which zlib cannot compress with.
    case windowTooSmall
}
