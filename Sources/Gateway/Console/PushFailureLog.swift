import Inbox
import Push
import Synchronization

/// The last pushes of one provider that failed for good, in memory. From any thread.
final class PushFailureLog: Sendable {
    /// Older ones go.
    static let capacity = 500

    /// Why a push will not be tried again.
    enum Kind: String, Sendable {
        /// The provider refused it, or the settings do not fit.
        case refused
        /// The device is no longer there.
        case gone
        case expired
    }

    struct Entry: Sendable {
        let number: Int
        let at: Timestamp
        let kind: Kind
        /// In the provider's own words.
        let reason: String
        let advice: String
        /// Holds a notification's texts, which are never shown or logged.
        let job: PushJob
        /// The verdict of another try; nil without one.
        var retriedAs: String?

        /// Another push may do, once somebody has mended what the provider refused.
        var canRetry: Bool { kind == .refused && job.message.content != nil && retriedAs != "accepted" }
    }

    private let entries = Mutex<(last: Int, all: [Entry])>((0, []))

    /// Notes what becomes of a push, if it failed for good.
    func note(_ verdict: Verdict, _ action: PushAction, of job: PushJob, at now: Timestamp) {
        switch (verdict, action) {
        case (.accepted, _), (_, .retry): return
        case (.refused(let reason), _): add(.refused, reason, verdict, job, now)
        case (.deviceGone, _): add(.gone, "device gone", verdict, job, now)
        case (.busy, _): add(.expired, "too old", verdict, job, now)
        }
    }

    private func add(_ kind: Kind, _ reason: String, _ verdict: Verdict, _ job: PushJob, _ now: Timestamp) {
        let advice = verdict.explanation(from: job.device.provider)
        entries.withLock { entries in
            entries.last += 1
            if entries.all.count >= Self.capacity { entries.all.removeFirst() }
            entries.all.append(
                Entry(number: entries.last, at: now, kind: kind, reason: reason, advice: advice, job: job))
        }
    }

    /// The newest last.
    var all: [Entry] { entries.withLock(\.all) }

    func entry(_ number: Int) -> Entry? { all.first { $0.number == number } }

    func retried(_ number: Int, as verdict: String) {
        entries.withLock { entries in
            guard let place = entries.all.firstIndex(where: { $0.number == number }) else { return }
            entries.all[place].retriedAs = verdict
        }
    }

    /// Lets go of everything about a person.
    func forget(_ user: UserID) { entries.withLock { $0.all.removeAll { $0.job.user == user } } }
}
