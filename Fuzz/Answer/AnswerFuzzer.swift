import Inbox
import Push
import Store
import Tracing

@testable import Gateway

/// What services on the internet answer: push services, Google's token service, the endpoints of webhooks, identity
/// providers and a collector of traces. Whatever they say, waits have a bound, what goes into logs is short and of one
/// line, and only the answers that say so end a device.
///
/// The bytes make up an answer: its status, headers and body.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzAnswer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = AnswerChoices(FuzzInput(start, count).bytes)
    let reply = choices.reply()
    // FCM and OneSignal say in the body that a device is gone.
    judge(APNsVerdict(reply, at: AnswerChoices.now).verdict, reply.status, endsDevice: reply.status == 410)
    judge(FCMVerdict(reply, at: AnswerChoices.now).verdict, reply.status, endsDevice: reply.status != 200)
    let oneSignal = OneSignalVerdict(reply, to: choices.token(), at: AnswerChoices.now)
    judge(oneSignal.verdict, reply.status, endsDevice: [200, 202].contains(reply.status))
    let size = 300 * (1 + choices.choices.number(below: 20))
    let webPush = WebPushVerdict(reply, bodyBytes: size, at: AnswerChoices.now)
    judge(webPush.verdict, reply.status, endsDevice: [404, 410].contains(reply.status))
    if let bytes = webPush.retryBytes {
        claim((512..<size).contains(bytes), "a smaller body of \(bytes) bytes for \(size)")
    }
    judgeTokens(reply)
    judgeWebhook(reply, failures: choices.choices.number(below: 12))
    judgeKeys(reply)
    judgeCollector(reply)
    return 0
}

/// - Parameter endsDevice: whether an answer with this status may say that the device is gone.
private func judge(_ verdict: Verdict, _ status: Int, endsDevice: Bool) {
    switch verdict {
    case .accepted: claim((200..<300).contains(status), "a push that \(status) accepts")
    case .deviceGone: claim(endsDevice, "a device that \(status) ends")
    case .busy(let delay, _, let cause):
        if let delay { claim((.zero ... .seconds(86_400)).contains(delay), "a delay of \(delay)") }
        if let cause { judge(reason: cause.reason) }
    case .refused(let reason): judge(reason: reason)
    }
    var attempt = PushAttempt(failures: 3, expiry: AnswerChoices.now + .seconds(86_400))
    let device = Device(id: "phone", provider: .apns, token: "token", registeredAt: AnswerChoices.now)
    switch attempt.settle(verdict, at: AnswerChoices.now, jitter: 0.5, device: device) {
    case .retry(let moment):
        claim(moment > AnswerChoices.now && moment < attempt.expiry, "a retry at \(moment)")
    case .abandon(let reason): judge(reason: reason)
    case .finish: claimEqual(verdict, .accepted, "a push that ends without a reason")
    case .forgetDevice: guard case .deviceGone = verdict else { fatalError("a device that nobody has ended") }
    }
}

/// For logs and trails: a line that a service cannot fill with whatever it likes.
private func judge(reason: String) {
    claim((1...240).contains(reason.utf8.count), "a reason of \(reason.utf8.count) bytes")
    claim(
        reason.utf8.allSatisfy { (0x20...0x7E).contains($0) },
        "a reason with other characters: \(reason.debugDescription)")
    claim(!reason.contains(AnswerChoices.secret), "a reason that tells a secret")
}

private func judgeTokens(_ reply: PushReply) {
    var token = GoogleAccessToken(account: AnswerChoices.account)
    guard case .fetch = token.next(at: AnswerChoices.now) else { fatalError("no token is fetched") }
    let problem = token.received(reply, at: AnswerChoices.now, jitter: 0.5)
    switch (problem, token.next(at: AnswerChoices.now)) {
    case (nil, .use(let text)):
        claim(reply.status == 200, "a token out of \(reply.status)")
        claim(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a token that is no header's value")
        let later = AnswerChoices.now + .seconds(86_401)
        if case .use = token.next(at: later) { fatalError("a token that does not end") }
    case (let problem?, .unavailable(let until, _)):
        judge(reason: problem.description)
        claim(until > AnswerChoices.now && until <= AnswerChoices.now + .seconds(86_400), "no token until \(until)")
    case (let problem, let step): fatalError("\(String(describing: problem)) leads to \(step)")
    }
}

private func judgeWebhook(_ reply: PushReply, failures: Int) {
    let verdict = WebhookVerdict(status: reply.status, retryAfter: reply.retryAfter(at: AnswerChoices.now))
    let webhook = Webhook(id: "webhook", failures: failures, body: [])
    switch verdict.outcome(of: webhook, at: AnswerChoices.now, chance: 0.5) {
    case .delivered: claim((200..<300).contains(reply.status), "a webhook that \(reply.status) delivers")
    case .putOff(_, let until, let now, let reason):
        judge(reason: reason)
        claimEqual(now, failures + 1, "a failure that does not count")
        claim(
            until > AnswerChoices.now && until < AnswerChoices.now + .seconds(2 * 86_400),
            "a webhook put off to \(until)")
    case .buried(_, _, let now, let reason):
        judge(reason: reason)
        claim(reply.status == 410 || now > WebhookVerdict.waits.count, "a webhook that is buried early")
    }
}

private func judgeKeys(_ reply: PushReply) {
    let document = FetchedDocument(status: reply.status, headers: reply.headers, body: reply.body)
    let lifetime = CacheLifetime.of(reply.headers)
    claim(lifetime >= .zero && lifetime < .seconds(400_000_000_000), "keys that are fresh for \(lifetime)")
    let now = AnswerChoices.instant
    guard let issuer = ProviderURL("https://issuer.example") else { fatalError("a URL that is none") }
    var refresh = KeyRefresh(KeyRefresh.Plan(issuer: issuer), at: now)
    for _ in 0..<3 {
        switch refresh.next(at: now) {
        case .fetch(let url):
            claim(url.hasPrefix("https://"), "keys from \(url)")
            if let fault = refresh.received(document, at: now, chance: 0.5) { judge(reason: fault.description) }
        case .install(let keys):
            claim(keys.count <= FetchedDocument.maximumKeys, "more keys than the limit")
            refresh.installed(at: now, chance: 0.5)
        case .wait(let until): claim(until > now && until <= now + .seconds(3_600), "no keys before \(until)")
        }
    }
}

private func judgeCollector(_ reply: PushReply) {
    let now = AnswerChoices.instant
    var machine = ExportMachine()
    guard case .wake(let start) = machine.next(waiting: 1, at: now),
        case .sendNext = machine.next(waiting: 1, at: start)
    else { fatalError("spans that do not leave") }
    let told = reply.header("retry-after").flatMap(Int64.init)
    guard machine.answered(.init(status: reply.status, retryAfter: told), at: start, jitter: 0.5) == .triedAgain else {
        return claim(machine.isIdle, "a machine that waits for nothing")
    }
    guard case .sendAgain = machine.next(waiting: 0, at: start + .seconds(30)) else { fatalError("spans that stay") }
}
