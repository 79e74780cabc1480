import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct ActivityTests {
    private func withOrders(
        starts: Int = 10, pressing: Int = 15, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(
            yaml: StoreFixture.orders,
            { ($0.activityStartsPerHour, $0.activityPressingPerHour) = (starts, pressing) }, body)
    }

    @Test func `events begin, change and end an activity, and the trail tells each step`() async throws {
        try await withOrders { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(activityTypes: ["Order": "aa"])
            let ordered = try await fixture.order("ordered", 1, at: .at(0))
            #expect(fixture.commits.last?.nextActivityDue == .at(0))
            let start = try await fixture.activityJob(at: .at(0))
            #expect((start.push.token, start.push.content.event, start.key) == ("aa", .start, "order-1"))
            #expect(start.push.content.beginning == .init(type: "Order", attributes: ["number": 1]))
            #expect(start.push.content.alert == .init(title: "Order", body: "Order 1", sound: "default"))
            try await fixture.store.settle(start, at: .at(1))
            let moved = try await fixture.order("moved", 2, at: .at(2))
            #expect(try await fixture.store.leaseActivities(at: .at(2)).jobs.isEmpty)
            try await fixture.store.register(activityToken: "bb", at: .at(3))
            let update = try await fixture.activityJob(at: .at(3))
            #expect((update.push.token, update.push.content.event) == ("bb", .update))
            #expect(update.push.content.state == ["step": 2])
            try await fixture.store.settle(update, at: .at(3))
            let delivered = try await fixture.order("delivered", 3, at: .at(5))
            try await fixture.store.settle(fixture.activityJob(at: .at(5)), at: .at(5))
            #expect(try await fixture.activitySteps(ordered) == ["start"])
            #expect(try await fixture.activitySteps(moved) == ["waits", "update"])
            #expect(try await fixture.activitySteps(delivered) == ["end"])
            let known = try await fixture.store.activities()
            #expect(known.map(\.state) == [.over])
            #expect(known.map(\.since) == [.at(5)])
            // A type that tells activities alone leaves nothing in the inbox.
            #expect(try await fixture.texts(of: .ada) == ["Order 1 is there", "Order 1"])
        }
    }

    @Test func `a device without start token, and one without the activity, are told of in the trail`() async throws {
        try await withOrders { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let ordered = try await fixture.order("ordered", 1, at: .at(0))
            let moved = try await fixture.order("moved", 2, at: .at(1))
            #expect(try await fixture.activitySteps(ordered) == ["dropped noStartToken"])
            #expect(try await fixture.activitySteps(moved) == ["dropped notRunning"])
            #expect(try await fixture.store.leaseActivities(at: .at(9)) == LeasedActivities(jobs: [], nextDue: nil))
            #expect(try await fixture.store.activities().isEmpty)
        }
    }

    @Test func `beyond the hour's starts a device begins no more`() async throws {
        try await withOrders(starts: 1) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(activityTypes: ["Order": "aa"])
            try await fixture.order("ordered", 1, of: 1, at: .at(0))
            try await fixture.store.settle(fixture.activityJob(at: .at(0)), at: .at(0))
            let second = try await fixture.order("ordered", 1, of: 2, at: .at(1))
            #expect(try await fixture.store.leaseActivities(at: .at(1)).jobs.isEmpty)
            #expect(try await fixture.activitySteps(second) == ["dropped startBudget"])
            try await fixture.order("ordered", 1, of: 3, at: .at(3_601))
            #expect(try await fixture.activityJob(at: .at(3_601)).key == "order-3")
        }
    }

    @Test func `beyond the hour's budget updates leave at low priority`() async throws {
        try await withOrders(pressing: 1) { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.order("moved", 2, at: .at(5))
            let first = try await fixture.activityJob(at: .at(5))
            try await fixture.store.settle(first, at: .at(5))
            let event = try await fixture.order("moved", 3, at: .at(9))
            let second = try await fixture.activityJob(at: .at(9))
            try await fixture.store.settle(second, at: .at(9))
            #expect([first, second].map(\.push.isPressing) == [true, false])
            #expect(try await fixture.activitySteps(event) == ["update low"])
        }
    }

    @Test func `each of a person's phones has its own activity`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.store.register(
                Device(id: "android", provider: .fcm, token: "t2", platform: "android", registeredAt: .at(1)), for: .ada
            )
            try await fixture.store.register(activityTypes: ["Order": nil], of: "android")
            try await fixture.store.register(
                Device(id: "page", provider: .onesignal, token: "t3", registeredAt: .at(1)), for: .ada)
            #expect(try await fixture.store.register(activityTypes: [:], of: "page") == .unfitDevice)
            #expect(try await fixture.store.register(activityTypes: ["Order": nil]) == .missingToken)
            let event = try await fixture.order("ordered", 2, at: .at(5))
            let phone = try await fixture.activityJob(at: .at(5))
            let android = try await fixture.activityJob(of: .fcm, at: .at(5))
            #expect((phone.push.token, phone.push.content.event) == ("bb", .update))
            #expect((android.push.token, android.push.content.event) == (nil, .start))
            try await fixture.store.settle(phone, at: .at(5))
            try await fixture.store.settle(android, at: .at(5))
            #expect(try await Set(fixture.activitySteps(event)) == ["start", "update"])
            #expect(try await fixture.store.activities().map(\.state) == [.running, .running])
        }
    }

    @Test func `a push handed out is handed out again after its lease, and the first outcome counts no more`()
        async throws
    {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.order("moved", 2, at: .at(5))
            let lost = try await fixture.activityJob(at: .at(5))
            #expect(
                try await fixture.store.leaseActivities(at: .at(20)) == LeasedActivities(jobs: [], nextDue: .at(35)))
            let again = try await fixture.activityJob(at: .at(35))
            #expect(again.number == lost.number + 1)
            try await fixture.store.settle(lost, at: .at(36))
            #expect(try await fixture.store.leaseActivities(at: .at(36)).nextDue == .at(65))
            try await fixture.store.settle(again, at: .at(36))
            #expect(try await fixture.store.leaseActivities(at: .at(99)) == LeasedActivities(jobs: [], nextDue: nil))
        }
    }

    @Test func `a process that begins alone need not wait for the last one's leases`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.order("moved", 2, at: .at(5))
            _ = try await fixture.activityJob(at: .at(5))
            try await fixture.store.endActivityLeases(at: .at(6))
            #expect(try await fixture.activityJob(at: .at(6)).push.content.state == ["step": 2])
        }
    }

    @Test func `a dead token goes without its device`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            let event = try await fixture.order("moved", 2, at: .at(5))
            try await fixture.store.settle(fixture.activityJob(at: .at(5)), .deviceGone(since: .at(4)), at: .at(5))
            #expect(try await fixture.activitySteps(event) == ["dropped tokenGone"])
            #expect(try await fixture.store.devices(of: .ada).map(\.id) == ["phone"])
            #expect(try await fixture.store.activities().map(\.state) == [.over])
        }
    }

    @Test func `quiet hours hold nothing, but no activity disturbs`() async throws {
        try await withOrders { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(activityTypes: ["Order": "aa"])
            try await fixture.store.change(.snooze(until: .at(600)), for: .ada, at: .at(0))
            try await fixture.order("ordered", 1, at: .at(0))
            let start = try await fixture.activityJob(at: .at(0))
            #expect(!start.push.isPressing)
            #expect(start.push.content.alert == .init(title: "Order", body: "Order 1"))
        }
    }

    @Test func `who has switched the type off gets no start, and still the end`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            let off: JSONValue = ["inApp": false, "push": false]
            try await fixture.store.change(
                .preferences(.init(["types": ["ORDERED": off, "DELIVERED": off]])), for: .ada, at: .at(2))
            try await fixture.order("ordered", 1, of: 2, at: .at(3))
            #expect(try await fixture.store.leaseActivities(at: .at(3)).jobs.isEmpty)
            try await fixture.order("delivered", 9, at: .at(4))
            let end = try await fixture.activityJob(at: .at(4))
            #expect((end.push.content.event, end.push.isPressing) == (.end, false))
        }
    }

    @Test func `an app may tell only of the activities on its own devices`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            #expect(try await fixture.store.register(activityToken: "cc", user: .bob, at: .at(2)) == .unknownDevice)
            #expect(try await fixture.store.register(activityTypes: [:], of: "other") == .unknownDevice)
            #expect(try await fixture.store.dismissActivity(user: .bob, at: .at(2)) == false)
            #expect(try await fixture.store.dismissActivity(at: .at(2)))
            #expect(try await fixture.store.activities().map(\.state) == [.over])
            #expect(try await fixture.store.activities(of: .bob).isEmpty)
        }
    }

    @Test func `nothing of a device's activities outlives it, nor its person`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.order("moved", 2, at: .at(5))
            _ = try await fixture.store.erase(.ada)
            #expect(try await fixture.store.leaseActivities(at: .at(9)) == LeasedActivities(jobs: [], nextDue: nil))
            try await fixture.store.register(.phone(), for: .ada)
            #expect(try await fixture.store.activities().isEmpty)
            let ordered = try await fixture.order("ordered", 1, at: .at(10))
            #expect(try await fixture.activitySteps(ordered) == ["dropped noStartToken"])
        }
    }

    @Test func `a device that changes its service has to tell its tokens again`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.store.register(
                Device(id: "phone", provider: .fcm, token: "t9", registeredAt: .at(4)), for: .ada)
            #expect(try await fixture.store.activities().isEmpty)
        }
    }

    @Test func `an activity is forgotten twelve hours after its start`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            _ = try await fixture.store.sweepTrail(at: .at(12 * 3_600 - 60))
            #expect(try await fixture.store.activities().count == 1)
            _ = try await fixture.store.sweepTrail(at: .at(12 * 3_600 + 60))
            #expect(try await fixture.store.activities().isEmpty)
        }
    }

    @Test func `a folder that is opened again has its activities`() async throws {
        try await withOrders { fixture in
            try await fixture.running(at: .at(0))
            try await fixture.order("moved", 2, at: .at(5))
            let again = try await fixture.reopened(yaml: StoreFixture.orders)
            #expect(try await again.activityJob(at: .at(5)).push.token == "bb")
            await again.store.close()
        }
    }
}
