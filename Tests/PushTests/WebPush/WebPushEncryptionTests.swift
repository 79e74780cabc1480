import Inbox
import JSON
import Push
import Testing

struct WebPushEncryptionTests {
    @Test func `the example of RFC 8291 gives the same bytes`() throws {
        let keys = WebPushKeys(p256dh: try bytes(RFC8291.browserPublicKey), auth: try bytes(RFC8291.auth))
        let body = try WebPushEncryption.encrypt(
            RFC8291.plaintext, for: try #require(keys), secrets: try secrets())
        #expect(Base64URL.encode(body) == RFC8291.body)
    }

    @Test func `the example of RFC 8291 is read back`() throws {
        #expect(try subscriber().decrypt(try bytes(RFC8291.body)) == RFC8291.plaintext)
    }

    @Test(arguments: [0, 1, 41, 3_992, 3_993], [0, 1, 100, 10_000])
    func `a text of any length and padding comes back, in a body within the limit`(length: Int, padding: Int) throws {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let browser = try subscriber()
        let body = try WebPushEncryption.encrypt(
            text, padding: padding, for: try #require(browser.keys), secrets: .random())
        #expect(body.count <= 4_096)
        #expect(body.count == min(length + padding, 3_993) + 103)
        #expect(try browser.decrypt(body) == text)
    }

    @Test func `a text that ends in zeros keeps them`() throws {
        let browser = try subscriber()
        let body = try WebPushEncryption.encrypt(
            [1, 0, 2, 0, 0], padding: 3, for: try #require(browser.keys), secrets: .random())
        #expect(try browser.decrypt(body) == [1, 0, 2, 0, 0])
    }

    @Test func `a text beyond the limit is refused`() throws {
        let keys = try #require(try subscriber().keys)
        #expect(throws: WebPushEncryptionError.tooLong) {
            try WebPushEncryption.encrypt([UInt8](repeating: 1, count: 3_994), for: keys, secrets: try secrets())
        }
    }

    @Test func `a key that is no point on the curve is refused`() throws {
        let keys = try #require(
            WebPushKeys(p256dh: [4] + [UInt8](repeating: 1, count: 64), auth: try bytes(RFC8291.auth)))
        #expect(throws: WebPushEncryptionError.invalidPublicKey) {
            try WebPushEncryption.encrypt([1], for: keys, secrets: try secrets())
        }
    }

    @Test func `a body that was changed anywhere behind the record size is not read`() throws {
        let body = try bytes(RFC8291.body)
        for index in body.indices where !(16..<20).contains(index) {
            var changed = body
            changed[index] ^= 1
            #expect(throws: WebPushDecryptionError.self, "byte \(index)") { try subscriber().decrypt(changed) }
        }
    }

    @Test func `a body cut off anywhere is not read`() throws {
        let body = try bytes(RFC8291.body)
        for count in body.indices {
            #expect(throws: WebPushDecryptionError.self, "\(count) bytes") {
                try subscriber().decrypt(Array(body[..<count]))
            }
        }
    }

    @Test func `a body for another browser is not read`() throws {
        let other = WebPushSubscriber.random(id: "other", baseURL: pushService, applicationServerKey: nil)
        #expect(throws: WebPushDecryptionError.notForThisKey) { try other.decrypt(try bytes(RFC8291.body)) }
    }

    @Test func `a record larger than it says is refused`() throws {
        var body = try bytes(RFC8291.body)
        body.replaceSubrange(16..<20, with: [0, 0, 0, 20])
        #expect(throws: WebPushDecryptionError.severalRecords) { try subscriber().decrypt(body) }
    }

    @Test func `secrets are never the same twice`() throws {
        let keys = try #require(try subscriber().keys)
        let first = try WebPushEncryption.encrypt([1], for: keys, secrets: .random())
        let second = try WebPushEncryption.encrypt([1], for: keys, secrets: .random())
        #expect(first.prefix(16) != second.prefix(16))
        #expect(first[21..<86] != second[21..<86])
    }

    @Test func `secrets of a wrong length or value are none`() throws {
        let key = try bytes(RFC8291.senderPrivateKey)
        #expect(WebPushSecrets(salt: [1, 2], privateKey: key) == nil)
        #expect(WebPushSecrets(salt: [UInt8](repeating: 1, count: 16), privateKey: [1, 2]) == nil)
        #expect(
            WebPushSecrets(salt: [UInt8](repeating: 1, count: 16), privateKey: [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test func `values that hold secrets do not print them`() throws {
        #expect("\(try secrets())" == "Web Push secrets")
        #expect("\(try subscriber())" == "Web Push subscriber sub-1")
        #expect(!"\(try VAPIDKey(vapidKeyText))".contains(vapidKeyText))
    }

    @Test(
        arguments: [
            ("", []), ("Zg", [0x66]), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]),
            ("-_8", [0xFB, 0xFF]), ("+/8=", [0xFB, 0xFF]),
        ] as [(String, [UInt8])])
    func `both alphabets are read, with and without padding`(text: String, bytes: [UInt8]) {
        #expect(Base64URL.decodeLeniently(text) == bytes)
    }

    @Test(arguments: ["A", "AAAAA", "Zg===", "Z g", "Zg\n", "Zä", "Z=g"])
    func `a text that is no base64 is not read`(_ text: String) {
        #expect(Base64URL.decodeLeniently(text) == nil)
    }
}
