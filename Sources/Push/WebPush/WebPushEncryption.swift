package import Crypto

/// Message encryption for Web Push (RFC 8291): one record of `aes128gcm` (RFC 8188) that only one browser can read.
package enum WebPushEncryption {
    /// The body size that every push service must accept (RFC 8030 §7.2, RFC 8291 §4).
    package static let maximumBodyBytes = 4_096
    /// The room for the text in such a body (RFC 8291 §4).
    package static let maximumPlaintextBytes = 3_993

    /// The room for the text in a body of this size.
    static func plaintextBytes(inBodyOf bytes: Int) -> Int {
        min(max(bytes - headerBytes - tagBytes - 1, 0), maximumPlaintextBytes)
    }

    /// Salt, record size, length of the key id, and the key id, which is the sender's public key (RFC 8188 §2.1).
    private static let headerBytes = 16 + 4 + 1 + keyBytes
    private static let keyBytes = 65
    private static let tagBytes = 16
    /// Ends the text in the last record; zeros may follow (RFC 8188 §2).
    private static let delimiter: UInt8 = 2

    /// The body of a push.
    ///
    /// - Parameters:
    ///   - padding: the number of zeros behind the text, so that the length tells less about it; limited to the room.
    ///   - secrets: never used before.
    package static func encrypt(
        _ plaintext: [UInt8], padding: Int = 0, for keys: WebPushKeys, secrets: WebPushSecrets
    ) throws(WebPushEncryptionError) -> [UInt8] {
        guard plaintext.count <= maximumPlaintextBytes else { throw .tooLong }
        guard let browser = try? P256.KeyAgreement.PublicKey(x963Representation: keys.p256dh),
            let shared = try? secrets.privateKey.sharedSecretFromKeyAgreement(with: browser)
        else { throw .invalidPublicKey }
        let sender = Array(secrets.privateKey.publicKey.x963Representation)
        let room = maximumPlaintextBytes - plaintext.count
        let text = plaintext + [delimiter] + [UInt8](repeating: 0, count: min(max(padding, 0), room))
        let content = ContentKey(shared, auth: keys.auth, browser: keys.p256dh, sender: sender, salt: secrets.salt)
        guard let sealed = try? AES.GCM.seal(text, using: content.key, nonce: content.nonce()) else {
            throw .invalidPublicKey  // no other input can make it fail
        }
        // The record size must be greater than everything in the record; one record may be shorter (RFC 8291 §4).
        let recordSize = withUnsafeBytes(of: UInt32(maximumBodyBytes).bigEndian) { Array($0) }
        return secrets.salt + recordSize + [UInt8(keyBytes)] + sender + sealed.ciphertext + sealed.tag
    }

    /// Decrypts a body as a browser does.
    package static func decrypt(
        _ body: [UInt8], privateKey: P256.KeyAgreement.PrivateKey, auth: [UInt8]
    ) throws(WebPushDecryptionError) -> [UInt8] {
        guard body.count > headerBytes + tagBytes else { throw .tooShort }
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        guard Int(body[20]) == keyBytes else { throw .invalidPublicKey }
        let sender = Array(body[21..<headerBytes])
        let record = body[headerBytes...]
        guard record.count <= recordSize else { throw .severalRecords }
        guard let key = try? P256.KeyAgreement.PublicKey(x963Representation: sender),
            let shared = try? privateKey.sharedSecretFromKeyAgreement(with: key)
        else { throw .invalidPublicKey }
        let content = ContentKey(
            shared, auth: auth, browser: Array(privateKey.publicKey.x963Representation), sender: sender,
            salt: Array(body[..<16]))
        guard
            let box = try? AES.GCM.SealedBox(
                nonce: content.nonce(), ciphertext: record.dropLast(tagBytes), tag: record.suffix(tagBytes)),
            let padded = (try? AES.GCM.open(box, using: content.key)).map(Array.init)
        else { throw .notForThisKey }
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == delimiter else { throw .invalidPadding }
        return Array(padded[..<end])
    }
}

/// Key and nonce of the one record (RFC 8291 §3.4, RFC 8188 §2.2 and §2.3).
private struct ContentKey {
    let key: SymmetricKey
    private let nonceBytes: [UInt8]

    init(_ shared: SharedSecret, auth: [UInt8], browser: [UInt8], sender: [UInt8], salt: [UInt8]) {
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: auth, sharedInfo: Array("WebPush: info\0".utf8) + browser + sender,
            outputByteCount: 32)
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8),
            outputByteCount: 16)
        nonceBytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), outputByteCount: 12
        ).withUnsafeBytes { Array($0) }
    }

    /// The nonce of the first record, whose number is zero.
    func nonce() throws -> AES.GCM.Nonce { try AES.GCM.Nonce(data: nonceBytes) }
}
