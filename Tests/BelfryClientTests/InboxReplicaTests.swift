import Foundation
import Testing

@testable import BelfryClient

struct InboxReplicaTests {
    private static func row(_ number: Int64, _ members: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            ["id": .string("n\(number)"), "rev": 1, "seq": .integer(number), "isRead": false, "isSeen": false].merging(
                members
            ) { $1 })
    }

    private static func frame(_ value: JSONValue) throws -> ServerFrame { try #require(ServerFrame(value)) }

    /// One whose newest row is the last number.
    private static func begun(_ numbers: ClosedRange<Int64>, unread: Int64) throws -> InboxReplica {
        var replica = InboxReplica()
        let rows = numbers.reversed().map { row($0) }
        _ = replica.receive(
            try frame(
                [
                    "type": "reset", "epoch": "e", "seq": .integer(numbers.upperBound), "unread": .integer(unread),
                    "unseen": .integer(unread), "notifications": .array(rows),
                ]))
        return replica
    }

    private static func names(_ effects: [InboxReplica.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .changed(.new(let row)): "new \(row.id)"
            case .changed(.update(let row)): "update \(row.id)"
            case .changed(.gone(let ids)): "gone \(ids.joined(separator: " "))"
            case .changed(.reset): "reset"
            case .changed(.preferences): "prefs"
            case .changed(.status): "status"
            case .refresh: "refresh"
            case .restart: "restart"
            }
        }
    }

    @Test func `a frame that came already is no news, and one that is not next leads to a fresh list`() throws {
        var replica = try Self.begun(1...1, unread: 1)
        let next = try Self.frame(["type": "new", "seq": 2, "unread": 2, "unseen": 2, "notification": Self.row(2)])
        #expect(Self.names(replica.receive(next)) == ["new n2"])
        #expect(replica.receive(next).isEmpty)
        let hole = try Self.frame(["type": "new", "seq": 5, "unread": 5, "unseen": 5, "notification": Self.row(5)])
        #expect(Self.names(replica.receive(hole)) == ["refresh"])
        #expect(replica.lag == nil && replica.seq == 2)
    }

    @Test func `a notification is as its newest rev has it, even if changes come twice`() throws {
        var replica = try Self.begun(1...1, unread: 1)
        func update(_ seq: Int64, rev: Int64, _ text: String) throws -> [InboxReplica.Effect] {
            let row = Self.row(1, ["rev": .integer(rev), "displayText": .string(text)])
            return replica.receive(
                try Self.frame(["type": "update", "seq": .integer(seq), "unread": 1, "unseen": 1, "notification": row]))
        }
        #expect(try update(2, rev: 3, "three").count == 1)
        #expect(try update(3, rev: 2, "two").isEmpty)
        #expect(replica.view.items[0].displayText == "three")
    }

    @Test func `commands under way are counted among what is loaded, and among all where they mean all`() throws {
        var replica = try Self.begun(21...40, unread: 40)
        func begin(_ id: String, _ kind: Command.Kind, _ ids: [String]) {
            replica.begin(Command(id: id, kind: kind, selection: .ids(Set(ids)), ids: ids))
        }
        begin("1", .read, ["n40", "n39", "n1"])
        begin("2", .remove, ["n39", "n38"])
        #expect(replica.view.unread == 37 && replica.view.items.count == 18)
        replica.begin(Command(id: "3", kind: .seen, selection: .upTo(40), ids: []))
        #expect(replica.view.unread == 37 && replica.view.unseen == 0)
        replica.begin(Command(id: "4", kind: .read, selection: .upTo(30), ids: []))
        #expect(replica.view.unread == 7)
        for id in ["1", "2", "3", "4"] { replica.settle(id) }
        let view = replica.view
        #expect(view.unread == 40 && view.unseen == 40 && view.items.count == 20)
    }

    @Test func `an archive goes on where it was, and a list without a connection tells what is new in it`() throws {
        let archive = try #require(try Self.begun(1...3, unread: 3).archive)
        let data = try JSONEncoder().encode(archive)
        var replica = InboxReplica(try JSONDecoder().decode(InboxArchive.self, from: data))
        #expect(replica.view.items.map(\.id) == ["n3", "n2", "n1"] && replica.epoch == "e" && replica.seq == 3)
        let page = try #require(
            InboxPage([
                "data": [Self.row(5), Self.row(4), Self.row(3)],
                "meta": ["epoch": "e", "seq": 5, "unread": 3, "unseen": 3, "next": nil],
            ]))
        #expect(Self.names(replica.adopt(page)) == ["reset", "new n4", "new n5"])
        #expect(replica.adopt(page).isEmpty)
    }
}
