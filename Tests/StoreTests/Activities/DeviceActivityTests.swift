import Deliveries
import Inbox
import JSON
import Push
import Testing

/// What the machine of one activity on one device decides.
struct DeviceActivityTests {
    private static let limits = DeviceActivity.Limits(starts: 2, pressing: 2)

    private var activity = DeviceActivity()
    private var device = ActivityDevice(types: ["Order": "aa"])

    private static func change(
        _ event: ActivityContent.Event, _ step: Int64, alert: Bool = false, at time: Timestamp? = nil,
        expiry: Timestamp = .at(7_200)
    ) -> DeviceActivity.Change {
        DeviceActivity.Change(
            content: ActivityContent(
                event: event, key: "order-1",
                beginning: event == .start ? .init(type: "Order", attributes: ["number": 7]) : nil,
                state: ["step": .int(step)],
                alert: event == .start || alert ? .init(title: "Order", body: "step \(step)") : nil),
            notification: step, at: time ?? .at(step), expiry: expiry)
    }

    /// What the trail gets, by the event's number.
    private func told(_ notes: [DeviceActivity.Note]) -> [String] { notes.map { "\($0.notification) \($0.became)" } }

    @discardableResult
    private mutating func take(
        _ event: ActivityContent.Event, _ step: Int64, alert: Bool = false, canStart: Bool = true,
        at now: Timestamp? = nil
    ) -> [String] {
        told(activity.take(Self.change(event, step, alert: alert), canStart: canStart, at: now ?? .at(step)))
    }

    /// The push that leaves, with what the trail gets: event, state's step, priority, token.
    private mutating func lease(at now: Timestamp) -> (push: String?, number: Int64, notes: [String]) {
        let (leased, notes) = activity.lease(on: &device, Self.limits, at: now, until: now + .seconds(30))
        let push = leased.map { leased in
            let push = leased.push
            let step = push.content.state["step"]?.int ?? -1
            return "\(push.content.event.rawValue) \(step) \(push.isPressing ? 10 : 5) \(push.token ?? "-")"
        }
        return (push, leased?.number ?? 0, told(notes))
    }

    private mutating func settle(_ number: Int64, _ verdict: Verdict = .accepted, at now: Timestamp) -> [String] {
        told(activity.settle(number, verdict, on: &device, at: now, jitter: 0))
    }

    /// Runs with the token bb from second 2 on.
    private mutating func run() {
        take(.start, 1)
        let number = lease(at: .at(1)).number
        _ = settle(number, at: .at(1))
        _ = activity.register(token: "bb", at: .at(2))
    }

    // MARK: From the start to the end

    @Test mutating func `a start, updates and the end leave in turn, each with its own token`() {
        #expect(take(.start, 1).isEmpty)
        let start = lease(at: .at(1))
        #expect(start.push == "start 1 10 aa")
        #expect(settle(start.number, at: .at(1)) == ["1 start"])
        #expect(activity.phase == .begun(at: .at(1)))
        #expect(take(.update, 2) == ["2 waits"])
        #expect(activity.due == nil)
        _ = activity.register(token: "bb", at: .at(3))
        let update = lease(at: .at(3))
        #expect(update.push == "update 2 10 bb")
        #expect(settle(update.number, at: .at(3)) == ["2 update"])
        take(.end, 5)
        let end = lease(at: .at(5))
        #expect(end.push == "end 5 10 bb")
        #expect(settle(end.number, at: .at(5)) == ["5 end"])
        #expect(take(.update, 6) == ["6 dropped over"])
    }

    @Test mutating func `an update leaves out what only a start has`() throws {
        run()
        take(.start, 3)
        let leased = activity.lease(on: &device, Self.limits, at: .at(3), until: .at(33)).push
        let push = try #require(leased?.push)
        #expect(push.content.event == .update)
        #expect(push.content.beginning == nil)
    }

    @Test mutating func `each push has a later timestamp than the one before, in whole seconds`() throws {
        run()
        var timestamps: [Int64] = []
        for step in 3...5 {
            take(.update, Int64(step), at: .at(3))
            let due = try #require(activity.due)
            let leased = try #require(
                activity.lease(on: &device, Self.limits, at: due, until: due + .seconds(30)).push)
            timestamps.append(leased.push.timestamp)
            _ = settle(leased.number, at: due)
        }
        #expect(timestamps == [1_000_000_003, 1_000_000_004, 1_000_000_005])
    }

    @Test mutating func `a device whose app shows activities by itself needs no token`() {
        device = ActivityDevice(types: ["Order": nil])
        take(.start, 1)
        let start = lease(at: .at(1))
        #expect(start.push == "start 1 10 -")
        _ = settle(start.number, at: .at(1))
        take(.update, 2)
        #expect(lease(at: .at(2)).push == "update 2 10 -")
    }

    @Test mutating func `an activity that the app has begun gets updates by its token`() {
        #expect(take(.update, 1) == ["1 dropped notRunning"])
        _ = activity.register(token: "bb", at: .at(2))
        take(.update, 3)
        #expect(lease(at: .at(3)).push == "update 3 10 bb")
    }

    // MARK: The newest state

    @Test mutating func `a later state takes the place of one that waits`() {
        run()
        take(.update, 3)
        #expect(take(.update, 4) == ["3 replaced"])
        #expect(lease(at: .at(4)).push == "update 4 10 bb")
    }

    @Test mutating func `an event that happened before the last one changes nothing`() {
        run()
        take(.update, 4)
        let older = Self.change(.update, 3, at: .at(3))
        #expect(told(activity.take(older, canStart: true, at: .at(5))) == ["3 dropped older"])
    }

    @Test mutating func `an update joins a start that waits`() {
        take(.start, 1)
        #expect(take(.update, 2) == ["2 joined"])
        #expect(lease(at: .at(2)).push == "start 2 10 aa")
    }

    @Test mutating func `an end before the start has left takes both back`() {
        take(.start, 1)
        #expect(take(.end, 2) == ["1 dropped neverBegan", "2 dropped neverBegan"])
        #expect(activity.isBlank)
    }

    @Test mutating func `an end behind a start under way waits for the token`() {
        take(.start, 1)
        let start = lease(at: .at(1))
        #expect(take(.end, 2).isEmpty)
        #expect(settle(start.number, at: .at(3)) == ["1 start", "2 waits"])
        _ = activity.register(token: "bb", at: .at(4))
        #expect(lease(at: .at(4)).push == "end 2 10 bb")
    }

    @Test mutating func `an update behind an end is dropped, and a start lets the activity go on`() {
        run()
        take(.end, 3)
        #expect(take(.update, 4) == ["4 dropped over"])
        #expect(take(.start, 5) == ["3 replaced"])
        #expect(lease(at: .at(5)).push == "update 5 10 bb")
    }

    @Test mutating func `a start behind the end begins a new activity`() {
        run()
        take(.end, 3)
        let end = lease(at: .at(3))
        take(.start, 4)
        #expect(settle(end.number, at: .at(4)) == ["3 end"])
        #expect(lease(at: .at(4)).push == "start 4 10 aa")
    }

    // MARK: Budgets and limits

    @Test mutating func `a device begins only so many activities within an hour`() {
        for step in 1...2 {
            activity = DeviceActivity()
            take(.start, Int64(step))
            #expect(lease(at: .at(Int64(step))).push != nil)
        }
        activity = DeviceActivity()
        take(.start, 3)
        let third = lease(at: .at(3))
        #expect(third.push == nil)
        #expect(third.notes == ["3 dropped startBudget"])
        activity = DeviceActivity()
        take(.start, 4)
        #expect(lease(at: .at(3_602)).push != nil)
    }

    @Test mutating func `beyond the hour's budget updates leave at low priority`() {
        run()
        var pushes: [String?] = []
        var notes: [String] = []
        for step in 3...5 {
            take(.update, Int64(step))
            let leased = lease(at: .at(Int64(step)))
            pushes.append(leased.push)
            notes += settle(leased.number, at: .at(Int64(step)))
        }
        #expect(pushes == ["update 3 10 bb", "update 4 10 bb", "update 5 5 bb"])
        #expect(notes == ["3 update", "4 update", "5 update low"])
    }

    @Test mutating func `a device without a token for the type begins none`() {
        #expect(take(.start, 1, canStart: false) == ["1 dropped noStartToken"])
        take(.start, 2)
        device.types = [:]
        #expect(lease(at: .at(2)).notes == ["2 dropped noStartToken"])
    }

    @Test mutating func `after eight hours an activity is over`() {
        run()
        let late = Timestamp.at(1 + 8 * 3_600)
        #expect(told(activity.take(Self.change(.update, 9, at: late), canStart: true, at: late)) == ["9 dropped over"])
        #expect(activity.end == late + .seconds(4 * 3_600))
    }

    @Test mutating func `a push that has waited past its expiry is dropped`() {
        run()
        _ = activity.take(Self.change(.update, 3, expiry: .at(60)), canStart: true, at: .at(3))
        #expect(lease(at: .at(60)).notes == ["3 dropped expired"])
    }

    // MARK: Failures

    @Test mutating func `a busy service gets the push again, with the newest state`() {
        run()
        take(.update, 3)
        let first = lease(at: .at(3))
        take(.update, 4)
        #expect(settle(first.number, .busy(retryAfter: .seconds(20), scope: .provider), at: .at(5)) == ["3 replaced"])
        #expect(activity.due == .at(25))
        #expect(lease(at: .at(25)).push == "update 4 10 bb")
    }

    @Test mutating func `a start whose answer was lost waits for the token before it is repeated`() {
        take(.start, 1)
        let start = lease(at: .at(1))
        let lost = Verdict.noAnswer(NoAnswer(reason: "cut"))
        #expect(settle(start.number, lost, at: .at(2)).isEmpty)
        #expect(activity.due == .at(62))
        let again = lease(at: .at(62))
        #expect(again.push == "start 1 10 aa")
        // The repetition is no second start for the budget.
        #expect(device.starts.times.count == 1)
    }

    @Test mutating func `a token that comes meanwhile makes an update of the start`() {
        take(.start, 1)
        let start = lease(at: .at(1))
        _ = settle(start.number, .noAnswer(NoAnswer(reason: "cut")), at: .at(2))
        _ = activity.register(token: "bb", at: .at(3))
        let leased = activity.lease(on: &device, Self.limits, at: .at(3), until: .at(33)).push
        #expect(leased?.push.content.event == .update)
        #expect(leased?.push.content.alert == nil)
    }

    @Test mutating func `an end behind a start whose answer was lost is kept for the token`() {
        take(.start, 1)
        let start = lease(at: .at(1))
        take(.end, 2)
        #expect(settle(start.number, .noAnswer(NoAnswer(reason: "cut")), at: .at(3)) == ["1 replaced"])
        #expect(activity.due == nil)
        _ = activity.register(token: "bb", at: .at(4))
        #expect(lease(at: .at(4)).push == "end 2 10 bb")
    }

    @Test mutating func `after a crash an update leaves at once, and a start waits for its token`() {
        take(.start, 1)
        _ = lease(at: .at(1))
        #expect(lease(at: .at(31)).push == nil)
        #expect(activity.due == .at(91))
        _ = activity.register(token: "bb", at: .at(40))
        let update = lease(at: .at(40))
        #expect(update.push == "update 1 10 bb")
        #expect(lease(at: .at(70)).push == "update 1 10 bb")
        // The outcome of the earlier try comes too late.
        #expect(settle(update.number, at: .at(71)).isEmpty)
    }

    @Test mutating func `a dead start token goes, and a dead update token ends the activity`() {
        take(.start, 1)
        let start = lease(at: .at(1))
        #expect(settle(start.number, .refused(reason: "BadDeviceToken"), at: .at(1)) == ["1 dropped tokenGone"])
        #expect(device.types.isEmpty)
        #expect(activity.isBlank)
        device = ActivityDevice(types: ["Order": "aa"])
        run()
        take(.update, 3)
        let update = lease(at: .at(3))
        #expect(settle(update.number, .deviceGone(since: nil), at: .at(3)) == ["3 dropped tokenGone"])
        #expect(activity.phase == .over(since: .at(3)))
    }

    @Test mutating func `a refused update leaves the activity running`() {
        run()
        take(.update, 3)
        let update = lease(at: .at(3))
        #expect(settle(update.number, .refused(reason: "BadTopic"), at: .at(3)) == ["3 refused BadTopic"])
        take(.update, 4)
        #expect(lease(at: .at(4)).push == "update 4 10 bb")
    }

    @Test mutating func `a token that was replaced while a push was under way sends it again`() {
        run()
        take(.update, 3)
        let update = lease(at: .at(3))
        _ = activity.register(token: "cc", at: .at(4))
        #expect(settle(update.number, .deviceGone(since: nil), at: .at(5)).isEmpty)
        #expect(lease(at: .at(5)).push == "update 3 10 cc")
    }

    @Test mutating func `an activity that the app calls over gets nothing more`() {
        run()
        take(.update, 3)
        #expect(told(activity.dismiss(at: .at(4))) == ["3 dropped dismissed"])
        #expect(take(.update, 5) == ["5 dropped over"])
    }

    // MARK: What is stored

    @Test mutating func `each state is read as it was written`() {
        func expectSame(_ location: SourceLocation = #_sourceLocation) {
            #expect(DeviceActivity(json: activity.json, due: activity.due) == activity, sourceLocation: location)
        }
        expectSame()
        take(.start, 1)
        expectSame()
        let start = lease(at: .at(1))
        expectSame()
        _ = settle(start.number, .noAnswer(NoAnswer(reason: "cut")), at: .at(2))
        expectSame()
        run()
        take(.update, 3, alert: true)
        _ = lease(at: .at(3))
        take(.end, 4)
        expectSame()
        _ = activity.dismiss(at: .at(5))
        expectSame()
        #expect(DeviceActivity(json: Array("{}".utf8), due: nil) == nil)
        #expect(ActivityDevice(json: device.json) == device)
        #expect(ActivityDevice(json: []) == nil)
    }
}
