import Inbox
import Testing

@testable import Gateway

struct WebhookSecretsTests {
    /// The example of the reference libraries' tests and its signature, from
    /// https://github.com/standard-webhooks/standard-webhooks.
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private static let time = Timestamp(milliseconds: 1_614_265_330_999)
    private static let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    @Test func `a body is signed as the reference libraries sign it`() throws {
        let secrets = try #require(WebhookSecrets("\n\(Self.secret)\n"))
        let headers = secrets.headers(of: Self.id, Self.body, at: Self.time)
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers.map(\.value) == [Self.id, "1614265330", Self.signature])
    }

    @Test func `each of several secrets signs, so that a new one can be brought in`() throws {
        let other = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
        let secrets = try #require(WebhookSecrets("\(other)\n\(Self.secret)"))
        let signatures = secrets.headers(of: Self.id, Self.body, at: Self.time)[2].value.split(separator: " ")
        #expect(signatures.count == 2)
        #expect(signatures[0] != signatures[1])
        #expect(signatures[1] == Self.signature)
    }

    @Test(arguments: [
        "", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRY=", "whsec_%%%",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nnonsense",
    ])
    func `a file with anything else, or with too short a secret, is refused`(_ text: String) {
        #expect(WebhookSecrets(text) == nil)
    }
}
