import Inbox
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Random lives of pushes whose owner changes their mind, against a model that asks at each push what they want then.
@Suite(.everyEngine) struct RandomWishTests {
    @Test(arguments: Seeds.some(3, of: 40))
    func `the sent pushes are those that the person wants at that moment`(_ seed: UInt64) async throws {
        let life = try await WishfulLife(seed: seed)
        for _ in 0..<200 { try await life.step() }
        try await life.end()
        await life.fixture.remove()
    }
}

/// Ada's choices, in plain words.
private struct Wishes {
    struct Notification {
        let type: String
        let category: String?
        let isRequired: Bool
        /// Whether those have it in the app who have chosen nothing; nil for what nobody can have there.
        let inApp: Bool?
        /// Whether it is pushed to those who have chosen nothing.
        let isPushed: Bool
        /// The subjects of each of its events.
        var subjects: [[String]]
    }

    /// By subject, when the mute ends; in the far future for one without an end.
    var mutes: [String: Timestamp] = [:]
    var types: [String: ChannelChoice] = [:]
    var categories: [String: ChannelChoice] = [:]

    func wants(_ one: Notification, at now: Timestamp) -> Bool {
        if one.isRequired { return true }
        let areMuted = one.subjects.map { subjects in
            subjects.contains { subject in
                guard let end = mutes[subject] else { return false }
                return end > now
            }
        }
        if !areMuted.contains(false) { return false }
        if let usual = one.inApp, isOn(\.inApp, one, usually: usual) {
            return isOn(\.push, one, usually: one.isPushed)
        }
        // Of what they do not have in the app they want pushes if they say so. Their word against the app, and none
        // about pushes, means neither.
        for choice in [types[one.type], one.category.flatMap { categories[$0] }] {
            if let push = choice?.push { return push }
            if choice?.inApp == false { return false }
        }
        return one.isPushed
    }

    /// Their word for the type, else for the category, else the app's.
    private func isOn(
        _ channel: KeyPath<ChannelChoice, Bool?>, _ one: Notification, usually usual: Bool
    ) -> Bool {
        if let choice = types[one.type]?[keyPath: channel] { return choice }
        if let category = one.category, let choice = categories[category]?[keyPath: channel] { return choice }
        return usual
    }
}

/// One person with a phone and a browser, and a model of what they want.
private final class WishfulLife {
    private static let ever = Timestamp(milliseconds: .max)
    private static let people = ["pete", "renee", "sue"]
    private static let rooms = ["attic", "cellar"]
    private static let events = [
        "said", "liked", "warned", "found", "added", "drawn", "rang", "hid", "asked", "gathered",
    ]
    /// Those of their types that have one.
    private static let categories = [
        "said": "talk", "warned": "talk", "added": "talk", "rang": "talk", "gathered": "talk", "liked": "praise",
        "drawn": "praise", "hid": "praise",
    ]

    private(set) var fixture: StoreFixture
    private var random: SeededRandom
    private var now = Timestamp.at(0)
    private var wishes = Wishes()
    /// The wishes at each moment at which pushes were handed out.
    private var history: [Timestamp: Wishes] = [:]
    private var notifications: [NotificationID: (event: String, said: Wishes.Notification)] = [:]
    /// Notifications that have had a push in the queue.
    private var queued: Set<NotificationID> = []
    private var leased: [PushJob] = []

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        fixture = try StoreFixture(yaml: WishTypes.yaml)
        try await fixture.store.register(.phone(), for: .ada)
        let browser = Device(id: "browser", provider: .webpush, token: "https://push.example/1", registeredAt: .at(0))
        try await fixture.store.register(browser, for: .ada)
    }

    private func pick<Value>(_ values: [Value]) -> Value { values[random.next(below: values.count)] }

    private func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }

    func step() async throws {
        now = now + .seconds(1 + Int64(random.next(below: chance(12) ? 2_000 : 40)))
        switch random.next(below: 16) {
        case 0..<6: try await publish()
        case 6..<9: try await change()
        case 9: try await hold()
        case 10..<14: try await lease()
        case 14: try await settle(mayFail: true)
        default: try await crash()
        }
    }

    // MARK: What happens

    private func publish() async throws {
        let type = pick(Self.events)
        let (actor, room) = (pick(Self.people), pick(Self.rooms))
        let event = WishTypes.event(
            type, by: actor, in: room, notBefore: chance(3) ? now + .seconds(Int64(random.next(below: 900))) : nil,
            urgency: chance(8) ? .urgent : nil)
        let id = try await fixture.publish(event, at: now)
        let report = try await fixture.report(id, of: .ada)
        guard let recipient = report.recipients.first, let notification = recipient.notification else { return }
        switch recipient.decision {
        case .created(.queued), .grew(.queued), .pushOnly(.queued): queued.insert(notification)
        default: break
        }
        let hasRoom = ["said", "liked", "found", "added", "rang", "gathered"].contains(type)
        let subjects = ["actor:\(actor)"] + (hasRoom ? ["room:\(room)"] : [])
        if notifications[notification] != nil {
            notifications[notification]?.said.subjects.append(subjects)
            return
        }
        let said = Wishes.Notification(
            type: type.uppercased(), category: Self.categories[type], isRequired: type == "warned",
            inApp: ["rang", "asked", "gathered"].contains(type) ? nil : type != "hid",
            isPushed: !["found", "asked"].contains(type), subjects: [subjects])
        notifications[notification] = (id, said)
    }

    private func change() async throws {
        let subject = chance(2) ? "actor:\(pick(Self.people))" : "room:\(pick(Self.rooms))"
        switch random.next(below: 6) {
        case 0:
            let end = chance(2) ? now + .seconds(Int64(1 + random.next(below: 600))) : nil
            try await fixture.store.change(WishTypes.mute(subject, until: end), for: .ada, at: now)
            wishes.mutes[subject] = end ?? Self.ever
        case 1, 2:
            try await fixture.store.change(.unmute(ExactText(subject)), for: .ada, at: now)
            wishes.mutes[subject] = nil
        case 3:
            let (type, edit) = (pickType(), edit())
            try await fixture.store.change(WishTypes.type(type, edit), for: .ada, at: now)
            wishes.types[type, default: ChannelChoice()].take(edit)
        case 4:
            let type = pickType()
            try await fixture.store.change(WishTypes.type(type, .reset), for: .ada, at: now)
            wishes.types[type] = nil
        default:
            let (category, edit) = (pick(["talk", "praise"]), chance(2) ? .reset : edit())
            try await fixture.store.change(WishTypes.category(category, edit), for: .ada, at: now)
            if edit == .reset { wishes.categories[category] = nil }
            wishes.categories[category, default: ChannelChoice()].take(edit)
        }
    }

    /// One that people can switch off.
    private func pickType() -> String { pick(Self.events.filter { $0 != "warned" }).uppercased() }

    /// Of pushes, of the inbox, or of both.
    private func edit() -> ChannelEdit {
        let isOn = ChannelEdit.Edit.set(pick([true, false]))
        switch random.next(below: 4) {
        case 0: return ChannelEdit(inApp: isOn)
        case 1: return ChannelEdit(inApp: isOn, push: .set(pick([true, false])))
        default: return ChannelEdit(push: isOn)
        }
    }

    private func hold() async throws {
        let end = chance(3) ? nil : now + .seconds(Int64(1 + random.next(below: 1_200)))
        try await fixture.store.change(.snooze(until: end), for: .ada, at: now)
    }

    private func crash() async throws {
        leased = []
        fixture = try await fixture.reopened(yaml: WishTypes.yaml)
    }

    // MARK: Pushes

    private func lease() async throws {
        history[now] = wishes
        for provider in [Device.Provider.apns, .webpush] {
            let jobs = try await fixture.store.leasePushJobs(1 + random.next(below: 3), for: provider, at: now).jobs
            for job in jobs where job.message.content != nil { check(job) }
            leased += jobs
        }
    }

    private func check(_ job: PushJob) {
        #expect(job.message.count == job.parts.count)
        for id in job.parts.compactMap(\.notification) {
            guard let known = notifications[id], queued.contains(id) else {
                Issue.record("\(id.text) was never to be pushed")
                continue
            }
            #expect(wishes.wants(known.said, at: now), "\(known.said) at \(now.iso8601)")
        }
    }

    private func settle(mayFail: Bool) async throws {
        for job in leased {
            if mayFail, chance(4) {
                let attempt = PushAttempt(failures: job.attempt.failures + 1, expiry: job.attempt.expiry)
                try await fixture.store.settle(job, as: .retry(at: now + .seconds(30)), attempt: attempt, at: now)
            } else {
                try await fixture.store.settle(job, as: .finish, at: now)
            }
        }
        leased = []
    }

    /// Time goes by until nothing is left; then every push was sent, or dropped because it was not wanted.
    func end() async throws {
        for _ in 0..<2_000 {
            now = now + .seconds(60)
            try await settle(mayFail: false)
            try await lease()
            if leased.isEmpty, try await fixture.statistics().pushJobs == 0 { break }
        }
        #expect(try await fixture.statistics().pushJobs == 0)
        for (id, (event, said)) in notifications {
            let steps = try await fixture.report(event, of: .ada).recipients.flatMap(\.steps)
            for device in ["phone", "browser"] {
                let told = steps.filter { $0.device == device }
                #expect(
                    told.contains { $0.step.isEnd } || !queued.contains(id), "\(said) on \(device): \(told.map(\.step))"
                )
            }
            for step in steps {
                guard case .dropped = step.step else { continue }
                let then = try #require(history[step.at])
                // A batch may have grown since.
                #expect(!then.wants(said, at: step.at) || said.subjects.count > 1, "\(said) at \(step.at.iso8601)")
            }
        }
    }
}

extension ChannelChoice {
    fileprivate mutating func take(_ edit: ChannelEdit) {
        if case .set(let isOn) = edit.inApp { inApp = isOn }
        if case .set(let isOn) = edit.push { push = isOn }
    }
}

extension TrailStep {
    fileprivate var isEnd: Bool {
        switch self {
        case .sent, .folded, .dropped, .expired: true
        case .cancelled, .withdrawn, .putOff, .refused, .deviceGone, .retried, .answered, .activity, .patched,
            .retracted, .shrunk:
            false
        }
    }
}
