import BelfryClient
import Deliveries
import Inbox
import ReferenceStore

/// Judges a run by its promises. It notes the observations of people, backends and push services, and looks at the store
/// only to compare.
@MainActor
final class Ledger {
    struct Event {
        let key: String
        let people: [String]
        /// Who had a phone when it was published.
        let phones: Set<String>
        /// The type's way with pushes.
        let isUrgent: Bool
        let isQuestion: Bool
        /// Makes its text long.
        let padding: String
        var isAnswered = false
    }

    /// A notification of one person, by its event. The first word of its text is the event's key.
    struct Entry: Hashable {
        let user: String
        let key: Substring

        init(user: String, text: String) { (self.user, key) = (user, text.prefix { $0 != " " }) }
    }

    /// A rare thing that has to happen now and then, or the runs show nothing about it.
    enum Rarity: String, CaseIterable {
        case death = "a node died"
        case deathBetween = "a node died with a commit that nobody had heard of"
        case unansweredPublish = "a publish got no answer"
        case refusedPublish = "a publish was refused for now"
        case retriedPush = "a push was tried again"
        case neededPush = "a push left"
        case cancelledPush = "an acknowledgement made a push needless"
        case gap = "a slow reader got a gap"
        case replay = "a session resumed"
        case reset = "a session began anew"
        case repeatedAnswer = "an answer was confirmed to two"
        case clock = "a clock was set while a node ran"
        case clockBetween = "a clock was set while no node ran"
        case slowClose = "a session was closed for taking nothing"
        case silentClose = "a session was closed for its silence"
        case stop = "a process was stopped for a while"
        case lostMessage = "a message between nodes got lost"
        case foundNews = "a node found news that no message had told of"
        case awayDatabase = "the database was away"
        case givenUp = "a node was given up by the others, and came again"
        case severalNodes = "three nodes ran at once"
    }

    private let timeline: Timeline
    private(set) var faults: [String] = []
    var events: [String: Event] = [:]
    /// Notifications whose removal somebody has asked for.
    private var maybeRemoved: Set<Entry> = []
    private var maybeRead: Set<String> = []
    /// When a read or a removal was confirmed, by notification.
    private var confirmed: [String: Int64] = [:]
    /// The answers that were confirmed, by notification.
    private var answers: [String: String] = [:]
    /// How far each person's attentive apps have acknowledged, as far as they have said so.
    private(set) var saidToBeSeen: [String: Int64] = [:]
    /// The same, of what the server must have stored, with the time.
    private var seen: [String: [(seq: Int64, time: Int64)]] = [:]
    /// Pushes that a service has taken, and those that it never will.
    private var pushed: Set<String> = []
    private var unpushable: Set<String> = []
    var readsAll: Set<String> = []
    /// How often each rare thing has happened.
    private(set) var sometimes: [String: Int] = [:]

    init(_ timeline: Timeline) { self.timeline = timeline }

    func isWrong(_ fault: String) {
        guard faults.count < 20 else { return }
        faults.append("at \(Double(timeline.elapsed / 1_000) / 1_000) s: \(fault)")
    }

    /// Whether checks find nothing, of which nothing is kept.
    func isContent(_ check: () -> Void) -> Bool {
        let (faults, sometimes) = (faults, sometimes)
        defer { (self.faults, self.sometimes) = (faults, sometimes) }
        check()
        return self.faults.count == faults.count
    }

    func note(_ rarity: Rarity) { sometimes[rarity.rawValue, default: 0] += 1 }

    // MARK: What is seen

    func asks(_ user: String, toRemove text: String) { maybeRemoved.insert(Entry(user: user, text: text)) }
    func asks(toRead id: String) { maybeRead.insert(id) }

    func confirmed(_ kind: BelfryClient.Command.Kind, _ ids: [String]) {
        guard kind != .seen else { return }
        for id in ids where confirmed[id] == nil { confirmed[id] = timeline.elapsed }
    }

    /// An answer to a question was confirmed.
    func confirmed(_ action: String, to id: String) {
        let standing = answers[id] ?? action
        if standing != action { isWrong("\(id) was answered by \(standing), and then by \(action)") }
        if answers[id] != nil { note(.repeatedAnswer) }
        answers[id] = standing
    }

    func said(_ seq: Int64, by user: String) { saidToBeSeen[user] = max(saidToBeSeen[user] ?? 0, seq) }

    func stored(_ seq: Int64, by user: String) { seen[user, default: []].append((seq, timeline.elapsed)) }

    /// A push job was handed out.
    ///
    /// - Parameters:
    ///   - seq: of the notification's last change; nil if no acknowledgement makes its push needless.
    ///   - time: when that was committed, in microseconds.
    func handedOut(_ id: String, seq: Int64?, of user: String, at time: Int64) {
        if let read = confirmed[id], read < time { isWrong("a push of \(id), which was read or removed") }
        if let seq, seen[user, default: []].contains(where: { $0.seq >= seq && $0.time < time }) {
            isWrong("a push of \(id) with seq \(seq), which \(user)'s app had acknowledged")
        }
    }

    func accepted(_ id: String) {
        note(.neededPush)
        pushed.insert(id)
    }
    func refused(_ ids: [String]) { unpushable.formUnion(ids) }

    // MARK: What must hold

    /// Compares the store's counts with its rows.
    func checkCounts(_ store: MemoryDatabase) {
        let state = store.state
        var unread: [Int64: Int64] = [:]
        for (id, row) in state.notifications where !row.record.isRead { unread[id.inbox, default: 0] += 1 }
        for (number, inbox) in state.inboxes {
            let (told, rows) = (store.currentState(of: inbox.user)?.unread ?? 0, unread[number] ?? 0)
            if told != rows { isWrong("\(inbox.user.name) has \(rows) unread rows, and unread is \(told)") }
        }
    }

    /// Once everything has come right: each answered event is there once for each of its people, and each push has
    /// left that nobody made needless.
    func checkEnd(_ state: MemoryState) {
        var rows: [Entry: [NotificationID]] = [:]
        for (id, row) in state.notifications {
            guard let user = state.inboxes[id.inbox]?.user.name,
                let content = state.contents[row.record.contentID]?.content
            else {
                isWrong("the row \(id.text) has no inbox or no content")
                continue
            }
            rows[Entry(user: user, text: content.displayText), default: []].append(id)
        }
        for (text, action) in answers {
            guard let id = NotificationID(text), state.notifications[id] != nil else { continue }
            let found = answer(to: id, state) ?? "none"
            if found != action { isWrong("\(text) was answered by \(action), and the answer is \(found)") }
        }
        for (entry, ids) in rows where ids.count > 1 { isWrong("\(entry.user) has \(entry.key) \(ids.count) times") }
        for event in events.values.sorted(by: { $0.key < $1.key }) {
            for user in event.people {
                let entry = Entry(user: user, text: event.key)
                guard let id = rows[entry]?.first else {
                    if event.isAnswered, !maybeRemoved.contains(entry) {
                        isWrong("\(user) has nothing of \(event.key), which was answered")
                    }
                    continue
                }
                if event.phones.contains(user) { checkPush(of: id, event, user, state) }
            }
        }
    }

    private func answer(to id: NotificationID, _ state: MemoryState) -> String? {
        guard let row = state.notifications[id], let content = state.contents[row.record.contentID]?.content else {
            return nil
        }
        return AskedQuestion(of: content)?.answer?.action
    }

    private func checkPush(of id: NotificationID, _ event: Event, _ user: String, _ state: MemoryState) {
        guard let row = state.notifications[id], !row.record.isRead, !pushed.contains(id.text),
            !unpushable.contains(id.text), !maybeRead.contains(id.text), !readsAll.contains(user)
        else { return }
        if !event.isUrgent, row.record.seq <= saidToBeSeen[user] ?? 0 { return note(.cancelledPush) }
        isWrong("no push of \(id.text) (\(event.key)) has left, though nobody acknowledged or read it")
    }

    /// Compares what a client shows with what the inbox holds.
    func checkClient(_ app: SimulatedApp, _ store: MemoryDatabase) {
        let state = store.state
        let snapshot = app.snapshot
        guard let (number, inbox) = state.inboxes.first(where: { $0.value.user.name == app.user }) else {
            if !snapshot.items.isEmpty { isWrong("\(app.name) shows something of an empty inbox") }
            return
        }
        guard snapshot.isSynced else { return isWrong("\(app.name) is not in step: \(snapshot.status.word)") }
        let unread = store.currentState(of: inbox.user)?.unread ?? 0
        if Int64(snapshot.unread) != unread {
            isWrong("\(app.name) shows \(snapshot.unread) unread, and \(unread) are")
        }
        let rows = state.notifications.filter { $0.key.inbox == number }
            .sorted { $0.value.record.place > $1.value.record.place }
            .map {
                "\($0.key.text) \($0.value.record.rev) \($0.value.record.isRead) \(answer(to: $0.key, state) ?? "")"
            }
        let shown = snapshot.items.map { "\($0.id) \($0.rev) \($0.isRead) \($0.question?.answer?.action ?? "")" }
        if shown != Array(rows.prefix(shown.count)) || !snapshot.hasMore && shown.count != rows.count {
            isWrong("\(app.name) shows other rows than the inbox has: \(shown.prefix(3)) and \(rows.prefix(3))")
        }
    }
}
