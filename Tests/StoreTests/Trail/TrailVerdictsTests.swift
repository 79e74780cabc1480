import Inbox
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct TrailVerdictsTests {
    private static let decisions: [TrailDecision] = [
        .created(.never(byEvent: false)), .created(.never(byEvent: true)), .created(.preferenceOff(nil)),
        .grew(.preferenceOff(.category)), .pushOnly(.preferenceOff(.app)), .created(.noDevice), .created(.expired),
        .grew(.batched),
        .created(.queued(devices: 2, due: .at(4), hold: .grace)), .grew(.queued(devices: 1, due: .at(0), hold: .pace)),
        .isActor, .unrouted, .muted("room:789"), .preferenceOff(nil), .preferenceOff(.type), .preferenceOff(.catalog),
        .pushOnly(.noDevice), .pushOnly(.queued(devices: 1, due: .at(4), hold: .quietHours)),
    ]

    @Test("verdicts are read as they were written, whoever they are about")
    func roundTrip() throws {
        let recipients: [RecipientList.Recipient] = [
            .init(inbox: 1, notification: 1), .init(inbox: .max, notification: .max),
            .init(inbox: 7, notification: nil),
            .init(inbox: 7, notification: 300), .init(inbox: 6, notification: 127), .init(inbox: 6, notification: 128),
        ]
        var verdicts = TrailVerdicts()
        for (number, decision) in Self.decisions.enumerated() {
            let verdict = TrailVerdicts.Verdict(
                decision: decision, type: number % 2 == 0 ? "SAID" : nil, isLive: number % 3 == 0)
            var group = TrailVerdicts.Group(verdict: verdict)
            for recipient in recipients.dropLast(number % 4) { group.recipients.append(recipient) }
            if number == 7 { group.strangers = [.ada, .bob] }
            verdicts.groups.append(group)
        }
        let read = try #require(TrailVerdicts(bytes: verdicts.bytes))
        #expect(read.groups.map(\.verdict) == verdicts.groups.map(\.verdict))
        #expect(read.groups.map(\.strangers) == verdicts.groups.map(\.strangers))
        for (number, group) in read.groups.enumerated() {
            #expect(group.recipients.recipients == Array(recipients.dropLast(number % 4)))
        }
    }

    @Test("damaged verdicts are none, wherever they are cut")
    func damage() {
        var group = TrailVerdicts.Group(verdict: .init(decision: .isActor, type: nil, isLive: false))
        group.recipients.append(.init(inbox: 300, notification: 300))
        let bytes = TrailVerdicts(groups: [group]).bytes
        for count in 1..<bytes.count { #expect(TrailVerdicts(bytes: Array(bytes.prefix(count))) == nil) }
        var list = RecipientList(bytes: [0x80])
        #expect(list.recipients == nil)
        list = RecipientList(bytes: [0x02])
        #expect(list.recipients == nil)
    }

    @Test("ten thousand recipients of one verdict take few bytes")
    func size() {
        var recorder = TrailRecorder()
        for number in 1...10_000 {
            recorder.note(
                .created(.noDevice), type: "SAID", of: "e", to: .init(inbox: Int64(number), notification: 40))
        }
        let bytes = recorder.gatherings.first?.verdicts.bytes ?? []
        #expect(recorder.gatherings.first?.verdicts.groups.count == 1)
        #expect((20_000..<20_200).contains(bytes.count))
    }

    @Test("each verdict has one group, however many there are and in whatever order they come")
    func manyVerdicts() {
        var recorder = TrailRecorder()
        for person in 0..<300 {
            recorder.note(
                .created(.queued(devices: 1, due: .at(Int64(person % 100)), hold: .snooze)), type: "SAID", of: "e",
                to: .init(inbox: Int64(person), notification: 1))
        }
        let groups = recorder.gatherings.first?.verdicts.groups ?? []
        #expect(
            groups.map(\.verdict.decision)
                == (0..<100).map { due in
                    .created(.queued(devices: 1, due: .at(due), hold: .snooze))
                })
        for (place, group) in groups.enumerated() {
            #expect(group.recipients.recipients?.map(\.inbox) == [0, 100, 200].map { Int64($0 + place) })
        }
    }

    @Test(
        "every step is read as it was written",
        arguments: [
            TrailStep.cancelled(.acknowledged), .cancelled(.read), .withdrawn(.removed), .withdrawn(.retracted), .sent,
            .folded(into: 9), .putOff(until: .at(9), .provider), .putOff(until: .at(9), .quietHours),
            .refused(reason: "BadTopic"), .deviceGone, .expired, .patched, .retracted, .shrunk, .retried(.accepted),
            .retried(.busy), .retried(.gone), .retried(.refused(reason: "Bad Topic")), .retried(.refused(reason: "")),
            .answered(TrailAnswer("push approve")!), .answered(TrailAnswer("expiry")!),
        ])
    func steps(_ step: TrailStep) { #expect(TrailStep(step.columns) == step) }
}
