/// Why a client cannot go on with the extensions that a server has chosen (RFC 7692 §7.1, RFC 6455 §9.1).
package enum DeflateResponseViolation: Error, Sendable, Hashable {
    /// The field itself cannot be read.
    case list(ExtensionListViolation)
    /// Something else than permessage-deflate, which is all that is offered.
    case notOffered
    /// permessage-deflate is chosen more than once.
    case repeated
    /// A parameter is unknown, repeated, or has a value that it may not have.
    case invalidParameters
    /// The server would keep a context, which the offer forbids.
    case contextTakeover
    /// The server wants a window of 256 bytes, which zlib cannot compress with.
    case windowTooSmall
}
