import Inbox
import JSON
import Testing
import WireProtocol

@testable import Gateway

struct LiveFramesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let kind: InboxChange.Kind
        let type: String
        /// The JSON after the numbers.
        let rest: String

        var testDescription: String { type + rest }
    }

    static let notification =
        #"{"id":"n1-9","type":"ROOM_LIKE","displayText":"pete liked \"Italy\"","isRead":false,"#
        + #""createdAt":"2027-01-15T08:00:00.000Z","deepLink":{"type":"room"},"isSeen":false,"rev":1,"seq":9}"#

    static let rows = [
        Row(kind: .new(.at(9)), type: "new", rest: #""notification":\#(notification)"#),
        Row(kind: .update(.at(9)), type: "update", rest: #""notification":\#(notification)"#),
        Row(
            kind: .read(.ids([NotificationID(inbox: 1, sequence: 9), NotificationID(inbox: 1, sequence: 36)])),
            type: "read", rest: #""ids":["n1-9","n1-10"]"#),
        Row(kind: .read(.upTo(40)), type: "read", rest: #""upTo":40"#),
        Row(
            kind: .removed(.ids([NotificationID(inbox: 1, sequence: 9)])), type: "removed", rest: #""ids":["n1-9"]"#),
        Row(kind: .removed(.upTo(40)), type: "removed", rest: #""upTo":40"#),
        Row(kind: .seen(upTo: 40), type: "seen", rest: #""upTo":40"#),
    ]

    @Test(arguments: rows, [false, true])
    func `each change has one frame, with its numbers and whether it is a replay`(_ row: Row, isReplay: Bool) {
        let stamp = ChangeStamp(seq: 41, unread: 5, unseen: 2, delta: -1)
        let frame = LiveFrames.frame(for: InboxChange(stamp: stamp, kind: row.kind), isReplay: isReplay)
        let mark = isReplay ? #""replay":true,"# : ""
        let json = #"{"type":"\#(row.type)","seq":41,"unread":5,"unseen":2,"delta":-1,\#(mark)\#(row.rest)}"#
        #expect(frame == Array(json.utf8))
    }

    @Test func `a reset brings the first page`() {
        let state = InboxState(epoch: "e7", seq: 9, unread: 1, unseen: 1, total: 2)
        let numbers = #"{"type":"reset","epoch":"e7","seq":9,"unread":1,"unseen":1,"notifications":"#
        let empty = Array("\(numbers)[]}".utf8)
        #expect(LiveFrames.reset(state, []) == empty)
        let two = Array("\(numbers)[\(Self.notification),\(Self.notification)]}".utf8)
        #expect(LiveFrames.reset(state, [.at(9), .at(9)]) == two)
    }

    @Test func `an item is passed on as it is`() {
        let frame = LiveFrames.item(Array(#"{"a":1.50}"#.utf8), of: "query:\"42\"", offset: 8)
        let json = #"{"type":"item","feed":"query:\"42\"","offset":8,"item":{"a":1.50}}"#
        #expect(frame == Array(json.utf8))
    }

    @Test func `ids that are no notification's name nothing`() {
        let ids = ["n1-9", "", "n1-0", "m1-9", "n1-9 ", "N1-9", "n01-9", "n1-10"]
        #expect(
            InboxChange.Selection(LiveSelection.ids(ids))
                == .ids([NotificationID(inbox: 1, sequence: 9), NotificationID(inbox: 1, sequence: 36)]))
        #expect(InboxChange.Selection(LiveSelection.upTo(7)) == .upTo(7))
    }

    @Test(arguments: TokenProblem.allCases)
    func `only an expired or revoked token lets its owner come back at once, and one whose keys are missing later`(
        _ problem: TokenProblem
    ) {
        switch problem {
        case .expired, .revoked:
            #expect(problem.closeCode == .tokenExpired)
            #expect(problem.closeCode.advice == .comeBackNow)
        case .keysPending: #expect(problem.closeCode.advice == .backOff)
        case .malformed, .algorithmNotAllowed, .unknownKey, .badSignature, .missingExpiry, .notYetValid, .wrongAudience,
            .wrongIssuer, .missingUser, .invalidUser:
            #expect(problem.closeCode == .badToken)
            #expect(problem.closeCode.advice == .stop)
        }
    }
}
