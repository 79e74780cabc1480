/// Why a browser cannot read a body.
package enum WebPushDecryptionError: Error, Sendable, Hashable {
    case tooShort
    /// The sender's key is no point on P-256.
    case invalidPublicKey
    /// More than one record, which Web Push forbids (RFC 8291 §4).
    case severalRecords
    /// Encrypted for another key or authentication secret, or changed on the way.
    case notForThisKey
    case invalidPadding
}
