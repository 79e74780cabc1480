import Inbox
import JSON
import Push
import Testing

@testable import Gateway

/// The status of a lane as it is told.
struct PushStatusTests {
    private func json(_ provider: Device.Provider, lastFailure: FailureLog.Failure) throws -> JSONValue {
        let lane = LaneStatus(
            provider: provider, isConfigured: true, window: 10, underWay: 0, atHand: 0, settling: 0, gate: .open,
            lastJudged: nil, lastFailure: lastFailure, refusals: [:])
        var json = JSONWriter()
        PushStatusRoute.write(lane, to: &json)
        return try JSONValue(parsing: json.bytes)
    }

    @Test(arguments: [
        (Device.Provider.apns, Verdict.Scope.provider, "All its pushes wait and are tried again."),
        (.webpush, .device, "A push from the queue is tried again; other pushes do not wait for it."),
    ])
    func `why a push got no answer is explained for those that wait`(
        provider: Device.Provider, scope: Verdict.Scope, waiting: String
    ) throws {
        let cause = NoAnswer(reason: "cannot connect: there is no such host")
        let failure = try json(provider, lastFailure: .init(cause: cause, scope: scope, at: .noon)).at(["lastFailure"])
        #expect(failure?.at(["reason"]) == "cannot connect: there is no such host")
        #expect(failure?.at(["at"])?.string == Timestamp.noon.iso8601)
        let text = try #require(failure?.at(["explanation"])?.string)
        #expect(
            text.hasPrefix(
                "\(provider.manual.title) gave no verdict: cannot connect: there is no such host. \(waiting) "))
        #expect(text.contains("Look at this server's connection"))
    }

    @Test func `a push that nothing could authorize is explained without the network`() throws {
        let cause = NoAnswer(reason: "invalid_client", obstacle: .credential)
        let lane = try json(.fcm, lastFailure: .init(cause: cause, scope: .provider, at: .noon))
        #expect(
            lane.at(["lastFailure", "explanation"])
                == .string(
                    "FCM could not be asked: invalid_client. All its pushes wait and are tried again. Look at "
                        + "FCM_SERVICE_ACCOUNT_PATH."))
    }
}
