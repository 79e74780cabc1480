/// Why a browser cannot read a body.
package enum WebPushDecryptionError: Error, Sendable, Hashable {
    case tooShort
    /// The sender's key is no point on P-256.
    case invalidPublicKey
    /// The body has more than one record, which Web Push forbids (RFC 8291 §4).
    case severalRecords
    /// The body is for another key or authentication secret, or was changed on the way.
    case notForThisKey
    case invalidPadding
}
