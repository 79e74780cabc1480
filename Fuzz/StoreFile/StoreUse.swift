import Deliveries
import Dispatch
import Inbox
import JSON
import Push
import SQLiteStore
import Synchronization

@testable import Store

/// What sessions, apps and backends ask of a store.
struct StoreUse {
    /// Longer than a store may take for anything here.
    private static let patience = 25.0
    private static let people = ["ada", "bob", "cleo", "nobody"].compactMap { UserID($0) }

    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// Waits for an answer.
    @discardableResult
    static func wait<Answer: Sendable>(_ call: (@escaping @Sendable (Answer) -> Void) -> Void) -> Answer {
        let (done, box) = (DispatchSemaphore(value: 0), AnswerBox<Answer>())
        call { answer in
            box.answer.withLock { $0 = answer }
            done.signal()
        }
        guard done.wait(timeout: .now() + patience) == .success, let answer = box.answer.withLock({ $0 }) else {
            fatalError("a call that is never answered")
        }
        return answer
    }

    private final class AnswerBox<Answer: Sendable>: Sendable {
        let answer = Mutex<Answer?>(nil)
    }

    /// The answer; nil for a failure.
    private func ask<Answer: Sendable>(
        _ call: (@escaping @Sendable (Result<Answer, StoreError>) -> Void) -> Void
    ) -> Answer? {
        switch Self.wait(call) {
        case .success(let answer): return answer
        case .failure(let error):
            claim(error != .closed, "a store that has closed by itself")
            return nil
        }
    }

    // MARK: Reading

    /// Reads what is there of one or two people.
    func readPeople(_ choices: inout Choices) {
        for user in [choices.pick(Self.people), choices.pick(Self.people)] {
            let page = ask { store.page(PageQuery(start: .offset(0), limit: 20), of: user, completion: $0) }
            for notification in page?.notifications ?? [] { judge(notification) }
            _ = ask { store.state(of: user, completion: $0) }
            let groups = ask { store.groups(20, of: user, completion: $0) }
            for group in groups?.groups ?? [] { judge(group.latest) }
            let recovery = ask { store.recover(user, from: InboxPosition(epoch: "epoch", seq: 0), completion: $0) }
            switch recovery?.result {
            case .changes(let changes)?: for change in changes { change.kind.notification.map(judge) }
            case .reset(let notifications)?: for notification in notifications { judge(notification) }
            case nil: break
            }
            _ = ask { store.devices(of: user, completion: $0) }
            _ = ask { store.facts(of: user, completion: $0) }
            _ = ask { store.profile(of: user, completion: $0) }
            _ = ask { store.topics(of: user, completion: $0) }
            _ = ask { store.trail(of: user, before: nil, limit: 20, completion: $0) }
        }
    }

    /// Reads what belongs to nobody alone.
    func readRest() {
        _ = ask { store.trail(of: TrailQuery(.id("event-1")), completion: $0) }
        _ = ask { store.answers(of: TrailQuery(.id("event-3")), completion: $0) }
        _ = ask { store.members(of: "room:7", after: nil, limit: 10, completion: $0) }
        let items = ask {
            store.items(of: "posts", FeedQuery(.newest, tags: ["t"], limit: 10), with: .open, completion: $0)
        }
        for item in (items ?? nil)?.items ?? [] {
            claim(item.json.withOwnMemory { try? JSONValue(parsing: $0) } != nil, "an item that is no JSON")
        }
        _ = ask { store.statistics(at: SoundStore.now, completion: $0) }
        _ = ask { store.webhookCounts(completion: $0) }
        _ = ask { store.openBroadcasts(completion: $0) }
    }

    private func judge(_ notification: Notification) {
        var json = JSONWriter(capacity: 256)
        notification.write(to: &json)
        claim(json.bytes.withOwnMemory { try? JSONValue(parsing: $0) } != nil, "a notification that is no JSON")
    }

    // MARK: Writing

    func write(_ choices: inout Choices) {
        let later = SoundStore.now + .seconds(60)
        for _ in 0..<2 {
            let leased = ask {
                store.leasePushJobs(8, for: .apns, at: later, until: later + .seconds(60), completion: $0)
            }
            for job in leased?.jobs ?? [] {
                let action: PushAction = choices.pick([.finish, .retry(at: later + .seconds(9)), .abandon(reason: "x")])
                let outcome = PushOutcome(job: job, action: action, attempt: job.attempt)
                _ = ask { store.settle([outcome], at: later, completion: $0) }
            }
        }
        let user = choices.pick(Self.people)
        _ = ask {
            store.apply(
                choices.pick([.read(.upTo(2)), .seen(upTo: 9), .remove(.upTo(1))]), for: user, at: later, completion: $0
            )
        }
        let publication = Publication(
            publisher: "backend",
            entries: [SoundStore.entry("added", 9, to: Self.people), SoundStore.entry("said", 10, to: [user])],
            now: later)
        _ = ask { store.publish(publication, completion: $0) }
        _ = ask { store.settleQuestions(at: later + .seconds(7_200), completion: $0) }
        _ = ask { store.sweepTrail(at: later + .seconds(9 * 86_400), completion: $0) }
        _ = ask { store.erase(user, completion: $0) }
    }
}
