import Inbox
import JSON
import Push
import Testing

struct GoogleAccessTokenTests {
    typealias Step = GoogleAccessToken.Step

    private func token() throws -> GoogleAccessToken {
        GoogleAccessToken(account: try ServiceAccount(parsing: serviceAccountText))
    }

    private let silent = GoogleAccessTokenError(NoAnswer(reason: "connection lost"))

    private func minutes(_ count: Double) -> Timestamp { now + .seconds(count * 60) }

    private func grant(_ accessToken: String, seconds: Int = 3_600) -> PushReply {
        PushReply(
            status: 200,
            body: Array(#"{"access_token":"\#(accessToken)","expires_in":\#(seconds),"token_type":"Bearer"}"#.utf8))
    }

    private func isFetch(_ step: Step, meanwhile: String? = nil) -> Bool {
        if case .fetch(_, let rest) = step { rest == meanwhile } else { false }
    }

    @Test func `the service account proves itself by a JWT`() throws {
        var token = try token()
        guard case .fetch(let draft, meanwhile: nil) = token.next(at: now) else {
            Issue.record("a new token has to be fetched")
            return
        }
        // {"alg":"RS256","typ":"JWT","kid":"k1"} . {"iss":"push@…","scope":"https://www.googleapis.com/auth/
        // firebase.messaging","aud":"https://oauth2.googleapis.com/token","iat":1764000000,"exp":1764003600}
        #expect(
            text(draft.signingInput)
                == "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImsxIn0.eyJpc3MiOiJwdXNoQGZpZWxkLWFwcC0xLmlhbS5nc2V"
                + "ydmljZWFjY291bnQuY29tIiwic2NvcGUiOiJodHRwczovL3d3dy5nb29nbGVhcGlzLmNvbS9hdXRoL2ZpcmViYXNlLm1lc3NhZ"
                + "2luZyIsImF1ZCI6Imh0dHBzOi8vb2F1dGgyLmdvb2dsZWFwaXMuY29tL3Rva2VuIiwiaWF0IjoxNzY0MDAwMDAwLCJleHAiOjE"
                + "3NjQwMDM2MDB9")
        let request = token.request(draft, signature: [0xFB, 0xFF])
        #expect(request.method == "POST")
        #expect(request.url == "https://oauth2.googleapis.com/token")
        #expect(request.headers.map(\.value) == ["application/x-www-form-urlencoded"])
        let body = text(request.body)
        #expect(body.hasPrefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=eyJhbGci"))
        #expect(body.hasSuffix("%2E-_8"))
    }

    @Test func `while the first token is fetched everybody waits`() throws {
        var token = try token()
        #expect(isFetch(token.next(at: now)))
        #expect(token.next(at: now) == .wait)
        #expect(token.next(at: now + .seconds(5)) == .wait)
        #expect(token.received(grant("t1"), at: now + .seconds(6), jitter: 0) == nil)
        #expect(token.next(at: now + .seconds(6)) == .use("t1"))
    }

    @Test func `a token is renewed before its end, and serves until the new one is there`() throws {
        var token = try token()
        _ = token.next(at: now)
        _ = token.received(grant("t1"), at: now, jitter: 0)
        #expect(token.next(at: minutes(54.9)) == .use("t1"))
        #expect(isFetch(token.next(at: minutes(55)), meanwhile: "t1"))
        #expect(token.next(at: minutes(56)) == .use("t1"))
        #expect(token.next(at: minutes(60)) == .wait)
        _ = token.received(grant("t2"), at: minutes(60), jitter: 0)
        #expect(token.next(at: minutes(60)) == .use("t2"))
    }

    @Test func `a token of short life is renewed at half of it`() throws {
        var token = try token()
        _ = token.next(at: now)
        _ = token.received(grant("t1", seconds: 60), at: now, jitter: 0)
        #expect(token.next(at: now + .seconds(29)) == .use("t1"))
        #expect(isFetch(token.next(at: now + .seconds(30)), meanwhile: "t1"))
    }

    @Test func `a clock set back makes a token of unknown age`() throws {
        var token = try token()
        _ = token.next(at: now)
        _ = token.received(grant("t1"), at: now, jitter: 0)
        #expect(isFetch(token.next(at: minutes(-1))))
    }

    @Test func `a rejected token is replaced once`() throws {
        var token = try token()
        _ = token.next(at: now)
        _ = token.received(grant("t1"), at: now, jitter: 0)
        token.rejected("t1", at: minutes(1))
        #expect(isFetch(token.next(at: minutes(1))))
        token.rejected("t1", at: minutes(1))  // the answer to another request that was on its way
        #expect(token.next(at: minutes(1)) == .wait)
        _ = token.received(grant("t2"), at: minutes(1), jitter: 0)

        token.rejected("t1", at: minutes(1))
        #expect(token.next(at: minutes(1)) == .use("t2"))
        token.rejected("t2", at: minutes(2))
        #expect(token.next(at: minutes(2)) == .use("t2"))
        token.rejected("t2", at: minutes(11))
        #expect(isFetch(token.next(at: minutes(11))))
    }

    @Test func `failed fetches come further and further apart`() throws {
        var token = try token()
        var moment = now
        var waits: [Duration] = []
        for _ in 0..<9 {
            #expect(isFetch(token.next(at: moment)))
            token.failed(silent, at: moment, jitter: 0.5)
            guard case .unavailable(let until, let cause) = token.next(at: moment) else {
                Issue.record("nothing to send with")
                return
            }
            #expect(cause.reason == "Google's token service did not answer: connection lost")
            #expect(cause.obstacle == .tokenConnection)
            waits.append(until - moment)
            #expect(token.next(at: until - .milliseconds(1)) == .unavailable(until: until, cause: cause))
            moment = until
        }
        #expect(waits == [15, 20, 30, 50, 90, 170, 305, 305, 305].map { .seconds($0) })
        _ = token.next(at: moment)
        _ = token.received(grant("t1"), at: moment, jitter: 0)
        #expect(token.next(at: moment) == .use("t1"))
    }

    @Test func `a failed renewal leaves the old token in use until its end`() throws {
        var token = try token()
        _ = token.next(at: now)
        _ = token.received(grant("t1"), at: now, jitter: 0)
        _ = token.next(at: minutes(55))
        token.failed(silent, at: minutes(55), jitter: 0)
        #expect(token.next(at: minutes(55)) == .use("t1"))
        #expect(isFetch(token.next(at: minutes(56)), meanwhile: "t1"))
        token.failed(silent, at: minutes(59.9), jitter: 0)
        guard case .unavailable = token.next(at: minutes(60)) else {
            Issue.record("t1 has ended")
            return
        }
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#, "invalid_grant", true),
        (401, #"{"error":"invalid_client"}"#, "invalid_client", true),
        (400, #"{"error":"unauthorized_client"}"#, "unauthorized_client", true),
        (400, #"{"error":"two words"}"#, "HTTP 400", true), (500, "<html>", "HTTP 500", false),
        (429, "", "HTTP 429", false), (200, "{}", "without a token", false),
        (200, #"{"access_token":"a b","expires_in":3600}"#, "without a token", false),
        (200, #"{"access_token":"ab","expires_in":0}"#, "without a token", false),
    ])
    func `a refusal is told in words`(status: Int, body: String, words: String, isPermanent: Bool) throws {
        var token = try token()
        _ = token.next(at: now)
        let reply = PushReply(status: status, body: Array(body.utf8))
        let told = token.received(reply, at: now, jitter: 0)
        let error = try #require(told)
        #expect(error.description.contains(words))
        #expect(error.isPermanent == isPermanent)
        // A permanent fault is ours, and one that passes is Google's.
        #expect(error.noAnswer.obstacle == (isPermanent ? .credential : .tokenService))
        #expect(token.next(at: now) == .unavailable(until: now + .seconds(10), cause: error.noAnswer))
    }

    @Test(arguments: ["120", "Mon, 24 Nov 2025 16:02:00 GMT"])
    func `the service's own delay is kept to`(value: String) throws {
        var token = try token()
        _ = token.next(at: now)
        let busy = PushReply(status: 503, headers: [("retry-after", value)])
        let told = token.received(busy, at: now, jitter: 0)
        let error = try #require(told)
        #expect(token.next(at: now) == .unavailable(until: now + .seconds(120), cause: error.noAnswer))
    }
}
