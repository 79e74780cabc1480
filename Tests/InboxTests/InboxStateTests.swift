import Inbox
import Support
import Testing

/// An inbox kept the plain way: rows, counted anew each time.
private struct PlainInbox {
    struct Row {
        var isRead = false
        var isSeen = false
    }

    var rows: [Row] = []

    var unread: Int64 { Int64(rows.count { !$0.isRead }) }
    var unseen: Int64 { Int64(rows.count { !$0.isSeen }) }
}

struct InboxStateTests {
    @Test(arguments: 1...50)
    func `the counts are always those of the rows, whatever happens`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = InboxState(epoch: "e")
        var model = PlainInbox()
        for step in 1...200 {
            let before = model.unread
            let stamp = change(&state, &model, using: &random)
            #expect(stamp.seq == Int64(step))
            #expect(stamp.delta == model.unread - before)
            #expect([stamp.unread, stamp.unseen] == [model.unread, model.unseen])
            #expect(
                [state.seq, state.unread, state.unseen, state.total]
                    == [stamp.seq, model.unread, model.unseen, Int64(model.rows.count)])
        }
    }

    private func change(
        _ state: inout InboxState, _ model: inout PlainInbox, using random: inout SeededRandom
    ) -> ChangeStamp {
        let chosen = model.rows.indices.filter { _ in Bool.random(using: &random) }
        switch Int.random(in: 0..<7, using: &random) {
        case 0...2:
            model.rows.append(.init())
            return state.add()
        case 3:
            guard let index = chosen.first(where: { !model.rows[$0].isRead }) else { return state.alter() }
            defer { model.rows[index].isSeen = false }
            return state.grow(wasSeen: model.rows[index].isSeen)
        case 4:
            let unread = chosen.filter { !model.rows[$0].isRead }
            let unseen = unread.filter { !model.rows[$0].isSeen }
            for index in unread { model.rows[index] = .init(isRead: true, isSeen: true) }
            return state.read(Int64(unread.count), unseen: Int64(unseen.count))
        case 5:
            let unseen = chosen.filter { !model.rows[$0].isSeen }
            for index in unseen { model.rows[index].isSeen = true }
            return state.see(Int64(unseen.count))
        default:
            let gone = chosen.map { model.rows[$0] }
            model.rows = model.rows.indices.filter { !chosen.contains($0) }.map { model.rows[$0] }
            return state.remove(
                Int64(gone.count), unread: Int64(gone.count { !$0.isRead }), unseen: Int64(gone.count { !$0.isSeen }))
        }
    }
}
