import Inbox
import Push
import Testing

/// `now` is 2025-11-24T16:00:00Z.
struct RetryAfterTests {
    private func delay(_ value: String, at moment: Timestamp = now) -> Duration? {
        PushReply(status: 503, headers: [("retry-after", value)]).retryAfter(at: moment)
    }

    @Test(arguments: [
        ("30", Duration.seconds(30)), ("0", .zero), (" 7 ", .seconds(7)), ("86401", .seconds(86_400)),
        ("9999999999999999999999", .seconds(86_400)), ("+5", nil), ("-1", nil), ("1.5", nil), ("1e3", nil), ("", nil),
        (" ", nil), ("1 2", nil), ("٣", nil), ("soon", nil),
    ])
    func `a number of seconds, a day at most`(value: String, expected: Duration?) { #expect(delay(value) == expected) }

    @Test(arguments: [
        "Mon, 24 Nov 2025 16:00:30 GMT", "Monday, 24-Nov-25 16:00:30 GMT", "Mon Nov 24 16:00:30 2025",
        "  Mon, 24 Nov 2025 16:00:30 GMT ",
    ])
    func `a date in each form of HTTP is the time until then`(value: String) {
        #expect(delay(value) == .seconds(30))
        #expect(delay(value, at: now + .milliseconds(29_400)) == .milliseconds(600))
        #expect(delay(value, at: now + .seconds(30)) == .zero)
    }

    @Test(arguments: [
        ("Mon, 24 Nov 2025 15:59:59 GMT", Duration.zero), ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
        ("Tue, 25 Nov 2025 16:00:00 GMT", .seconds(86_400)), ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(86_400)),
        ("Mon Dec  1 00:00:00 2025", .seconds(86_400)), ("Mon, 24 Nov 2025 16:00:60 GMT", .seconds(59)),
    ])
    func `a date that has passed is no delay, and one far off is a day`(value: String, expected: Duration) {
        #expect(delay(value) == expected)
    }

    @Test(arguments: [
        "Mon, 31 Feb 2026 16:00:30 GMT", "Mon, 24 Foo 2025 16:00:30 GMT", "Mon, 24 Nov 2025 25:00:30 GMT",
        "Mon, 24 Nov 2025 16:00:30 CET", "Mon, 24 Nov 2025 16:00:30 +0100", "Mon, 24 Nov 2025",
        "24 Nov 2025 16:00:30 GMT",
        "2025-11-24T16:00:30Z", "Mon, 24 Nov 20255 16:00:30 GMT",
    ])
    func `a text that is no date of HTTP asks for nothing`(value: String) { #expect(delay(value) == nil) }

    @Test func `every provider is asked again when its reply says so`() {
        let date = PushReply(status: 503, headers: [("retry-after", "Mon, 24 Nov 2025 16:00:30 GMT")])
        let told = Duration.seconds(30)
        #expect(APNsVerdict(date, at: now).verdict == .busy(retryAfter: told, scope: .provider))
        #expect(FCMVerdict(date, at: now).verdict == .busy(retryAfter: told, scope: .provider))
        #expect(OneSignalVerdict(date, to: "s", at: now).verdict == .busy(retryAfter: told, scope: .provider))
        #expect(WebPushVerdict(date, bodyBytes: 9, at: now).verdict == .busy(retryAfter: told, scope: .device))
    }
}
