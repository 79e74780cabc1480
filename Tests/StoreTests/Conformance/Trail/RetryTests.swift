import Inbox
import Push
import Store
import Testing

/// A failed push that an operator has sent again, past the queue, is told by the trail.
@Suite(.everyEngine) struct RetryTests {
    @Test(arguments: [TrailRetry.accepted, .busy, .gone, .refused(reason: "BadTopic")])
    func `a push that was sent again is told with what the service answered, after the first answer`(
        _ retry: TrailRetry
    ) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("said", to: .ada)
            let job = try await fixture.job(at: .at(1))
            try await fixture.store.settle(job, as: .abandon(reason: "TopicDisallowed"), at: .at(2))
            try await fixture.store.note(retry, of: job, at: .at(3))
            let report = try await fixture.report(event)
            let steps = try #require(report.recipients.first?.steps)
            #expect(steps.map(\.step) == [.refused(reason: "TopicDisallowed"), .retried(retry)])
            #expect(steps.map(\.at) == [.at(2), .at(3)])
            #expect(steps.map(\.device) == ["phone", "phone"] && steps.map(\.provider) == [.apns, .apns])
            #expect((report.summary.pushes.refused, report.summary.pushes.sent) == (1, retry == .accepted ? 1 : 0))
        }
    }

    @Test func `a push for several notifications is told of each of them`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.publish("upvoted", "zero", to: .ada, at: .at(0))
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            var events: [String] = []
            for second in Int64(1)...2 { events.append(try await fixture.event("upvoted", to: .ada, at: .at(second))) }
            let job = try await fixture.job(at: .at(3_600))
            try await fixture.store.settle(job, as: .abandon(reason: "BadTopic"), at: .at(3_601))
            try await fixture.store.note(.accepted, of: job, at: .at(3_602))
            for event in events {
                let steps = try await fixture.report(event).recipients.flatMap(\.steps).map(\.step)
                #expect(steps == [.refused(reason: "BadTopic"), .retried(.accepted)])
            }
        }
    }

    @Test func `nothing is told of somebody who was erased, and came back under the same name`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.event("said", to: .ada)
            let job = try await fixture.job(at: .at(1))
            try await fixture.store.settle(job, as: .abandon(reason: "BadTopic"), at: .at(2))
            _ = try await fixture.store.erase(.ada)
            try await fixture.store.note(.accepted, of: job, at: .at(3))
            let event = try await fixture.event("said", to: .ada, at: .at(4))
            try await fixture.store.note(.accepted, of: job, at: .at(5))
            #expect(try await fixture.report(event).recipients.map(\.steps) == [[]])
        }
    }
}
