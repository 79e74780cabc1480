import Inbox
import Push
import Testing

@testable import Gateway

/// For each provider and each fault: what is sent again and when, what is dropped, and what raises an alarm. In manual
/// time, with the provider's own replies.
struct ProviderFaultTests {
    /// A provider's answer to the first request for a device; it accepts all later ones.
    struct Fault: Sendable, CustomTestStringConvertible {
        let provider: Device.Provider
        /// Status 0: no answer.
        let status: Int
        var headers: [(name: String, value: String)] = []
        var body = ""
        /// From the request to the answer.
        var after = Duration.milliseconds(50)
        let follows: Follows

        var testDescription: String { "\(provider.name) \(status) \(headers.map(\.value).joined()) \(body)" }

        var verdict: Verdict {
            let reply = PushReply(status: status, headers: headers, body: Array(body.utf8))
            switch provider {
            case _ where status == 0: return .noAnswer(NoAnswer(reason: "no answer within 20 s"))
            case .apns: return APNsVerdict(reply, at: .noon).verdict
            case .fcm: return FCMVerdict(reply, at: .noon).verdict
            case .onesignal: return OneSignalVerdict(reply, to: "x", at: .noon).verdict
            default: return WebPushVerdict(reply, bodyBytes: 4_096, at: .noon).verdict
            }
        }
    }

    /// The consequences of a fault, beside the verdict itself.
    enum Follows: Sendable, Equatable {
        /// The push is sent again after at least and at most so many seconds.
        case retry(ClosedRange<Double>, pausesLane: Bool)
        case forgotten
        /// The push is dropped, and the operator is told.
        case alarm
    }

    private static let backoff = 10.0...20.1
    private static let fcmStatus =
        #"{"error": {"code": 404, "status": "NOT_FOUND", "details": [{"@type": "#
        + #""type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "CODE"}]}}"#

    private static func fcm(_ code: String) -> String { fcmStatus.replacing("CODE", with: code) }

    static let faults: [Fault] =
        [
            // Since before the device registered: it is in use again.
            Fault(
                provider: .apns, status: 410, body: #"{"reason": "Unregistered", "timestamp": 1}"#,
                follows: .retry(backoff, pausesLane: false)),
            Fault(
                provider: .apns, status: 410, body: #"{"reason": "Unregistered", "timestamp": 4102444800000}"#,
                follows: .forgotten),
            Fault(
                provider: .apns, status: 429, headers: [("retry-after", "7")], body: #"{"reason": "TooManyRequests"}"#,
                follows: .retry(7...7.2, pausesLane: false)),
            Fault(
                provider: .apns, status: 403, body: #"{"reason": "ExpiredProviderToken"}"#,
                follows: .retry(backoff, pausesLane: true)),
            Fault(
                provider: .apns, status: 403, body: #"{"reason": "InvalidProviderToken"}"#,
                follows: .retry(backoff, pausesLane: true)),
            Fault(
                provider: .apns, status: 403, body: #"{"reason": "BadEnvironmentKeyIdInToken"}"#,
                follows: .retry(backoff, pausesLane: false)),
            Fault(
                provider: .apns, status: 500, body: #"{"reason": "InternalServerError"}"#,
                follows: .retry(backoff, pausesLane: false)),
            Fault(
                provider: .apns, status: 503, headers: [("retry-after", "30")], body: #"{"reason": "Shutdown"}"#,
                follows: .retry(30...30.2, pausesLane: true)),
            Fault(provider: .apns, status: 400, body: #"{"reason": "BadDeviceToken"}"#, follows: .alarm),
            Fault(provider: .apns, status: 413, body: #"{"reason": "PayloadTooLarge"}"#, follows: .alarm),
            Fault(provider: .fcm, status: 404, body: fcm("UNREGISTERED"), follows: .forgotten),
            Fault(
                provider: .fcm, status: 429, headers: [("retry-after", "40")], body: fcm("QUOTA_EXCEEDED"),
                follows: .retry(40...40.2, pausesLane: true)),
            Fault(
                provider: .fcm, status: 429, body: fcm("QUOTA_EXCEEDED"), follows: .retry(60...60.2, pausesLane: true)),
            Fault(provider: .fcm, status: 401, follows: .retry(backoff, pausesLane: true)),
            Fault(provider: .fcm, status: 403, follows: .retry(backoff, pausesLane: true)),
            Fault(
                provider: .fcm, status: 401, body: fcm("THIRD_PARTY_AUTH_ERROR"),
                follows: .retry(backoff, pausesLane: false)),
            Fault(provider: .fcm, status: 500, body: fcm("INTERNAL"), follows: .retry(backoff, pausesLane: false)),
            Fault(provider: .fcm, status: 403, body: fcm("SENDER_ID_MISMATCH"), follows: .alarm),
            Fault(
                provider: .onesignal, status: 429, headers: [("retry-after", "25")],
                follows: .retry(25...25.2, pausesLane: true)),
            Fault(provider: .onesignal, status: 500, follows: .retry(backoff, pausesLane: false)),
            Fault(
                provider: .onesignal, status: 200, body: #"{"id": "", "errors": {"invalid_player_ids": ["x"]}}"#,
                follows: .forgotten),
            Fault(
                provider: .onesignal, status: 400, body: #"{"errors": ["app_id not found"]}"#,
                follows: .retry(backoff, pausesLane: true)),
            Fault(
                provider: .onesignal, status: 400, body: #"{"errors": ["contents: can't be blank"]}"#, follows: .alarm),
            Fault(
                provider: .fcm, status: 404, body: #"{"error": {"code": 404, "status": "NOT_FOUND"}}"#,
                follows: .retry(backoff, pausesLane: true)),
            Fault(provider: .onesignal, status: 403, follows: .retry(backoff, pausesLane: true)),
            Fault(provider: .webpush, status: 410, follows: .forgotten),
            Fault(provider: .webpush, status: 404, follows: .forgotten),
            Fault(
                provider: .webpush, status: 429, headers: [("retry-after", "5")],
                follows: .retry(5...5.2, pausesLane: false)),
            Fault(provider: .webpush, status: 500, follows: .retry(backoff, pausesLane: false)),
            Fault(provider: .webpush, status: 413, follows: .alarm),
            Fault(provider: .webpush, status: 403, follows: .retry(backoff, pausesLane: false)),
            Fault(provider: .webpush, status: 403, body: #"{"reason": "VapidPkHashMismatch"}"#, follows: .alarm),
        ]
        + ProviderList.standard.flatMap { provider in
            [
                // The connection was lost, the stream was reset.
                Fault(provider: provider, status: 0, follows: .retry(backoff, pausesLane: false)),
                // No answer at all until the deadline.
                Fault(provider: provider, status: 0, after: .seconds(20), follows: .retry(30...40.1, pausesLane: true)),
            ]
        }

    @Test(arguments: faults) func `a fault leads to one more try, to a forgotten device or to an alarm`(_ fault: Fault)
    {
        var tries = 0
        let counter = Counter()
        var lane = LaneSimulation { _, _ in
            defer { counter.add() }
            return counter.count == 0 ? .init(verdict: fault.verdict, after: fault.after) : .init(verdict: .accepted)
        }
        lane.add([1])
        lane.run(for: .seconds(600))
        tries = lane.requests.count
        switch fault.follows {
        case .retry(let seconds, let pausesLane):
            #expect(lane.ends[1]?.end == .accepted)
            #expect(tries == 2)
            let delay = (lane.requests[tries - 1].at - lane.requests[0].at) / .seconds(1)
            #expect(seconds.contains(delay), "after \(delay) s")
            #expect(lane.pauses.isEmpty == !pausesLane)
            #expect(lane.reports.isEmpty)
        case .forgotten:
            #expect(lane.ends[1]?.end == .forgotten)
            #expect((tries, lane.pauses.count, lane.reports.count) == (1, 0, 0))
        case .alarm:
            guard case .abandoned(let reason)? = lane.ends[1]?.end else {
                Issue.record("ended as \(String(describing: lane.ends[1]))")
                return
            }
            #expect(lane.reports.map(\.report) == [.init(reason: reason, count: 1)])
            #expect((tries, lane.pauses.count) == (1, 0))
        }
    }

    @Test(arguments: faults) func `a fault of every request ends with the push's expiry, and little is sent`(
        _ fault: Fault
    ) {
        var lane = LaneSimulation { _, _ in .init(verdict: fault.verdict, after: fault.after) }
        lane.add(0..<50, lifetime: .seconds(1_800))
        lane.run(for: .seconds(7_200))
        #expect(lane.ends.count == 50)
        switch fault.follows {
        case .retry(let seconds, _):
            #expect(Set(lane.ends.values.map(\.end)) == [.abandoned(PushAction.expired)])
            // The provider's own delay holds each time; ours grows, to ten minutes.
            let told = fault.headers.isEmpty ? 120 : seconds.lowerBound
            #expect(Double(lane.requests.count) <= 50 * (1_800 / told + 1), "\(lane.requests.count) requests")
        case .forgotten:
            #expect(Set(lane.ends.values.map(\.end)) == [.forgotten])
            #expect(lane.requests.count == 50)
        case .alarm:
            #expect(lane.requests.count == 50)
            // The first at once, all others together a minute later.
            #expect(lane.reports.map(\.report.count) == [1, 49])
            #expect(lane.reports.last.map { $0.at >= .noon + .seconds(60) } == true)
        }
    }
}
