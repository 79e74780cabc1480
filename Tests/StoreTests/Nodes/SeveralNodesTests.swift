import Foundation
import Inbox
import JSON
import Postgres
import Push
import Store
import Testing

@testable import PostgresStore

/// Stores of several processes in one database. None of the tests waits for a time: a node that hears nothing makes
/// them hang, and then fail.
@Suite(.enabled(if: StoreServer.url != nil), .mayNotHang) struct SeveralNodesTests {
    private static let listening = WakeUps.listen(nil)
    /// Such a node hears nothing from others, and has to find out.
    private static let deaf = WakeUps.poll(.seconds(86_400))

    @Test(arguments: [listening, .poll(.milliseconds(20)), deaf])
    func `sessions hear what other nodes commit, in order and once`(_ wakeUps: WakeUps) async throws {
        try await withNodes(Self.listening, wakeUps) { nodes in
            try await nodes[0].say("before", to: .ada)
            nodes[1].store.watch(.inbox(.ada))
            #expect(try await nodes[1].store.state(of: .ada).seq == 1)
            for number in 1...20 { try await nodes[0].say("hi \(number)", to: .ada, .bob) }
            await nodes[1].hearing.wait { $0.seqs(of: .ada).last == 21 }
            #expect(nodes[1].hearing.seqs(of: .ada) == Array(2...21))
            #expect(nodes[1].hearing.seqs(of: .bob) == [])
        }
    }

    @Test(arguments: [listening, .poll(.milliseconds(20)), deaf])
    func `each node hears of a revocation, whoever watches the person`(_ wakeUps: WakeUps) async throws {
        try await withNodes(Self.listening, wakeUps, Self.listening) { nodes in
            nodes[2].store.watch(.inbox(.ada))
            let revocation = Revocation(user: .ada, issuedBefore: .at(7))
            try await nodes[0].store.revoke(revocation)
            for node in nodes { await node.hearing.wait { $0.flatMap(\.revoked) == [revocation] } }
        }
    }

    @Test func `a node that may have missed notes reads all revocations from their table`() async throws {
        try await withNodes(Self.listening) { nodes in
            let connection = try PostgresConnection(StoreServer.address(of: nodes[0].folder))
            try await nodes[0].store.revoke(Revocation(user: .ada, issuedBefore: .at(7)))
            var notes = try NodeNotes(node: 4_711, providers: .standard, on: connection)
            // Where transactions of others are under way, it may read the note itself, too.
            _ = try notes.read(on: connection)
            for (mayHaveMissedSome, expected) in [(true, [Revocation(user: .ada, issuedBefore: .at(7))]), (false, [])] {
                let read = try notes.read(mayHaveMissedSome: mayHaveMissedSome, on: connection)
                #expect(read.flatMap(\.revoked) == expected)
            }
        }
    }

    @Test func `each of two nodes that write at once hears all in one order`() async throws {
        try await withNodes(Self.listening, Self.listening) { nodes in
            for node in nodes {
                node.store.watch(.inbox(.ada))
                _ = try await node.store.state(of: .ada)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes {
                    group.addTask { for number in 1...40 { try await node.say("hi \(number)", to: .ada) } }
                }
                try await group.waitForAll()
            }
            for node in nodes {
                await node.hearing.wait { $0.seqs(of: .ada).last == 80 }
                #expect(node.hearing.seqs(of: .ada) == Array(1...80))
            }
        }
    }

    @Test func `a session that comes while another node writes misses nothing`() async throws {
        try await withNodes(Self.listening, Self.listening) { nodes in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for number in 1...100 { try await nodes[0].say("hi \(number)", to: .ada) } }
                for _ in 1...10 {
                    let heard = nodes[1].hearing.commits.count
                    nodes[1].store.watch(.inbox(.ada))
                    let read = try await nodes[1].store.state(of: .ada).seq
                    _ = try await nodes[1].store.state(of: .bob)
                    let later = Array(nodes[1].hearing.commits[heard...]).seqs(of: .ada)
                    // What was heard continues the read; some of it may have been in the read.
                    #expect(later.isEmpty || later == Array(later[0]...later[later.count - 1]))
                    #expect(later.first.map { $0 <= read + 1 } ?? true)
                    nodes[1].store.unwatch(.inbox(.ada))
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `items of a feed reach subscribers at other nodes, changes included`() async throws {
        try await withNodes(Self.listening, Self.listening, Self.deaf) { nodes in
            for node in nodes.dropFirst() {
                node.store.watch(.feed(ExactText("news")))
                _ = try await node.store.items(of: "news", .head)
            }
            let store = nodes[0].store
            for number in 1...5 {
                try await store.append([item("item-\(number)", tags: ["a"])], to: "news", at: .at(0))
            }
            _ = try await store.replace(item("item-2", tags: ["b"]), at: .at(1))
            _ = try await store.remove("item-3", from: "news", at: .at(2))
            for (place, node) in nodes.enumerated().dropFirst() {
                await node.hearing.wait { $0.offsets(of: "news").last == 7 }
                // Who has missed all that reads of no item that was removed meanwhile.
                let offsets = node.hearing.commits.offsets(of: "news")
                #expect(offsets == Array(1...7) || place == 2 && offsets == [1, 2, 4, 5, 6, 7])
                let items = node.hearing.commits.flatMap(\.feeds).map(\.item)
                #expect(items[0].tags == ["a"])
                #expect(items[items.count - 2].change == .replaces(2))
                #expect(items[items.count - 1].change == .removes(3))
            }
        }
    }

    private func item(_ id: String, tags: [String]) -> FeedItem {
        FeedItem(
            feed: "news", json: Array("{\"tag\":\"\(tags.first ?? "")\"}".utf8), publishedAt: .at(0), id: id, tags: tags
        )
    }

    @Test(arguments: [listening, deaf])
    func `an erasure, and new settings, are told at each node`(_ wakeUps: WakeUps) async throws {
        try await withNodes(Self.listening, wakeUps) { nodes in
            try await nodes[0].say("hi", to: .ada)
            nodes[1].store.watch(.inbox(.ada))
            #expect(try await nodes[1].store.state(of: .ada).seq == 1)
            try await nodes[0].store.change(.snooze(until: .at(60)), for: .ada, at: .at(0))
            await nodes[1].hearing.wait { $0.contains { $0.settings.map(\.user) == [.ada] } }
            try await nodes[0].store.erase(.ada)
            await nodes[1].hearing.wait { $0.contains { $0.erased == [.ada] } }
            // The new inbox counts anew.
            #expect(try await nodes[1].store.state(of: .ada).seq == 0)
            try await nodes[0].say("again", to: .ada)
            await nodes[1].hearing.wait { $0.seqs(of: .ada).last == 1 }
        }
    }

    @Test func `a question is answered by the nodes that have sessions of the person`() async throws {
        try await withNodes(Self.listening, Self.listening, Self.listening) { nodes in
            for (place, node) in nodes.enumerated() {
                node.store.onQuestion { question, reply in
                    reply(question == .sessions(of: .ada) ? [place == 1, false] : [])
                }
            }
            nodes[1].store.watch(.inbox(.ada))
            _ = try await nodes[1].store.state(of: .ada)
            let answers = await withCheckedContinuation { waiting in
                nodes[0].store.ask(.sessions(of: .ada)) { waiting.resume(returning: $0) }
            }
            #expect(answers == [true, false])
        }
    }

    @Test func `one node is on duty, and another one when it has left`() async throws {
        try await withNodes(Self.listening, Self.listening) { nodes in
            let (duty, isOnDuty) = AsyncStream.makeStream(of: Int.self)
            for (place, node) in nodes.enumerated() { node.store.onDuty { isOnDuty.yield(place) } }
            var calls = duty.makeAsyncIterator()
            let first = try #require(await calls.next())
            #expect(nodes.map(\.store.isOnDuty) == [first == 0, first == 1])
            await nodes[first].store.close()
            while let place = await calls.next(), place == first {}
            #expect(nodes[1 - first].store.isOnDuty)
        }
    }

    @Test func `an answer is never older than a write that another node has answered`() async throws {
        try await withNodes(Self.listening, Self.deaf) { nodes in
            nodes[1].store.watch(.inbox(.ada))
            for number in 1...20 {
                try await nodes[number % 2].say("hi \(number)", to: .ada)
                #expect(try await nodes[(number + 1) % 2].store.state(of: .ada).seq == Int64(number))
            }
        }
    }

    @Test func `a node continues the broadcasts of one that has left, and of no other`() async throws {
        try await withNodes(Self.listening, Self.listening) { nodes in
            let event = Event(
                type: "noted", actor: ["id": "renee", "username": "renee"],
                to: [.init(name: "people", users: (0..<2_000).map { .user("user-\($0)") })], data: ["text": "hi"])
            let outcome = try #require(try await nodes[0].publish(nodes[0].entry(event)).first)
            #expect(try await nodes[0].store.openBroadcasts() == [outcome.event])
            #expect(try await nodes[1].store.openBroadcasts() == [])
            await nodes[0].store.close()
            #expect(try await nodes[1].store.openBroadcasts() == [outcome.event])
        }
    }

    @Test func `a node that was alone knows of sessions at one that has just come`() async throws {
        // The first has heard nothing yet of the other.
        try await withNodes(Self.deaf, Self.listening) { nodes in
            try await nodes[0].store.register(.phone(), for: .ada)
            nodes[1].store.watch(.inbox(.ada))
            _ = try await nodes[1].store.state(of: .ada)
            try await nodes[0].say("hi", to: .ada)
            let pushes = try await nodes[0].store.leasePushJobs(at: .at(0))
            #expect(pushes.jobs.isEmpty)
            #expect(try #require(pushes.nextDue) > .at(0))
        }
    }

    @Test func `whose node has left counts as on the way back`() async throws {
        try await withNodes(Self.listening, Self.listening) { nodes in
            for user in [UserID.ada, .bob] { try await nodes[1].store.register(.phone(token: user.name), for: user) }
            nodes[0].store.watch(.inbox(.ada))
            _ = try await nodes[0].store.state(of: .ada)
            await nodes[0].store.close()
            try await nodes[1].say("hi", to: .ada, .bob)
            let pushes = try await nodes[1].store.leasePushJobs(at: .at(0))
            #expect(pushes.jobs.map(\.user) == [.bob])
            let due = try #require(pushes.nextDue)
            #expect(due > .at(0))
            #expect(try await nodes[1].store.leasePushJobs(at: due).jobs.map(\.user) == [.ada])
        }
    }

    @Test func `pushes that were on their way at a node that has left are handed out again`() async throws {
        try await withNodes(Self.listening, Self.listening) { nodes in
            // Leases are ended by the database's clock.
            let now = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
            try await nodes[0].store.register(.phone(), for: .ada)
            try await nodes[0].say("hi", to: .ada, at: now)
            let lease = Duration.seconds(1_800)
            #expect(try await nodes[0].store.leasePushJobs(at: now, lease: lease).jobs.count == 1)
            await nodes[0].store.close()
            var again: [PushJob] = []
            while again.isEmpty { again = try await nodes[1].store.leasePushJobs(at: now + .seconds(600)).jobs }
            #expect(again.map(\.body) == ["hi"])
        }
    }
}
