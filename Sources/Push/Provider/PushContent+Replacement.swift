import Crypto
package import Inbox

extension PushContent {
    /// The collapse id (``PushMessage/collapseID``) of all pushes with this content's replace key; nil without a key.
    ///
    /// 32 characters of base64url: 192 bits of SHA-256 over app, zero byte and key.
    package var replacementID: String? {
        guard let replaceKey else { return nil }
        var hash = SHA256()
        hash.update(data: Array(app.utf8))
        hash.update(data: [0])
        hash.update(data: Array(replaceKey.utf8))
        return Base64URL.encode(hash.finalize().prefix(24))
    }
}
