import Inbox
import SQLiteStore
import Store
import Support
import Testing

/// Random streams of everything that can happen, against a model so plain that it is obviously right.
@Suite(.everyEngine) struct RandomStreamTests {
    private static let users: [UserID] = [.ada, .bob, .cleo]
    private static let actors = ["renee", "pete"]

    @Test(arguments: Seeds.some(3, of: 12))
    func `counts, pages and every resume agree with a plain model`(_ seed: UInt64) async throws {
        let configure: StoreFixture.Configuration = { ($0.cachedInboxes, $0.cachedContents) = (2, 8) }
        try await withStore(configure) { fixture in
            var random = SeededRandom(seed: seed)
            var models: [UserID: InboxModel] = [:]
            for user in Self.users { models[user] = InboxModel() }
            for step in 0..<120 {
                if Int.random(in: 0..<10, using: &random) < 6 {
                    try await publish(step, &random, &models, fixture)
                } else {
                    try await command(&random, &models, fixture)
                }
            }
            for (user, model) in models { try await compare(model, of: user, fixture) }
            #expect(try await fixture.statistics().unreadDrift == 0)
            for user in Self.users { try await fixture.store.apply(.remove(.upTo(.max)), for: user) }
            #expect(try await fixture.statistics().contents == 0)
        }
    }

    @Test(arguments: Seeds.some(2, of: 4))
    func `nothing of that depends on what the writer remembers`(_ seed: UInt64) async throws {
        let configure: StoreFixture.Configuration = { ($0.cachedInboxes, $0.changeLogLength) = (1, 4_000) }
        var fixture = try StoreFixture(configure)
        var random = SeededRandom(seed: 100 + seed)
        var models: [UserID: InboxModel] = [:]
        for user in Self.users { models[user] = InboxModel() }
        var toldBefore: [UserID: [Int64]] = [:]
        for step in 0..<100 {
            // Mostly new notifications, so that inboxes go far without anything else.
            if Int.random(in: 0..<10, using: &random) < 8 {
                try await publish(step, &random, &models, fixture)
            } else {
                try await command(&random, &models, fixture)
            }
            guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
            for user in Self.users { toldBefore[user, default: []] += fixture.told(to: user).map(\.stamp.seq) }
            fixture = try await fixture.reopened(configure)
        }
        for (user, model) in models { try await compare(model, of: user, fixture, toldBefore[user] ?? []) }
        #expect(try await fixture.statistics().unreadDrift == 0)
        await fixture.remove()
    }

    private func publish(
        _ step: Int, _ random: inout SeededRandom, _ models: inout [UserID: InboxModel], _ fixture: StoreFixture
    ) async throws {
        let users = Self.users.filter { _ in Bool.random(using: &random) }
        let now = Timestamp.at(Int64(step) * Int64.random(in: 1...9, using: &random))
        var entries: [Publication.Entry] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let actor = Self.actors[Int.random(in: 0..<2, using: &random)]
            let things = Int.random(in: 1...3, using: &random)
            let isBatched = Bool.random(using: &random)
            entries.append(
                try fixture.entry(
                    isBatched ? "added" : "said", "step \(step)", to: users, things: things, actor: actor))
            for user in users {
                if isBatched {
                    models[user]?.add(things, by: actor, at: now)
                } else {
                    models[user]?.say("step \(step)", at: now)
                }
            }
        }
        _ = try await fixture.store.publish(Publication(publisher: "backend", entries: entries, now: now))
    }

    private func command(
        _ random: inout SeededRandom, _ models: inout [UserID: InboxModel], _ fixture: StoreFixture
    ) async throws {
        let user = Self.users[Int.random(in: 0..<Self.users.count, using: &random)]
        guard var model = models[user] else { return }
        let seq = model.seq - Int64.random(in: 0...6, using: &random)
        let rows = model.rows.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(\.id)
        let inbox = try await fixture.ids(of: user).first?.inbox ?? 1
        let ids = InboxChange.Selection.ids(rows.map { NotificationID(inbox: inbox, sequence: $0) })
        let command: InboxCommand
        let count: Int
        switch Int.random(in: 0..<5, using: &random) {
        case 0: (command, count) = (.read(ids), model.read { rows.contains($0.id) })
        case 1: (command, count) = (.read(.upTo(seq)), model.read { $0.seq <= seq })
        case 2: (command, count) = (.seen(upTo: seq), model.see(upTo: seq))
        case 3: (command, count) = (.remove(ids), model.remove { rows.contains($0.id) })
        default:
            // Far enough back that inboxes do not stay empty.
            (command, count) = (.remove(.upTo(seq - 12)), model.remove { $0.seq <= seq - 12 })
        }
        models[user] = model
        let outcome = try await fixture.store.apply(command, for: user)
        #expect(Int(outcome.count) == count, "\(command)")
        #expect(outcome.state.seq == model.seq, "\(command)")
    }

    private func compare(
        _ model: InboxModel, of user: UserID, _ fixture: StoreFixture, _ toldBefore: [Int64] = []
    ) async throws {
        let page = try await fixture.store.page(of: user)
        let state = page.state
        #expect(page.notifications.map(InboxModel.Row.init) == model.rows.reversed())
        #expect(state.seq == model.seq)
        #expect(Int(state.unread) == model.rows.count { !$0.isRead })
        #expect(Int(state.unseen) == model.rows.count { !$0.isSeen })
        #expect(Int(state.total) == model.rows.count)
        let told = toldBefore + fixture.told(to: user).map(\.stamp.seq)
        #expect(told == (state.seq == 0 ? [] : Array(1...state.seq)))
        for (seq, rows) in model.history.enumerated() {
            let position = InboxPosition(epoch: state.epoch, seq: Int64(seq))
            let changes = try #require(try await fixture.store.recover(user, from: position).changes)
            #expect(
                changes.map(\.stamp.seq) == (position.seq == state.seq ? [] : Array((position.seq + 1)...state.seq)))
            var client = ClientModel(rows: rows)
            for change in changes { client.apply(change) }
            #expect(client.rows.values.sorted { $0.id < $1.id } == model.rows, "resumed from \(seq)")
            if let last = changes.last {
                #expect((last.stamp.unread, last.stamp.unseen) == (state.unread, state.unseen))
            }
        }
    }
}

/// One inbox as an array, with its rows as they were at every `seq`.
private struct InboxModel {
    struct Row: Hashable {
        var id: Int64
        var text: String
        var seq: Int64
        var rev: Int64 = 1
        var isRead = false
        var isSeen = false

        init(id: Int64, text: String) { (self.id, seq, self.text) = (id, id, text) }

        init(_ notification: Notification) {
            (id, text) = (notification.id.sequence, notification.content.displayText)
            (seq, rev) = (notification.seq, notification.rev)
            (isRead, isSeen) = (notification.isRead, notification.isSeen)
        }
    }

    private struct OpenBatch {
        var row: Int64
        var things: Int
        var earliest: Timestamp
        var latest: Timestamp
    }

    private(set) var rows: [Row] = []
    private(set) var history: [[Row]] = [[]]
    private var open: [String: OpenBatch] = [:]

    var seq: Int64 { Int64(history.count - 1) }

    private mutating func step() { history.append(rows) }

    mutating func say(_ text: String, at time: Timestamp) {
        rows.append(Row(id: seq + 1, text: text))
        step()
    }

    mutating func add(_ things: Int, by actor: String, at time: Timestamp) {
        if var batch = open[actor], max(batch.latest, time) - min(batch.earliest, time) < .seconds(300),
            let index = rows.firstIndex(where: { $0.id == batch.row })
        {
            batch.things += things
            (batch.earliest, batch.latest) = (min(batch.earliest, time), max(batch.latest, time))
            open[actor] = batch
            rows[index].text = text(batch.things, by: actor)
            rows[index].seq = seq + 1
            rows[index].rev += 1
            rows[index].isSeen = false
        } else {
            open[actor] = OpenBatch(row: seq + 1, things: things, earliest: time, latest: time)
            rows.append(Row(id: seq + 1, text: text(things, by: actor)))
        }
        step()
    }

    private func text(_ things: Int, by actor: String) -> String {
        "\(actor) added \(things == 1 ? "one thing" : "\(things) things")"
    }

    mutating func read(_ isMeant: (Row) -> Bool) -> Int {
        var count = 0
        for index in rows.indices where isMeant(rows[index]) && !rows[index].isRead {
            (rows[index].isRead, rows[index].isSeen) = (true, true)
            close(rows[index].id)
            count += 1
        }
        if count > 0 { step() }
        return count
    }

    mutating func see(upTo seq: Int64) -> Int {
        var count = 0
        for index in rows.indices where rows[index].seq <= seq && !rows[index].isSeen {
            rows[index].isSeen = true
            count += 1
        }
        if count > 0 { step() }
        return count
    }

    mutating func remove(_ isMeant: (Row) -> Bool) -> Int {
        let gone = rows.filter(isMeant)
        rows.removeAll(where: isMeant)
        for row in gone { close(row.id) }
        if !gone.isEmpty { step() }
        return gone.count
    }

    private mutating func close(_ row: Int64) { open = open.filter { $0.value.row != row } }
}

/// A client's list, made from the changes it hears.
private struct ClientModel {
    private(set) var rows: [Int64: InboxModel.Row]

    init(rows: [InboxModel.Row]) { self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }) }

    mutating func apply(_ change: InboxChange) {
        switch change.kind {
        case .new(let notification), .update(let notification):
            rows[notification.id.sequence] = InboxModel.Row(notification)
        case .read(let selection):
            mark(selection) { ($0.isRead, $0.isSeen) = (true, true) }
        case .seen(let seq):
            mark(.upTo(seq)) { $0.isSeen = true }
        case .removed(.ids(let ids)):
            for id in ids { rows[id.sequence] = nil }
        case .removed(.upTo(let seq)):
            rows = rows.filter { $0.value.seq > seq }
        }
    }

    private mutating func mark(_ selection: InboxChange.Selection, _ body: (inout InboxModel.Row) -> Void) {
        for (id, var row) in rows {
            switch selection {
            case .ids(let ids): guard ids.contains(where: { $0.sequence == id }) else { continue }
            case .upTo(let seq): guard row.seq <= seq else { continue }
            }
            body(&row)
            rows[id] = row
        }
    }
}
