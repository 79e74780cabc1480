/// Why a message cannot be encrypted.
package enum WebPushEncryptionError: Error, Sendable, Hashable {
    /// The subscription's key is no point on P-256.
    case invalidPublicKey
    /// More than ``WebPushEncryption/maximumPlaintextBytes``.
    case tooLong
}
