import Inbox
import Push
import SQLiteStore
import Store
import Testing

/// Pushes that wait while their owner's settings change leave only as their owner wants them at that moment.
@Suite(.everyEngine) struct UnwantedPushTests {
    private static let off = ChannelEdit(push: .set(false))

    /// Why something is dropped that pete said in the attic, waits until 100, and was wanted when it came.
    @Test(arguments: [
        (WishTypes.type("SAID", Self.off), TrailStep.Drop.preferenceOff(.type)),
        (WishTypes.type("SAID", ChannelEdit(inApp: .set(false))), .preferenceOff(.type)),
        (WishTypes.category("talk", Self.off), .preferenceOff(.category)),
        (WishTypes.mute("actor:pete"), .muted("actor:pete")), (WishTypes.mute("room:attic"), .muted("room:attic")),
    ])
    func `a push that is not wanted any more is not sent, and the trail says why`(
        _ change: SettingsChange, _ drop: TrailStep.Drop
    ) async throws {
        try await WishTypes.withPhone { fixture in
            let event = try await fixture.publish(WishTypes.event("said", notBefore: .at(100)), at: .at(0))
            try await fixture.store.change(change, for: .ada, at: .at(50))
            #expect(try await fixture.sent(at: .at(100)).isEmpty)
            #expect(try await fixture.steps(event) == [.dropped(drop)])
            #expect(try await fixture.report(event).summary.pushes.dropped == 1)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test(arguments: [
        [WishTypes.type("SAID", Self.off), WishTypes.type("SAID", .reset)],
        [WishTypes.mute("actor:pete"), .unmute(ExactText("actor:pete"))],
        [WishTypes.mute("actor:pete", until: .at(99))],
        [WishTypes.category("talk", Self.off), WishTypes.type("SAID", ChannelEdit(push: .set(true)))],
        [WishTypes.mute("actor:renee")], [WishTypes.mute("room:cellar")], [WishTypes.category("praise", Self.off)],
    ])
    func `a push that is wanted again by then is sent`(_ changes: [SettingsChange]) async throws {
        try await WishTypes.withPhone { fixture in
            try await fixture.publish(WishTypes.event("said", notBefore: .at(100)), at: .at(0))
            for (number, change) in changes.enumerated() {
                try await fixture.store.change(change, for: .ada, at: .at(50 + Int64(number)))
            }
            #expect(try await fixture.sent(at: .at(100)).count == 1)
        }
    }

    @Test func `a push that the app requires is sent all the same`() async throws {
        try await WishTypes.withPhone { fixture in
            try await fixture.publish(WishTypes.event("warned", notBefore: .at(100)), at: .at(0))
            try await fixture.store.change(WishTypes.mute("actor:pete"), for: .ada, at: .at(1))
            try await fixture.store.change(WishTypes.category("talk", Self.off), for: .ada, at: .at(2))
            #expect(try await fixture.sent(at: .at(100)).count == 1)
        }
    }

    @Test func `a choice that is taken back leaves the app's default, which may be off`() async throws {
        try await WishTypes.withPhone { fixture in
            let on = WishTypes.type("FOUND", ChannelEdit(push: .set(true)))
            try await fixture.store.change(on, for: .ada, at: .at(0))
            let event = try await fixture.publish(WishTypes.event("found", notBefore: .at(100)), at: .at(1))
            try await fixture.store.change(WishTypes.type("FOUND", .reset), for: .ada, at: .at(2))
            #expect(try await fixture.sent(at: .at(100)).isEmpty)
            #expect(try await fixture.steps(event) == [.dropped(.preferenceOff(.app))])
        }
    }

    // MARK: Pushes without a notification in the app

    private static let on = ChannelEdit(push: .set(true))

    /// An event of a type that is only pushed, by the catalog or by the app's default, and changes while its push
    /// waits.
    @Test(
        arguments: [
            ("rang", [], nil), ("hid", [], nil), ("rang", [WishTypes.type("RANG", Self.on)], nil),
            ("rang", [WishTypes.type("RANG", Self.off)], TrailStep.Drop.preferenceOff(.type)),
            ("rang", [WishTypes.category("talk", Self.off)], .preferenceOff(.category)),
            ("rang", [WishTypes.category("talk", Self.off), WishTypes.type("RANG", Self.on)], nil),
            ("rang", [WishTypes.type("RANG", ChannelEdit(inApp: .set(false)))], .preferenceOff(.type)),
            ("rang", [WishTypes.type("RANG", ChannelEdit(inApp: .set(true)))], nil),
            ("rang", [WishTypes.mute("room:attic")], .muted("room:attic")),
            ("hid", [WishTypes.mute("actor:pete")], .muted("actor:pete")),
            ("hid", [WishTypes.type("HID", Self.off)], .preferenceOff(.type)),
            ("hid", [WishTypes.type("HID", ChannelEdit(inApp: .set(true)))], nil),
            ("hid", [WishTypes.type("HID", ChannelEdit(inApp: .set(true), push: .set(false)))], .preferenceOff(.type)),
            ("hid", [WishTypes.type("HID", ChannelEdit(inApp: .set(false)))], .preferenceOff(.type)),
        ] as [(String, [SettingsChange], TrailStep.Drop?)])
    func `a type that is only pushed is judged once more as it leaves`(
        _ event: String, _ changes: [SettingsChange], _ drop: TrailStep.Drop?
    ) async throws {
        try await WishTypes.withPhone { fixture in
            let id = try await fixture.publish(WishTypes.event(event, notBefore: .at(100)), at: .at(0))
            for change in changes { try await fixture.store.change(change, for: .ada, at: .at(50)) }
            #expect(try await fixture.sent(at: .at(100)).count == (drop == nil ? 1 : 0))
            #expect(try await fixture.steps(id) == [drop.map(TrailStep.dropped) ?? .sent])
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a person who switches a type to pushes alone gets those that wait`() async throws {
        try await WishTypes.withPhone { fixture in
            try await fixture.publish(WishTypes.event("said", notBefore: .at(100)), at: .at(0))
            let alone = WishTypes.type("SAID", ChannelEdit(inApp: .set(false), push: .set(true)))
            try await fixture.store.change(alone, for: .ada, at: .at(50))
            #expect(try await fixture.sent(at: .at(100)).count == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a digest tells of what is wanted when it leaves`(afterCrash: Bool) async throws {
        try await WishTypes.withPhone { before in
            try await before.store.change(.snooze(until: .at(100)), for: .ada, at: .at(0))
            try await before.publish(WishTypes.event("said"), at: .at(1))
            let muted = try await before.publish(WishTypes.event("said", by: "renee"), at: .at(2))
            try await before.publish(WishTypes.event("liked"), at: .at(3))
            let off = try await before.publish(WishTypes.event("added"), at: .at(4))
            try await before.store.change(WishTypes.mute("actor:renee"), for: .ada, at: .at(5))
            let noMore = WishTypes.type("ADDED", ChannelEdit(push: .set(false)))
            try await before.store.change(noMore, for: .ada, at: .at(6))
            let fixture = afterCrash ? try await before.reopened() : before
            let jobs = try await fixture.sent(at: .at(1_000))
            #expect(jobs.map(\.body) == ["2 new things"])
            #expect(try await fixture.steps(muted) == [.dropped(.muted("actor:renee"))])
            #expect(try await fixture.steps(off) == [.dropped(.preferenceOff(.type))])
            if afterCrash { await fixture.store.close() }
        }
    }

    @Test func `a summary counts what is wanted when it leaves, also when it is tried once more`() async throws {
        try await WishTypes.withPhone { fixture in
            try await fixture.publish(WishTypes.event("liked"), at: .at(0))
            #expect(try await fixture.sent(at: .at(0)).count == 1)
            for (second, actor) in ["pete", "renee", "sue", "tom"].enumerated() {
                try await fixture.publish(WishTypes.event("liked", by: actor), at: .at(1 + Int64(second)))
            }
            try await fixture.store.change(WishTypes.mute("actor:renee"), for: .ada, at: .at(10))
            let first = try await fixture.job(at: .at(3_600))
            #expect(first.body == "3 likes")
            try await fixture.store.change(WishTypes.mute("actor:pete"), for: .ada, at: .at(3_601))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_610)), attempt: .init(failures: 1, expiry: first.attempt.expiry),
                at: .at(3_602))
            let again = try await fixture.sent(at: .at(3_610))
            #expect(again.map(\.body) == ["2 likes"])
            #expect(again.map(\.message.collapseID) == [first.message.collapseID])
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a batch is wanted as long as one of its events is`() async throws {
        try await WishTypes.withPhone { fixture in
            let event = try await fixture.publish(WishTypes.event("added", by: "pete"), at: .at(0))
            try await fixture.publish(WishTypes.event("added", by: "renee"), at: .at(1))
            try await fixture.publish(WishTypes.event("added", by: "pete"), at: .at(2))
            try await fixture.store.change(WishTypes.mute("actor:pete"), for: .ada, at: .at(3))
            #expect(try await fixture.sent(at: .at(300)).map(\.body) == ["3 things"])
            try await fixture.store.change(.unmute(ExactText("actor:pete")), for: .ada, at: .at(301))
            let other = try await fixture.publish(WishTypes.event("added", by: "pete", in: "cellar"), at: .at(302))
            try await fixture.store.change(WishTypes.mute("actor:pete"), for: .ada, at: .at(303))
            #expect(try await fixture.sent(at: .at(700)).isEmpty)
            #expect(try await fixture.steps(other) == [.dropped(.muted("actor:pete"))])
            #expect(try await fixture.steps(event) == [.sent])
        }
    }

    @Test func `a shown notification stays known when the push of its growth is dropped`() async throws {
        try await WishTypes.withPhone { fixture in
            let event = try await fixture.publish(WishTypes.event("drawn"), at: .at(0))
            let shown = try #require(try await fixture.sent(at: .at(0)).first)
            try await fixture.store.change(.snooze(until: .at(100)), for: .ada, at: .at(1))
            try await fixture.publish(WishTypes.event("drawn"), at: .at(2))
            try await fixture.store.change(WishTypes.mute("actor:pete"), for: .ada, at: .at(3))
            #expect(try await fixture.sent(at: .at(100)).isEmpty)
            #expect(try await fixture.steps(event) == [.sent, .dropped(.muted("actor:pete"))])
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada, at: .at(101))
            #expect(try await fixture.job(at: .at(110)).message.withdrawn == [shown.message.collapseID])
        }
    }

    @Test func `a phone that shows no notifications any more gets none, and the trail says so`() async throws {
        try await WishTypes.withPhone { fixture in
            let event = try await fixture.publish(WishTypes.event("said", notBefore: .at(100)), at: .at(0))
            var denied = Device.phone(at: .at(1))
            denied.permission = .denied
            try await fixture.store.register(denied, for: .ada)
            #expect(try await fixture.sent(at: .at(100)).isEmpty)
            #expect(try await fixture.steps(event) == [.dropped(.permission)])
        }
    }

    @Test func `a push that is kept back once more is judged only when it leaves`() async throws {
        try await WishTypes.withPhone { fixture in
            try await fixture.publish(WishTypes.event("said", notBefore: .at(100)), at: .at(0))
            try await fixture.store.change(.snooze(until: .at(200)), for: .ada, at: .at(1))
            try await fixture.store.change(WishTypes.mute("actor:pete"), for: .ada, at: .at(2))
            #expect(try await fixture.sent(at: .at(150)).isEmpty)
            try await fixture.store.change(.unmute(ExactText("actor:pete")), for: .ada, at: .at(160))
            #expect(try await fixture.sent(at: .at(200)).count == 1)
        }
    }
}
