import Inbox
import Push

/// The example of RFC 8291 §5 and appendix A.
enum RFC8291 {
    static let plaintext = Array("When I grow up, I want to be a watermelon".utf8)
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    static let browserPrivateKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let browserPublicKey =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let senderPrivateKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    static let body =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        + "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
}

/// Any key on P-256 would do; this one's public half is at hand.
let vapidKeyText = RFC8291.browserPrivateKey
let pushService = "https://push.example:4443"
let webPushSettings = WebPushSettings(hosts: ["push.example:4443"])

struct NotBase64URL: Error {}

func bytes(_ base64URL: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decodeLeniently(base64URL) else { throw NotBase64URL() }
    return bytes
}

func secrets() throws -> WebPushSecrets {
    struct NoSecrets: Error {}
    let secrets = WebPushSecrets(salt: try bytes(RFC8291.salt), privateKey: try bytes(RFC8291.senderPrivateKey))
    guard let secrets else { throw NoSecrets() }
    return secrets
}

/// The browser of the RFC's example.
func subscriber(id: String = "sub-1", applicationServerKey: String? = nil) throws -> WebPushSubscriber {
    struct NoSubscriber: Error {}
    let subscriber = WebPushSubscriber(
        id: id, baseURL: pushService, applicationServerKey: applicationServerKey,
        privateKey: try bytes(RFC8291.browserPrivateKey), auth: try bytes(RFC8291.auth))
    guard let subscriber else { throw NoSubscriber() }
    return subscriber
}

func browser(token: String = pushService + "/webpush/sub-1") throws -> Device {
    Device(
        id: "browser-1", provider: .webpush, token: token, keys: try subscriber().keys, platform: "web",
        registeredAt: now)
}

func vapidTokens() throws -> VAPIDTokens {
    VAPIDTokens(key: try VAPIDKey(vapidKeyText), subject: "mailto:ops@example.com")
}

/// The push of `message`; nil if there is none to send.
func webPush(
    _ message: PushMessage, to device: Device? = nil, settings: WebPushSettings = webPushSettings,
    at moment: Timestamp = now
) throws -> PushRequest? {
    var tokens = try vapidTokens()
    return try PushRequest(
        webPush: message, to: try device ?? browser(), settings: settings, tokens: &tokens, secrets: try secrets(),
        at: moment)
}

extension SinkRequest {
    /// `request` as it arrives.
    init(_ request: PushRequest, origin: String = pushService) {
        self.init(
            method: request.method, path: String(request.url.dropFirst(origin.count)), headers: request.headers,
            body: request.body)
    }
}
