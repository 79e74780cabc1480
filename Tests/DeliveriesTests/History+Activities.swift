import Deliveries
import Inbox
import JSON
import Push
import Store
import Support

extension History {
    /// Something about the Live Activities of a device.
    func activity() -> Write {
        let (now, key) = (now, "order-\(pick(Self.rooms))")
        let address = ActivityAddress(user: user(), app: "", device: "phone-\(random.next(below: 3))")
        let limit = 1 + random.next(below: 3)
        let provider = pick(Self.providers)
        switch random.next(below: 8) {
        case 0, 1:
            let types: [String: String?] = chance(4) ? [:] : ["Order": chance(4) ? nil : "aa"]
            return Write(name: "activity types") {
                try ActivityWriter(open: $0, now: now).register(types: types, of: address)
            }
        case 2, 3:
            let token = pick(["bb", "cc"])
            return Write(name: "activity token") {
                try ActivityWriter(open: $0, now: now).register(token: token, key: key, of: address)
            }
        case 4: return Write(name: "dismiss") { try ActivityWriter(open: $0, now: now).dismiss(key: key, of: address) }
        case 5: return Write(name: "activities") { try ActivityWriter(open: $0, now: now).activities(of: address.user) }
        default:
            return Write(name: "lease activities") { open in
                let now = open.present(now)
                return try ActivityLeasing(open: open, now: now).lease(limit, for: provider, until: now + .seconds(30))
            } then: { answer in
                self.activityJobs += (answer as? LeasedActivities)?.jobs ?? []
            }
        }
    }

    func settleActivities() -> Write {
        let jobs = activityJobs.filter { _ in !chance(3) }
        activityJobs.removeAll { jobs.contains($0) }
        let now = now
        let outcomes = jobs.map { job in
            let verdict: Verdict =
                switch random.next(below: 8) {
                case 0: .deviceGone(since: nil)
                case 1: .refused(reason: pick(["BadDeviceToken", "BadTopic"]))
                case 2: .busy(retryAfter: .seconds(5), scope: .device)
                case 3: .noAnswer(NoAnswer(reason: "cut"))
                default: .accepted
                }
            return ActivityOutcome(job, verdict, jitter: 0.5)
        }
        return Write(name: "settle activities") { open in
            try ActivityLeasing(open: open, now: open.present(now)).settle(outcomes)
            return ()
        }
    }
}
