import Inbox
import Push
import Testing

struct APNsTokenTests {
    private func minutes(_ count: Double) -> Timestamp { now + .seconds(count * 60) }

    /// The bearer token in use at `moment`, signed on the spot if a new one is due.
    private func bearer(_ token: inout APNsToken, at moment: Timestamp) -> (bearer: String, isNew: Bool) {
        switch token.next(at: moment) {
        case .use(let bearer): return (bearer, false)
        case .sign(let draft): return (token.install(draft, signature: [1, 2, 3]), true)
        }
    }

    @Test func `the signing input is header and claims`() {
        let token = APNsToken(keyID: "KEY1234567", teamID: "TEAM123456")
        guard case .sign(let draft) = token.next(at: now) else {
            Issue.record("a new schedule has no token yet")
            return
        }
        // {"alg":"ES256","kid":"KEY1234567"} . {"iss":"TEAM123456","iat":1764000000}
        #expect(
            text(draft.signingInput)
                == "eyJhbGciOiJFUzI1NiIsImtpZCI6IktFWTEyMzQ1NjcifQ.eyJpc3MiOiJURUFNMTIzNDU2IiwiaWF0IjoxNzY0MDAwMDAwfQ")
        #expect(draft.issuedAt == now)
    }

    @Test func `the signature goes behind the signing input`() {
        var token = APNsToken(keyID: "K", teamID: "T")
        guard case .sign(let draft) = token.next(at: now) else { return }
        let bearer = token.install(draft, signature: [0xFB, 0xFF, 0xFE, 0x00])
        #expect(bearer == text(draft.signingInput) + ".-__-AA")
        #expect(token.next(at: now) == .use(bearer: bearer))
    }

    @Test(arguments: [(0.0, false), (19.9, false), (49.99, false), (50, true), (70, true), (-1, true)])
    func `a token is renewed after fifty minutes`(age: Double, isRenewed: Bool) {
        var token = APNsToken(keyID: "K", teamID: "T")
        _ = bearer(&token, at: now)
        #expect(bearer(&token, at: minutes(age)).isNew == isRenewed)
    }

    @Test func `a young token that was called expired is replaced once`() {
        var token = APNsToken(keyID: "K", teamID: "T")
        let first = bearer(&token, at: now).bearer
        token.expired(first, at: minutes(1))
        let second = bearer(&token, at: minutes(1))
        #expect(second.isNew && second.bearer != first)

        // The second one as well: a clock must be wrong, and the provider limits renewals.
        token.expired(second.bearer, at: minutes(2))
        #expect(!bearer(&token, at: minutes(2)).isNew)
        #expect(!bearer(&token, at: minutes(20.9)).isNew)
        token.expired(second.bearer, at: minutes(21))
        #expect(bearer(&token, at: minutes(21)).isNew)
    }

    @Test func `an answer to an older token changes nothing`() {
        var token = APNsToken(keyID: "K", teamID: "T")
        let first = bearer(&token, at: now).bearer
        token.expired(first, at: minutes(30))
        let second = bearer(&token, at: minutes(30)).bearer
        token.expired(first, at: minutes(30))
        #expect(token.next(at: minutes(31)) == .use(bearer: second))
    }

    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"), ([0xFB, 0xFF], "-_8"),
            ([0x66, 0x6F, 0x6F, 0x62, 0x61, 0x72], "Zm9vYmFy"),
        ] as [([UInt8], String)])
    func `bytes are written in the alphabet for URLs`(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
    }
}
