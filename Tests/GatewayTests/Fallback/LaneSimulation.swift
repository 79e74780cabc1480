import Inbox
import Push
import Support

@testable import Gateway

/// One lane in a time of its own: the machines run as ``PushLane`` runs them, between a store of jobs and a provider
/// that the test scripts. No test waits: an hour takes a moment.
struct LaneSimulation {
    struct Job {
        let id: Int
        var device: Device
        var attempt: PushAttempt
        var availableAt: Timestamp
    }

    /// A provider's answer to one request.
    struct Response {
        var verdict: Verdict
        var after = Duration.milliseconds(50)
    }

    enum End: Hashable {
        case accepted, forgotten
        case abandoned(String)
    }

    struct Request {
        let job: Int
        let at: Timestamp
    }

    private enum Event {
        case added(Job)
        case wake
        case answer(LaneTicket, Job, Verdict)
    }

    private(set) var now = Timestamp.noon
    private(set) var machine: LaneMachine
    private(set) var refusals = RefusalLog()
    private(set) var requests: [Request] = []
    private(set) var reports: [(at: Timestamp, report: RefusalLog.Report)] = []
    private(set) var ends: [Int: (end: End, at: Timestamp)] = [:]
    private(set) var pauses: [(at: Timestamp, until: Timestamp)] = []
    private(set) var mostHeld = 0
    private var queue = EarliestFirst<Job>()
    private var atHand: ArraySlice<Job> = []
    private var events = EarliestFirst<Event>()
    private var wasPaused = false
    private var wakeAt: Timestamp?
    private var reportAt: Timestamp?
    private var random = SeededRandom(seed: 4)
    private let limits: LaneMachine.Limits
    /// By job and time.
    private let provider: (Int, Timestamp) -> Response

    init(_ limits: LaneMachine.Limits = LaneMachine.Limits(), provider: @escaping (Int, Timestamp) -> Response) {
        self.limits = limits
        self.provider = provider
        machine = LaneMachine(limits)
    }

    mutating func add(
        _ ids: some Sequence<Int>, due: Timestamp = .noon, registeredAt: Timestamp = .noon - .seconds(3_600),
        lifetime: Duration = .seconds(86_400)
    ) {
        for id in ids {
            let device = Device(id: "phone-\(id)", provider: .apns, token: "a1", registeredAt: registeredAt)
            let attempt = PushAttempt(expiry: due + lifetime)
            events.insert(.added(Job(id: id, device: device, attempt: attempt, availableAt: due)), at: due)
        }
    }

    /// Until that much time has passed.
    mutating func run(for span: Duration) {
        let end = now + span
        while let time = events.firstTime, let event = events.pop(until: end) {
            now = max(now, time)
            take(event)
            proceed()
        }
        now = end
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .added(let job):
            queue.insert(job, at: job.availableAt)
            machine.expect(job.availableAt)
        case .wake:
            guard let wakeAt, wakeAt <= now else { return }  // it was set anew meanwhile
            self.wakeAt = nil
            machine.woke()
        case .answer(let ticket, var job, let verdict):
            if case .refused(let reason) = verdict, let report = refusals.note(reason, at: now).report {
                reports.append((now, report))
            }
            let action = job.attempt.settle(verdict, at: now, jitter: chance(), device: job.device)
            machine.answered(ticket, LaneAnswer(verdict), at: now, jitter: chance())
            settle(job, action)
            machine.settled(at: now)
        }
    }

    private mutating func settle(_ job: Job, _ action: PushAction) {
        switch action {
        case .finish: ends[job.id] = (.accepted, now)
        case .forgetDevice: ends[job.id] = (.forgotten, now)
        case .abandon(let reason): ends[job.id] = (.abandoned(reason), now)
        case .retry(let due):
            var job = job
            job.availableAt = due
            queue.insert(job, at: due)
            machine.expect(due)
        }
    }

    private mutating func proceed() {
        while let action = machine.next(at: now) {
            switch action {
            case .lease(let limit): lease(limit)
            case .send(let ticket): send(atHand.removeFirst(), ticket)
            case .release(let count):
                for job in atHand.prefix(count) { queue.insert(job, at: job.availableAt) }
                atHand.removeFirst(count)
            case .settleAgain: break
            case .wake(let time):
                wakeAt = time
                if let time { events.insert(.wake, at: time) }
            }
            mostHeld = max(mostHeld, atHand.count + machine.underWay)
        }
        for report in refusals.reports(at: now) { reports.append((now, report)) }
        if let time = refusals.nextReport, time != reportAt {
            reportAt = time
            events.insert(.wake, at: time)
        }
        guard case .paused(let since, let until) = machine.gate.state else {
            wasPaused = false
            return
        }
        if !wasPaused { pauses.append((since, until)) }
        wasPaused = true
    }

    /// Jobs that wait in the store.
    var waiting: [Job] { queue.values }

    private mutating func lease(_ limit: Int) {
        var count = 0
        while count < limit, let job = queue.pop(until: now) {
            atHand.append(job)
            count += 1
        }
        machine.leased(count, nextDue: queue.firstTime.flatMap { $0 > now ? $0 : nil }, at: now)
    }

    private mutating func send(_ job: Job, _ ticket: LaneTicket) {
        requests.append(Request(job: job.id, at: now))
        let response = provider(job.id, now)
        events.insert(.answer(ticket, job, response.verdict), at: now + response.after)
    }

    private mutating func chance() -> Double { Double(random.next(below: 1_000)) / 1_000 }
}
