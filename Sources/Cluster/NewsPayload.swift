import Foundation
import Inbox
import Push
package import Store

/// What nodes tell each other: a text that PostgreSQL carries. Any may be lost.
enum NewsPayload {
    /// The changes of a commit, or a part of them.
    case commit(Commit)
    /// These have changed, and the news would be too long: look them up.
    case look([NewsSubject])
    /// Anything may have changed.
    case lookAtAll
    /// There are new ``NodeNotes``.
    case notes
    /// A question, which is to be answered to a channel under its number.
    case question(Int64, NodeQuestion, answerTo: String)
    case answer(Int64, [Bool])
    /// A node's message to itself, with the moment of sending by its own clock.
    case beat(Int64)

    /// PostgreSQL carries 7999 bytes (<https://www.postgresql.org/docs/current/sql-notify.html>). The rest is room for
    /// what stands before the base64.
    static let maximumBytes = 7_900
    /// Of one commit for one node; longer ones are looked up.
    private static let mostParts = 16

    // MARK: Writing

    /// The payloads for a commit, each within the limit.
    static func texts(of commit: Commit) -> [String] {
        var texts: [String] = []
        var tooLong: [NewsSubject] = []
        split(commit, into: &texts, &tooLong)
        if texts.count + tooLong.count > mostParts { return [NewsPayload.lookAtAll.text] }
        // Versions before 0.5.0 took names with a line's end, which cannot stand in a list of lines.
        if tooLong.contains(where: { $0.presenceKey.utf8.contains(UInt8(ascii: "\n")) }) {
            return [NewsPayload.lookAtAll.text]
        }
        if !tooLong.isEmpty { texts.append(NewsPayload.look(tooLong).text) }
        return texts.contains { $0.utf8.count > maximumBytes } ? [NewsPayload.lookAtAll.text] : texts
    }

    /// Halves a commit until each part fits. A content goes with each part that shows it.
    private static func split(_ commit: Commit, into texts: inout [String], _ tooLong: inout [NewsSubject]) {
        guard texts.count + tooLong.count <= mostParts else { return }
        let text = NewsPayload.commit(commit).text
        if text.utf8.count <= maximumBytes { return texts.append(text) }
        let (inboxes, feeds) = (commit.inboxes, commit.feeds)
        guard inboxes.count + feeds.count > 1 else {
            tooLong += inboxes.map { .inbox($0.user) } + feeds.map { .feed(ExactText($0.item.feed)) }
            return
        }
        var (first, second) = (commit, Commit())
        let middle = (inboxes.count + feeds.count) / 2
        first.inboxes = Array(inboxes.prefix(middle))
        second.inboxes = Array(inboxes.dropFirst(middle))
        first.feeds = Array(feeds.prefix(max(0, middle - inboxes.count)))
        second.feeds = Array(feeds.dropFirst(max(0, middle - inboxes.count)))
        split(first, into: &texts, &tooLong)
        split(second, into: &texts, &tooLong)
    }

    var text: String {
        switch self {
        case .commit(let commit): "c" + Data(commit.bytes).base64EncodedString()
        case .look(let subjects): "k" + subjects.map(\.presenceKey).joined(separator: "\n")
        case .lookAtAll: "l"
        case .notes: "n"
        case .question(let number, let question, let channel): "q\(number) \(channel) \(question.text)"
        case .beat(let sent): "b\(sent)"
        case .answer(let number, let sessions): "a\(number) " + sessions.map { $0 ? "1" : "0" }.joined()
        }
    }

    // MARK: Reading

    /// Nil for a text of another version.
    init?(_ text: String, providers: ProviderList) {
        let rest = text.dropFirst()
        switch text.first {
        case "c":
            guard let bytes = Data(base64Encoded: String(rest)),
                let commit = try? Commit(bytes: Array(bytes), providers: providers)  // looked up instead
            else { return nil }
            self = .commit(commit)
        case "k":
            // Scalar by scalar: a name may end with a carriage return, or begin with a mark that joins what is before it.
            self = .look(
                rest.unicodeScalars.split(separator: "\n").compactMap { NewsSubject(presenceKey: String($0)) })
        case "l": self = .lookAtAll
        case "n": self = .notes
        case "b":
            guard let sent = Int64(rest) else { return nil }
            self = .beat(sent)
        case "q":
            let parts = rest.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let number = Int64(parts[0]), let question = NodeQuestion(String(parts[2]))
            else { return nil }
            self = .question(number, question, answerTo: String(parts[1]))
        case "a":
            let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
            self = .answer(number, parts[1].map { $0 == "1" })
        default: return nil
        }
    }
}

extension NewsSubject {
    /// How it is written where nodes keep what they watch.
    package var presenceKey: String {
        switch self {
        case .inbox(let user): "u" + user.key
        case .feed(let feed): "f" + feed.text
        }
    }

    package init?(presenceKey key: String) {
        let name = String(key.unicodeScalars.dropFirst())
        switch key.unicodeScalars.first {
        case "u":
            guard let user = UserID(key: name) else { return nil }
            self = .inbox(user)
        case "f": self = .feed(ExactText(name))
        default: return nil
        }
    }
}
