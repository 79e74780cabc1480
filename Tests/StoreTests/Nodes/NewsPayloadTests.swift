import Inbox
import Push
import Store
import Testing

@testable import Cluster

struct NewsPayloadTests {
    /// Names that versions before 0.5.0 took, and one that begins with a mark for the character before it.
    static let names = ["ada", "older\nname", "older\r", "\u{301}marked", "s t"]

    private static func subjects(in texts: [String]) throws -> Set<NewsSubject>? {
        var subjects: Set<NewsSubject> = []
        for text in texts {
            switch try #require(NewsPayload(text, providers: .standard)) {
            case .look(let found): subjects.formUnion(found)
            case .lookAtAll: return nil
            case .commit(let commit): subjects.formUnion(commit.inboxes.map { .inbox($0.user) })
            case .notes, .question, .answer, .beat: Issue.record("\(text) is no news of a commit")
            }
        }
        return subjects
    }

    @Test(arguments: names)
    func `nodes look up a person whose change is too long to tell, whatever the name`(_ name: String) throws {
        let users = try [#require(UserID(known: name)), #require(UserID(known: "bob"))]
        let ids = (1...3_000).map { NotificationID(inbox: 7, sequence: $0) }
        var commit = Commit()
        commit.inboxes = users.map { user in
            let stamp = ChangeStamp(seq: 1, unread: 0, unseen: 0, delta: 0)
            return Commit.InboxDelivery(user: user, change: InboxChange(stamp: stamp, kind: .read(.ids(ids))))
        }
        let told = try Self.subjects(in: NewsPayload.texts(of: commit))
        #expect(told == nil || told == Set(users.map { .inbox($0) }))
    }

    @Test(arguments: names)
    func `a question about a person reaches other nodes, whatever the name`(_ name: String) throws {
        let user = try #require(UserID(known: name))
        let revocation = Revocation(user: user, issuedBefore: .at(7))
        for question in [NodeQuestion.sessions(of: user), .disconnect(user), .revoke(revocation)] {
            let text = NewsPayload.question(7, question, answerTo: "belfry_node_3").text
            guard case .question(7, question, answerTo: "belfry_node_3") = NewsPayload(text, providers: .standard)
            else {
                Issue.record("\(text) is read as something else")
                return
            }
        }
    }

    @Test(arguments: ["", "x", "s", "d", "r", "r7", "r ada", "r7 ", "r1.5 ada"])
    func `a question that no node asks is none`(_ text: String) {
        #expect(NodeQuestion(text) == nil)
    }
}
