import Inbox
import JSON
import Push

@testable import Cluster
@testable import Store

/// What nodes tell each other through PostgreSQL: read without a trap, told again as the same, within PostgreSQL's limit,
/// and what is told covers all that a commit has changed.
///
/// The first byte chooses: a text of the bus, the bytes of a commit, to which the checksum is added, or a commit that the
/// other bytes make up.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzNews(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (selector, rest) = FuzzInput(start, count).selectorAndRest
    switch selector % 3 {
    case 0: judge(text: String(decoding: rest, as: UTF8.self))
    case 1: judge(commit: rest)
    default:
        var choices = CommitChoices(rest)
        judge(choices.commit())
    }
    return 0
}

private func judge(text: String) {
    guard let payload = NewsPayload(text, providers: .standard) else { return }
    let again = payload.text
    guard let reread = NewsPayload(again, providers: .standard) else {
        fatalError("our own text is not read: \(again)")
    }
    claimEqual(reread.text, again, "news that change when told again")
    if case .commit(let commit) = payload { use(commit) }
}

private func judge(commit bytes: [UInt8]) {
    let sealed = bytes + checksum(bytes)
    guard let commit = try? Commit(bytes: sealed, providers: .standard) else { return }
    use(commit)
    let written = commit.bytes
    guard let again = try? Commit(bytes: written, providers: .standard) else {
        fatalError("a commit that was written is not read")
    }
    claimEqual(again.bytes, written, "a commit that changes when written")
}

/// FNV-1a of 32 bits, the lowest byte first.
private func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 2_166_136_261
    for byte in bytes {
        sum ^= UInt32(byte)
        sum = sum &* 16_777_619
    }
    return [0, 8, 16, 24].map { UInt8(sum >> $0 & 0xFF) }
}

private func judge(_ commit: Commit) {
    use(commit)
    var told = Told()
    let texts = NewsPayload.texts(of: commit)
    for text in texts {
        claim(text.utf8.count <= NewsPayload.maximumBytes, "news longer than PostgreSQL takes")
        guard let payload = NewsPayload(text, providers: .standard) else { fatalError("our own news are not read") }
        told.take(payload)
    }
    guard !told.all else { return }
    claimEqual(told.subjects, Told(commit).subjects, "other subjects than those that have changed")
    // Of what was not split up, nothing is lost.
    if texts.count == 1, case .commit(let read)? = NewsPayload(texts[0], providers: .standard) {
        claimEqual(read.bytes, commit.bytes, "a commit that changes on its way")
    }
}

/// The subjects that news are about.
private struct Told {
    private(set) var subjects: Set<NewsSubject> = []
    private(set) var all = false

    init() {}

    init(_ commit: Commit) { take(.commit(commit)) }

    mutating func take(_ payload: NewsPayload) {
        switch payload {
        case .commit(let commit):
            for delivery in commit.inboxes { subjects.insert(.inbox(delivery.user)) }
            for delivery in commit.feeds { subjects.insert(.feed(ExactText(delivery.item.feed))) }
        case .look(let found): subjects.formUnion(found)
        case .lookAtAll: all = true
        case .notes, .question, .answer, .beat: fatalError("news of a commit that are none")
        }
    }
}

/// What sessions and pushes would make of it.
private func use(_ commit: Commit) {
    for delivery in commit.inboxes {
        guard let notification = delivery.change.kind.notification else { continue }
        var json = JSONWriter(capacity: 256)
        notification.write(to: &json)
        let content = notification.content
        if let batch = content.batch {
            claim(batch.count >= 0, "a batch of less than nothing")
            _ = batch.admits(Timestamp(milliseconds: 0), window: .seconds(300))
        }
        if let push = content.push {
            claimEqual(
                (try? JSONValue(parsing: push.encoded)).flatMap(PushContent.init(json:)), push, "a push that changes")
        }
    }
    for delivery in commit.feeds {
        var item = delivery.item
        item.stamp(Timestamp(milliseconds: 0))
        claimEqual(item.publishedAt.milliseconds, 0, "an item without its stamp")
    }
}
